/** Computes logits of answers about data sets: log flows of programs, summed up to those of prefixes. */
import { askedData } from "../amortised/data_prompt.ts";
import { prefixFlows, pushForces } from "../amortised/prefix_flows.ts";
import type { Flows, ProgramNetwork } from "../amortised/program_network.ts";
import type { Environment, Prompt } from "../environments/environment.ts";
import type { Batch } from "../trajectories/trajectory.ts";
import type { PolicyStates } from "./define_policy.ts";
import type { Engine } from "./engine_network.ts";
import type { HostParameters } from "./host_parameters.ts";
import type { NetworkSession } from "./network.ts";
import { statesOf, statesOfWalks } from "./policy_states.ts";

/** Flows of one data set, by the number of answers, and its states in a batch. */
interface PromptFlows {
  readonly flows: Flows;
  /** Bits of the programs whose flows these are. */
  readonly programs: ArrayLike<number>;
  readonly levels: readonly Float64Array[];
  readonly states: readonly number[];
}

/** What the way back needs. */
export interface KeptFlows {
  readonly prompts: readonly PromptFlows[];
  readonly actions: readonly (readonly number[])[];
  /** `[size]`. */
  readonly gradient: Float64Array;
}

/** One pass through the network for each data set of a batch, however many states it has there. */
export class ProgramEngine implements Engine<KeptFlows> {
  readonly backend = "host";
  readonly computes = "host: attention over predictors, flows of all programs";

  constructor(
    readonly store: HostParameters,
    readonly network: ProgramNetwork,
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
    before = new Map<Prompt, Omit<PromptFlows, "states">>(),
  ): PromptFlows[] {
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
      const { summary, programs } = askedData(prompt);
      const flows = this.network.flows(parameters, summary, programs);
      const all = scattered(flows.values, programs.programs, summary.predictors);
      const found = {
        flows,
        programs: programs.programs,
        levels: prefixFlows(all, summary.predictors),
      };
      before.set(prompt, found);
      return { ...found, states };
    });
  }

  /** `[states, actions + 1]`: log flows of what both answers lead to, then that of the state. */
  #outputs({ count, actions }: PolicyStates, prompts: readonly PromptFlows[]): Float64Array {
    const width = this.actions + 1;
    const values = new Float64Array(count * width);
    for (const { levels, states } of prompts) {
      for (const i of states) {
        const t = actions[i].length;
        const bits = bitsOf(actions[i]);
        values[i * width + this.actions] = levels[t][bits];
        if (t + 1 === levels.length) continue;
        values[i * width + 2 * t] = levels[t + 1][bits];
        values[i * width + 2 * t + 1] = levels[t + 1][bits + 2 ** t];
      }
    }
    return values;
  }

  backward({ prompts, actions, gradient }: KeptFlows, force: Float64Array): Promise<void> {
    const width = this.actions + 1;
    for (const { flows, programs, levels, states } of prompts) {
      const forces = levels.map(({ length }) => new Float64Array(length));
      for (const i of states) {
        const t = actions[i].length;
        const bits = bitsOf(actions[i]);
        forces[t][bits] += force[i * width + this.actions];
        if (t + 1 === levels.length) continue;
        forces[t + 1][bits] += force[i * width + 2 * t];
        forces[t + 1][bits + 2 ** t] += force[i * width + 2 * t + 1];
      }
      pushForces(levels, forces);
      const whole = forces[forces.length - 1];
      flows.back(Float64Array.from(programs, (bits) => whole[bits]));
    }
    for (let i = 0; i < gradient.length; i++) this.store.gradient[i] += gradient[i];
    return Promise.resolve();
  }

  release(): void {}

  begin(environment: Environment): NetworkSession {
    const known = new Map<Prompt, Omit<PromptFlows, "states">>();
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

/** `[2^predictors]`: log flows by bits; −Infinity of programs that are not asked. */
function scattered(flows: Float64Array, programs: ArrayLike<number>, predictors: number) {
  if (flows.length === 2 ** predictors) return flows;
  const all = new Float64Array(2 ** predictors).fill(-Infinity);
  flows.forEach((one, m) => all[programs[m]] = one);
  return all;
}

/** The program's bits after some answers: action 2 j + 1 has predictor j in. */
function bitsOf(actions: readonly number[]): number {
  return actions.reduce((bits, action, j) => bits + (action % 2) * 2 ** j, 0);
}
