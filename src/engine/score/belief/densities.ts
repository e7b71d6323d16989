/** Predictive densities of a theory at rows, for each draw of its latents. */
import { outcomeDensities, thinned } from "../outcomes.ts";
import type { NewRows } from "../predictions.ts";
import { type Design, drawsInOrder, type NamedDraws, theoryAt } from "./theory.ts";

/** Outcomes whose densities are asked for. */
export interface Outcomes {
  /** Outcomes of each row. */
  readonly points: number;
  /** `[rows, points]`. */
  readonly values: Float64Array;
  /** Draws of the latents at most, an even part of all. */
  readonly draws: number;
}

/**
 * p(y | row, latents) of outcomes at rows `[rows, draws, points]`. Averaged over draws of a posterior it is the predictive
 * density at new rows.
 *
 * @throws InputError if the program cannot be read at these rows, or its response is no number per row.
 */
export function densitiesAt(
  text: string,
  design: Design,
  latents: NamedDraws,
  at: NewRows,
  { draws, ...outcomes }: Outcomes,
): Float32Array {
  const { program, dataset } = theoryAt(text, design, at);
  const own = thinned(drawsInOrder(latents, program), draws, program);
  return outcomeDensities(program, dataset, own, outcomes);
}
