/** Rewards of Poisson, binomial and Student's regressions: near every row left out on a grid, and what a policy sees of them. */
import assert from "node:assert/strict";
import { makeDataset } from "../../../src/base/dataset.ts";
import { RandomStream } from "../../../src/base/random.ts";
import { compileLogDensity } from "../../../src/engine/inference/mod.ts";
import { checkProgram } from "../../../src/engine/language/mod.ts";
import {
  decodeDataSets,
  drawDataSets,
  encodeDataSets,
} from "../../../src/gfn/amortised/data_sets.ts";
import { grammarEnvironment, spaceGrammar } from "../../../src/gfn/grammar/mod.ts";
import { askedData, dataPrompt } from "../../../src/gfn/amortised/data_prompt.ts";
import { studentRows } from "../../../src/gfn/amortised/generalised/row_likelihoods.ts";
import {
  designOf,
  likelihoodOf,
  scoreProgram,
} from "../../../src/gfn/amortised/generalised/score_program.ts";
import { summariseData } from "../../../src/gfn/amortised/generalised/summarise_data.ts";
import { normalised } from "../../../src/gfn/amortised/measures.ts";
import { members } from "../../../src/gfn/amortised/normal_regressions.ts";
import type { OtherFamily } from "../../../src/gfn/amortised/regression_families.ts";
import { regressionNumbers } from "../../../src/gfn/amortised/regression_numbers.ts";
import { drawRows } from "../../../src/gfn/amortised/simulated.ts";
import { simulation } from "../../../src/gfn/amortised/simulation.ts";
import {
  type RawRows,
  type StandardRows,
  standardRows,
} from "../../../src/gfn/amortised/standard_rows.ts";

// tools/golden/generalised_regressions.py, NumPy 2.4.6, SciPy 1.17.1.
const x = [
  ...[0.03, 1.36, 1.22, -0.51, -0.3, -0.53, 0.57, -0.06, 0.75, -1.85, 1.57, -0.1],
  ...[0.68, -0.14, -0.38, 0.46, 0.82, -0.2, -0.15, 0.69, -0.87, -1.51, 0.39, -0.67],
];
const counts = [1, 3, 2, 2, 1, 1, 0, 0, 3, 0, 0, 0, 3, 0, 2, 1, 1, 2, 1, 0, 2, 1, 0, 0];
const yes = [1, 1, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1];
const trials = [4, 2, 5, 6, 2, 2, 6, 4, 4, 7, 6, 8, 2, 7, 5, 1, 1, 3, 6, 2, 5, 8, 2, 2];
const hits = [1, 2, 5, 3, 1, 0, 3, 0, 2, 0, 6, 1, 1, 3, 1, 1, 1, 0, 2, 1, 3, 0, 0, 1];
const reals = [
  ...[-0.35, 1.57, 0.6, -1.04, -0.25, -1.9, 1.01, -0.31, 1.13, -0.86, 1.33, -1.35],
  ...[0.53, 0.48, -0.14, -0.06, 1.51, -1.01, -0.48, -0.92, -0.45, -1.54, 0.54, -0.24],
];
const expected: readonly (readonly [string, Omit<RawRows, "columns">, readonly number[]])[] = [
  ["poisson", { y: counts, family: "poisson" }, [-33.79989387389007, -34.406753927675396]],
  ["bernoulli", { y: yes, family: "binomial" }, [-17.588370002543105, -16.783230481128946]],
  [
    "binomial",
    { y: hits, trials, family: "binomial" },
    [-43.97088126042947, -30.174603800133948],
  ],
  ["student_t", { y: reals, family: "student_t" }, [NaN, -27.361753127509278]],
];

