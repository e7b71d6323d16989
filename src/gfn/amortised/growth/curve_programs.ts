/** Programs of a data set of growth: every curve under every noise, with its predicted log flow. */
import { log } from "../../../numerics/math/mod.ts";
import { foretell, type ForetoldProgram } from "./curve_elpd.ts";
import { type CurveFit, fitCurve, type Spread } from "./curve_fit.ts";
import {
  curveNames,
  type GrowthScales,
  type MeanCurve,
  meanCurves,
  scalesOf,
  type Sizes,
} from "./mean_curves.ts";
import { programAt } from "./growth_places.ts";
import { noises, spreadOf } from "./noises.ts";

/** Forecast of one program, and the fit that it rests on. */
export interface FittedProgram extends ForetoldProgram {
  /** Place in the vocabulary. */
  readonly program: number;
  readonly fit: CurveFit;
}

/** Logarithms of rates from which a fit begins, beside those of the prior: some curves have two modes. */
const starts = [0, -1.6, 1.2];

/** Every program that the ages suit and that could be fitted, in the order of the vocabulary. */
export function fittedPrograms(data: Sizes): FittedProgram[] {
  const scales = scalesOf(data);
  const isBorn = data.ages.some((age) => age === 0);
  return curveNames.flatMap((name, c) => {
    const curve: MeanCurve = meanCurves[name];
    return isBorn && curve.wantsAge ? [] : fitsOf(curve, data, scales, c);
  });
}

function fitsOf(curve: MeanCurve, data: Sizes, scales: GrowthScales, c: number): FittedProgram[] {
  const priors = curve.priors(scales);
  const first = bestOf(curve, data, scales, priors);
  if (!first) return [];
  const fits = new Map<string, CurveFit | undefined>();
  const fitFor = (spread: Spread, robust: boolean) => {
    const key = `${spread} ${robust}`;
    if (!fits.has(key)) {
      fits.set(key, fitCurve({ curve, data, scales, spread, robust, start: first.at }));
    }
    return fits.get(key);
  };
  return noises.flatMap((noise, n) => {
    const fit = fitFor(spreadOf(noise), noise.family === "student_t");
    if (!fit) return [];
    const foretold = foretell(fit, noise, data, scales);
    return Number.isFinite(foretold.elpd) ? [{ ...foretold, fit, program: programAt(c, n) }] : [];
  });
}

/** The best of some starts, the noise that of sizes. */
function bestOf(
  curve: MeanCurve,
  data: Sizes,
  scales: GrowthScales,
  priors: ReturnType<MeanCurve["priors"]>,
): CurveFit | undefined {
  const own = priors.length > 2 ? starts : [0];
  const found = own.flatMap((moved) => {
    const start = Float64Array.from(priors, ([mean, deviation, half], a) => {
      if (half) return 0.4 * deviation;
      return mean + (a === 2 ? moved : 0);
    });
    return fitCurve({ curve, data, scales, spread: "constant", robust: false, start }) ?? [];
  });
  const energy = ({ variance, shift, mean }: CurveFit) =>
    mean.length * log(variance) + shift.reduce((sum, one) => sum + one * one, 0);
  return found.reduce<CurveFit | undefined>(
    (best, one) => best && energy(best) <= energy(one) ? best : one,
    undefined,
  );
}
