/** Posteriors without some observations. */
import type { LogDensity, StartingRegion } from "../math/log_density.ts";
import type { AssembledProgram } from "./assemble.ts";
import type { Backend } from "./backend.ts";
import { TailedModule } from "./tailed.ts";

/** The posterior with a weight of 0 or 1 for each observation, whichever are left out. */
export class PartialModule {
  readonly #module: TailedModule;
  readonly #observations: number;

  constructor(assembled: AssembledProgram, backend: Backend) {
    const { g, dimension, observations, pointwise, logPrior } = assembled;
    const weights = g.input(dimension, [observations]);
    const kept = g.where(weights, pointwise, g.scalar(0));
    this.#module = new TailedModule(
      assembled,
      g.add(logPrior, g.sum(kept)),
      observations,
      backend,
    );
    this.#observations = observations;
  }

  /** The posterior without these observations. */
  without(rows: readonly number[], region: StartingRegion): LogDensity {
    const weights = new Float64Array(this.#observations).fill(1);
    for (const row of rows) weights[row] = 0;
    return this.#module.with(weights, region);
  }
}
