/** LOO-PIT values beside the uniform distribution that they have if the model is right. */
import { RandomStream } from "../../base/random.ts";
import type { PitCurve } from "../figures/checks.ts";

/** Points at which the distributions are compared, and simulated data sets that give the band. */
const points = 100;
const simulations = 400;
/** Rows beyond which the band of as many is used, by the square root of the rows. */
const mostSimulated = 500;

/**
 * The empirical distribution of PIT values less the uniform one, with a band in which all of it stays in 90 %
 * of samples from the uniform: a multiple of the pointwise standard deviation, found by simulation
 * (after Säilynoja, Bürkner and Vehtari 2022, whose bands have equal pointwise coverage instead).
 */
export function pitCurve(pit: readonly number[]): PitCurve {
  const n = pit.length;
  const differences = differencesOf(Float64Array.from(pit));
  const factor = bandFactor(Math.min(n, mostSimulated));
  return {
    at: differences.map((difference, i) => {
      const z = i / points;
      return { z, difference, band: factor * Math.sqrt(z * (1 - z) / n) };
    }),
  };
}

/** Factors by the number of rows: a page asks for the same several times. */
const knownFactors = new Map<number, number>();

/** By how many standard deviations nine of ten uniform samples stray at most. */
function bandFactor(n: number): number {
  const found = knownFactors.get(n) ?? simulatedFactor(n);
  knownFactors.set(n, found);
  return found;
}

function simulatedFactor(n: number): number {
  const random = new RandomStream("report", "pit", n);
  const most = Float64Array.from({ length: simulations }, () => {
    const sample = Float64Array.from({ length: n }, () => random.uniform());
    return differencesOf(sample).reduce((top, difference, i) => {
      const z = i / points;
      if (z === 0 || z === 1) return top;
      return Math.max(top, Math.abs(difference) / Math.sqrt(z * (1 - z) / n));
    }, 0);
  }).sort();
  return most[Math.floor(0.9 * simulations)];
}

function differencesOf(pit: Float64Array): number[] {
  const sorted = pit.slice().sort();
  let below = 0;
  return Array.from({ length: points + 1 }, (_, i) => {
    const z = i / points;
    while (below < sorted.length && sorted[below] <= z) below += 1;
    return below / sorted.length - z;
  });
}

/** Verdict of PIT values on the predictions. */
interface PitVerdict {
  readonly inside: boolean;
  readonly sentence: string;
}

/** Whether the curve stays in its band, and how it leaves it if not. */
export function looPitVerdict(pit: readonly number[]): PitVerdict {
  const { at } = pitCurve(pit);
  const inside = at.every(({ difference, band }) => Math.abs(difference) <= band + 1e-9);
  if (inside) {
    return {
      inside,
      sentence:
        "The curve stays in its band: the predictions are neither too sure nor too vague, " +
        "neither too high nor too low, as far as these rows can tell.",
    };
  }
  const mean = pit.reduce((a, b) => a + b, 0) / pit.length;
  const spread = pit.reduce((sum, one) => sum + (one - mean) ** 2, 0) / pit.length;
  const isOff = Math.abs(mean - 0.5) > 2 * Math.sqrt(1 / 12 / pit.length);
  const how = isOff
    ? mean > 0.5 ? "predictions lie too low" : "predictions lie too high"
    : spread > 1 / 12
    ? "predictions are too sure: rows fall into their tails too often"
    : "predictions are too vague: rows fall into their middle too often";
  return { inside, sentence: `The curve leaves its band: ${how}.` };
}
