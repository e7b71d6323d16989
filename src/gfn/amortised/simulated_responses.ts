/** Draws responses about a signal: heavy-tailed noise, counts, successes of trials. */
import {
  drawBinomial,
  drawPoisson,
  exp,
  fillNormal,
  log,
  sigmoid,
} from "../../numerics/math/mod.ts";
import type { RandomStream } from "../../base/random.ts";
import type { RegressionFamily } from "./regression_families.ts";
import type { Simulation } from "./simulation.ts";

/**
 * Makes normals Student's t of variance 1, by the root of a mean of squares: with 4 degrees of freedom, of
 * data sets for Student's programs with 3 to 8.
 */
export function drawHeavy(
  noise: Float64Array,
  random: RandomStream,
  family: RegressionFamily,
): void {
  const freedom = family === "student_t" ? 3 + random.below(6) : 4;
  const variance = freedom / (freedom - 2);
  const squares = new Float64Array(freedom);
  noise.forEach((one, i) => {
    fillNormal(random, squares);
    const mean = squares.reduce((sum, x) => sum + x * x, 0) / freedom;
    noise[i] = one / Math.sqrt(variance * mean);
  });
}

/** Rates beyond which a count is no number. */
const mostRate = 1e6;

/** Largest standard deviation of the logarithm of rates. */
const mostSpread = 1.5;

/**
 * Counts at the rate exp(a + s signal), or successes with such log odds; s is such that the signal has
 * about its share of the variance on the scale of the link.
 */
export function drawCounts(
  { family, counts, tails }: Simulation,
  signal: Float64Array,
  variance: number,
  random: RandomStream,
): { readonly y: Float64Array; readonly trials?: Float64Array } {
  const many = exp(log(counts[0]) + log(counts[1] / counts[0]) * random.uniform());
  const extra = new Float64Array(signal.length);
  fillNormal(random, extra);
  const width = random.uniform() < tails ? 0.2 + 0.6 * random.uniform() : 0;
  const ratio = Math.sqrt(variance / (1 - variance));
  if (family === "poisson") {
    const spread = Math.min(mostSpread, ratio / Math.sqrt(many));
    const y = signal.map((one, i) => {
      const rate = exp(log(many) - spread * spread / 2 + spread * one + width * extra[i]);
      return rate < mostRate ? drawPoisson(random, rate) : Infinity;
    });
    return { y };
  }
  const trials = drawTrials(signal.length, many, random);
  const middle = 3 * random.uniform() - 1.5;
  const y = signal.map((one, i) => {
    return drawBinomial(random, trials[i], sigmoid(middle + 1.8 * ratio * one + width * extra[i]));
  });
  return trials.every((one) => one === 1) ? { y } : { y, trials };
}

/** One each in half of the data sets, else any number up to about twice as many. */
function drawTrials(rows: number, many: number, random: RandomStream): Float64Array {
  const isSingle = random.uniform() < 0.5;
  return Float64Array.from({ length: rows }, () => {
    return isSingle ? 1 : 1 + random.below(Math.ceil(2 * many));
  });
}
