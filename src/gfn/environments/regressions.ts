/** All linear regressions on some of k predictors: 2^k objects whose marginal likelihood is known. */
import { z } from "../../base/zod.ts";
import { cholesky, fillNormal, log, solveLower, tanh } from "../../numerics/math/mod.ts";
import { RandomStream } from "../../base/random.ts";
import { type BuiltInEnvironment, builtInEnvironment } from "./built_in.ts";
import { requireEnumerable, SpecChecks } from "./checks.ts";
import type { Environment } from "./environment.ts";
import {
  logMarginalLikelihood,
  type RegressionSums,
  regressionSums,
} from "./normal_inverse_gamma.ts";
import { maskOf, treeEnvironment, type TreeState } from "./tree.ts";
import { uniformLogPrior } from "./uniform_prior.ts";

const parameters = z.strictObject({
  terms: z.int().min(1).max(40).default(10).describe("predictors, k; there are 2^k objects"),
  rows: z.int().min(2).max(4096).default(64).describe("rows of the data set"),
  effects: z.array(z.number()).default([0.8, -0.6, 0.5, 0.4])
    .describe("true coefficients of the first predictors; those of the others are 0"),
  correlation: z.number().min(0).lt(1).default(0.3).describe(
    "correlation of neighbouring predictors",
  ),
  design: z.enum(["random", "orthogonal"]).default("random")
    .describe(
      "columns of predictors; orthogonal: those of a Hadamard matrix, so that the posterior factorises",
    ),
  noise: z.enum(["unknown", "known"]).default("unknown")
    .describe("prior of the variance; unknown: inverse gamma (2, 1); known: 1"),
  seed: z.int().min(0).default(0).describe("seed of the data"),
});

/** Parameters of the regressions. */
export type RegressionsSpec = z.output<typeof parameters>;

/** 1,024 of them. */
export const defaultRegressions: RegressionsSpec = parameters.parse({});

const log2Pi = 1.8378770664093453;

/**
 * Every subset of k predictors, one decision after the other, with
 *
 *     log R = log p(y | subset) − k log 2,
 *
 * coefficients Normal(0, σ²), an intercept in all of them; σ² known (1) or inverse gamma (2, 1). So
 * R / Z is the posterior over subsets under a uniform prior, and inclusion probabilities are those of
 * Bayesian variable selection. On an orthogonal design with known noise they are
 * {@linkcode exactInclusion}, however many predictors there are.
 *
 * @throws InputError with every finding on the spec.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { defaultRegressions, regressionsEnvironment } from "./regressions.ts";
 * const spec = { ...defaultRegressions, terms: 3, effects: [0.8] };
 * const objects = [...regressionsEnvironment(spec).enumerate()];
 * assert.equal(objects.length, 8);
 * assert.equal(objects[5].text, "y ~ 1 + x0 + x2");
 * ```
 */
export function regressionsEnvironment(spec: RegressionsSpec): Environment<TreeState<string>> {
  check(spec);
  const { terms } = spec;
  const { columns, y } = regressionData(spec);
  const sums = regressionSums([y.map(() => 1), ...columns], y);
  const names = Array.from({ length: terms }, (_, j) => [`no x${j}`, `x${j}`]).flat();
  const masks = Array.from({ length: terms + 1 }, (_, j) => {
    return maskOf(2 * terms + 1, j === terms ? [2 * terms] : [2 * j, 2 * j + 1]);
  });
  const priors = masks.map(uniformLogPrior);
  const chosen = (bits: string) => [...bits].flatMap((bit, j) => bit === "1" ? [j] : []);
  const tree = treeEnvironment<string>({
    kind: "regressions",
    spec,
    actionNames: [...names, "exit"],
    maxActions: terms + 1,
    count: 2 ** terms,
    initial: "",
    after: (bits, action) => `${bits}${action % 2}`,
    legal: ({ length }) => masks[length],
    logPrior: ({ length }) => priors[length],
    object: (bits) => {
      const features = chosen(bits).map((j) => `x${j}`);
      return { text: ["y ~ 1", ...features].join(" + "), features };
    },
    logReward: (bits) => evidence(spec, sums, chosen(bits)) - terms * log(2),
    requireEnumerable: () => requireEnumerable("regressions", 2 ** terms),
  });
  return spec.design === "orthogonal" && spec.noise === "known"
    ? { ...tree, drawTarget: factorised(exactInclusion(spec)) }
    : tree;
}

