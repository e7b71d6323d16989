/** Stage kind `propose`: one step, and the state between steps. */
import { inputError } from "../../src/base/diagnostic.ts";
import {
  type LocalSearch,
  type OwnProposer,
  type Proposed,
  Proposer,
} from "../../src/gfn/train/mod.ts";
import type { Environment } from "../../src/gfn/environments/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import { RewardsAsked } from "../common/rewards_asked.ts";
import { sampledHere } from "../common/staleness.ts";
import { bytesJson, jsonBytes } from "../ports/json_codec.ts";
import type { SampledTrajectories, Target, TrainedPolicy } from "../ports/values.ts";
import { ownProposer } from "./own_proposer.ts";
import { readDerivations } from "./read_derivations.ts";

/** Parameters of the stage, as its schema gives them. */
export interface ProposeParams {
  readonly local_search?: LocalSearch;
  readonly particles?: { readonly count: number; readonly until: number };
  readonly teacher?: {
    readonly count: number;
    readonly mixing: number;
    readonly missed: number;
    readonly learning_rate: number;
  };
  readonly thompson?: {
    readonly count: number;
    readonly heads: number;
    readonly keep: number;
    readonly learning_rate: number;
  };
  readonly broad?: { readonly count: number };
  readonly programs?: { readonly path: string; readonly count: number };
  readonly own?: Omit<OwnProposer, "definition"> & { readonly path: string };
  readonly memory: number;
}

interface ProposeInputs {
  readonly policy: TrainedPolicy;
  readonly trajectories: SampledTrajectories;
  readonly target?: Target;
}

/** Proposals step by step. */
export class Proposing {
  readonly #params: ProposeParams;
  #proposer: Proposer | undefined;
  #pending: unknown;

  constructor(params: ProposeParams) {
    this.#params = params;
  }

  async run(
    context: StageContext,
    { policy: { policy }, trajectories, target }: ProposeInputs,
  ): Promise<{ readonly trajectories: SampledTrajectories }> {
    const { environment, trajectories: fresh, epsilon } = trajectories;
    if (fresh.some(({ prompt }) => prompt)) throw withPrompts();
    const proposer = await this.#open(context, environment);
    const asked = new RewardsAsked(context, { environment, ...(target && { target }) }, "training");
    const proposed = await proposer.step(policy, environment, fresh, {
      fraction: (context.step - 1) / Math.max(1, context.steps),
      random: context.random("proposals"),
      rewards: (objects) => asked.ofAll(objects),
    });
    const others = sampledHere(context, Object.values(proposed).flat());
    count(context, proposed);
    const share = others.length / (fresh.length + others.length);
    return {
      trajectories: {
        environment,
        trajectories: [...fresh, ...others],
        epsilon: epsilon * (1 - share) + share,
      },
    };
  }

  async #open(context: StageContext, environment: Environment): Promise<Proposer> {
    if (this.#proposer) return this.#proposer;
    const { local_search: localSearch, teacher, thompson, programs, own, ...rest } = this.#params;
    const proposer = new Proposer({
      ...rest,
      ...(localSearch && { localSearch }),
      ...(teacher && { teacher: { ...teacher, learningRate: teacher.learning_rate } }),
      ...(thompson && { thompson: { ...thompson, learningRate: thompson.learning_rate } }),
      ...(own && { own: { ...own, definition: ownProposer(context, own.path) } }),
      ...(programs && {
        programs: { count: programs.count, ways: readDerivations(environment, programs.path) },
      }),
    });
    if (this.#pending !== undefined) {
      const { loadPolicy } = await import("../../src/gfn/policies/built_in/mod.ts");
      await proposer.load(environment, this.#pending, (bytes) => loadPolicy(bytes, {}));
      this.#pending = undefined;
    }
    return this.#proposer = proposer;
  }

  async save(): Promise<Uint8Array> {
    return jsonBytes(await this.#proposer?.save() ?? this.#pending ?? {});
  }

  load(bytes: Uint8Array): Promise<void> {
    const saved = bytesJson<Record<string, unknown>>(bytes);
    this.#proposer = undefined;
    this.#pending = saved.best === undefined ? undefined : saved;
    return Promise.resolve();
  }
}

function count(context: StageContext, proposed: Proposed): void {
  for (const [name, some] of Object.entries(proposed)) {
    context.metric(`proposed_${name}`, some.length);
  }
}

function withPrompts(): Error {
  const message = "Cannot propose answers to prompts: a proposal answers no prompt";
  return inputError("propose/prompts", message, undefined, "leave out propose, or the prompts");
}
