/** Trained parameters: their names, values, and the sums of their gradients. */
import { inputError } from "../../base/diagnostic.ts";
import type { NamedTensor } from "../../base/safetensors.ts";

/** One array of parameters. Views hold until the memory grows. */
export interface Trained {
  /** Name in the file of the policy. */
  readonly name: string;
  /** Row-major: the last size is that of neighbours. */
  readonly shape: readonly number[];
  /** View of the values, in row-major order. */
  values(): Float32Array;
  /** View of the sum of gradients since the last step. */
  gradient(): Float32Array;
}

/** Copies of all values. */
export function trainedTensors(all: readonly Trained[]): NamedTensor[] {
  return all.map(({ name, shape, values }) => ({ name, shape, values: values().slice() }));
}

/** Sets all values. @throws InputError if a tensor is missing, of another shape, or too many. */
export function loadTrained(all: readonly Trained[], tensors: readonly NamedTensor[]): void {
  const byName = new Map(tensors.map((tensor) => [tensor.name, tensor]));
  const found = all.map(({ name, shape }) => {
    const tensor = byName.get(name);
    const wanted = `[${shape.join(", ")}]`;
    if (!tensor) throw fault(`there is no tensor "${name}", one of ${wanted} is wanted`);
    const have = `[${tensor.shape.join(", ")}]`;
    if (have !== wanted) throw fault(`tensor "${name}" is ${have}, ${wanted} is wanted`);
    return tensor.values;
  });
  const names = new Set(all.map(({ name }) => name));
  const spare = tensors.find(({ name }) => !names.has(name));
  if (spare) throw fault(`it has tensor "${spare.name}", which is not trained here`);
  all.forEach(({ values }, i) => values().set(found[i]));
}

function fault(problem: string) {
  const hint = "load it into a model with the same base, rank and targets";
  return inputError("model/trained", `Cannot load what was trained: ${problem}`, undefined, hint);
}
