/** Weights of competing programs from their pointwise cross-validation, as ArviZ's `compare` has them. */
import type { RandomStream } from "../../base/random.ts";
import { exp, log } from "../../base/math/elementary.ts";
import { thresholds } from "./thresholds.ts";

/** How programs are weighted. */
export const weightMethods = ["stacking", "pseudo_bma", "bb_pseudo_bma"] as const;
/** How programs are weighted. */
export type WeightMethod = (typeof weightMethods)[number];

/** log p(y_i | y_-i) under each program `[programs][observations]`. */
export type PointwiseElpd = readonly ArrayLike<number>[];

/** One program among several. */
export interface ComparedProgram {
  /** Its place among the programs that were given. */
  readonly index: number;
  /** 0 is the best. */
  readonly rank: number;
  /** Sum over observations. */
  readonly elpd: number;
  /** Standard error over observations; of the Bayesian bootstrap with `bb_pseudo_bma`. */
  readonly se: number;
  /** How much less than the best. */
  readonly elpdDiff: number;
  /** Standard error of that difference, from the pointwise differences. */
  readonly dse: number;
  readonly weight: number;
}

/**
 * Ranks programs by ELPD and weights them. `stacking` maximises the leave-one-out score of the
 * mixture (Yao, Vehtari, Simpson, Gelman 2018); `pseudo_bma` is exp(ELPD), normalised (Gelfand
 * 1996); `bb_pseudo_bma` averages that over Bayesian bootstraps of the observations (Yao et al.
 * 2018, section 3.4), which needs a random stream.
 *
 * @throws internal, if numbers of observations differ or there is no program.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { compareElpd } from "./model_weights.ts";
 * const [best, other] = compareElpd([[-2, -2], [-1, -2]], "pseudo_bma");
 * assert.equal(best.index, 1);
 * assert.equal(other.elpdDiff, 1);
 * assert.ok(Math.abs(best.weight - 0.7310585786300049) < 1e-15); // 1 / (1 + 1/e)
 * ```
 */
export function compareElpd(
  elpd: PointwiseElpd,
  method: WeightMethod,
  random?: RandomStream,
): ComparedProgram[] {
  const n = elpd[0]?.length;
  if (n === undefined || elpd.some((one) => one.length !== n)) {
    throw new Error("internal: programs to compare must share their observations");
  }
  const totals = elpd.map(sumOf);
  const order = totals.map((_, k) => k).sort((a, b) => totals[b] - totals[a] || a - b);
  const best = elpd[order[0]];
  const { weights, errors } = weightsBy(method, elpd, random);
  return order.map((index, rank) => {
    const differences = Float64Array.from({ length: n }, (_, i) => best[i] - elpd[index][i]);
    return {
      ...{ index, rank, elpd: totals[index], elpdDiff: totals[order[0]] - totals[index] },
      se: errors ? errors[index] : standardError(elpd[index]),
      dse: rank === 0 ? 0 : standardError(differences),
      weight: weights[index],
    };
  });
}

function weightsBy(
  method: WeightMethod,
  elpd: PointwiseElpd,
  random: RandomStream | undefined,
): { readonly weights: Float64Array; readonly errors?: Float64Array } {
  if (method === "stacking") return { weights: stackingWeights(elpd) };
  if (method === "pseudo_bma") return { weights: normalised(elpd.map(sumOf)) };
  if (!random) throw new Error("internal: the Bayesian bootstrap needs a random stream");
  return bootstrappedWeights(elpd, random);
}

/** exp(x), normalised. */
function normalised(logWeights: ArrayLike<number>): Float64Array {
  let top = -Infinity;
  for (let k = 0; k < logWeights.length; k++) top = Math.max(top, logWeights[k]);
  const out = Float64Array.from({ length: logWeights.length }, (_, k) => exp(logWeights[k] - top));
  let sum = 0;
  for (const w of out) sum += w;
  return out.map((w) => w / sum);
}

