/** Reference levels of effects: in the terminal, in Markdown and on the page. */
import assert from "node:assert/strict";
import { answerOf } from "../../src/answers/answer.ts";
import type { ScoredEffect } from "../../src/answers/scored_space.ts";
import { effectLines } from "../../src/report/against.ts";
import { effectsPicture } from "../../src/report/figures/answers.ts";
import { answersSection } from "../../src/report/html_report/sections/answers.ts";
import { answerReport } from "../../src/report/markdown_report/answer.ts";
import { printAnswer } from "../../src/report/terminal_report/answer.ts";
import { spaceOf } from "../answers/spaces.ts";

const effect = (term: string, against: string | null): ScoredEffect => ({
  ...{ term, against, at: null, ratio: null, programs: Int32Array.of(0) },
  ...{ mean: Float64Array.of(-1.69) },
  ...{ q05: Float64Array.of(-1.85), q95: Float64Array.of(-1.53) },
});

function reported(...effects: ScoredEffect[]) {
  const programs = ["one", "other"].map((answer) => ({ prior: 0.5, pointwise: [-1, -2], answer }));
  const answer = answerOf(spaceOf(programs, { effects }));
  const lines: string[] = [];
  const terminal = {
    out: (line: string) => lines.push(line),
    width: 80,
    colour: { bold: (text: string) => text },
  };
  printAnswer(answer, terminal as never);
  return {
    ...{ answer, terminal: lines.join("\n"), markdown: answerReport(answer) },
    ...{ page: answersSection(answer, new Map()).text, alt: effectsPicture(answer.effects).alt },
  };
}

Deno.test("the level that an effect is compared with stands beside it", () => {
  const { answer, terminal, markdown, page, alt } = reported(
    effect("treat: new", "control"),
    effect("age", null),
  );
  assert.deepEqual(answer.effects.map(({ against }) => against), ["control", null]);
  assert.match(terminal, /^effect +against +mean/m);
  assert.match(terminal, /^treat: new +control +-1\.69 .* 50\.0 %$/m);
  assert.match(terminal, /^age +-1\.69/m);
  assert.match(markdown, /\| treat: new \| control \| -1\.69 \|/);
  assert.match(page, /<td>treat: new \(against control\)<\/td>/);
  assert.match(page, /The effect of a level of a category is its difference/);
  assert.match(alt, /^treat: new \(against control\): /);
});

Deno.test("where no effect is of a level nothing is said of levels", () => {
  const { terminal, markdown, page } = reported(effect("age", null));
  for (const text of [terminal, markdown, page]) {
    assert.doesNotMatch(text, /against|difference from/);
  }
});

Deno.test("effects of a part of the models say so, where their answers are of all", () => {
  const programs = ["in", "in", "out"].map((answer) => ({
    prior: 1 / 3,
    pointwise: [-1, -2],
    answer,
  }));
  const question = (shown: readonly number[]) => {
    const own = { ...effect("glu", null), programs: Int32Array.from(shown) };
    const zeros = new Float64Array(shown.length);
    const numbers = { mean: zeros, q05: zeros, q95: zeros };
    const answer = answerOf(spaceOf(programs, { effects: [{ ...own, ...numbers }] }));
    const questions = answer.questions.map((one) => ({ ...one, question: "glu" }));
    return effectLines({ effects: answer.effects, questions }, (share) => share.toFixed(2));
  };
  assert.deepEqual(question([0, 1]), []);
  assert.match(
    question([0])[0],
    /^Effects are those of models that were summarised, which hold 0\.33 of/,
  );
});
