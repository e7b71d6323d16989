/** Which prompt each trajectory of a batch answers: one after the other, the same number of each. */
import type { Prompt } from "../environments/environment.ts";

/**
 * `[count]` prompts. A batch has groups of `groupSize` answers to one prompt, the last of which may be
 * smaller; the groups of the next step go on where those of this one end. No random number is
 * drawn, so that a step can be repeated by its number alone.
 *
 * @param step From 1.
 * @param count Trajectories of a batch, at least 1.
 * @param groupSize At least 1; if left out, the batch is divided among all prompts, as evenly as possible, or
 *   among as many as there are trajectories.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { promptsInTurn } from "./prompts_in_turn.ts";
 * const prompts = ["a", "b", "c"].map((id) => ({ id, tokens: [] }));
 * const ids = (step: number, size?: number) => promptsInTurn(prompts, step, 4, size).map(({ id }) => id);
 * assert.deepEqual([ids(1, 2).join(""), ids(2, 2).join("")], ["aabb", "ccaa"]);
 * assert.equal(ids(1).join(""), "aabc");
 * ```
 */
export function promptsInTurn(
  prompts: readonly Prompt[],
  step: number,
  count: number,
  groupSize?: number,
): Prompt[] {
  const places = Array.from({ length: count }, (_, b) => b);
  if (groupSize === undefined && count >= prompts.length) {
    return places.map((b) => prompts[Math.floor(b * prompts.length / count)]);
  }
  const size = groupSize ?? 1;
  const first = (step - 1) * Math.ceil(count / size);
  return places.map((b) => prompts[(first + Math.floor(b / size)) % prompts.length]);
}
