/** Parameters of a network as one flat vector: names, shapes, places, first values. */
import { type InputError, inputError } from "../../base/diagnostic.ts";
import { RandomStream } from "../../base/random.ts";
import { fillNormal } from "../../numerics/math/mod.ts";
import type { NamedTensor, TensorValues } from "../../base/safetensors.ts";

/** One tensor and its place in the flat vector. */
export interface Slot {
  readonly name: string;
  readonly shape: readonly number[];
  readonly offset: number;
  readonly size: number;
  /** Standard deviation at the start; gains start at 1 and have none. */
  readonly deviation: number | "ones";
}

/** Name, shape and first deviation of each tensor, in order. */
export type Plan = readonly (readonly [string, readonly number[], Slot["deviation"]])[];

/** Puts the tensors one behind the other. */
export function place(plan: Plan): Slot[] {
  let offset = 0;
  return plan.map(([name, shape, deviation]) => {
    const size = shape.reduce((product, n) => product * n, 1);
    offset += size;
    return { name, shape, deviation, size, offset: offset - size };
  });
}

/** Number of parameters. */
export function parameterCount(slots: readonly Slot[]): number {
  return slots.reduce((sum, slot) => sum + slot.size, 0);
}

/** Normal with the slot's standard deviation; each tensor has a stream of its own. */
export function initialise(slots: readonly Slot[], seedKey: string): Float32Array {
  const parameters = new Float32Array(parameterCount(slots));
  for (const { name, offset, size, deviation } of slots) {
    const values = parameters.subarray(offset, offset + size);
    if (deviation === "ones") values.fill(1);
    else if (deviation > 0) {
      const draws = new Float64Array(size);
      fillNormal(new RandomStream(seedKey, "initialise", name), draws);
      values.set(draws.map((z) => deviation * z));
    }
  }
  return parameters;
}

/** The flat vector of a file's tensors. @throws Error if one is missing or of another size. */
export function gather(slots: readonly Slot[], tensors: readonly NamedTensor[]): Float32Array {
  const parameters = new Float32Array(parameterCount(slots));
  for (const slot of slots) {
    const tensor = tensors.find((t) => t.name === slot.name);
    const values = tensor?.values; // Read from a file each time it is asked for.
    if (values?.length !== slot.size) throw misfit(slot, values);
    parameters.set(values, slot.offset);
  }
  return parameters;
}

function misfit({ name, size }: Slot, values: TensorValues | undefined): InputError {
  const found = values ? `has ${values.length} numbers` : "is missing";
  const message = `Cannot read policy: tensor "${name}" ${found}, its shape wants ${size}`;
  const hint =
    "the file is of a network of another shape or vocabulary than it says: save it again";
  return inputError("policy/file", message, undefined, hint);
}

/** Views of the flat vector, one per slot. */
export function scatter(slots: readonly Slot[], vector: Float32Array): HostTensor[] {
  return slots.map(({ name, shape, offset, size }) => {
    return { name, shape, values: vector.subarray(offset, offset + size) };
  });
}

/** One tensor of parameters in single precision. */
export interface HostTensor extends NamedTensor {
  readonly values: Float32Array;
}
