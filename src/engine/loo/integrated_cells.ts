/** Cells of recorded data where the latents of observations are integrated out. */
import type { PointwiseDensity, PointwiseLikelihood } from "../../numerics/math/mod.ts";
import { LatentIntegrals } from "./latent_integrals.ts";
import type { Peaks } from "./line_modes.ts";

/**
 * log ∫ P_i(θ, z) p(z | y_-i, θ) dz of every observation, for the mean P_i of its likelihood over its cell.
 * Of observations that have an element for themselves that is an integral over P_i p(z | θ), with a peak of its own; of
 * those that share one it is taken at the points of the others. The edges of cells that are wide beside the noise are
 * kinks, of which integrals along lines are not sure: `cellsError`.
 *
 * @param startsOf where peaks are sought from, as for `LatentIntegrals`.
 */
export function integratedCells(
  density: PointwiseDensity,
  startsOf: (coordinates: Int32Array) => Peaks,
): Pick<PointwiseLikelihood, "logCells" | "cellsError"> {
  if (!density.logCells) return {};
  let integrals: LatentIntegrals | undefined;
  return {
    logCells(position, offset, out, outOffset) {
      integrals ??= new LatentIntegrals(density, startsOf, true);
      for (let k = 0; k < density.dimension; k++) integrals.position[k] = position[offset + k];
      integrals.write(out, outOffset);
    },
    cellsError: () => integrals?.error ?? 0,
  };
}
