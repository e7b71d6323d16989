/** Integrated leave-one-out: latents are integrated out of the likelihoods. */
import type { ChainSet } from "../inference/mcmc/chain_set.ts";
import type { PointwiseDensity } from "../../numerics/math/mod.ts";
import { integratedCells } from "./integrated_cells.ts";
import { LatentIntegrals } from "./latent_integrals.ts";
import type { Peaks } from "./line_modes.ts";
import { canIntegrate } from "./units.ts";

/**
 * The posterior with log p(y_i | y_-i, θ), the latents z integrated out, instead of log p(y_i | θ,
 * z). Importance ratios with a latent in them have no finite variance where it follows few
 * observations; those without it have tails as light as for any other parameter (Vehtari, Mononen,
 * Tolvanen, Sivula, Winther 2016, JMLR 17(103), section 3; Merkle, Furr, Rabe-Hesketh 2019).
 *
 * The integrals are taken over the unconstrained coordinate (`LatentIntegrals`), of all elements at
 * once. Mode and width are sought from the mean and spread that the coordinate has in `set`, and
 * again from every position alone, so that the value is a function of the position.
 */
export function integratedPosterior(density: PointwiseDensity, set: ChainSet): PointwiseDensity {
  const startsOf = (coordinates: Int32Array) => startsIn(set, coordinates);
  const integrals = new LatentIntegrals(density, startsOf);
  return {
    ...integratedCells(density, startsOf),
    dimension: density.dimension,
    observations: density.observations,
    factorises: canIntegrate(density),
    startingRegion: density.startingRegion,
    logDensity: (position, gradient, offset) => density.logDensity(position, gradient, offset),
    logLikelihood(position, offset, out, outOffset) {
      for (let k = 0; k < density.dimension; k++) integrals.position[k] = position[offset + k];
      integrals.write(out, outOffset);
    },
    without: (rows) => density.without(rows),
    mixture: (components) => density.mixture(components),
    quantities: density.quantities,
    quantityShapes: density.quantityShapes,
    constrain: (position, offset, out, outOffset) =>
      density.constrain(position, offset, out, outOffset),
  };
}

/** Mean and standard deviation over the draws of these coordinates. */
function startsIn(set: ChainSet, coordinates: Int32Array): Peaks {
  const moments = Array.from(coordinates, (k) => momentsIn(set, k));
  return {
    centre: Float64Array.from(moments, ({ mean }) => mean),
    scale: Float64Array.from(moments, ({ sd }) => sd > 1e-6 && sd < 1e6 ? sd : 1),
  };
}

/** Mean and standard deviation of coordinate `k` over the draws. */
function momentsIn({ positions, dimension, chains, draws }: ChainSet, k: number) {
  const count = chains * draws;
  let [mean, square] = [0, 0];
  for (let s = 0; s < count; s++) mean += positions[s * dimension + k] / count;
  for (let s = 0; s < count; s++) {
    const rest = positions[s * dimension + k] - mean;
    square += rest * rest / count;
  }
  return { mean, sd: Math.sqrt(square) };
}
