/** Steps of a policy for many data sets: their order, the learning rate, and what a checkpoint holds. */
import { inputError } from "../../src/base/diagnostic.ts";
import { RandomStream } from "../../src/base/random.ts";
import type { Environment } from "../../src/gfn/environments/mod.ts";
import { amortiseStep, type DataSets, rateAt, type ScoredData } from "../../src/gfn/train/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import type { TrainedPolicy } from "../ports/values.ts";
import type { AmortiseParams } from "./params.ts";

interface AmortiseInputs {
  readonly policy: TrainedPolicy;
  readonly datasets: DataSets;
  readonly questions: Environment;
}

/** Keeps the optimiser of the policy between the steps of a loop. */
export class Amortising {
  #policy: TrainedPolicy | undefined;
  #optimizer: Uint8Array | undefined;

  constructor(readonly params: AmortiseParams) {}

  async run(
    context: StageContext,
    { policy: before, datasets, questions }: AmortiseInputs,
  ): Promise<{ readonly policy: TrainedPolicy }> {
    const { policy } = before;
    if (policy.kind !== "amortised") throw ofOtherKind(policy.kind);
    if (this.#optimizer) await policy.loadOptimizer(this.#optimizer);
    this.#optimizer = undefined;
    const { updates, loss, programs, learning_rate, clip_norm, average_decay } = this.params;
    const random = context.random("programs");
    let [total, norm] = [0, 0];
    for (let update = 0; update < updates; update++) {
      const done = (context.step - 1) * updates + update;
      const learningRate = rateAt(learning_rate, done / Math.max(1, context.steps * updates));
      const options = { loss, programs, random, learningRate, clipNorm: clip_norm };
      const step = await amortiseStep(policy, questions, this.#chosen(datasets, done), {
        ...options,
        ...(average_decay !== undefined && { averageDecay: average_decay }),
      });
      total += step.loss / updates;
      norm += step.gradientNorm / updates;
    }
    context.metric("loss", total);
    context.metric("gradient_norm", norm);
    context.progress({ loss: total });
    const last = context.step === context.steps && average_decay !== undefined;
    this.#policy = {
      policy: last ? await policy.averaged() : policy,
      trajectories: before.trajectories + updates * this.params.batch_size,
      distinctEvaluations: datasets.training.reduce((sum, one) => sum + one.programs.length, 0),
    };
    return { policy: this.#policy };
  }

  /** The data sets of a gradient step: each once before any is there again, in an order of its own each time. */
  #chosen({ training }: DataSets, done: number): ScoredData[] {
    const { batch_size } = this.params;
    return Array.from({ length: batch_size }, (_, k) => {
      const place = done * batch_size + k;
      const round = Math.floor(place / training.length);
      return training[orderOf(training.length, round)[place % training.length]];
    });
  }

  async save(): Promise<Uint8Array> {
    return await this.#policy?.policy.saveOptimizer() ?? this.#optimizer ?? new Uint8Array();
  }

  load(bytes: Uint8Array): Promise<void> {
    this.#optimizer = bytes.length > 0 ? bytes : undefined;
    return Promise.resolve();
  }
}

let kept: { readonly count: number; readonly round: number; readonly order: number[] } | undefined;

/** The order of a round: the same for all seeds, whose data sets differ. */
function orderOf(count: number, round: number): number[] {
  if (kept?.count === count && kept.round === round) return kept.order;
  const random = new RandomStream("order of data sets", round);
  const order = [...Array(count).keys()];
  for (let i = count - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  kept = { count, round, order };
  return order;
}

function ofOtherKind(kind: string): Error {
  const message = `Cannot train a policy of kind ${kind} on many data sets`;
  const hint = 'make it by a stage of kind policy with policy = { kind = "amortised" }';
  return inputError("amortise/kind", message, undefined, hint);
}
