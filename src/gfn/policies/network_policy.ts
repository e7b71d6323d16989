/** A policy around a network: masks, sampling, scores, their gradients, and files. */
import type { RandomStream } from "../../base/random.ts";
import { canonicalJson } from "../../base/canonical_json.ts";
import type { Environment } from "../environment.ts";
import type { Policy, SampleOptions, StepOptions } from "../policy.ts";
import { decodeTensors, encodeTensors } from "../safetensors.ts";
import type { Batch, ScoreGradients, Scores, Trajectory } from "../trajectory.ts";
import { drawAction } from "./behaviour.ts";
import { addLogSoftmaxGradient, maskedLogSoftmax } from "./masked_softmax.ts";
import type { Network } from "./network.ts";

/** What is written beside the parameters. */
export interface PolicyHeader {
  /** The policy's configuration without its backend. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Digest of the environment that it was made for. */
  readonly environment: string;
  /** Size of the action vocabulary. */
  readonly actions: number;
  /** Most actions of a trajectory. */
  readonly positions: number;
}

/** A trajectory that is being sampled. */
interface Walk {
  state: unknown;
  readonly actions: number[];
  logPf: number;
  done: boolean;
}

/** The one implementation of `Policy`; networks differ, masks and sampling do not. */
export class NetworkPolicy implements Policy {
  readonly #pending = new Map<number, Batch>();
  readonly #outputs = new Map<number, Float32Array | Float64Array>();

  constructor(readonly network: Network, readonly header: PolicyHeader) {}

  get kind(): string {
    return this.network.kind;
  }

  get backend(): string {
    return this.network.backend;
  }

  get size(): number {
    return this.network.size;
  }

  async sample(environment: Environment, options: SampleOptions): Promise<Trajectory[]> {
    this.#requireFit(environment.actionNames.length, environment.maxActions);
    const walks: Walk[] = Array.from({ length: options.count }, () => {
      return { state: environment.initialState(), actions: [], logPf: 0, done: false };
    });
    for (let t = 0; t < environment.maxActions; t++) {
      const open = walks.filter((walk) => !walk.done);
      if (open.length === 0) break;
      const logits = await this.#nextOutputs(open, t);
      open.forEach((walk, i) => advance(environment, walk, logits[i], options, options.random));
    }
    return walks.map((walk) => finish(environment, walk));
  }

