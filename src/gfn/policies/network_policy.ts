/** A policy around a network: masks, scores, their gradients, and files. */
import { canonicalJson } from "../../base/canonical_json.ts";
import type { Environment } from "../environment.ts";
import type { Policy, SampleOptions, StepOptions } from "../policy.ts";
import { decodeTensors, encodeTensors } from "../safetensors.ts";
import type { Batch, ScoreGradients, Scores, Trajectory } from "../trajectory.ts";
import { addLogSoftmaxGradient, maskedLogSoftmax } from "./masked_softmax.ts";
import { type Network, type NetworkOutputs, outputWidth } from "./network.ts";
import { sampleWalks } from "./sampling.ts";

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
  /** Backward actions whose log P_B is learned; 0 if it is not. */
  readonly backward: number;
  /** Features of a state; 0 if the network does not read them. */
  readonly features: number;
  /** Names of the actions, for a policy of one's own. */
  readonly actionNames?: readonly string[];
}

interface Pending {
  readonly batch: Batch;
  readonly outputs: NetworkOutputs;
}

/** The one implementation of `Policy`; networks differ, masks and sampling do not. */
export class NetworkPolicy implements Policy {
  readonly #pending = new Map<number, Pending>();

  constructor(readonly network: Network, readonly header: PolicyHeader) {}

  get kind(): string {
    return this.network.kind;
  }

  get backend(): string {
    return this.network.backend;
  }

  get computes(): string {
    return this.network.computes;
  }

  get size(): number {
    return this.network.size;
  }

  async sample(environment: Environment, options: SampleOptions): Promise<Trajectory[]> {
    this.#requireFit(environment.actionNames.length, environment.maxActions);
    return await sampleWalks(this.network, environment, options);
  }

  async score(batch: Batch, options: { readonly grad: boolean }): Promise<Scores> {
    this.#requireFit(batch.A, batch.T);
    const outputs = await this.network.outputs(batch, options.grad);
    const size = batch.B * batch.T;
    const zeros = () => new Float64Array(size);
    const learnsBackward = this.header.backward > 0;
    const scores: Scores = {
      logPf: zeros(),
      logExit: zeros(),
      logFlow: zeros(),
      ...(learnsBackward && { logPb: zeros() }),
      handle: outputs.handle,
    };
    forEachState(batch, (at, isLast) => {
      const row = this.#row(outputs, at);
      const logP = maskedLogSoftmax(row, maskAt(batch, at));
      scores.logPf[at] = logP[batch.actions[at]];
      if (batch.terminable[at]) scores.logExit[at] = logP[batch.environment.exitAction];
      scores.logFlow[at] = row[batch.A];
      if (scores.logPb && !isLast) {
        scores.logPb[at] = this.#logBackward(outputs, batch, at)[batch.backward!.actions[at]];
      }
    });
    if (options.grad) this.#pending.set(outputs.handle, { batch, outputs });
    return scores;
  }

  async logProbabilities(batch: Batch): Promise<Float64Array> {
    const outputs = await this.network.outputs(batch, false);
    const result = new Float64Array(batch.states.keys.length * batch.A);
    const isDone = new Uint8Array(batch.states.keys.length);
    forEachState(batch, (at) => {
      const state = batch.states.index[at];
      if (isDone[state] === 1) return;
      isDone[state] = 1;
      const logP = maskedLogSoftmax(this.#row(outputs, at), maskAt(batch, at));
      result.set(logP, state * batch.A);
    });
    return result;
  }

  /** The outputs of the state in cell `at`. */
  #row({ values, rows }: NetworkOutputs, at: number) {
    const width = outputWidth(this.network.outputSizes);
    return values.subarray(rows[at] * width, (rows[at] + 1) * width);
  }

  /** `[backward actions]`: log P_B in the state after cell `at`. */
  #logBackward(outputs: NetworkOutputs, batch: Batch, at: number): Float64Array {
    const logits = this.#row(outputs, at + 1).subarray(batch.A + 1);
    return maskedLogSoftmax(logits, backwardMaskAt(batch, at + 1));
  }

  async backward(scores: Scores, gradients: ScoreGradients): Promise<void> {
    const pending = this.#pending.get(scores.handle);
    if (!pending) throw new Error(`internal: no scores under handle ${scores.handle}`);
    this.#pending.delete(scores.handle);
    const gradient = this.#outputGradient(pending, gradients);
    await this.network.accumulate(scores.handle, gradient);
  }

  /** `[rows, width]`: what the gradient of the scores means for the network's outputs. */
  #outputGradient({ batch, outputs }: Pending, gradients: ScoreGradients): Float64Array {
    const width = outputWidth(this.network.outputSizes);
    const gradient = new Float64Array(outputs.values.length);
    const rowOf = (at: number) => {
      const row = outputs.rows[at];
      return gradient.subarray(row * width, (row + 1) * width);
    };
    forEachState(batch, (at, isLast) => {
      const row = rowOf(at);
      const logP = maskedLogSoftmax(this.#row(outputs, at), maskAt(batch, at));
      addLogSoftmaxGradient(row, logP, batch.actions[at], gradients.logPf[at]);
      if (batch.terminable[at]) {
        addLogSoftmaxGradient(row, logP, batch.environment.exitAction, gradients.logExit[at]);
      }
      row[batch.A] += gradients.logFlow[at];
      if (isLast || this.header.backward === 0 || !gradients.logPb) return;
      const logPb = this.#logBackward(outputs, batch, at);
      const after = rowOf(at + 1).subarray(batch.A + 1);
      addLogSoftmaxGradient(after, logPb, batch.backward!.actions[at], gradients.logPb[at]);
    });
    return gradient;
  }

  release(scores: Scores): void {
    this.#pending.delete(scores.handle);
    this.network.release(scores.handle);
  }

  step(options: StepOptions): Promise<{ readonly gradientNorm: number }> {
    this.#pending.clear();
    return Promise.resolve(this.network.step(options));
  }

  save(): Promise<Uint8Array> {
    const metadata = { format: "sluice_policy_2", policy: canonicalJson(this.header) };
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
    return new NetworkPolicy(await this.network.clone(false), this.header);
  }

  async averaged(): Promise<NetworkPolicy> {
    return new NetworkPolicy(await this.network.clone(true), this.header);
  }

  dispose(): void {
    this.#pending.clear();
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
function forEachState(batch: Batch, visit: (at: number, isLast: boolean) => void): void {
  for (let b = 0; b < batch.B; b++) {
    const end = batch.lengths[b] - 1;
    for (let t = 0; t <= end; t++) visit(b * batch.T + t, t === end);
  }
}

function maskAt(batch: Batch, at: number): Uint8Array {
  return batch.masks.subarray(at * batch.A, (at + 1) * batch.A);
}

function backwardMaskAt({ backward, states }: Batch, at: number): Uint8Array {
  if (!backward) throw new Error("internal: a learned backward policy met a tree");
  const state = states.index[at];
  return backward.masks.subarray(state * backward.A, (state + 1) * backward.A);
}