/** Exact samples where predictors are in or out independently of each other. */
function factorised(inclusion: readonly number[]): (random: RandomStream) => number[] {
  return (random) => {
    const chosen = inclusion.map((p, j) => 2 * j + (random.uniform() < p ? 1 : 0));
    return [...chosen, 2 * inclusion.length];
  };
}

/** Predictors, `[terms][rows]`, and responses, `[rows]`. */
export function regressionData(
  { terms, rows, effects, correlation, design, seed }: RegressionsSpec,
): { readonly columns: number[][]; readonly y: number[] } {
  const random = new RandomStream("regressions", seed);
  const noise = new Float64Array(rows);
  const own = Math.sqrt(1 - correlation * correlation);
  const columns: number[][] = [];
  for (let j = 0; j < terms; j++) {
    fillNormal(random, noise);
    const before = columns[j - 1];
    columns.push(Array.from(noise, (one, i) => {
      if (design === "orthogonal") return hadamard(i, j + 1);
      return before ? correlation * before[i] + own * one : one;
    }));
  }
  fillNormal(random, noise);
  const y = Array.from(noise, (one, i) => {
    return effects.reduce((sum, beta, j) => sum + beta * columns[j][i], one);
  });
  return { columns, y };
}

/**
 * `[terms]`: the exact inclusion probabilities of an orthogonal design with known noise, where
 * log p(y | subset) is a sum over its predictors of − ½ log(1 + n) + ½ (xᵀy)² / (1 + n).
 *
 * @throws RangeError for another design.
 */
export function exactInclusion(spec: RegressionsSpec): number[] {
  if (spec.design !== "orthogonal" || spec.noise !== "known") {
    throw new RangeError("exactInclusion() wants an orthogonal design and known noise");
  }
  const { columns, y } = regressionData(spec);
  return columns.map((column) => {
    const product = column.reduce((sum, x, i) => sum + x * y[i], 0);
    const odds = -0.5 * log(1 + y.length) + 0.5 * product * product / (1 + y.length);
    return 0.5 + 0.5 * tanh(odds / 2);
  });
}

function evidence({ noise }: RegressionsSpec, sums: RegressionSums, terms: readonly number[]) {
  const columns = [0, ...terms.map((j) => j + 1)];
  if (noise === "known") return evidenceOfKnownNoise(sums, columns);
  return logMarginalLikelihood(sums, {
    shape: 2,
    scale: 1,
    columns,
    widths: columns.map(() => 1),
  });
}

/** log p(y) of y ~ Normal(Φ β, 1), β ~ Normal(0, 1): − n/2 log 2π − ½ log |I + ΦᵀΦ| − ½ (yᵀy − fit). */
function evidenceOfKnownNoise(
  { count, width, gram, projection, energy }: RegressionSums,
  columns: readonly number[],
) {
  const k = columns.length;
  const precision = new Float64Array(k * k);
  const explained = Float64Array.from(columns, (column) => projection[column]);
  columns.forEach((column, i) => {
    columns.forEach((other, j) => precision[i * k + j] = gram[column * width + other]);
    precision[i * k + i] += 1;
  });
  if (!cholesky(precision, k)) throw new Error("internal: the precision is not positive definite");
  solveLower(precision, k, explained);
  let value = -0.5 * (count * log2Pi + energy);
  explained.forEach((one, i) => value += 0.5 * one * one - log(precision[i * k + i]));
  return value;
}

/** Row i, column j of Sylvester's Hadamard matrix: −1 to the number of bits that i and j share. */
function hadamard(i: number, j: number): number {
  let shared = i & j;
  let sign = 1;
  for (; shared !== 0; shared &= shared - 1) sign = -sign;
  return sign;
}

function check({ terms, rows, effects, design }: RegressionsSpec): void {
  const checks = new SpecChecks("regressions");
  checks.integer("terms", terms, 1, 40);
  checks.integer("rows", rows, 2, 4096);
  checks.require(
    effects.length <= terms,
    `${effects.length} effects of ${terms} predictors`,
    "give at most one for each",
  );
  const fits = (rows & (rows - 1)) === 0 && rows > terms;
  checks.require(
    design !== "orthogonal" || fits,
    `${rows} rows of an orthogonal design of ${terms} predictors`,
    "take a power of two above the number of predictors",
  );
  checks.done();
}

/** The environment of regressions, as pipelines make it. */
export const regressions: BuiltInEnvironment<typeof parameters> = builtInEnvironment({
  kind: "regressions",
  description: "Every linear regression on some of k predictors, by its marginal likelihood.",
  called: "the regressions",
  parameters,
  make: regressionsEnvironment,
});