  /** `[A + 1]` for each walk; equal prefixes are computed once. */
  async #nextOutputs(walks: readonly Walk[], t: number): Promise<ArrayLike<number>[]> {
    const index = new Map<string, number>();
    const distinct: Walk[] = [];
    const rows = walks.map((walk) => {
      const key = walk.actions.join();
      let row = index.get(key);
      if (row === undefined) {
        row = distinct.push(walk) - 1;
        index.set(key, row);
      }
      return row;
    });
    const T = t + 1;
    const actions = new Int32Array(distinct.length * T);
    distinct.forEach((walk, b) => actions.set(walk.actions, b * T));
    const { values } = await this.network.outputs({ B: distinct.length, T, actions }, false);
    const width = this.header.actions + 1;
    return rows.map((row) => values.subarray((row * T + t) * width, (row * T + t + 1) * width));
  }

  async score(batch: Batch, options: { readonly grad: boolean }): Promise<Scores> {
    this.#requireFit(batch.A, batch.T);
    const { values, handle } = await this.network.outputs(batch, options.grad);
    const size = batch.B * batch.T;
    const zeros = () => new Float64Array(size);
    const scores = { logPf: zeros(), logExit: zeros(), logFlow: zeros(), handle };
    forEachState(batch, (at) => {
      const row = values.subarray(at * (batch.A + 1), (at + 1) * (batch.A + 1));
      const logP = maskedLogSoftmax(row, maskAt(batch, at));
      scores.logPf[at] = logP[batch.actions[at]];
      if (batch.terminable[at]) scores.logExit[at] = logP[batch.environment.exitAction];
      scores.logFlow[at] = row[batch.A];
    });
    if (options.grad) this.#remember(handle, batch, values);
    return scores;
  }

  async logProbabilities(batch: Batch): Promise<Float64Array> {
    const { values } = await this.network.outputs(batch, false);
    const result = new Float64Array(batch.states.keys.length * batch.A);
    forEachState(batch, (at) => {
      const row = values.subarray(at * (batch.A + 1), (at + 1) * (batch.A + 1));
      result.set(maskedLogSoftmax(row, maskAt(batch, at)), batch.states.index[at] * batch.A);
    });
    return result;
  }

  #remember(handle: number, batch: Batch, values: Float32Array | Float64Array): void {
    this.#pending.set(handle, batch);
    this.#outputs.set(handle, values);
  }

  async backward(scores: Scores, gradients: ScoreGradients): Promise<void> {
    const batch = this.#pending.get(scores.handle);
    const values = this.#outputs.get(scores.handle);
    if (!batch || !values) throw new Error(`internal: no scores under handle ${scores.handle}`);
    const width = batch.A + 1;
    const outputGradient = new Float64Array(batch.B * batch.T * width);
    forEachState(batch, (at) => {
      const row = outputGradient.subarray(at * width, (at + 1) * width);
      const logP = maskedLogSoftmax(values.subarray(at * width), maskAt(batch, at));
      addLogSoftmaxGradient(row, logP, batch.actions[at], gradients.logPf[at]);
      if (batch.terminable[at]) {
        addLogSoftmaxGradient(row, logP, batch.environment.exitAction, gradients.logExit[at]);
      }
      row[batch.A] = gradients.logFlow[at];
    });
    this.#forget(scores.handle);
    await this.network.accumulate(scores.handle, outputGradient);
  }

  #forget(handle: number): void {
    this.#pending.delete(handle);
    this.#outputs.delete(handle);
  }

  release(scores: Scores): void {
    this.#forget(scores.handle);
    this.network.release(scores.handle);
  }

  step(options: StepOptions): Promise<{ readonly gradientNorm: number }> {
    for (const handle of [...this.#pending.keys()]) this.#forget(handle);
    return Promise.resolve(this.network.step(options));
  }

  save(): Promise<Uint8Array> {
    const metadata = { format: "sluice_policy_1", policy: canonicalJson(this.header) };
    return Promise.resolve(encodeTensors(this.network.tensors(), metadata));
  }

  saveOptimizer(): Promise<Uint8Array> {
    const metadata = { format: "sluice_optimizer_1" };
    return Promise.resolve(encodeTensors(this.network.optimizerTensors(), metadata));
  }

  loadOptimizer(bytes: Uint8Array): Promise<void> {
    this.network.loadOptimizer(decodeTensors(bytes).tensors);
    return Promise.resolve();
  }

  async clone(): Promise<NetworkPolicy> {
    return new NetworkPolicy(await this.network.clone(), this.header);
  }

  dispose(): void {
    this.#pending.clear();
    this.#outputs.clear();
    this.network.dispose();
  }

  /** A policy of another environment would read rows that it does not have. */
  #requireFit(actions: number, longest: number): void {
    const { header } = this;
    if (actions === header.actions && longest <= header.positions) return;
    throw new Error(
      `internal: a policy over ${header.actions} actions and ${header.positions} positions met ` +
        `${actions} actions and trajectories of ${longest}`,
    );
  }
}

/** Visits the flat index of every state that is not padding. */
function forEachState(batch: Batch, visit: (at: number) => void): void {
  for (let b = 0; b < batch.B; b++) {
    for (let t = 0; t < batch.lengths[b]; t++) visit(b * batch.T + t);
  }
}

function maskAt(batch: Batch, at: number): Uint8Array {
  return batch.masks.subarray(at * batch.A, (at + 1) * batch.A);
}

/** Takes one action in the environment, drawn from the behaviour and scored by the policy. */
function advance(
  environment: Environment,
  walk: Walk,
  logits: ArrayLike<number>,
  options: SampleOptions,
  random: RandomStream,
): void {
  const mask = environment.legalActions(walk.state);
  const logP = maskedLogSoftmax(logits, mask);
  const action = drawAction(logP, mask, options, random);
  walk.logPf += logP[action];
  walk.actions.push(action);
  walk.done = action === environment.exitAction;
  if (!walk.done) walk.state = environment.step(walk.state, action);
}

function finish(environment: Environment, walk: Walk): Trajectory {
  if (!walk.done) throw new Error("internal: a trajectory is longer than maxActions");
  const { text, logPrior } = environment.terminal(walk.state);
  return { actions: walk.actions, logPf: walk.logPf, logPb: 0, logPrior, text };
}
