/** Judges of texts: scores by shape, rubric, critic and composite, and texts that try to fool them. */
import assert from "node:assert/strict";
import { codeOf } from "../../../src/engine/score/judges/code_of.ts";
import { formatOf, type FormatSettings } from "../../../src/engine/score/judges/format.ts";
import { logRewardOfText } from "../../../src/engine/score/judges/reward.ts";
import {
  settledJudge,
  type SettledJudgeSpec,
} from "../../../src/engine/score/judges/settled_judges.ts";
import type { CriticAnswers, Judge } from "../../../src/engine/score/judges/mod.ts";

const program = "import pymc as pm\nwith pm.Model():\n    s = pm.HalfNormal('s', 1)\n";
const fenced = `\`\`\`python\n${program}\`\`\``;

const shapes: [string, FormatSettings, string, number][] = [
  ["one block and nothing else", { code_block: "one" }, fenced, 1],
  ["words beside the block", { code_block: "one" }, `Here it is.\n${fenced}\n`, 0.5],
  ["two blocks", { code_block: "one" }, `${fenced}\n${fenced}`, 0],
  ["a block that nobody closes", { code_block: "one" }, fenced.slice(0, -3), 0],
  ["an empty block", { code_block: "one" }, "```python\n\n```", 0],
  ["a program where a block is wanted", { code_block: "one" }, program, 0],
  ["a program where no block is wanted", { code_block: "none" }, program, 1],
  ["a block where none is wanted", { code_block: "none" }, fenced, 0],
  ["twice as long as allowed", { most_characters: program.length / 2 }, program, 0.5],
  ["three lines where two are allowed", { most_lines: 2 }, program, 2 / 3],
  ["a forbidden part", { forbidden: ["HalfNormal"] }, program, 0],
  ["a forbidden part in a comment alone", { forbidden: ["Gamma"] }, `${program}# Gamma`, 1],
  ["a forbidden part in other spaces", { forbidden: ["import pymc"] }, "import \t pymc", 0],
  ["a forbidden part in letters of full width", { forbidden: ["eval"] }, "ｅｖａｌ(1)", 0],
  ["a forbidden part in a block", { code_block: "one", forbidden: ["pm.Model"] }, fenced, 0],
  ["the empty text", {}, "", 0],
  ["white space alone", { most_characters: 100 }, " \n\t\u200b", 0],
];

for (const [what, settings, text, wanted] of shapes) {
  Deno.test(`format: ${what} is worth ${wanted.toFixed(2)}`, () => {
    assert.equal(formatOf(text, settings).score, wanted);
  });
}

const opinionOf = (spec: SettledJudgeSpec, text: string, answers?: CriticAnswers) => {
  const judge = settledJudge("own", spec);
  const asked = { text, logPrior: -2, ...(answers && { answers }) };
  return logRewardOfText({ terms: [{ judge, weight: 2 }], failure: { logReward: -5 } }, asked);
};

const criteria: SettledJudgeSpec = {
  judge: "rubric",
  criteria: [
    { name: "half_normal", weight: 3, contains: ["HalfNormal", "Exponential"] },
    { name: "no_gamma", weight: 1, lacks: ["Gamma"] },
  ],
};

Deno.test("a rubric is the mean of its criteria by their weights, each a component", () => {
  const { logReward, components } = opinionOf(criteria, program);
  assert.equal(logReward, 2);
  assert.deepEqual(components, {
    own: 1,
    "own.half_normal": 1,
    "own.half_normal.weight": 3,
    "own.no_gamma": 1,
    "own.no_gamma.weight": 1,
  });
  assert.equal(opinionOf(criteria, "x = pm.Gamma('x', 1, 1)").logReward, 0);
  assert.equal(opinionOf(criteria, "x = pm.Normal('x', 0, 1)").logReward, 2 * 0.25);
});