Deno.test("scoreProgram() is near a grid of parameters with every row left out", () => {
  for (const [name, response, wanted] of expected) {
    const rows = standardRows({ columns: [x], ...response });
    wanted.forEach((elpd, bits) => {
      if (Number.isNaN(elpd)) return;
      const off = Math.abs(scoreProgram(rows, members(bits)).elpd - elpd);
      // Sites stay where they are when a row is left out: with 24 rows that is what is missing.
      assert.ok(off < 0.1, `${name} ${bits}: ${off}`);
    });
  }
});

Deno.test("scored programs are those that the model space writes, priors and all", () => {
  const [standard] = standardRows({ columns: [x], y: reals }).columns;
  const flag = Float64Array.from(x, (_, i) => i % 2);
  for (const [name, { y, family, trials }] of expected) {
    const given = name === "student_t" ? standardRows({ columns: [x], y }).y : Float64Array.from(y);
    const rows = standardRows({ columns: [standard, flag], y: given, family, trials });
    const column = (name: string, role: "response" | "predictor", type: string, values: unknown) =>
      ({ name, role, type, values: Float64Array.from(values as number[]) }) as never;
    const types = { poisson: "count", bernoulli: "binary", binomial: "count", student_t: "real" };
    const dataset = makeDataset("drawn", [
      column("y", "response", types[name as keyof typeof types], given),
      column("x", "predictor", "real", standard),
      column("b", "predictor", "binary", flag),
      ...(trials ? [column("n", "predictor", "count", trials)] : []),
    ]);
    const formula = `y${trials ? " | trials(n)" : ""} ~ [x] + [b]`;
    const spec = spaceGrammar(dataset, { space: "regression", formula, families: [name] });
    const texts = [...grammarEnvironment(spec).enumerate()].map(({ text }) => text);
    const checked = checkProgram(texts.find((text) => /b_x[^]*b_b/.test(text))!, dataset);
    assert.ok(checked.ok);
    const engine = compileLogDensity(checked.program, dataset);
    const design = designOf(rows, [0, 1]);
    const unit = 1 / Math.sqrt(24 / 23 / 4);
    const at = (intercept: number, effect: number, ofFlag: number) => {
      const own = {
        intercept,
        b_x: effect,
        b_b: ofFlag,
        sigma: Math.log(0.7),
        tails: Math.log(0.3),
      };
      const position = checked.program.parameters.map(({ name }) => own[name as keyof typeof own]);
      const place = Float64Array.from(position, () => 0);
      const places = [(intercept - design.middle) / 2.5, effect / 2.5, ofFlag / unit / 2.5];
      const eta = standard.map((_, i) =>
        places.reduce((sum, one, a) => sum + design.values[3 * i + a] * one, design.middle)
      );
      const likelihood = name === "student_t"
        ? studentRows(given, 0.7, 1 / 0.3)
        : likelihoodOf(rows);
      const room = [new Float64Array(24), new Float64Array(24)] as const;
      const prior = places.reduce((sum, one) => sum - one * one / 2, 0);
      const value = likelihood.weigh(eta, ...room) + prior;
      return value - engine.logDensity(Float64Array.from(position), place, 0);
    };
    // Numbers in a program have two digits.
    const gap = Math.abs(at(0.4, -0.3, 0.5) - at(-0.8, 1.1, -0.6));
    assert.ok(gap < 0.01, `${name}: ${gap}`);
  }
});

const families: readonly OtherFamily[] = ["poisson", "binomial", "student_t"];

function drawn(family: OtherFamily, seed = "seed 1", more: object = {}) {
  const given = simulation.parse({
    ...{ family, rows: [50, 50], predictors: [3, 3], missing: [0, 0], shapes: 0 },
    ...{ explained: [0.3, 0.5], counts: [2, 6], ...more },
  });
  return drawRows(given, new RandomStream(seed));
}

const elpds = (rows: StandardRows) =>
  Float64Array.from({ length: 2 ** rows.columns.length }, (_, bits) => {
    return scoreProgram(rows, members(bits)).elpd;
  });

