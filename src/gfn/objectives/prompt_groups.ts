/** Groups trajectories of a batch by prompt, since rewards are comparable only within a prompt. */
import type { Batch } from "../trajectories/trajectory.ts";

/**
 * `[B]`: the mean of `values` over the trajectories that answer the same prompt; over the batch
 * where there are no prompts.
 *
 * @param values `[B]`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { meansByPrompt } from "./prompt_groups.ts";
 * const prompts = ["a", "b", "a"].map((id) => ({ id, tokens: [] }));
 * assert.deepEqual([...meansByPrompt(Float64Array.of(1, 5, 2), { prompts })], [1.5, 5, 1.5]);
 * ```
 */
export function meansByPrompt(
  values: Float64Array,
  { prompts }: Pick<Batch, "prompts">,
): Float64Array {
  const groups = new Map<string, { sum: number; count: number }>();
  prompts.forEach(({ id }, b) => {
    const { sum, count } = groups.get(id) ?? { sum: 0, count: 0 };
    groups.set(id, { sum: sum + values[b], count: count + 1 });
  });
  return Float64Array.from(prompts, ({ id }) => groups.get(id)!.sum / groups.get(id)!.count);
}

/** `[B]`: how many trajectories answer the same prompt, itself included. */
export function groupSizes({ prompts }: Pick<Batch, "prompts">): Int32Array {
  const counts = new Map<string, number>();
  for (const { id } of prompts) counts.set(id, (counts.get(id) ?? 0) + 1);
  return Int32Array.from(prompts, ({ id }) => counts.get(id)!);
}
