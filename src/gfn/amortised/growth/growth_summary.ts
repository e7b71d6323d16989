/** Encodes a data set of growth as numbers of the whole and of each of its programs. */
import { exp, log, log1p, logSumExp } from "../../../numerics/math/mod.ts";
import { tamed } from "../summary.ts";
import type { CurveFit } from "./curve_fit.ts";
import { type FittedProgram, fittedPrograms } from "./curve_programs.ts";
import { type CurveName, meanCurves, scalesOf, type Sizes } from "./mean_curves.ts";
import { curveOf, growthMarks, marksOf } from "./growth_places.ts";
import { growthSizes } from "./growth_sizes.ts";

/** Numbers of a data set of growth that the policy sees. */
export interface GrowthSummary {
  readonly rows: number;
  /** `[data]`: the last ones are shares of curves and noises, as foretold. */
  readonly data: Float64Array;
  /** `[programs]`: places in the vocabulary. */
  readonly programs: Int32Array;
  /** `[programs, program]`. */
  readonly features: Float64Array;
  /** `[programs]`: foretold ELPD-LOO, nats, less that of the best: 0 or below. */
  readonly foretold: Float64Array;
}

/** Nats below the best beyond which foretold values count as these. */
const deepest = -60;

/** Fits every curve, and pools its residuals. */
export function summariseGrowth(raw: Sizes): GrowthSummary {
  const data = inOwnUnits(raw);
  const fitted = fittedPrograms(data);
  const best = fitted.reduce((most, { elpd }) => Math.max(most, elpd), -Infinity);
  const foretold = Float64Array.from(fitted, ({ elpd }) => Math.max(deepest, elpd - best));
  const features = new Float64Array(fitted.length * growthSizes.program);
  fitted.forEach((one, m) =>
    features.set(numbersOf(one, foretold[m], data), m * growthSizes.program)
  );
  const programs = Int32Array.from(fitted, ({ program }) => program);
  const first = fitted[foretold.indexOf(0)];
  const numbers = [...ofWhole(data, first), ...sharesOf(programs, foretold)];
  return { rows: data.ages.length, data: Float64Array.from(numbers), programs, features, foretold };
}

/** Rows in the order of age, ages over the greatest, sizes over their mean, so that units do not matter. */
function inOwnUnits({ ages, sizes }: Sizes): Sizes {
  const oldest = ages.reduce((a, b) => Math.max(a, b));
  const mean = sizes.reduce((a, b) => a + b, 0) / sizes.length;
  const order = [...ages.keys()].sort((i, j) => ages[i] - ages[j] || i - j);
  return {
    ages: Float64Array.from(order, (i) => ages[i] / oldest),
    sizes: Float64Array.from(order, (i) => sizes[i] / mean),
  };
}

function numbersOf(one: FittedProgram, foretold: number, data: Sizes): number[] {
  const { fit, effective, leverage, deviations, program } = one;
  const own: number[] = [
    log1p(-foretold) / 2,
    effective / 4,
    leverage,
    log1p(largest(fit.shift.map(Math.abs))),
    log1p(fit.shift.reduce((sum, x) => sum + x * x, 0)) / 2,
    largest(deviations),
    Math.min(...deviations, 1),
    bendOf(one, data),
    edgeOf(one),
    ...momentsOf(fit),
  ];
  const marks = new Array<number>(growthMarks).fill(0);
  for (const mark of marksOf(program)) marks[mark] = 1;
  return [...own, ...marks];
}

const largest = (values: ArrayLike<number>) => Array.from(values).reduce((a, b) => Math.max(a, b));