Deno.test("scores and summaries do not see units, signs or the order of predictors", () => {
  for (const family of families) {
    const plain = drawn(family);
    const [a, b, c] = plain.columns.map((column) => Array.from(column));
    const moved = { ...plain, columns: [c.map((one) => -3 * one + 7), b, a] };
    const turn = (bits: number) => (bits & 2) | ((bits & 1) << 2) | (bits >> 2);
    const [first, second] = [plain, moved].map((one) => standardRows(one));
    const [own, other] = [first, second].map(elpds);
    own.forEach((one, bits) => {
      assert.ok(Math.abs(one - other[turn(bits)]) < 1e-3, `${family} ${bits}: ${one}`);
    });
    const [before, after] = [first, second].map(summariseData);
    const near = (p: number, q: number) => Math.abs(p - q) < 1e-3 * (1 + Math.abs(p));
    before.forecasts!.forEach((one, bits) => assert.ok(near(one, after.forecasts![turn(bits)])));
    before.data.forEach((one, k) => assert.ok(near(one, after.data[k]), `${family} data ${k}`));
    const width = before.tokens.length / 3;
    before.tokens.forEach((one, k) => {
      const there = (2 - Math.floor(k / width)) * width + k % width;
      assert.ok(near(one, after.tokens[there]), `${family} token ${k}`);
    });
  }
});

Deno.test("forecasts are near scores, much nearer than no answer, and go through a prompt", () => {
  for (const family of families) {
    const rows = standardRows(drawn(family));
    const shares = (logs: ArrayLike<number>) => normalised(logs).map(Math.exp);
    const target = shares(elpds(rows));
    const { programs } = askedData({ ...dataPrompt(summariseData(rows)) });
    const own = shares(programs.begun);
    const distance = own.reduce((sum, one, m) => sum + Math.abs(one - target[m]) / 2, 0);
    const uniform = target.reduce((sum, one) => sum + Math.abs(one - 1 / 8) / 2, 0);
    assert.ok(distance < 0.1 && distance < uniform / 4, `${family}: ${distance} ${uniform}`);
  }
});

Deno.test("data sets of each family come back from their bytes, trials among them", () => {
  for (const family of families) {
    const given = simulation.parse({
      ...{ family, rows: [16, 24], predictors: [2, 2] },
    });
    const sets = drawDataSets({
      ...{ simulation: given, training: 6, heldOut: 2, programs: 4, seed: "seed 1" },
    });
    const again = decodeDataSets(encodeDataSets(sets));
    assert.deepEqual(again.training.map(({ rows }) => rows.family), Array(6).fill(family));
    assert.deepEqual(again, sets);
    if (family === "binomial") {
      const hasTrials = new Set(sets.training.map(({ rows }) => rows.trials !== undefined));
      assert.equal(hasTrials.size, 2, "single trials and several");
    }
  }
});

Deno.test("all zeros are refused, rates beyond numbers are counted, and separated rows have scores", () => {
  const zeros = () =>
    standardRows({ columns: [x], y: x.map(() => 0), family: "poisson" }, ["x", "y"]);
  assert.throws(zeros, /y has one value only/);
  const given = simulation.parse({ family: "poisson", rows: [400, 400] });
  const wild = { ...given, counts: [2e5, 9e5] as [number, number], tails: 1 };
  const { overflowed } = drawDataSets({
    ...{ simulation: wild, training: 3, heldOut: 0, programs: 4, seed: "seed 1" },
  });
  assert.ok(overflowed > 0);
  const separated = standardRows({
    ...{ columns: [x, reals], y: x.map((one) => one > 0 ? 1 : 0), family: "binomial" },
  });
  const scores = elpds(separated);
  assert.ok(scores.every(Number.isFinite));
  assert.ok(scores[1] > scores[0] + 5 && scores[1] > scores[2], `${scores}`);
  assert.ok(regressionNumbers(summariseData(separated)).numbers.every(Number.isFinite));
});
