/** A network of one's own as the policies see it: checked where it is cheap, then trusted. */
import { inputError } from "../../base/diagnostic.ts";
import type { Environment } from "../environments/environment.ts";
import { parameterCount, place, type Slot } from "../parameters/parameter_layout.ts";
import type { Batch } from "../trajectories/trajectory.ts";
import type {
  OwnNetwork,
  OwnRowNetwork,
  PolicyDefinition,
  PolicyStates,
  PolicyTask,
} from "./define_policy.ts";
import type { Engine, NetworkPlan } from "./engine_network.ts";
import { HostAdam } from "./host_adam.ts";
import { HostParameters } from "./host_parameters.ts";
import type { NetworkSession } from "./network.ts";
import { statesOf, statesOfWalks } from "./policy_states.ts";

/** The places of its parameters. @throws InputError if its tensors do not add up to its size. */
export function ownLayout({ size, tensors }: OwnNetwork | OwnRowNetwork): Slot[] {
  const named = tensors ?? [{ name: "parameters", shape: [size] }];
  const slots = place(named.map(({ name, shape }) => [name, shape, 0]));
  if (parameterCount(slots) === size) return slots;
  const message = `Cannot use the policy: its tensors hold ${parameterCount(slots)} numbers, ` +
    `its size is ${size}`;
  throw inputError("plugin/policy", message, undefined, "let the shapes multiply to the size");
}

/** Line on the code that computes a policy of one's own. */
export function ownLine({ name, version }: PolicyDefinition): string {
  return `host: policy "${name}" (version ${version}) of this project`;
}

/** A network of one's own that gives all outputs, its optimiser on the host. */
export function ownNetwork(
  definition: PolicyDefinition,
  network: OwnNetwork,
  task: PolicyTask,
): NetworkPlan<PolicyStates> {
  const actions = task.actionNames.length;
  return {
    kind: definition.name,
    outputSizes: { actions, backward: 0 },
    open(parameters, frozen) {
      const store = new HostParameters(ownLayout(network), actions, parameters, frozen);
      const engine = new OwnEngine(store, network, task, ownLine(definition));
      return Promise.resolve({ store, engine, optimiser: () => new HostAdam(store) });
    },
  };
}

class OwnEngine implements Engine<PolicyStates> {
  readonly backend = "host";

  constructor(
    readonly store: HostParameters,
    readonly network: OwnNetwork,
    readonly task: PolicyTask,
    readonly computes: string,
  ) {}

  parametersChanged(): void {}

  #outputs(states: PolicyStates): Float32Array | Float64Array {
    const values = this.network.outputs(this.store.values, states);
    const wanted = states.count * this.task.outputs;
    if (values.length === wanted && values.every(Number.isFinite)) return values;
    const fault = values.length === wanted
      ? "a number that is not finite"
      : `${values.length} numbers instead of ${wanted}`;
    const hint = `give ${this.task.outputs} finite numbers for each of ${states.count} states`;
    const message = `Cannot use the policy: its outputs hold ${fault}`;
    throw inputError("plugin/policy", message, undefined, hint);
  }

  forward(batch: Batch) {
    const states = statesOf(batch);
    const values = this.#outputs(states);
    return Promise.resolve({ values, rows: batch.states.index, kept: states });
  }

  backward(states: PolicyStates, force: Float64Array): Promise<void> {
    this.store.addOwnGradient((gradient) =>
      this.network.addGradient(this.store.values, states, force, gradient)
    );
    return Promise.resolve();
  }

  release(): void {}

  begin(environment: Environment): NetworkSession {
    return {
      next: (walks) => {
        const { states, rows } = statesOfWalks(environment, walks);
        return Promise.resolve({ values: this.#outputs(states), rows });
      },
      end() {},
    };
  }

  dispose(): void {}
}
