/** Tests of bounds against every target that programs without a score could make. */
import assert from "node:assert/strict";
import { answerOf } from "../../src/answers/answer.ts";
import { RandomStream } from "../../src/base/random.ts";
import { printAnswer } from "../../src/report/terminal_report/answer.ts";
import { openTerminal } from "../../src/report/terminal.ts";
import { read } from "../docs/markdown.ts";
import { type PlainProgram, shares, spaceOf } from "./spaces.ts";

/** Ten programs of three answers, of which those at `without` have no score. */
function spaceWithout(programs: readonly PlainProgram[], without: ReadonlySet<number>) {
  const scored = programs.filter((_, k) => !without.has(k));
  const whole = spaceOf(programs).questions[0];
  const part = spaceOf(scored, { programs: programs.length, failed: without.size });
  const places = whole.answers.map(({ answer }) => answer);
  const given = Int32Array.from(scored, ({ answer }) => places.indexOf(answer));
  return { ...part, questions: [{ ...whole, given }] };
}

function randomPrograms(random: RandomStream): PlainProgram[] {
  const weights = Array.from({ length: 10 }, () => random.uniform());
  const total = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight, k) => ({
    prior: weight / total,
    pointwise: [-4 * random.uniform(), -4 * random.uniform()],
    answer: ["a", "b", "c"][k % 3],
  }));
}

/** Target of each answer if a program has this fit. */
function targetsOf(programs: readonly PlainProgram[], elpd: (k: number) => number) {
  const each = shares(programs.map(({ prior }, k) => Math.log(prior) + elpd(k)));
  const of = (name: string) =>
    programs.reduce((sum, { answer }, k) => sum + (answer === name ? each[k] : 0), 0);
  return { a: of("a"), b: of("b"), c: of("c") } as Record<string, number>;
}

const fit = ({ pointwise }: PlainProgram) => pointwise[0] + pointwise[1];

Deno.test("bounds hold whatever the programs without a score would have had, and are reached", () => {
  const random = new RandomStream("unscored", "spaces");
  for (let trial = 0; trial < 50; trial++) {
    const programs = randomPrograms(random);
    const without = new Set([0, 1, 2].map(() => Math.floor(10 * random.uniform())));
    const [asked] = answerOf(spaceWithout(programs, without)).questions;
    const best = Math.max(...programs.filter((_, k) => !without.has(k)).map(fit));
    for (const { answer, target, lo, hi } of asked.answers) {
      assert.equal(target, null);
      const ends = [
        (k: number) => programs[k].answer === answer ? -Infinity : best,
        (k: number) => programs[k].answer === answer ? best : -Infinity,
      ].map((of) => targetsOf(programs, (k) => without.has(k) ? of(k) : fit(programs[k]))[answer]);
      assert.ok(Math.abs(lo! - ends[0]) < 1e-9 && Math.abs(hi! - ends[1]) < 1e-9);
      const any = targetsOf(programs, (k) =>
        without.has(k) ? best - 5 * random.uniform() : fit(programs[k]))[answer];
      assert.ok(lo! <= any + 1e-9 && any <= hi! + 1e-9);
    }
  }
});

Deno.test("no answer is certain while a rival has no score", () => {
  const programs = [
    { prior: 0.75, pointwise: [-1, -2], answer: "out" },
    { prior: 0.25, pointwise: [0, 0], answer: "in" },
  ];
  const answer = answerOf(spaceWithout(programs, new Set([1])));
  const [out, within] = answer.questions[0].answers;
  assert.deepEqual([out.target, out.lo, out.hi, out.scored], [null, 0.75, 1, 1]);
  assert.deepEqual([within.target, within.lo, within.scored], [null, 0, 0]);
  assert.equal(answer.likeliest[0].target, null);
  assert.equal(answer.questions[0].flat_prior.out, null);
  assert.doesNotMatch(answer.sentences.join("\n"), /100 %/);
});

Deno.test("the page shows bounds as the report prints them", () => {
  const programs = [
    { prior: 0.75, pointwise: [-1, -2], answer: "out" },
    { prior: 0.25, pointwise: [0, 0], answer: "in" },
  ];
  const answer = answerOf(spaceWithout(programs, new Set([1])));
  const questions = answer.questions.map((one) => ({ ...one, question: "cohort" }));
  let out = "";
  const terminal = {
    ...openTerminal(),
    width: 80,
    out: (text: string) => void (out += `${text}\n`),
  };
  printAnswer({ ...answer, questions }, terminal);
  const [, page] = /^```text\n(cohort [\s\S]*?)^```/m.exec(read("docs/answers.md"))!;
  assert.ok(out.replaceAll(/ *█+$/gm, "").includes(page), out);
});

Deno.test("programs that could move no printed digit leave probabilities numbers", () => {
  const programs = [
    { prior: 0.6, pointwise: [-1, -2], answer: "out" },
    { prior: 0.39999, pointwise: [-2, -2], answer: "in" },
    { prior: 0.00001, pointwise: [0, 0], answer: "in" },
  ];
  const [{ answers }] = answerOf(spaceWithout(programs, new Set([2]))).questions;
  assert.ok(
    Math.abs(answers[0].target! - shares([Math.log(0.6) - 3, Math.log(0.39999) - 4])[0]) < 1e-12,
  );
});
