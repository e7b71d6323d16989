/** The floor of sampled divergences: those of a perfect sampler. */
import type { RandomStream } from "../../base/random.ts";
import { exp, indexAbove, log } from "../../numerics/math/mod.ts";

/** A mean over repetitions and its Monte Carlo standard error. */
export interface Measured {
  /** The mean. */
  readonly value: number;
  /** Its standard error; NaN from one repetition. */
  readonly mcse: number;
}

/** Divergences of an empirical distribution of exact samples from the target. */
export interface PerfectSamplerFloor {
  /** ½ Σ |empirical − target|. */
  readonly totalVariation: Measured;
  /** KL(empirical‖target). The other direction is infinite as soon as one object is unseen. */
  readonly klEmpiricalTarget: Measured;
  /** Mean number of distinct objects among the samples. */
  readonly distinct: Measured;
}

/**
 * Draws `samples` objects from the target, `repetitions` times, and measures the empirical
 * distribution against it.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { RandomStream } from "../../base/random.ts";
 * import { perfectSamplerFloor } from "./perfect_sampler.ts";
 * const even = new Float64Array(10).fill(Math.log(0.1));
 * const [few, many] = [100, 10_000].map((samples) =>
 *   perfectSamplerFloor(even, samples, 5, new RandomStream("seed")).totalVariation.value
 * );
 * assert(many < few);
 * ```
 *
 * @param logTarget `[objects]`, normalised.
 */
export function perfectSamplerFloor(
  logTarget: Float64Array,
  samples: number,
  repetitions: number,
  random: RandomStream,
): PerfectSamplerFloor {
  const cumulative = cumulativeSum(logTarget);
  const runs = Array.from({ length: repetitions }, () => {
    const counts = new Int32Array(logTarget.length);
    for (let i = 0; i < samples; i++) counts[draw(cumulative, random)]++;
    return measure(counts, samples, logTarget);
  });
  return {
    totalVariation: summarise(runs.map((run) => run.totalVariation)),
    klEmpiricalTarget: summarise(runs.map((run) => run.kl)),
    distinct: summarise(runs.map((run) => run.distinct)),
  };
}

function cumulativeSum(logTarget: Float64Array): Float64Array {
  let sum = 0;
  return logTarget.map((x) => sum += exp(x));
}

/** The index of an object, drawn by cumulative probabilities. */
export function draw(cumulative: Float64Array, random: RandomStream): number {
  return indexAbove(cumulative, random.uniform() * cumulative[cumulative.length - 1]);
}

function measure(counts: Int32Array, samples: number, logTarget: Float64Array) {
  let [distance, kl, distinct] = [0, 0, 0];
  for (let x = 0; x < counts.length; x++) {
    const share = counts[x] / samples;
    distance += Math.abs(share - exp(logTarget[x]));
    if (share === 0) continue;
    kl += share * (log(share) - logTarget[x]);
    distinct++;
  }
  return { totalVariation: distance / 2, kl, distinct };
}

function summarise(values: readonly number[]): Measured {
  const n = values.length;
  const mean = values.reduce((sum, x) => sum + x, 0) / n;
  const squares = values.reduce((sum, x) => sum + (x - mean) * (x - mean), 0);
  return { value: mean, mcse: n > 1 ? Math.sqrt(squares / (n - 1) / n) : NaN };
}
