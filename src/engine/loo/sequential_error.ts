/** How long to draw for a Monte Carlo error, and what the error is after several estimates of it. */
import type { ChainSet } from "../inference/mcmc/chain_set.ts";
import { thresholds } from "./thresholds.ts";

/** Draws per chain up to which drawing goes on. */
export function maxDrawsOf({ chains }: ChainSet, observations: number): number {
  return Math.floor(
    Math.min(thresholds.maxChainDraws, thresholds.maxChainCells / chains / observations),
  );
}

/**
 * Draws per chain at which the error will be `wanted`: it falls with their root. At least a quarter
 * more and at most four times as many; 0 if the error is small enough, or if they are too many.
 */
export function drawsFor(
  set: ChainSet,
  mcse: number,
  wanted: number,
  observations: number,
): number {
  if (mcse <= wanted) return 0;
  const { drawsMargin, maxDrawsGrowth, minDrawsGrowth, drawsStep } = thresholds;
  const factor = drawsMargin * (mcse / wanted) * (mcse / wanted);
  const next = set.draws * Math.min(maxDrawsGrowth, Math.max(minDrawsGrowth, factor));
  const draws = Math.min(drawsStep * Math.ceil(next / drawsStep), maxDrawsOf(set, observations));
  return draws > set.draws ? draws : 0;
}

/**
 * The Monte Carlo error after several estimates of it. Stopping at the first estimate that is small enough
 * would report errors that are small by chance; so all of them count, each with its draws.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { SequentialError } from "./sequential_error.ts";
 * const error = new SequentialError();
 * assert.equal(error.errorAfter(100, 0.2), 0.2);
 * assert.ok(error.errorAfter(400, 0.05) > 0.05);
 * ```
 */
export class SequentialError {
  #draws = 0;
  #sum = 0;

  /** The error with `draws` draws, of which one estimate found `mcse`. */
  errorAfter(draws: number, mcse: number): number {
    this.#draws += draws;
    this.#sum += draws * draws * mcse * mcse;
    return Math.sqrt(this.#sum / this.#draws / draws);
  }
}
