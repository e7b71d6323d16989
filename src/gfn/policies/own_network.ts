/** A network of one's own as the policies see it: checked where it is cheap, then trusted. */
import { inputError } from "../../base/diagnostic.ts";
import type { OwnNetwork, PolicyDefinition, PolicyStates, PolicyTask } from "./define_policy.ts";
import type { Environment } from "../environments/environment.ts";
import { place } from "../parameters/parameter_layout.ts";
import type { Batch } from "../trajectories/trajectory.ts";
import type { Engine, NetworkPlan } from "./engine_network.ts";
import { HostParameters } from "./host_parameters.ts";
import { distinctWalks, type NetworkSession, walkKey } from "./network.ts";

/** The one tensor of its files. */
const tensor = "parameters";

/** The place of its parameters. */
export function ownLayout(network: OwnNetwork) {
  return place([[tensor, [network.size], 0]]);
}

/** A network of one's own, its optimiser on the host. */
export function ownNetwork(
  { name, version }: PolicyDefinition,
  network: OwnNetwork,
  task: PolicyTask,
): NetworkPlan<PolicyStates> {
  const actions = task.actionNames.length;
  return {
    kind: name,
    outputSizes: { actions, backward: 0 },
    open(parameters) {
      const store = new HostParameters(ownLayout(network), actions, parameters);
      const line = `host: policy "${name}" (version ${version}) of this project`;
      return Promise.resolve({ store, engine: new OwnEngine(store, network, task, line) });
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
    const gradient = new Float64Array(this.network.size);
    this.network.addGradient(this.store.values, states, force, gradient);
    this.store.addGradient(tensor, gradient);
    return Promise.resolve();
  }

  release(): void {}

  begin(environment: Environment): NetworkSession {
    return {
      next: (walks) => {
        const { distinct, rows, keys } = distinctWalks(walks, (w) => walkKey(environment, w));
        const size = environment.features?.size ?? 0;
        const features = new Float32Array(distinct.length * size);
        distinct.forEach(({ state }, i) => {
          environment.features?.encode(state, features, i * size);
        });
        const actions = distinct.map((walk) => [...walk.actions]);
        const values = this.#outputs({ count: distinct.length, keys, actions, features });
        return Promise.resolve({ values, rows });
      },
      end() {},
    };
  }

  dispose(): void {}
}

/** The distinct states of a batch, each with the actions of the first trajectory through it. */
function statesOf({ states, B, T, lengths, actions }: Batch): PolicyStates {
  const ways: number[][] = new Array(states.keys.length);
  for (let b = 0; b < B; b++) {
    for (let t = 0; t < lengths[b]; t++) {
      const state = states.index[b * T + t];
      ways[state] ??= [...actions.subarray(b * T, b * T + t)];
    }
  }
  const features = states.features ?? new Float32Array(0);
  return { count: states.keys.length, keys: states.keys, actions: ways, features };
}
