/** Opening a multilayer perceptron, with fresh parameters or those of a file. */
import { gather, initialise } from "../parameters/parameter_layout.ts";
import { fusedProblem, type Kernels } from "./fused.ts";
import { fusedMlp } from "./fused_mlp.ts";
import type { MlpConfig } from "./kinds/mlp.ts";
import { mlpLayout, type MlpNetworkShape } from "./mlp_layout.ts";
import type { Network } from "./network.ts";
import { openNetwork, type TensorBackendName } from "./open_network.ts";
import type { Opening } from "./policy_kind.ts";
import { tensorMlp } from "./tensor_mlp.ts";
import { checkFrozen } from "./trainable.ts";

/** The network of a configuration. */
export function openMlp(
  { layers, width, activation, frozen = [] }: MlpConfig,
  { header: { actions, backward, features }, backend, source }: Opening,
): Promise<Network> {
  const shape: MlpNetworkShape = { layers, width, activation, actions, backward, inputs: features };
  const slots = mlpLayout(shape);
  const parameters = typeof source === "string" ? initialise(slots, source) : gather(slots, source);
  const problem = width % 4 === 0 ? fusedProblem() : "width is not a multiple of 4";
  const tensors = (name: TensorBackendName, line: string) => tensorMlp(shape, name, line);
  const fused = (kernels: Kernels) => fusedMlp(shape, kernels);
  checkFrozen(slots, frozen);
  return openNetwork(backend, problem, fused, tensors, parameters, frozen);
}
