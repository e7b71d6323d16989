/** A policy around a network: masks, scores, their gradients, and files. */
import { canonicalJson } from "../../base/canonical_json.ts";
import { inputError } from "../../base/diagnostic.ts";
import { calledOf, type Environment, type Prompt } from "../environments/environment.ts";
import type { Policy, SampleOptions, StepOptions } from "./policy.ts";
import {
  decodeTensors,
  encodeTensors,
  type NamedTensor,
  tensorParts,
} from "../../base/safetensors.ts";
import type { Batch, ScoreGradients, Scores, Trajectory } from "../trajectories/trajectory.ts";
import { DenseScorer } from "./dense_scorer.ts";
import type { Network } from "./network.ts";
import type { Optimiser } from "./optimiser.ts";
import { findValues } from "./optimizer_file.ts";
import { RowScorer } from "./row_scorer.ts";
import { sampleWalks } from "./sampling.ts";
import type { Scorer } from "./scorer.ts";

/** Header of a saved policy, beside the parameters. */
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
  /** Digest of the tokenizer whose tokens are the actions. */
  readonly tokenizer?: string;
  /** Digest of the language model that the parameters belong to. */
  readonly model?: string;
  /** Names of the actions, for a policy of one's own. */
  readonly actionNames?: readonly string[];
}

/** Tensors and metadata of a file. */
type TensorsWithMetadata = [NamedTensor[], Record<string, string>];

/** Steps before those of the optimiser, in its file, where there were any. */
const versionBefore = "version_before";

/** The one implementation of `Policy`; networks differ, legal actions and sampling do not. */
export class NetworkPolicy implements Policy {
  readonly #scorer: Scorer;
  /** Made when it is first needed: a policy that is only asked has none. */
  #optimiser: Optimiser | undefined;
  /** Steps that were made before those of the optimiser. */
  #before: number;

  /** @param version From which it counts. */
  constructor(readonly network: Network, readonly header: PolicyHeader, version = 0) {
    this.#before = version;
    this.#scorer = "outputSizes" in network ? new DenseScorer(network) : new RowScorer(network);
  }

  get version(): number {
    return this.#before + (this.#optimiser?.steps ?? 0);
  }

  get optimiser(): Optimiser {
    return this.#optimiser ??= this.network.optimiser();
  }

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
    this.#requireFit(environment, environment.maxActions, options.prompts);
    const session = this.#scorer.begin(environment, options.count);
    try {
      return await sampleWalks(session, environment, { ...options, version: this.version });
    } finally {
      session.end();
    }
  }

  async score(batch: Batch, options: { readonly grad: boolean }): Promise<Scores> {
    this.#requireFit(batch.environment, batch.T, batch.prompts);
    return await this.#scorer.score(batch, options.grad);
  }

  async logProbabilities(batch: Batch): Promise<readonly Float64Array[]> {
    this.#requireFit(batch.environment, batch.T, batch.prompts);
    return await this.#scorer.logProbabilities(batch);
  }

  async backward(scores: Scores, gradients: ScoreGradients): Promise<void> {
    await this.#scorer.backward(scores.handle, gradients);
  }

  release(scores: Scores): void {
    this.#scorer.release(scores.handle);
  }

  step(options: StepOptions): Promise<{ readonly gradientNorm: number }> {
    this.#scorer.clear();
    const made = this.optimiser.step(options);
    this.network.parametersChanged();
    return Promise.resolve(made);
  }

  save(): Promise<Uint8Array> {
    return Promise.resolve(encodeTensors(...this.#file()));
  }

  async *saveParts(): AsyncIterable<Uint8Array> {
    yield* tensorParts(...this.#file());
  }

  #file(): TensorsWithMetadata {
    const metadata = { format: "sluice_policy_2", policy: canonicalJson(this.header) };
    return [this.network.tensors(), metadata];
  }

  saveOptimizer(): Promise<Uint8Array> {
    return Promise.resolve(encodeTensors(...this.#optimizerFile()));
  }

  async *saveOptimizerParts(): AsyncIterable<Uint8Array> {
    yield* tensorParts(...this.#optimizerFile());
  }

  #optimizerFile(): TensorsWithMetadata {
    const before = { name: versionBefore, shape: [1], values: Int32Array.of(this.#before) };
    const tensors = [...this.optimiser.tensors(), ...(this.#before === 0 ? [] : [before])];
    return [tensors, { format: "sluice_optimizer_1" }];
  }

  loadOptimizer(saved: Uint8Array | readonly NamedTensor[]): Promise<void> {
    const tensors = saved instanceof Uint8Array ? decodeTensors(saved).tensors : saved;
    this.optimiser.load(tensors);
    const isLater = tensors.some(({ name }) => name === versionBefore);
    this.#before = isLater ? findValues(tensors, versionBefore, 1)[0] : 0;
    return Promise.resolve();
  }

  async clone(): Promise<NetworkPolicy> {
    return new NetworkPolicy(await this.network.copy(), this.header, this.version);
  }

  async averaged(): Promise<NetworkPolicy> {
    const average = this.#optimiser?.averaged();
    return new NetworkPolicy(await this.network.copy(average), this.header, this.version);
  }

  dispose(): void {
    this.#scorer.clear();
    this.network.dispose();
  }

  /** A policy of another environment would read rows that it does not have. */
  #requireFit(
    environment: Environment,
    longest: number,
    prompts: readonly Prompt[] = [],
  ): void {
    const { actions, positions, backward, features } = this.header;
    const faults = [
      unequal("actions", actions, environment.actionNames.length),
      longest > positions ? `at most ${positions} steps instead of ${longest}` : "",
      backward > 0 ? unequal("backward actions", backward, backwardActions(environment)) : "",
      features > 0 ? unequal("features", features, environment.features?.size ?? 0) : "",
      this.network.readsNoPrompts && prompts.some(({ id }) => id !== "") ? "no prompts" : "",
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
