/** Whether the data can tell two answers apart: the difference of their predictive fits, with its error. */
import { exp, log } from "../base/math/elementary.ts";
import type { ScoredSpace } from "./scored_space.ts";

/** Differences below this are too small for a normal distribution of their error. Nats. */
export const smallDifference = 4;
/** Rows below which the error of a difference is too small itself. */
export const fewRows = 100;

/** One answer's fit less another's. */
export interface Difference {
  /** Σ over rows, nats. */
  readonly elpd: number;
  /** Standard error over rows: √(rows · population variance), as ArviZ has it. */
  readonly se: number;
  /**
   * `apart`: the difference is larger than twice its error, and not small; `alike`: it is not;
   * `small`: below 4 nats, where its error cannot be trusted (Sivula, Magnusson, Matamoros and
   * Vehtari 2020, arXiv:2008.10296).
   */
  readonly verdict: "apart" | "alike" | "small";
  /** False where the difference is small or rows are few: then the error is likely too small. */
  readonly reliable: boolean;
}

/**
 * log p(y_i | y_-i) of the mixture of some programs, each by its share of their weight: `[rows]`.
 *
 * @param weights `[programs]`.
 * @param included whether a program is among them.
 */
export function mixtureElpd(
  { pointwise, rows }: { readonly pointwise: Float64Array; readonly rows: number },
  weights: Float64Array,
  included: (program: number) => boolean,
): Float64Array {
  const own = [...weights.keys()].filter((k) => included(k) && weights[k] > 0);
  const total = own.reduce((sum, k) => sum + weights[k], 0);
  return Float64Array.from({ length: rows }, (_, i) => {
    let top = -Infinity;
    for (const k of own) top = Math.max(top, pointwise[k * rows + i]);
    let sum = 0;
    for (const k of own) sum += weights[k] * exp(pointwise[k * rows + i] - top);
    return top + log(sum / total);
  });
}

/** The difference of two fits of the same rows `[rows]`. */
export function differenceOf(one: Float64Array, other: Float64Array): Difference {
  const n = one.length;
  const each = one.map((value, i) => value - other[i]);
  const elpd = each.reduce((sum, value) => sum + value, 0);
  const square = each.reduce((sum, value) => sum + (value - elpd / n) ** 2, 0);
  const se = Math.sqrt(square);
  const small = Math.abs(elpd) < smallDifference;
  const apart = !small && n > 1 && Math.abs(elpd) > 2 * se;
  return {
    elpd,
    se,
    verdict: small ? "small" : apart ? "apart" : "alike",
    reliable: !small && n >= fewRows,
  };
}

/** Mixtures of the programs that give each answer to a question: `[answers][rows]`. */
export function answerElpd(
  space: Pick<ScoredSpace, "rows"> & { readonly pointwise: Float64Array },
  weights: Float64Array,
  given: Int32Array,
  answer: number,
): Float64Array {
  return mixtureElpd(space, weights, (k) => given[k] === answer);
}