/**
 * Weights on the simplex that maximise Σ_i log Σ_k w_k p_ik. Fixed point of the EM algorithm for
 * mixture weights; by concavity the score is within max_k g_k − 1 of its maximum per observation,
 * with g_k the mean of p_ik over the mixture (Lindsay 1983), which is what ends the iteration. Every
 * step is doubled as long as that helps.
 */
export function stackingWeights(elpd: PointwiseElpd): Float64Array {
  const [count, n] = [elpd.length, elpd[0].length];
  const density = relativeDensities(elpd);
  let weights: Float64Array = new Float64Array(count).fill(1 / count);
  let { gains, score } = gainsOf(density, weights, n);
  let power = 1;
  for (let step = 0; step < thresholds.maxStackingSteps; step++) {
    if (gains.reduce((a, b) => Math.max(a, b), 0) - 1 < thresholds.stackingGap) break;
    const next = raised(weights, gains, power);
    const found = gainsOf(density, next, n);
    if (found.score >= score) {
      [weights, gains, score] = [next, found.gains, found.score];
      power = Math.min(1000, 1.5 * power);
    } else if (power === 1) break;
    else power = Math.max(1, 0.25 * power);
  }
  return weights;
}

/** p_ik over the largest of an observation `[programs, n]`: the maximiser is the same. */
function relativeDensities(elpd: PointwiseElpd): Float64Array {
  const [count, n] = [elpd.length, elpd[0].length];
  const out = new Float64Array(count * n);
  for (let i = 0; i < n; i++) {
    let top = -Infinity;
    for (let k = 0; k < count; k++) top = Math.max(top, elpd[k][i]);
    for (let k = 0; k < count; k++) out[k * n + i] = exp(elpd[k][i] - top);
  }
  return out;
}

/** Score of a mixture and, per program, the mean of its density over the mixture's. */
function gainsOf(density: Float64Array, weights: Float64Array, n: number) {
  const mixture = new Float64Array(n);
  for (let k = 0; k < weights.length; k++) {
    for (let i = 0; i < n; i++) mixture[i] += weights[k] * density[k * n + i];
  }
  let score = 0;
  for (let i = 0; i < n; i++) score += log(mixture[i]);
  const gains = weights.map((_, k) => {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += density[k * n + i] / mixture[i];
    return sum / n;
  });
  return { gains, score };
}

/** weights · gains^power, normalised. */
function raised(weights: Float64Array, gains: Float64Array, power: number): Float64Array {
  const logs = weights.map((w, k) => log(w) + power * log(gains[k]));
  return normalised(logs);
}

function bootstrappedWeights(elpd: PointwiseElpd, random: RandomStream) {
  const [count, n] = [elpd.length, elpd[0].length];
  const sums = Array.from({ length: count }, () => new Float64Array(thresholds.bootstraps));
  const weights = new Float64Array(count);
  for (let b = 0; b < thresholds.bootstraps; b++) {
    const shares = dirichlet(n, random);
    for (let k = 0; k < count; k++) {
      for (let i = 0; i < n; i++) sums[k][b] += n * shares[i] * elpd[k][i];
    }
    const one = normalised(sums.map((own) => own[b]));
    for (let k = 0; k < count; k++) weights[k] += one[k] / thresholds.bootstraps;
  }
  return {
    weights,
    errors: Float64Array.from(sums, (own) => standardError(own) / Math.sqrt(thresholds.bootstraps)),
  };
}

/** Uniform on the simplex. */
function dirichlet(n: number, random: RandomStream): Float64Array {
  const out = new Float64Array(n);
  let sum = 0;
  for (let i = 0; i < n; i++) sum += out[i] = -log(random.uniform());
  return out.map((x) => x / sum);
}

function sumOf(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  return sum;
}

/** √(n · population variance). */
function standardError(values: ArrayLike<number>): number {
  const mean = sumOf(values) / values.length;
  let square = 0;
  for (let i = 0; i < values.length; i++) square += (values[i] - mean) * (values[i] - mean);
  return Math.sqrt(square);
}
