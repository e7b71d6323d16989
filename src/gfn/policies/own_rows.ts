/** A network of one's own that is asked row by row, with its parameters on the host. */
import { gather } from "../parameters/parameter_layout.ts";
import type { NamedTensor } from "../../base/safetensors.ts";
import type { OwnRowNetwork, PolicyDefinition, PolicyStates, RowPass } from "./define_policy.ts";
import { HostAdam } from "./host_adam.ts";
import { HostParameters } from "./host_parameters.ts";
import type { RowNetwork } from "./network.ts";
import type { Optimiser } from "./optimiser.ts";
import { ownLayout, ownLine } from "./own_network.ts";

/** Passes end with the next step. */
export class OwnRows implements RowNetwork {
  readonly backend = "host";
  readonly #store: HostParameters;

  constructor(
    readonly definition: PolicyDefinition,
    readonly network: OwnRowNetwork,
    readonly actions: number,
    parameters: Float32Array,
    readonly frozen: readonly string[],
  ) {
    this.#store = new HostParameters(ownLayout(network), actions, parameters, frozen);
  }

  get kind(): string {
    return this.definition.name;
  }

  get computes(): string {
    return ownLine(this.definition);
  }

  get size(): number {
    return this.network.size;
  }

  open(states: PolicyStates): RowPass {
    return this.network.open(this.#store.values, states);
  }

  accumulate(pass: RowPass): void {
    this.#store.addOwnGradient((gradient) => pass.addGradient(gradient));
  }

  optimiser(): Optimiser {
    return new HostAdam(this.#store);
  }

  parametersChanged(): void {}

  tensors(): NamedTensor[] {
    return this.#store.tensors();
  }

  copy(tensors: readonly NamedTensor[] = this.tensors()): Promise<OwnRows> {
    const { definition, network, actions, frozen } = this;
    const parameters = gather(this.#store.slots, tensors);
    return Promise.resolve(new OwnRows(definition, network, actions, parameters, frozen));
  }

  dispose(): void {}
}