/** Curvature of the curve within its posterior, over the noise (Bates and Watts 1980), tamed. */
function bendOf({ fit, deviations, program }: FittedProgram, data: Sizes): number {
  const scales = scalesOf(data);
  const curve = meanCurves[curveOf(program)];
  const priors = curve.priors(scales);
  let most = 0;
  fit.at.forEach((_, a) => {
    const step = deviations[a] * priors[a][1];
    const [above, below] = [step, -step].map((by) =>
      curve.of(fit.at.map((one, b) => b === a ? one + by : one), scales)
    );
    let sum = 0;
    fit.mean.forEach((middle, i) => {
      const off = (above(data.ages[i]) + below(data.ages[i]) - 2 * middle) / middle;
      sum += Math.min(off * off, 1e6);
    });
    most = Math.max(most, sum / relativeNoise(fit));
  });
  return log1p(most) / 3;
}

/** Mean square of the residuals, as a share of the curve. */
function relativeNoise({ mean, variance }: CurveFit): number {
  const middle = mean.reduce((a, b) => a + b, 0) / mean.length;
  return Math.max(variance / (middle * middle), 1e-9);
}

/** Posterior deviations from 0 of coordinates that are 0 or above, at most 4. */
function edgeOf({ fit, deviations, program }: FittedProgram): number {
  const place = edges[curveOf(program)];
  if (place === undefined) return 1;
  return Math.min(4, fit.shift[place] / Math.max(deviations[place], 1e-6)) / 4;
}

const edges: Readonly<Partial<Record<CurveName, number>>> = {
  linear: 1,
  square_root: 1,
  quadratic: 1,
  power: 1,
  logarithmic: 1,
  logarithmic_from_birth: 1,
};

/** Tails, skew, growth of the spread and correlation of neighbours of the residuals. */
function momentsOf({ residuals, mean, variance }: CurveFit): number[] {
  const rows = residuals.length;
  const scale = Math.sqrt(variance);
  const z = residuals.map((one) => one / scale);
  const middle = mean.reduce((a, b) => a + b, 0) / rows;
  const wide =
    Math.sqrt(mean.reduce((sum, one) => sum + (one - middle) * (one - middle), 0) / rows) + 1e-9;
  const meanOf = (term: (i: number) => number) => z.reduce((sum, _, i) => sum + term(i), 0) / rows;
  return [
    tamed(meanOf((i) => z[i] * z[i] * z[i] * z[i]) - 3) / 2,
    tamed(meanOf((i) => z[i] * z[i] * z[i])),
    tamed(Math.sqrt(rows) * meanOf((i) => (z[i] * z[i] - 1) * (mean[i] - middle) / wide)) / 2,
    tamed(Math.sqrt(rows) * meanOf((i) => i === 0 ? 0 : z[i] * z[i - 1])) / 2,
  ];
}

function ofWhole({ ages, sizes }: Sizes, { fit, elpd }: FittedProgram): number[] {
  const rows = ages.length;
  const share = (level: number) => ages.reduce((sum, age) => sum + (age < level ? 1 : 0), 0) / rows;
  const least = ages.reduce((a, b) => Math.min(a, b));
  const scales = scalesOf({ ages, sizes });
  return [
    log(rows) - 3.5,
    Math.max(0, 1 - fit.variance / (scales.deviation * scales.deviation)),
    log(relativeNoise(fit)) / 4 + 1,
    log(Math.max(1e-3, scales.deviation)) + 1,
    scales.logMost - scales.logLeast > 0 ? log(scales.logMost - scales.logLeast) : -3,
    elpd / rows,
    least,
    share(0.2),
    share(0.5),
    share(0.8),
    new Set(ages).size / rows,
    tamed(fit.shift.reduce((sum, x) => sum + x * x, 0)),
  ];
}

/** Shares of curves and of noises, as foretold. */
function sharesOf(programs: Int32Array, foretold: Float64Array): number[] {
  const shares = new Array<number>(growthMarks).fill(0);
  const total = logSumExp(foretold);
  programs.forEach((program, m) => {
    const share = exp(foretold[m] - total);
    for (const mark of marksOf(program)) shares[mark] += share;
  });
  return shares;
}
