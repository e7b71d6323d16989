/** A posterior whose rows follow each other in time: the likelihood of each row given the rows before it. */
import type { LogDensity, PointwiseDensity } from "../../../numerics/math/mod.ts";

/** A posterior in the order of its rows. */
export interface RowTerms {
  /** Length of a position. */
  readonly dimension: number;
  /** How many rows are observed. */
  readonly rows: number;
  /** Writes log p(y_t | y_1 … y_(t−1), position) of every row into `out[outOffset …)`. */
  terms(position: Float64Array, offset: number, out: Float64Array, outOffset: number): void;
  /**
   * Writes log P(y_t in the cell it was recorded in | y_1 … y_(t−1), position) − log width of every row,
   * likewise; absent if data were not recorded to a step.
   */
  cells?(position: Float64Array, offset: number, out: Float64Array, outOffset: number): void;
  /** The posterior given the first `rows` rows. */
  given(rows: number): LogDensity;
}

/**
 * The rows of a posterior in their order. Terms that are factors of the likelihood are used as they are, for a
 * factor depends on earlier rows at most. Where variables that rows share were summed out, the term of a row is
 * the log likelihood up to it less that up to the row before it; gains of cells are not known then.
 */
export function rowTerms(density: PointwiseDensity): RowTerms {
  const { dimension, observations: rows } = density;
  const given = (count: number) => count < rows ? density.without(rest(count, rows)) : density;
  if (density.factorises === false) {
    return { dimension, rows, given, terms: byDifferences(dimension, rows, given) };
  }
  return {
    dimension,
    rows,
    given,
    terms: (...at) => density.logLikelihood(...at),
    ...(density.logCells && { cells: (...at) => density.logCells!(...at) }),
  };
}

function rest(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

function byDifferences(
  dimension: number,
  rows: number,
  given: (rows: number) => LogDensity,
): RowTerms["terms"] {
  const until = Array.from({ length: rows + 1 }, (_, count) => given(count));
  const gradient = new Float64Array(dimension);
  return (position, offset, out, outOffset) => {
    const at = position.slice(offset, offset + dimension);
    let before = until[0].logDensity(at, gradient, 0);
    for (let t = 0; t < rows; t++) {
      const now = until[t + 1].logDensity(at, gradient, 0);
      out[outOffset + t] = now - before;
      before = now;
    }
  };
}
