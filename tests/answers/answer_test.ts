/** Tests of answers against closed forms. */
import assert from "node:assert/strict";
import { answerOf } from "../../src/answers/answer.ts";
import { answerSchema } from "../../src/answers/answer_schema.ts";
import { openQuestions, wasScored } from "../../src/answers/mod.ts";
import { RandomStream } from "../../src/base/random.ts";
import { searchBias } from "../../src/answers/winner.ts";
import { fillNormal } from "../../src/numerics/math/random_normal.ts";
import { normalLoo, shares, spaceOf } from "./spaces.ts";

function near(actual: number, wanted: number, tolerance: number): void {
  assert.ok(Math.abs(actual - wanted) <= tolerance, `${actual}, wanted ${wanted} ± ${tolerance}`);
}

/** Forty normal values around a mean. */
function dataAround(mean: number): number[] {
  const noise = new Float64Array(40);
  fillNormal(new RandomStream("data", mean), noise);
  return [...noise].map((one) => mean + one);
}

Deno.test("the target of conjugate normal models is prior × exp(exact ELPD-LOO)", () => {
  const data = dataAround(0.4);
  const widths = [0, 0.5, 1, 10];
  const priors = [0.4, 0.3, 0.2, 0.1];
  const space = spaceOf(widths.map((width, k) => ({
    prior: priors[k],
    pointwise: normalLoo(data, width),
    answer: width === 0 ? "out" : "in",
  })));
  const { questions: [{ answers, difference }], models, scored } = answerOf(space);
  const logs = widths.map((width, k) =>
    Math.log(priors[k]) + normalLoo(data, width).reduce((a, b) => a + b, 0)
  );
  const wanted = shares(logs);
  const found = new Map(answers.map((one) => [one.answer, one]));
  near(found.get("out")!.target!, wanted[0], 1e-12);
  near(found.get("in")!.target!, 1 - wanted[0], 1e-12);
  near(found.get("in")!.prior, 0.6, 1e-12);
  assert.deepEqual([models, scored], [2, 4]);
  const sign = difference!.answer === "in" ? 1 : -1;
  const mixed = data.map((_, i) => {
    const own = wanted.slice(1).map((w, k) => w * Math.exp(normalLoo(data, widths[k + 1])[i]));
    return Math.log(own.reduce((a, b) => a + b, 0) / (1 - wanted[0])) - normalLoo(data, 0)[i];
  });
  near(sign * difference!.elpd_difference, mixed.reduce((a, b) => a + b, 0), 1e-10);
});

Deno.test("bootstraps of two rows have the quantiles of a uniform share", () => {
  // The Dirichlet of two rows is a uniform share u; the log odds are 2 (u d1 + (1 − u) d2).
  const [d1, d2] = [3, -2];
  const { questions: [{ answers }], bootstrap_tv } = answerOf(spaceOf([
    { prior: 0.5, pointwise: [d1, d2], answer: "one" },
    { prior: 0.5, pointwise: [0, 0], answer: "other" },
  ]));
  const probability = (u: number) => 1 / (1 + Math.exp(-2 * (u * d1 + (1 - u) * d2)));
  const one = answers.find(({ answer }) => answer === "one")!;
  near(one.target!, probability(0.5), 1e-12);
  near(one.lo!, probability(0.05), 0.02);
  near(one.hi!, probability(0.95), 0.02);
  const tvs = Array.from({ length: 10001 }, (_, k) => Math.abs(probability(k / 1e4) - one.target!))
    .sort((a, b) => a - b);
  near(bootstrap_tv!.median, tvs[5000], 0.03);
});

Deno.test("without differences between rows there is the error that rows cannot show", () => {
  const { questions: [{ answers, difference }], bootstrap_tv, winner } = answerOf(spaceOf([
    { prior: 0.5, pointwise: [-1, -1, -1], answer: "one" },
    { prior: 0.5, pointwise: [-2, -2, -2], answer: "other" },
  ]));
  // The log odds of 3 are off by N(0, 1) where one parameter tells the answers apart.
  near(answers[0].whole_lo!, 1 / (1 + Math.exp(-(3 - 1.645))), 0.03);
  near(answers[0].whole_hi!, 1 / (1 + Math.exp(-(3 + 1.645))), 0.005);
  near(answers[0].lo!, answers[0].hi!, 1e-12); // the rows say nothing else
  assert.deepEqual([difference!.se, difference!.error, difference!.parameters], [0, 1, 1]);
  near(bootstrap_tv!.hi, 0, 1e-12);
  near(winner!.expected_bias, 0, 1e-12);
  near(winner!.same_in_bootstraps, 1, 1e-12);
});

