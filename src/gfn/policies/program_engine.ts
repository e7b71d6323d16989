/** Computes logits of answers about data sets: log flows of programs, summed up to those of prefixes. */
import type { FlowModel, PromptFlows } from "../amortised/flow_model.ts";
import type { Environment, Prompt } from "../environments/environment.ts";
import type { Batch } from "../trajectories/trajectory.ts";
import type { PolicyStates } from "./define_policy.ts";
import type { Engine } from "./engine_network.ts";
import type { HostParameters } from "./host_parameters.ts";
import type { NetworkSession } from "./network.ts";
import { statesOf, statesOfWalks } from "./policy_states.ts";

/** Flows of one data set, and its states in a batch. */
interface AskedFlows extends PromptFlows {
  readonly states: readonly number[];
}

/** Values of a forward pass for the backward pass. */
export interface KeptFlows {
  readonly prompts: readonly AskedFlows[];
  readonly actions: readonly (readonly number[])[];
  /** `[size]`. */
  readonly gradient: Float64Array;
}

/** One pass through the network for each data set of a batch, however many states it has there. */
export class ProgramEngine implements Engine<KeptFlows> {
  readonly backend = "host";
  readonly computes = "host: flows of all programs of a data set";

  constructor(
    readonly store: HostParameters,
    readonly model: FlowModel,
    /** Size of the action vocabulary. */
    readonly actions: number,
  ) {}

  parametersChanged(): void {}

  forward(batch: Batch, keep: boolean) {
    const states = statesOf(batch);
    const gradient = keep ? new Float64Array(this.store.size) : undefined;
    const prompts = this.#flowsOf(states, gradient);
    const values = this.#outputs(states, prompts);
    const kept = gradient && { prompts, actions: states.actions, gradient };
    return Promise.resolve({ values, rows: batch.states.index, ...(kept && { kept }) });
  }

  #flowsOf(
    { prompts }: PolicyStates,
    gradient: Float64Array | undefined,
    before = new Map<Prompt, PromptFlows>(),
  ): AskedFlows[] {
    const own = new Map<Prompt, number[]>();
    prompts.forEach((prompt, i) => {
      const some = own.get(prompt);
      if (some) some.push(i);
      else own.set(prompt, [i]);
    });
    const values = Float64Array.from(this.store.values);
    const parameters = { values, ...(gradient && { gradient }) };
    return [...own].map(([prompt, states]) => {
      const known = before.get(prompt);
      if (known) return { ...known, states };
      const found = this.model.of(parameters, prompt);
      before.set(prompt, found);
      return { ...found, states };
    });
  }

  /** `[states, actions + 1]`: log flows of the states behind both answers, then that of the state. */
  #outputs({ count, actions }: PolicyStates, prompts: readonly AskedFlows[]): Float64Array {
    const width = this.actions + 1;
    const values = new Float64Array(count * width);
    for (const { tree, states } of prompts) {
      for (const i of states) {
        values[i * width + this.actions] = tree.flows[tree.at(actions[i])];
        tree.next(actions[i], (action, place) => values[i * width + action] = tree.flows[place]);
      }
    }
    return values;
  }

  backward({ prompts, actions, gradient }: KeptFlows, force: Float64Array): Promise<void> {
    const width = this.actions + 1;
    for (const { flows, tree, states } of prompts) {
      const forces = new Float64Array(tree.flows.length);
      for (const i of states) {
        forces[tree.at(actions[i])] += force[i * width + this.actions];
        tree.next(actions[i], (action, place) => forces[place] += force[i * width + action]);
      }
      flows.back(tree.toPrograms(forces));
    }
    for (let i = 0; i < gradient.length; i++) this.store.gradient[i] += gradient[i];
    return Promise.resolve();
  }

  release(): void {}

  begin(environment: Environment): NetworkSession {
    const known = new Map<Prompt, PromptFlows>();
    return {
      next: (walks) => {
        const { states, rows } = statesOfWalks(environment, walks);
        const values = this.#outputs(states, this.#flowsOf(states, undefined, known));
        return Promise.resolve({ values, rows });
      },
      end: () => known.clear(),
    };
  }

  dispose(): void {}
}
