/** A Gaussian process on log rewards, which predicts those of unscored objects. */
import { bestAndAny } from "../evaluation/surrogate/best_and_any.ts";
import type { RandomStream } from "../../base/random.ts";
import { exp, log } from "../../numerics/math/mod.ts";
import { kernelWeights } from "./kernel_weights.ts";
import { distance, type ObjectBits, type View, views } from "./object_bits.ts";

/** Scored objects that it learns from at most. */
const mostPoints = 600;

/** Number of these that choose the hyper-parameters. */
const choosing = 200;

/** Correlations of two objects that differ in one bit. */
const correlations = [0.97, 0.93, 0.87, 0.75, 0.55] as const;

/** Nugget variances, in units of the process. */
const nuggets = [0.003, 0.03, 0.2] as const;

/** Log rewards lower than this many nats below the best count as that: tiny rewards need no resolution. */
const depth = 20;

interface Fit {
  readonly view: View;
  readonly correlation: number;
  readonly nugget: number;
}

/**
 * The posterior mean of log R at every object: correlation ρ^d at a distance of d bits, a constant
 * mean, ρ and nugget by marginal likelihood (Rasmussen and Williams 2006, section 2.2 and 5.4.1).
 * It decides what is sampled, never a bound: estimates are unbiased for any prediction.
 *
 * @param known Indices of scored objects; at least one.
 * @param logReward `[known]`.
 * @returns `[objects]`, nats; 0 everywhere if all known rewards are 0.
 */
export function expectedLogRewards(
  bits: ObjectBits,
  known: readonly number[],
  logReward: readonly number[],
  random: RandomStream,
): Float64Array {
  const best = logReward.reduce((a, b) => Math.max(a, b), -Infinity);
  if (best === -Infinity) return new Float64Array(bits.words.length / bits.width);
  const heights = logReward.map((one) => Math.max(one, best - depth));
  const order = bestAndAny(heights, random);
  const points = order.slice(0, mostPoints);
  const few = order.slice(0, choosing);
  const at = points.map((i) => known[i]);
  const mean = points.reduce((sum, i) => sum + heights[i], 0) / points.length;
  const rest = (chosen: readonly number[]) => chosen.map((i) => heights[i] - mean);
  const fit = chooseFit(bits, few.map((i) => known[i]), rest(few));
  const { weights } = solve(bits, at, rest(points), fit);
  const powers = powersOf(bits, fit);
  const count = bits.words.length / bits.width;
  return Float64Array.from({ length: count }, (_, x) => {
    let sum = mean;
    for (let i = 0; i < at.length; i++) {
      sum += powers[distance(bits, fit.view, x, at[i])] * weights[i];
    }
    return sum;
  });
}

function chooseFit(bits: ObjectBits, at: readonly number[], y: readonly number[]): Fit {
  const fits = views.flatMap((view) =>
    correlations.flatMap((correlation) => nuggets.map((nugget) => ({ view, correlation, nugget })))
  );
  const evidence = fits.map((fit) => solve(bits, at, y, fit).logEvidence);
  return fits[evidence.indexOf(Math.max(...evidence))];
}

/** ρ^d by d. */
function powersOf({ width }: ObjectBits, { correlation }: Fit): Float64Array {
  return Float64Array.from({ length: 32 * width + 1 }, (_, d) => exp(d * log(correlation)));
}

/** K⁻¹ y, and the log marginal likelihood with the amplitude at its best. */
function solve(bits: ObjectBits, at: readonly number[], y: readonly number[], fit: Fit) {
  const n = at.length;
  const powers = powersOf(bits, fit);
  const k = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      k[i * n + j] = k[j * n + i] = powers[distance(bits, fit.view, at[i], at[j])];
    }
    k[i * n + i] += fit.nugget;
  }
  return kernelWeights(k, y);
}
