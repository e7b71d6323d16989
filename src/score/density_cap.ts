/** The cap on the predictive density of one datum: no more than the data's resolution can tell. */
import { log } from "../math/elementary.ts";

/** The parts of an estimate that a cap changes. */
export interface PointwiseEstimate {
  readonly elpdLoo: number;
  readonly pLoo: number;
  readonly se: number;
  readonly elpdPointwise: ArrayLike<number>;
}

/** The estimate under the cap. */
export interface CappedEstimate {
  readonly elpdLoo: number;
  readonly pLoo: number;
  /** √(n · variance of the pointwise values). */
  readonly se: number;
  readonly elpdPointwise: readonly number[];
  readonly cappedPoints: number;
}

/**
 * Caps every pointwise ELPD at log(1 / resolution). A measurement recorded to steps of h has a
 * probability of at most 1, which is a density of 1/h; a program that claims more has found that
 * the data are rounded. `pLoo` is left as it was. Without a resolution nothing changes.
 */
export function capDensity(
  estimate: PointwiseEstimate,
  resolution: number | undefined,
): CappedEstimate {
  const raw = Array.from(estimate.elpdPointwise);
  const cap = resolution !== undefined && resolution > 0 ? -log(resolution) : Infinity;
  const cappedPoints = raw.filter((value) => value > cap).length;
  const { elpdLoo, pLoo, se } = estimate;
  if (cappedPoints === 0) return { elpdLoo, pLoo, se, elpdPointwise: raw, cappedPoints };
  const capped = raw.map((value) => Math.min(value, cap));
  const total = capped.reduce((sum, value) => sum + value, 0);
  return { elpdLoo: total, pLoo, se: standardError(capped), elpdPointwise: capped, cappedPoints };
}

function standardError(values: readonly number[]): number {
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0));
}
