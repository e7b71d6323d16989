/** Leave-one-out of data that were recorded to a step: gains of their cells over densities. */
import {
  addTimes,
  exponentials,
  largest,
  log,
  type PointwiseLikelihood,
  sumRange,
} from "../../numerics/math/mod.ts";
import { type ControlVariates, logGain } from "./control_variates.ts";
import { thresholds } from "./thresholds.ts";

/** Gains: rewards of cells minus log predictive densities. */
export interface CellGains {
  /** log E[P_i] − log E[L_i] over the posterior without i `[observations]`. */
  readonly pointwise: Float64Array;
  /** Monte Carlo standard error of their sum. */
  readonly mcse: number;
}

/** Draws, and what is known of the likelihoods at each. */
interface CellDraws {
  /** `[count, dimension]`. */
  readonly positions: Float64Array;
  /** How many. */
  readonly count: number;
  /** log L_i `[count, observations]`. */
  readonly logLikelihood: Float64Array;
  /**
   * log of what draws weigh for the posterior without observation `i`, up to a constant: 1 / L_i of
   * draws of the posterior. −∞ for draws that do not count. Called for the draws that are used.
   */
  readonly logWeights: (i: number) => (draw: number) => number;
  /** Takes noise out of means over the draws. */
  readonly variates: ControlVariates;
  /** Observations whose gain is 0. */
  readonly skipped?: readonly number[];
}

/**
 * E[P_i] / E[L_i] over the posterior without i, for the mean P_i of the likelihood L_i over the
 * cell that y_i was recorded in, is the ratio of two averages over the draws of any method,
 * weighted as for log p(y_i | y_-i). Where 16 draws, or 64, show cells to be narrow beside predictive
 * distributions, no more are used; the error counts.
 *
 * @returns `undefined` where data were not recorded to a step.
 */
export function cellGains(
  density: PointwiseLikelihood,
  draws: CellDraws,
): CellGains | undefined {
  if (!density.logCells) return undefined;
  const { cellDraws, cellError } = thresholds;
  for (const some of [cellDraws, 4 * cellDraws]) {
    const few = fewGains(density, draws, Math.ceil(draws.count / some));
    if (few.mcse <= cellError) return withError(few);
  }
  return withError(allGains(density, draws));
}

/** Gains, and how far they may be off beside their noise, which more draws do not mend. */
interface Gains extends CellGains {
  readonly error: number;
}

function withError({ pointwise, mcse, error }: Gains): CellGains {
  return { pointwise, mcse: mcse + error };
}

/** log w / L_i for the posterior's weights w of draws from elsewhere. */
export function lackingWeights(
  logWeights: Float64Array,
  logLikelihood: Float64Array,
): CellDraws["logWeights"] {
  const n = logLikelihood.length / logWeights.length;
  return (i) => (s) => {
    const weight = logWeights[s];
    return weight > -Infinity ? weight - logLikelihood[s * n + i] : weight;
  };
}

/** log v L_i and log v P_i of an observation, for weights v of the posterior without it `[draws]`. */
interface Terms {
  readonly before: Float64Array;
  readonly after: Float64Array;
}

/**
 * Visits every observation with its terms at every `every`-th draw; arrays are used again. Returns how far their sum
 * may be off beside its noise, on the average over draws.
 */
function visitTerms(
  density: PointwiseLikelihood,
  { positions, count, logLikelihood, logWeights, skipped }: CellDraws,
  every: number,
  visit: (i: number, terms: Terms) => void,
): number {
  const { observations: n, dimension } = density;
  const some = Math.ceil(count / every);
  const cells = new Float64Array(some * n);
  let error = 0;
  for (let k = 0; k < some; k++) {
    density.logCells!(positions, k * every * dimension, cells, k * n);
    error += (density.cellsError?.() ?? 0) / some;
  }
  const [before, after] = [new Float64Array(some), new Float64Array(some)];
  for (let i = 0; i < n; i++) {
    if (skipped?.includes(i)) continue;
    const weightOf = logWeights(i);
    for (let k = 0; k < some; k++) {
      const s = k * every;
      const weight = weightOf(s);
      before[k] = weighted(weight, logLikelihood[s * n + i]);
      after[k] = weighted(weight, cells[k * n + i]);
    }
    visit(i, { before, after });
  }
  return error;
}

/** The sum, −∞ for draws that do not count. */
function weighted(logWeight: number, value: number): number {
  return logWeight > -Infinity && value > -Infinity ? logWeight + value : -Infinity;
}

function fewGains(density: PointwiseLikelihood, draws: CellDraws, every: number): Gains {
  const some = Math.ceil(draws.count / every);
  const pointwise = new Float64Array(density.observations);
  const rest = new Float64Array(some);
  const error = visitTerms(density, draws, every, (i, { before, after }) => {
    const [less, more] = [relative(before), relative(after)];
    pointwise[i] = more.logMean - less.logMean;
    for (let k = 0; k < some; k++) rest[k] += more.ratios[k] - less.ratios[k];
  });
  let square = 0;
  for (let k = 0; k < some; k++) square += rest[k] * rest[k];
  const mcse = some > 1 ? Math.sqrt(square) / (some - 1) : Infinity;
  return { pointwise, mcse: mcse === mcse ? mcse : Infinity, error };
}

function allGains(density: PointwiseLikelihood, draws: CellDraws): Gains {
  const { count, variates } = draws;
  const constant = variates.correction(new Float64Array(count).fill(1));
  const pointwise = new Float64Array(density.observations);
  const total = new Float64Array(count);
  const error = visitTerms(density, draws, 1, (i, { before, after }) => {
    const [less, more] = [relative(before), relative(after)];
    const gainOf = (one: Relative) =>
      one.logMean + logGain(variates.correction(one.ratios) - constant);
    pointwise[i] = gainOf(more) - gainOf(less);
    addTimes(total, 1, more.ratios, 0, 0, count);
    addTimes(total, -1, less.ratios, 0, 0, count);
  });
  return { pointwise, mcse: variates.correct(total).mcse, error };
}

/** The log of a mean, and what is averaged as multiples of it. */
interface Relative {
  readonly logMean: number;
  readonly ratios: Float64Array;
}

function relative(logs: Float64Array): Relative {
  const count = logs.length;
  const max = largest(logs);
  const ratios = new Float64Array(count);
  if (!(Math.abs(max) < Infinity)) return { logMean: max, ratios };
  exponentials(logs, max, ratios);
  const mean = sumRange(ratios, 0, count) / count;
  for (let s = 0; s < count; s++) ratios[s] /= mean;
  return { logMean: max + log(mean), ratios };
}