Deno.test("a program that recites the rubric in comments, strings and names of variables gains nothing", () => {
  const recited = [
    "# HalfNormal Exponential\nx = 1",
    'x = "HalfNormal"',
    '"""HalfNormal"""\nx = 1',
    "x = ['HalfNormal']",
    'pm.Normal("HalfNormal", 0, 1)',
    "x = '''\nHalfNormal\n''' # it is here",
  ];
  for (const text of recited) assert.equal(opinionOf(criteria, text).logReward, 0.5, text);
  const read = { ...criteria, criteria: [{ name: "a", contains: ["HalfNormal"], where: "text" }] };
  assert.equal(opinionOf(read as SettledJudgeSpec, recited[0]).logReward, 2);
});

Deno.test("an empty text meets no criterion, not even that something is lacking", () => {
  assert.equal(opinionOf(criteria, "").logReward, 0);
  assert.equal(opinionOf(criteria, "# only words\n").logReward, 0);
});

Deno.test("names of columns are code, words in lists are none", () => {
  assert.equal(codeOf('y = data["age"] + f(["age"])'), 'y = data["age"] + f([""])');
  assert.equal(codeOf("a = 'it''s' # b"), 'a = """" ');
});

const critic: SettledJudgeSpec = { judge: "llm_critic", oracle: "p", rubric: "Is it good?" };
const keyOf = (judge: Judge) => judge.questions![0].key;
const said = (grade: number | undefined): CriticAnswers =>
  new Map([[keyOf(settledJudge("own", critic)), { grade, shares: [0.5], grades: [0.75] }]]);

Deno.test("a critic's grade is its score; one that did not answer leaves no score", () => {
  const judged = opinionOf(critic, program, said(0.75));
  assert.equal(judged.logReward, 1.5);
  assert.equal(judged.components["own.share"], 0.5);
  const silent = opinionOf(critic, program, said(undefined));
  assert.deepEqual([silent.failed, silent.unanswered, silent.logReward], [true, "own", -5]);
  assert.equal("own" in silent.components, false);
  assert.throws(() => opinionOf(critic, program), /internal: a judge was asked before its critic/);
});

const parts: SettledJudgeSpec & { judge: "composite" } = {
  judge: "composite",
  by: "sum",
  parts: [
    { judge: "format", weight: 2, most_characters: program.length / 2 },
    { ...criteria, weight: 1 },
  ],
};

Deno.test("a composite adds scores by weights, or powers of them, and prints both", () => {
  const { logReward, components } = opinionOf(parts, program);
  assert.equal(logReward, 2 * (2 * 0.5 + 1));
  assert.equal(components["own.format.weight"], 2);
  assert.equal(components["own.rubric.half_normal"], 1);
  assert.equal(components["own.rubric.version"], 1);
  const product = opinionOf({ ...parts, by: "log_product" }, program);
  assert.ok(Math.abs(product.logReward - 2 * 2 * Math.log(0.5)) < 1e-12);
});

Deno.test("a part that is worth nothing takes nearly all of a product, and it stays finite", () => {
  const judge = settledJudge("own", { ...parts, by: "log_product" });
  const { bounds: [least, most] = [NaN, NaN] } = judge;
  assert.ok(Math.abs(least - 3 * Math.log(1e-3)) < 1e-12);
  assert.equal(most, 0);
  const { logReward } = logRewardOfText(
    { terms: [{ judge, weight: 1 }], failure: { logReward: -1000 } },
    { text: "", logPrior: 0 },
  );
  assert.equal(logReward, least);
});

Deno.test("a composite has no score where one of its critics gave none", () => {
  const both: SettledJudgeSpec = {
    judge: "composite",
    by: "sum",
    parts: [{ ...critic, weight: 1 }, { judge: "format", weight: 1 }],
  };
  const judged = opinionOf(both, program, said(undefined));
  assert.deepEqual([judged.failed, judged.unanswered], [true, "own"]);
  assert.equal(judged.components["own.format"], 1);
});
