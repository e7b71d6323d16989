/** A policy around a network: masks, scores, their gradients, and files. */
import { canonicalJson } from "../../base/canonical_json.ts";
import { inputError } from "../../base/diagnostic.ts";
import { calledOf, type Environment } from "../environments/environment.ts";
import type { Policy, SampleOptions, StepOptions } from "./policy.ts";
import { decodeTensors, encodeTensors } from "../parameters/safetensors.ts";
import type { Batch, ScoreGradients, Scores, Trajectory } from "../trajectories/trajectory.ts";
import { maskedLogSoftmax } from "./masked_softmax.ts";
import { type Network, outputWidth } from "./network.ts";
import { sampleWalks } from "./sampling.ts";
import { forEachState, Scoring } from "./scoring.ts";

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

/** The one implementation of `Policy`; networks differ, masks and sampling do not. */
export class NetworkPolicy implements Policy {
  readonly #pending = new Map<number, Scoring>();

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
    this.#requireFit(environment, environment.maxActions);
    return await sampleWalks(this.network, environment, options);
  }

  async score(batch: Batch, options: { readonly grad: boolean }): Promise<Scores> {
    this.#requireFit(batch.environment, batch.T);
    const outputs = await this.network.outputs(batch, options.grad);
    const scoring = new Scoring(this.network.outputSizes, batch, outputs, options.grad);
    if (options.grad) this.#pending.set(outputs.handle, scoring);
    return scoring.scores();
  }

  async logProbabilities(batch: Batch): Promise<Float64Array> {
    this.#requireFit(batch.environment, batch.T);
    const { values, rows } = await this.network.outputs(batch, false);
    const width = outputWidth(this.network.outputSizes);
    const result = new Float64Array(batch.states.keys.length * batch.A);
    const isDone = new Uint8Array(batch.states.keys.length);
    forEachState(batch, (at) => {
      const state = batch.states.index[at];
      if (isDone[state] === 1) return;
      isDone[state] = 1;
      const row = values.subarray(rows[at] * width, (rows[at] + 1) * width);
      result.set(maskedLogSoftmax(row, maskAt(batch, at)), state * batch.A);
    });
    return result;
  }

  async backward(scores: Scores, gradients: ScoreGradients): Promise<void> {
    const scoring = this.#pending.get(scores.handle);
    if (!scoring) throw new Error(`internal: no scores under handle ${scores.handle}`);
    this.#pending.delete(scores.handle);
    await this.network.accumulate(scores.handle, scoring.outputGradient(gradients));
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
  #requireFit(environment: Environment, longest: number): void {
    const { actions, positions, backward, features } = this.header;
    const faults = [
      unequal("actions", actions, environment.actionNames.length),
      longest > positions ? `at most ${positions} steps instead of ${longest}` : "",
      backward > 0 ? unequal("backward actions", backward, backwardActions(environment)) : "",
      features > 0 ? unequal("features", features, environment.features?.size ?? 0) : "",
    ].filter((fault) => fault !== "");
    if (faults.length === 0) return;
    const message = `Cannot use the policy on ${calledOf(environment)}: it is for ${
      faults.join(", ")
    }`;
    const hint = "wire the environment that the policy was made for, or make another policy";
    throw inputError("policy/environment", message, undefined, hint);
  }
}

function unequal(what: string, has: number, wanted: number): string {
  return has === wanted ? "" : `${has} ${what} instead of ${wanted}`;
}

function backwardActions({ backward }: Environment): number {
  return backward?.actionNames.length ?? 0;
}

function maskAt(batch: Batch, at: number): Uint8Array {
  return batch.masks.subarray(at * batch.A, (at + 1) * batch.A);
}
