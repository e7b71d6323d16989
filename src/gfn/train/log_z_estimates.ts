/** log Z of every prompt: a parameter for each, which its own trajectories alone move. */
import type { Batch } from "../trajectories/trajectory.ts";
import { LogZEstimate, type LogZSource, type LogZStart } from "./log_z_estimate.ts";

/**
 * Estimates by the id of a prompt, each made when the prompt is first met; one, of the empty id, where
 * nothing is asked.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { LogZEstimates } from "./log_z_estimates.ts";
 * const logZ = new LogZEstimates("regression");
 * const prompts = ["a", "b", "a"].map((id) => ({ id, tokens: [] }));
 * // Each begins at the mean of ζ over its trajectories.
 * assert.deepEqual([...logZ.at(Float64Array.of(1, 7, 3), { prompts })], [2, 7, 2]);
 * logZ.step(Float64Array.of(1, 0, 1), { prompts }, 0.5);
 * assert.ok(logZ.values.get("a")! < 2 && logZ.values.get("b") === 7);
 * ```
 */
export class LogZEstimates {
  readonly #byPrompt = new Map<string, LogZEstimate>();

  /**
   * Begins with no prompt.
   *
   * @param start Where each starts, of ζ of the first batch that has it unless at a number.
   */
  constructor(readonly source: LogZSource, readonly start: LogZStart = "mean") {}

  /** Estimates by prompt, in the order in which prompts first occurred. */
  get values(): ReadonlyMap<string, number> {
    return new Map([...this.#byPrompt].map(([id, one]) => [id, one.value!]));
  }

  /** `[B]`: the estimates with which a batch is scored, of which these are ζ. */
  at(zetas: Float64Array, { prompts }: Pick<Batch, "prompts">): Float64Array {
    const now = new Map(
      [...byPrompt(zetas, prompts)].map(([id, own]) => [id, this.#of(id).at(own)]),
    );
    return Float64Array.from(prompts, ({ id }) => now.get(id)!);
  }

  /**
   * One step for every prompt of a batch; gives `[B]` the estimates after it.
   *
   * @param gradient `[B]`: the part of each trajectory in dLoss/dlogZ.
   */
  step(
    gradient: Float64Array,
    { prompts }: Pick<Batch, "prompts">,
    learningRate: number,
  ): Float64Array {
    for (const [id, parts] of byPrompt(gradient, prompts)) {
      this.#of(id).step(parts.reduce((sum, one) => sum + one, 0), learningRate);
    }
    return Float64Array.from(prompts, ({ id }) => this.#of(id).value!);
  }

  #of(id: string): LogZEstimate {
    const one = this.#byPrompt.get(id) ?? new LogZEstimate(this.source, this.start);
    this.#byPrompt.set(id, one);
    return one;
  }

  /** State for a checkpoint. */
  save(): unknown {
    return [...this.#byPrompt].map(([id, one]) => [id, one.save()]);
  }

  /** Restores the state of `save`. */
  load(saved: unknown): void {
    for (const [id, one] of saved as readonly (readonly [string, unknown])[]) {
      this.#of(id).load(one);
    }
  }
}

/** Values by prompt, in the order of the batch. */
function byPrompt(values: Float64Array, prompts: Batch["prompts"]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  prompts.forEach(({ id }, b) => {
    found.set(id, found.get(id) ?? []);
    found.get(id)!.push(values[b]);
  });
  return found;
}
