/** Which parameters belong to the log flow alone: its column of the head, and its bias. */
import { parameterCount, type Slot } from "../parameters/parameter_layout.ts";

/** Factors on the learning rate: `ratio` for the log flow's own parameters, 1 for all others. */
export function flowFactors(
  slots: readonly Slot[],
  actions: number,
  ratio: number,
): Float32Array {
  const factors = new Float32Array(parameterCount(slots)).fill(1);
  for (const { name, shape, offset, size } of slots) {
    if (name !== "head" && name !== "head_bias") continue;
    const width = shape[shape.length - 1];
    for (let at = actions; at < size; at += width) factors[offset + at] = ratio;
  }
  return factors;
}
