/** Predictive densities as logarithms of means over draws. */
import { log } from "../../numerics/math/mod.ts";

/**
 * log of the mean over draws, of each row; −∞ where no draw has a density.
 *
 * @param densities `[rows, draws]`.
 */
export function logMeans(densities: Float32Array, rows: number): number[] {
  const draws = densities.length / rows;
  return Array.from({ length: rows }, (_, row) => {
    const own = densities.subarray(row * draws, (row + 1) * draws);
    return log(own.reduce((sum, one) => sum + one, 0) / draws);
  });
}

/** The number, or null: JSON has no infinity. */
export function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
