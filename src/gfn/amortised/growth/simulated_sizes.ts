/** Draws sizes of an organism over ages: a curve, its coordinates, ages, and a noise, by a stated distribution. */
import { exp, fillNormal, log } from "../../../numerics/math/mod.ts";
import type { RandomStream } from "../../../base/random.ts";
import type { GrowthSimulation } from "./growth_simulation.ts";
import { type CurveName, curveNames, type GrowthScales, meanCurves } from "./mean_curves.ts";
import { type Noise, noises } from "./noises.ts";

/** A data set and the program that made it. */
export interface SimulatedSizes {
  /** `[rows]`, 0 or above; single precision. */
  readonly ages: Float64Array;
  /** `[rows]`; not above 0 where a draw is useless. */
  readonly sizes: Float64Array;
  readonly curve: CurveName;
  readonly noise: Noise;
}

/** One data set. */
export function drawSizes(given: GrowthSimulation, random: RandomStream): SimulatedSizes {
  const between = ([a, b]: readonly [number, number]) => a + (b - a) * random.uniform();
  const rows = Math.round(exp(between([log(given.rows[0]), log(given.rows[1])])));
  const ages = drawAges(rows, given, between, random);
  const [curve, noise] = [curveNames, noises].map((list) => random.below(list.length));
  const name = curveNames[curve];
  const mean = drawCurve(name, ages, between, random);
  const explained = between(given.explained);
  const sizes = withNoise(mean, noises[noise], Math.sqrt(1 / explained - 1), random);
  const unit = exp(between([-3, 5]));
  return {
    ages: ages.map(Math.fround),
    sizes: sizes.map((one) => Math.fround(unit * one)),
    curve: name,
    noise: noises[noise],
  };
}

/** Evenly, crowded among the young or among the old; some rounded, so that ages are shared. */
function drawAges(
  rows: number,
  { born }: GrowthSimulation,
  between: (ends: readonly [number, number]) => number,
  random: RandomStream,
): Float64Array {
  const oldest = exp(between([0, log(60)]));
  const crowd = exp(between([-0.8, 0.8]));
  const least = random.uniform() < 0.5 ? 0.01 : 0.01 + 0.3 * random.uniform();
  const isRounded = random.uniform() < 0.4;
  const step = oldest / (6 + random.below(24));
  const isBorn = random.uniform() < born;
  return Float64Array.from({ length: rows }, (_, i) => {
    const share = exp(crowd * log(random.uniform()));
    const age = oldest * (least + (1 - least) * share);
    if (isBorn && i < Math.max(1, rows / 12)) return 0;
    return isRounded ? Math.max(step, step * Math.round(age / step)) : age;
  });
}

/** A curve that ends near 1, its coordinates about where the priors have them. */
function drawCurve(
  name: CurveName,
  ages: Float64Array,
  between: (ends: readonly [number, number]) => number,
  random: RandomStream,
): Float64Array {
  const least = exp(between([log(0.02), log(0.8)]));
  const oldest = ages.reduce((a, b) => Math.max(a, b));
  const positive = ages.filter((age) => age > 0).sort();
  const scales: GrowthScales = {
    logMost: 0,
    logLeast: log(least),
    logMiddle: log(0.4 + 0.6 * least),
    gain: 1 - least,
    oldest,
    middleAge: positive[positive.length >> 1],
    mean: 1,
    deviation: 1,
  };
  const priors = meanCurves[name].priors(scales);
  const draws = new Float64Array(priors.length);
  fillNormal(random, draws);
  const at = priors.map(([mean, deviation, half], a) => {
    if (half) return deviation * (0.3 + random.uniform());
    return mean + Math.min(deviation, 0.8) * draws[a] + (a === 2 ? between([-1, 0]) : 0);
  });
  return ages.map(meanCurves[name].of(at, scales));
}

/** Sizes about the curve; the noise has `factor` times the curve's standard deviation. */
function withNoise(
  mean: Float64Array,
  { family, spread }: Noise,
  factor: number,
  random: RandomStream,
): Float64Array {
  const rows = mean.length;
  const middle = mean.reduce((sum, one) => sum + one, 0) / rows;
  const square = mean.reduce((sum, one) => sum + (one - middle) * (one - middle), 0);
  const deviation = factor * Math.sqrt(square / rows);
  const errors = new Float64Array(rows);
  fillNormal(random, errors);
  if (family === "student_t") makeHeavy(errors, 2 + random.below(6), random);
  if (family === "log_normal") {
    return mean.map((one, i) => one * exp(deviation / middle * errors[i]));
  }
  const relative = (one: number) => spread === "proportional" ? one / middle : 1;
  return mean.map((one, i) => one + deviation * relative(one) * errors[i]);
}

/** Student's t: a normal over the root of a mean of squares. */
function makeHeavy(errors: Float64Array, freedom: number, random: RandomStream): void {
  const squares = new Float64Array(freedom);
  errors.forEach((one, i) => {
    fillNormal(random, squares);
    errors[i] = one / Math.sqrt(squares.reduce((sum, x) => sum + x * x, 0) / freedom);
  });
}