Deno.test("the more parameters tell two answers apart, the wider their intervals", () => {
  const programs = [
    { prior: 0.5, pointwise: [-1, -1, -1], answer: "one" },
    { prior: 0.5, pointwise: [-1, -1, -1], answer: "other" },
  ];
  const { questions: [{ answers, difference }] } = answerOf(
    spaceOf(programs, { parameters: Float64Array.of(2, 6) }),
  );
  assert.deepEqual([difference!.parameters, difference!.error], [4, 2]);
  const unknown = answerOf(spaceOf(programs, { parameters: Float64Array.of(2, NaN) }));
  assert.equal(unknown.questions[0].difference!.parameters, 1);
  assert.ok(unknown.questions[0].answers.every(({ whole_lo }) => Number.isFinite(whole_lo)));
  near(answers[0].whole_hi!, 1 / (1 + Math.exp(-2 * 1.645)), 0.02);
});

Deno.test("the engine's noise is that of its Monte Carlo errors", () => {
  const answer = answerOf(spaceOf([
    { prior: 0.5, pointwise: [-1, -1], answer: "one", mcse: 0.3 },
    { prior: 0.5, pointwise: [-1, -1], answer: "other", mcse: 0.4 },
  ]));
  // The log odds move by N(0, 0.5²); the median of |N| is 0.6745 σ.
  near(answer.engine_tv.median, 1 / (1 + Math.exp(-0.6745 * 0.5)) - 0.5, 0.015);
});

Deno.test("a flat prior leaves exp(ELPD), and weights of the prior are taken off as they were put on", () => {
  const programs = [
    { prior: 0.9, pointwise: [-1, -1], answer: "one" },
    { prior: 0.1, pointwise: [-0.5, -0.8], answer: "other" },
  ];
  const { questions: [{ flat_prior }], prior_scaling } = answerOf(spaceOf(programs));
  const flat = shares([-2, -1.3]);
  near(flat_prior.one!, flat[0], 1e-12);
  const target = shares([-2 + Math.log(0.9), -1.3 + Math.log(0.1)]);
  near(prior_scaling.find(({ power }) => power === 0)!.tv, Math.abs(flat[0] - target[0]), 1e-12);
  const without = { logReward: Float64Array.of(-2, -1.3), priorWeight: 0 };
  near(answerOf(spaceOf(programs, without)).questions[0].flat_prior.one!, flat[0], 1e-12);
});

Deno.test("the optimism of having chosen is what a bootstrap's winner does not keep", () => {
  // The log odds are x = 2 d (2 u − 1) with a uniform u, and E max(0, −x) = d / 2; a constant that all
  // programs share adds no optimism.
  const [d, common] = [3, 50];
  const { winner } = answerOf(spaceOf([
    { prior: 0.5, pointwise: [common + d, -common - d], answer: "one" },
    { prior: 0.5, pointwise: [common, -common], answer: "other" },
  ]));
  near(winner!.expected_bias, d / 2, 0.25);
  near(winner!.same_in_bootstraps, 0.5, 0.07);
});

Deno.test("an effect is averaged over the programs that have it", () => {
  const { effects: [effect] } = answerOf(spaceOf([
    { prior: 0.25, pointwise: [0, 0], answer: "one" },
    { prior: 0.25, pointwise: [0, 0], answer: "one" },
    { prior: 0.5, pointwise: [0, 0], answer: "other" },
  ], {
    effects: [{
      term: "slope",
      against: null,
      at: null,
      ratio: null,
      programs: Int32Array.of(0, 1),
      mean: Float64Array.of(1, 3),
      q05: Float64Array.of(1 - 1.645 * 0.5, 3 - 1.645 * 0.5),
      q95: Float64Array.of(1 + 1.645 * 0.5, 3 + 1.645 * 0.5),
    }],
  }));
  near(effect.mean, 2, 1e-12);
  near(effect.share!, 0.5, 1e-12);
  // Quantiles of ½ N(1, ½²) + ½ N(3, ½²): Φ((lo − 1) / ½) / 2 = 0.05.
  near(effect.lo, 1 - 1.2816 * 0.5, 0.05);
  near(effect.hi, 3 + 1.2816 * 0.5, 0.05);
});

