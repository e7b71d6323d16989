/** The cap on the predictive density of one datum: no more than the data's resolution can tell. */
import { log } from "../../base/math/elementary.ts";

/** A total under the cap, and where the cap bites. */
export interface CappedTotal {
  /** Sum of the pointwise values, each at most the cap of its rows. */
  readonly total: number;
  /** How many values lay above it. */
  readonly cappedPoints: number;
}

/**
 * Caps every pointwise ELPD at log(1 / resolution) per row. A measurement recorded to steps of h
 * has a probability of at most 1, which is a density of 1/h; a program that claims more has found
 * that the data are rounded. Without a resolution nothing changes.
 *
 * @param elpdPointwise one value per row, or per group of rows.
 * @param total their sum, returned as it is where nothing is capped.
 * @param rowsOf rows in each group; 1 each if left out.
 */
export function capDensity(
  elpdPointwise: ArrayLike<number>,
  total: number,
  resolution: number | undefined,
  rowsOf: (i: number) => number = () => 1,
): CappedTotal {
  const cap = resolution !== undefined && resolution > 0 ? -log(resolution) : Infinity;
  let sum = 0;
  let cappedPoints = 0;
  for (let i = 0; i < elpdPointwise.length; i++) {
    const most = rowsOf(i) * cap;
    if (elpdPointwise[i] > most) cappedPoints += 1;
    sum += Math.min(elpdPointwise[i], most);
  }
  return { total: cappedPoints === 0 ? total : sum, cappedPoints };
}
