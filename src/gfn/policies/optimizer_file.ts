/** Finding the vectors of an optimiser among the tensors of a file. */
import type { NamedTensor, TensorValues } from "../../base/safetensors.ts";

/** @throws Error if there is none of that name and length. */
export function findValues(
  tensors: readonly NamedTensor[],
  name: string,
  length: number,
): TensorValues {
  const values = tensors.find((t) => t.name === name)?.values;
  if (values?.length === length) return values;
  throw new Error(`Cannot read optimiser: "${name}" is missing or of another size`);
}

/** @throws Error if a table's file lacks it. */
export function findTensor(tensors: readonly NamedTensor[], name: string): NamedTensor {
  const tensor = tensors.find((t) => t.name === name);
  if (!tensor) throw new Error(`Cannot read table policy: tensor "${name}" is missing`);
  return tensor;
}