Deno.test("an effect of one program has the quantiles of its posterior, within the parameter's bounds", () => {
  const { effects: [effect] } = answerOf(spaceOf([
    { prior: 0.5, pointwise: [0, 0], answer: "one" },
    { prior: 0.5, pointwise: [0, 0], answer: "other" },
  ], {
    effects: [{
      // A correlation below 1: (1 + rho) / 2 is Beta(30, 2); quantiles by SciPy 1.17.1.
      ...{ term: "memory", against: null, at: null, ratio: null, programs: Int32Array.of(0) },
      ...{ mean: Float64Array.of(0.875) },
      ...{ q05: Float64Array.of(0.7118), q95: Float64Array.of(0.9768) },
    }],
  }));
  near(effect.lo, 0.7118, 0.002);
  near(effect.hi, 0.9768, 0.002);
  assert.ok(effect.hi < 1);
  near(effect.mean, 0.875, 1e-12);
});

Deno.test("what was not executed is said, with its prior", () => {
  const space = spaceOf([
    { prior: 0.5, pointwise: [-1, -2], answer: "one" },
    { prior: 0.2, pointwise: [-2, -1], answer: "other" },
  ], { programs: 1234 });
  const answer = answerOf(space);
  assert.equal(answer.complete, false);
  near(answer.unscored_prior, 0.3, 1e-12);
  assert.match(answer.sentences[0], /^Only 2 of 1,234 programs were executed.* 30 % of the prior/);
});

Deno.test("programs without a score are counted, with what they could hold", () => {
  const space = spaceOf([
    { prior: 0.5, pointwise: [-1, -2], answer: "one" },
    { prior: 0.2, pointwise: [-2, -1.5], answer: "other" },
  ], { programs: 5, failed: 3, failedLogPrior: Float64Array.from([0.1, 0.2], Math.log) });
  const answer = answerOf(space);
  assert.deepEqual([answer.complete, answer.failed], [true, 3]);
  const [scored, failed] = [0.5 * Math.exp(-3) + 0.2 * Math.exp(-3.5), 0.3 * Math.exp(-3)];
  near(answer.failed_at_most!, failed / (scored + failed), 1e-12);
  assert.equal(
    answer.sentences[0],
    "3 of 5 programs could not be scored; they held 30 % of the prior and are left out; " +
      "predicting like the best, they would hold 33 % of the target.",
  );
  answerSchema.parse(answer);
});

Deno.test("a reward that was raised is no evidence: the program counts by its own score", () => {
  const programs = [
    { prior: 0.5, pointwise: [-10, -10], answer: "good" },
    { prior: 0.5, pointwise: [-30, -10], answer: "bad" },
  ];
  const floor = Math.log(0.5) - 21;
  const answer = answerOf(spaceOf(programs, { raisedTo: Float64Array.of(NaN, floor) }));
  assert.equal(answer.raised, 1);
  near(answer.questions[0].answers[1].target!, shares([-20, -40])[1], 1e-12);
  near(answer.raised_at_floor, shares([-20, -21])[1], 1e-12);
  assert.match(
    answer.sentences[0],
    /^1 of 2 programs score below the floor .*: 27 % of the target\)\.$/,
  );
  const plain = answerOf(spaceOf(programs));
  assert.deepEqual([plain.raised, plain.raised_at_floor, plain.failed_at_most], [0, 0, null]);
});

Deno.test("without values by row there are weights, and no intervals", () => {
  const programs = [
    { prior: 0.5, pointwise: [-1, -1], answer: "one" },
    { prior: 0.5, pointwise: [-2, -2], answer: "other" },
  ];
  const answer = answerOf(spaceOf(programs, { pointwise: undefined, rows: 0 }));
  assert.deepEqual(
    [answer.bootstrap_tv, ...boundsOf(answer.questions[0].answers[0])],
    new Array(5).fill(null),
  );
  near(answer.questions[0].answers[0].target!, shares([-2, -4])[0], 1e-12);
  answerSchema.parse(answer);
});

Deno.test("the same space gives the same bits", () => {
  const data = dataAround(0.2);
  const make = () =>
    answerOf(spaceOf([0, 0.3, 3].map((width) => ({
      prior: 1 / 3,
      pointwise: normalLoo(data, width),
      answer: `${width}`,
      mcse: 0.02,
    }))));
  assert.equal(JSON.stringify(make()), JSON.stringify(make()));
  answerSchema.parse(make());
});

