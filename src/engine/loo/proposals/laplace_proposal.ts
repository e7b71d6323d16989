/** The proposal to begin with: around a mode, as wide as the curvature there implies. */
import type { LaplaceApproximation } from "../../inference/mcmc/laplace.ts";
import { solveUpper } from "../../../numerics/math/mod.ts";
import { featureCount } from "./features.ts";
import type { Proposal } from "./proposal.ts";
import { TriangularProposal } from "./triangular.ts";
import { thresholds } from "../thresholds.ts";

/**
 * Student noise with the shape of Laplace's approximation, x = mode + F e for the factor F of its
 * covariance. Given x_l for l < j, coordinate j is around mode_j − F_jj Σ_l (F⁻¹)_jl (x_l − mode_l).
 */
export function laplaceProposal({ mode, factor }: LaplaceApproximation): Proposal {
  const d = mode.length;
  const scale = mode.map((_, j) => factor[j * d + j]);
  const conditionals = Array.from(mode, (_, j) => {
    const inverse = new Float64Array(d);
    inverse[j] = 1;
    solveUpper(factor, d, inverse);
    const slopes = new Float64Array(featureCount(j));
    for (let l = 0; l < j; l++) slopes[featureCount(l)] = -inverse[l] * scale[l];
    return {
      mode: 0,
      left: thresholds.laplaceWidening,
      right: thresholds.laplaceWidening,
      slopes,
      spreads: new Float64Array(j),
    };
  });
  return new TriangularProposal({ centre: mode, scale, conditionals });
}
