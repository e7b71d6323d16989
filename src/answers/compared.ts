/** Weights of competing programs from their pointwise cross-validation, as ArviZ's `compare` has them. */
import type { RandomStream } from "../base/random.ts";
import { surplusOf } from "./bootstraps.ts";
import { stackingWeights } from "./stacking.ts";
import { normalised } from "./weights.ts";

/** Replicates of the Bayesian bootstrap: the default of `pseudobma_weights` in the R package loo. */
const replicates = 1000;

/** Methods of weighting programs. */
export const weightMethods = ["stacking", "pseudo_bma", "bb_pseudo_bma"] as const;
/** One of `weightMethods`. */
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
  /** Difference to the best, nats. */
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
 * import { compareElpd } from "./compared.ts";
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
      index,
      rank,
      elpd: totals[index],
      elpdDiff: totals[order[0]] - totals[index],
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
  if (method === "stacking") {
    const pointwise = Float64Array.from(elpd.flatMap((one) => Array.from(one)));
    return { weights: stackingWeights(pointwise, elpd[0].length).weights };
  }
  if (method === "pseudo_bma") return { weights: normalised(elpd.map(sumOf)) };
  if (!random) throw new Error("internal: the Bayesian bootstrap needs a random stream");
  return bootstrappedWeights(elpd, random);
}

function bootstrappedWeights(elpd: PointwiseElpd, random: RandomStream) {
  const [count, n] = [elpd.length, elpd[0].length];
  const sums = elpd.map((one) => new Float64Array(replicates).fill(sumOf(one)));
  const weights = new Float64Array(count);
  for (let b = 0; b < replicates; b++) {
    const surplus = surplusOf(n, random);
    for (let k = 0; k < count; k++) {
      for (let i = 0; i < n; i++) sums[k][b] += surplus[i] * elpd[k][i];
    }
    const one = normalised(sums.map((own) => own[b]));
    for (let k = 0; k < count; k++) weights[k] += one[k] / replicates;
  }
  const errors = Float64Array.from(sums, (own) => standardError(own) / Math.sqrt(replicates));
  return { weights, errors };
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
