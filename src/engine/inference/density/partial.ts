/** Posteriors without some observations: one module for all of them. */
import type { StartingRegion } from "../../../numerics/math/mod.ts";
import type { AssembledProgram } from "./assemble.ts";
import type { Backend } from "./backend.ts";
import { ExtendedDensity, ExtendedModule } from "./extended.ts";

/**
 * The posterior with a weight of 0 or 1 for each observation, which follow the unconstrained vector
 * as further inputs: compiled once, whichever observations are left out.
 */
export class WeightedDensity {
  readonly #module: ExtendedModule;
  readonly #observations: number;

  constructor(assembled: AssembledProgram, backend: Backend) {
    const { g, dimension, observations, likelihood, logPrior } = assembled;
    const weights = g.input(dimension, [observations]);
    const value = g.add(logPrior, likelihood.kept(weights));
    this.#module = new ExtendedModule(assembled, backend, value, observations);
    this.#observations = observations;
  }

  /** The posterior without these observations. */
  without(rows: readonly number[], region: StartingRegion): ExtendedDensity {
    const weights = new Float64Array(this.#observations).fill(1);
    for (const row of rows) weights[row] = 0;
    return new ExtendedDensity(this.#module, weights, region);
  }
}
