/** A moving average of parameters on the host. */
import type { NamedTensor } from "../../../base/safetensors.ts";

/** Averages by the names of the parameters. */
export type Averages = readonly (NamedTensor & { readonly values: Float32Array })[];

/** Averages that are the parameters as they are now. */
export function startAverages(parameters: readonly NamedTensor[]): Averages {
  return parameters.map((one) => ({ ...one, values: Float32Array.from(one.values) }));
}

/** average ← d · average + (1 − d) · parameters, in place. */
export function averageOf(
  averages: Averages,
  parameters: readonly NamedTensor[],
  decay: number,
): void {
  averages.forEach(({ values }, k) => {
    const now = parameters[k].values;
    for (let i = 0; i < values.length; i++) {
      values[i] = decay * values[i] + (1 - decay) * Number(now[i]);
    }
  });
}
