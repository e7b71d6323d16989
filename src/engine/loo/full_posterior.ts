/** The posterior given all observations, as refits need it. */
import type { ChainSet } from "../inference/mcmc/chain_set.ts";
import type { PointwiseDensity } from "../../numerics/math/mod.ts";

/** The full posterior, as far as a refit needs it. */
export interface FullPosterior {
  /** The posterior given all observations. */
  readonly density: PointwiseDensity;
  /** Its draws. */
  readonly chainSet: ChainSet;
  /** `[chains · draws, observations]`. */
  readonly logLikelihood: Float64Array;
}
