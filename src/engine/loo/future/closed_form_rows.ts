/** Rows in their order of a posterior without its linear latents, which were integrated out in closed form. */
import type { ClosedFormPosterior, LogDensity } from "../../../numerics/math/mod.ts";
import type { RowTerms } from "./row_terms.ts";

/** Distance over which gradients are taken, in spreads of the starting region. */
const relativeStep = 1e-4;

/**
 * The rows of a posterior of the few other coordinates: one evaluation gives the posteriors given
 * any number of first rows. Gradients are differences, good enough to climb by.
 */
export function closedFormRows(posterior: ClosedFormPosterior, rows: number): RowTerms {
  return {
    dimension: posterior.dimension,
    rows,
    terms: (...at) => posterior.inOrder(...at),
    ...(posterior.logCells && { cells: (...at) => posterior.cellsInOrder(...at) }),
    given: (count) => givenRows(posterior, rows, count),
  };
}

function givenRows(posterior: ClosedFormPosterior, rows: number, count: number): LogDensity {
  const { dimension, startingRegion } = posterior;
  const terms = new Float64Array(rows);
  const valueAlone = (position: Float64Array, offset: number) => {
    const all = posterior.valueAlone!(position, offset);
    if (!(all > -Infinity)) return -Infinity;
    posterior.inOrder(position, offset, terms, 0);
    let value = all;
    for (let t = count; t < rows; t++) value -= terms[t];
    return value < Infinity ? value : -Infinity;
  };
  return {
    dimension,
    startingRegion,
    valueAlone,
    logDensity(position, gradient, offset) {
      const point = position.slice(offset, offset + dimension);
      const value = valueAlone(point, 0);
      for (let k = 0; k < dimension; k++) {
        const before = point[k];
        const step = relativeStep * startingRegion!.spread[k];
        point[k] = before + step;
        gradient[offset + k] = (valueAlone(point, 0) - value) / step;
        point[k] = before;
      }
      const some = gradient.subarray(offset, offset + dimension);
      if (value > -Infinity && some.every(Number.isFinite)) return value;
      some.fill(0);
      return -Infinity;
    },
  };
}
