/** Opening a decoder, with fresh parameters or those of a file. */
import { gather, initialise } from "../parameters/parameter_layout.ts";
import { fusedProblem, type Kernels } from "./fused.ts";
import { fusedTransformer } from "./fused_decoder.ts";
import type { TransformerConfig } from "./kinds/transformer.ts";
import type { Network } from "./network.ts";
import { openNetwork, type TensorBackendName } from "./open_network.ts";
import type { Opening } from "./policy_kind.ts";
import { tensorTransformer } from "./tensor_transformer.ts";
import { checkFrozen } from "./trainable.ts";
import { layout, type TransformerShape } from "./transformer_layout.ts";

/** The network of a configuration. */
export function openTransformer(
  { layers, width, heads, frozen = [] }: TransformerConfig,
  { header: { actions, positions }, backend, source }: Opening,
): Promise<Network> {
  const shape: TransformerShape = { layers, width, heads, actions, positions };
  const slots = layout(shape);
  const parameters = typeof source === "string" ? initialise(slots, source) : gather(slots, source);
  const isWhole = (width / heads) % 4 === 0;
  const problem = isWhole ? fusedProblem() : "the size of a head is not a multiple of 4";
  const tensors = (name: TensorBackendName, line: string) => tensorTransformer(shape, name, line);
  const fused = (kernels: Kernels) => fusedTransformer(shape, kernels);
  checkFrozen(slots, frozen);
  return openNetwork(backend, problem, fused, tensors, parameters, frozen);
}
