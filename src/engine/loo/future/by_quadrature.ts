/** Leave-future-out by quadrature over few coordinates: all posteriors of first rows on one lattice. */
import {
  type LogDensity,
  type PredictiveLikelihood,
  sumRange,
} from "../../../numerics/math/mod.ts";
import type { GradientBudget } from "../../inference/mcmc/budget.ts";
import type { StreamKey } from "../../inference/mcmc/sample_chains.ts";
import { quadratureLoo } from "../quadrature.ts";
import { thresholds } from "../thresholds.ts";
import type { FutureEstimate, FutureRows } from "./leave_future_out.ts";
import type { RowTerms } from "./row_terms.ts";

/**
 * Leave-one-out of ends instead of rows: an end is row t and all behind it, so that the posterior that lacks it is
 * the one given the rows before t, and log p(y_t … y_n | y_1 … y_(t−1)) less the same from t + M on is that
 * of the M rows between. One lattice covers all those posteriors; no draws, no weights, no refits.
 *
 * @returns `undefined` where there are more than three coordinates, or too many points would be needed.
 */
export function* futureByQuadrature(
  posterior: RowTerms,
  future: FutureRows,
  { targetMcse, seedKey }: { readonly targetMcse: number; readonly seedKey: StreamKey },
  budget: GradientBudget,
): Generator<void, FutureEstimate | undefined> {
  if (posterior.dimension > thresholds.latticeCoordinates) return undefined;
  const limit = Math.min(budget.limit, budget.used + thresholds.closedFormEvaluations);
  const allowance = { used: budget.used, limit };
  const ends = endsOf(posterior, future);
  const found = yield* quadratureLoo(ends, targetMcse, [...seedKey, "future"], allowance);
  budget.used = allowance.used;
  if (!found) return undefined;
  const { first, ahead } = future;
  const units = posterior.rows - first - ahead + 1;
  const endAt = (t: number) => t < found.pointwise.length ? found.pointwise[t] : 0;
  const pointwise = Float64Array.from({ length: units }, (_, t) => endAt(t) - endAt(t + ahead));
  const gains = found.gains && {
    pointwise: pointwise.map((one, t) => found.gains!.pointwise[t] + endAt(t) - one),
    mcse: found.gains.mcse,
  };
  return {
    kind: "future",
    pointwise,
    lppd: found.lppd.slice(0, units),
    raw: sumRange(pointwise, 0, units),
    mcse: found.error,
    ...(gains && { gains }),
    // Nothing was drawn that could have a tail.
    shapes: new Float64Array(units),
    goodK: thresholds.maxGoodK,
    refits: [],
    unresolved: [],
    draws: found.points,
  };
}

/** A posterior whose observations are the ends that begin at each row after the first ones. */
function endsOf(posterior: RowTerms, { first, ahead }: FutureRows): PredictiveLikelihood {
  const { dimension, rows } = posterior;
  const whole: LogDensity = posterior.given(rows);
  const terms = new Float64Array(rows);
  const known = new Float64Array(dimension).fill(NaN);
  let isKnown = false;
  const read = (position: Float64Array, offset: number) => {
    const same = isKnown && known.every((x, k) => x === position[offset + k]);
    if (same) return;
    known.set(position.subarray(offset, offset + dimension));
    posterior.terms(position, offset, terms, 0);
    isKnown = true;
  };
  const writeEnds = (out: Float64Array, outOffset: number) => {
    let sum = 0;
    for (let t = rows - 1; t >= first; t--) {
      sum += terms[t];
      out[outOffset + t - first] = sum;
    }
  };
  const joined = (values: Float64Array, t: number) =>
    sumRange(values, t, Math.min(rows, t + ahead));
  const scratch = new Float64Array(dimension);
  const valueAlone = (position: Float64Array, offset: number) => {
    if (whole.valueAlone) return whole.valueAlone(position, offset);
    return whole.logDensity(position.slice(offset, offset + dimension), scratch, 0);
  };
  const cells = new Float64Array(rows);
  return {
    dimension,
    observations: rows - first,
    ...(whole.startingRegion && { startingRegion: whole.startingRegion }),
    valueAlone,
    logDensity: (position, gradient, offset) => whole.logDensity(position, gradient, offset),
    logLikelihood(position, offset, out, outOffset) {
      read(position, offset);
      writeEnds(out, outOffset);
    },
    withLikelihood(position, _gradient, offset, out, outOffset) {
      const value = valueAlone(position, offset);
      if (!(value > -Infinity)) return value;
      read(position, offset);
      writeEnds(out, outOffset);
      return value;
    },
    logPredictive(position, offset, out, outOffset) {
      read(position, offset);
      for (let t = first; t < rows; t++) out[outOffset + t - first] = joined(terms, t);
    },
    ...(posterior.cells && {
      logCells(position: Float64Array, offset: number, out: Float64Array, outOffset: number) {
        posterior.cells!(position, offset, cells, 0);
        for (let t = first; t < rows; t++) out[outOffset + t - first] = joined(cells, t);
      },
    }),
  };
}