Deno.test("sentences say what the data can tell apart, and what they cannot", () => {
  const rows = Array.from({ length: 120 }, (_, i) => i);
  const strong = answerOf(spaceOf([
    { prior: 0.5, pointwise: rows.map((i) => i % 2 / 10), answer: "curve" },
    { prior: 0.5, pointwise: rows.map(() => -0.3), answer: "line" },
  ]));
  assert.deepEqual(strong.questions[0].difference!.verdict, "apart");
  assert.equal(strong.questions[0].difference!.reliable, true);
  assert.match(strong.sentences[0], /The data prefer curve to line: ΔELPD 42\.0 ± 1\.1\.$/);
  const weak = answerOf(spaceOf([
    { prior: 0.8, pointwise: rows.map((i) => i % 2), answer: "curve" },
    { prior: 0.2, pointwise: rows.map((i) => i % 2 + (i % 3 - 1) / 9), answer: "line" },
  ]));
  assert.equal(weak.questions[0].difference!.verdict, "small");
  assert.match(weak.sentences[0], /The data say nothing about it/);
});

Deno.test("an answer none of whose programs was scored is not said to be unlikely", () => {
  const space = spaceOf(
    [{ prior: 0.3, pointwise: [-1, -2], answer: "out" }, {
      prior: 0.2,
      pointwise: [-1, -1],
      answer: "half",
    }],
    { programs: 3, failed: 1 },
  );
  const [asked] = space.questions;
  const answers = [...asked.answers, { answer: "in", prior: 0.5 }];
  const lacking = { ...space, questions: [{ ...asked, answers }] };
  const both = answerOf(lacking);
  assert.deepEqual(both.questions[0].answers.map(wasScored), [true, true, false]);
  const said = both.sentences.find((one) => one.startsWith("which?"))!;
  assert.match(said, /: half 25 to 64 %, .*; next: out 14 to 36 %/);
  assert.match(
    said,
    / Bounds: no program that answers in was scored; they held 50 % of the prior/,
  );
  const one = answerOf({
    ...spaceOf([{ prior: 0.5, pointwise: [-1, -2], answer: "out" }], { programs: 2, failed: 1 }),
    questions: [{
      question: "which?",
      answers: [{ answer: "out", prior: 0.5 }, { answer: "in", prior: 0.5 }],
      given: Int32Array.of(0),
    }],
  });
  assert.ok(
    one.sentences.some((sentence) => sentence.startsWith("which?: nothing is known: no ")),
  );
  assert.deepEqual(openQuestions(one.questions), one.questions);
});

Deno.test("a question of one answer is none", () => {
  const { questions, sentences } = answerOf(
    spaceOf([{ prior: 1, pointwise: [-1, -2], answer: "normal" }]),
  );
  assert.equal(questions.length, 1);
  assert.deepEqual(openQuestions(questions), []);
  assert.ok(!sentences.some((one) => one.startsWith("which?")));
});

function boundsOf(
  { lo, hi, whole_lo, whole_hi }: Record<"lo" | "hi" | "whole_lo" | "whole_hi", number | null>,
) {
  return [lo, hi, whole_lo, whole_hi];
}

Deno.test("a lead is called chance where the data prefer nothing, and programs are not few", () => {
  /** Programs of 40 rows: those that answer `one` are better by `gain` each, all by a small ripple. */
  const sentencesOf = (count: number, gain: number) =>
    answerOf(spaceOf(Array.from({ length: count }, (_, k) => ({
      prior: 1 / count,
      pointwise: Array.from({ length: 40 }, (_, i) => {
        const isGood = k < count / 2;
        return (isGood ? gain : 0) / 40 + 2 * (7 * k % count) / count / 40 +
          Math.sin(i * (k + 1)) / 10;
      }),
      answer: k < count / 2 ? "one" : "other",
    })))).sentences.join("\n");
  const luck = /its lead over the median program .* is below what chance alone gives/;
  assert.match(sentencesOf(24, 0), luck);
  assert.doesNotMatch(sentencesOf(24, 30), luck); // "The data prefer one to other"
  assert.match(sentencesOf(24, 30), /The data prefer one to other/);
  assert.doesNotMatch(sentencesOf(10, 0), luck);
});

Deno.test("the best of tries where nothing is to be found gains what order statistics say", () => {
  const random = new RandomStream("order statistics");
  const draw = new Float64Array(1);
  for (const tries of [10, 100, 2000]) {
    const rounds = 400;
    let sum = 0;
    for (let round = 0; round < rounds; round++) {
      let best = 0;
      for (let k = 0; k < tries; k++) {
        fillNormal(random, draw);
        best = Math.max(best, 0.5 * draw[0] ** 2);
      }
      sum += best / rounds;
    }
    assert.ok(Math.abs(searchBias(tries) - sum) < 0.25, `${tries}: ${searchBias(tries)}, ${sum}`);
  }
});
