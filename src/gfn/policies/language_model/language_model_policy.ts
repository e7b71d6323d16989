/** A language model as a policy: its tokens are the actions, and an adapter of it learns. */
import { canonicalJson } from "../../../base/canonical_json.ts";
import { inputError } from "../../../base/diagnostic.ts";
import {
  decodeTensors,
  encodeTensors,
  type NamedTensor,
  tensorParts,
} from "../../../base/safetensors.ts";
import type { TrainableModel, TreePass } from "../../../models/training/mod.ts";
import { calledOf, type Environment, type Prompt } from "../../environments/environment.ts";
import type { Batch, ScoreGradients, Scores, Trajectory } from "../../trajectories/trajectory.ts";
import { exp } from "../../../numerics/math/mod.ts";
import { logRest, missingOf } from "./all_but_one.ts";
import { averageOf, type Averages, startAverages } from "./averages.ts";
import { type BatchTree, placeInRow, treeOf } from "./batch_tree.ts";
import type { PolicyHeader } from "../network_policy.ts";
import type { Policy, SampleOptions, StepOptions } from "../policy.ts";
import { sampleWalks } from "../sampling.ts";
import { findValues } from "../optimizer_file.ts";
import { rootTokens, TokenSession } from "./token_session.ts";
import { isWritten, writeTexts } from "./written_texts.ts";

/** Parts of a policy. */
export interface LanguageModelParts {
  /** Model of which an adapter learns, or all weights. */
  readonly model: TrainableModel;
  /** Makes another over the same frozen weights, whose learned parameters are set afterwards. */
  readonly another: () => TrainableModel;
  /** Environment and sizes, as a saved policy has them. */
  readonly header: PolicyHeader;
  /** The token that begins a text; undefined where the prompts do. */
  readonly begin: number | undefined;
  /** Most tokens of a text, those before the first action included. */
  readonly context: number;
  /** Backend that computes. */
  readonly backend: string;
  /** The same in one line for the user. */
  readonly computes: string;
}

interface Pending extends BatchTree {
  readonly batch: Batch;
  readonly pass: TreePass;
}

function missingAverage(index: number): never {
  throw new Error(`Cannot load an optimiser: it has no average of parameter ${index}`);
}

const stepsTensor = "version";
const averagePrefix = "average.";

/** Scores batches as trees of tokens; the mask is that of the environment, everywhere. */
export class LanguageModelPolicy implements Policy {
  /** `language_model`, or `tinker` where a server trains it. */
  readonly kind: string;
  /** It has no flow of states: objectives that learn one cannot be used. */
  readonly learnsNoFlow = true;
  /** AdamW. */
  readonly decaysWeights = true;
  /** Beginnings that trajectories of a batch share are computed once. */
  readonly sharesBeginnings = true;
  readonly #pending = new Map<number, Pending>();
  #nextHandle = 1;
  #version: number;
  #averages: Averages | undefined;
  #positions = 0;

  /** `version` counts the steps that it has learned. */
  constructor(readonly parts: LanguageModelParts, version = 0) {
    this.kind = `${parts.header.config.kind}`;
    this.#version = version;
  }

  /** Environment and sizes, as a saved policy has them. */
  get header(): PolicyHeader {
    return this.parts.header;
  }

  get backend(): string {
    return this.parts.backend;
  }

  get computes(): string {
    return this.parts.computes;
  }

  get version(): number {
    return this.#version;
  }

  get size(): number {
    return this.parts.model.size;
  }

  /** Tokens that went through the layers to score batches, so far; for tests and reports. */
  get positions(): number {
    return this.#positions;
  }

  readonly #rootOf = (prompt: Prompt): number[] => rootTokens(this.parts.begin, prompt);

  async sample(environment: Environment, options: SampleOptions): Promise<Trajectory[]> {
    const prompts = options.prompts ?? [];
    this.#requireFit(environment, environment.maxActions, prompts);
    const longest = prompts.reduce((most, { tokens }) => Math.max(most, tokens.length), 0);
    const { model } = this.parts;
    if (model.write && isWritten(environment)) {
      return await writeTexts(
        model,
        environment,
        { ...options, version: this.#version },
        this.#rootOf,
      );
    }
    const capacity = Math.min(1 + longest + environment.maxActions, model.config.context);
    const isListed = !environment.thoughts && Number.isFinite(environment.count ?? Infinity);
    const session = new TokenSession(model, capacity, this.#rootOf, isListed);
    try {
      return await sampleWalks(session, environment, { ...options, version: this.#version });
    } finally {
      session.end();
    }
  }

  async score(batch: Batch, { grad }: { readonly grad: boolean }): Promise<Scores> {
    this.#requireFit(batch.environment, batch.T, batch.prompts);
    const pending = await this.#pass(batch, grad);
    const handle = grad ? this.#nextHandle++ : 0;
    const scores = { ...scoresOf(pending), handle };
    if (grad) this.#pending.set(handle, pending);
    else pending.pass.release();
    return scores;
  }

  async #pass(batch: Batch, grad: boolean, isListed = false): Promise<Pending> {
    const tree = treeOf(batch, this.#rootOf, isListed);
    this.#positions += tree.tree.ids.length;
    return { ...tree, batch, pass: await this.parts.model.pass(tree.tree, tree.rows, { grad }) };
  }

  async logProbabilities(batch: Batch): Promise<readonly Float64Array[]> {
    this.#requireFit(batch.environment, batch.T, batch.prompts);
    const { pass, rowOf, rows } = await this.#pass(batch, false, true);
    const all = batch.states.legal.map((_, state) => {
      if (rowOf[state] < 0) return Float64Array.of(0);
      if (rows[rowOf[state]].picked === undefined) return pass.logProbabilities[rowOf[state]];
      throw new Error("internal: log P of a whole vocabulary was asked for");
    });
    pass.release();
    return all;
  }

  async backward(scores: Scores, gradients: ScoreGradients): Promise<void> {
    const pending = this.#pending.get(scores.handle);
    if (!pending) throw new Error(`internal: no scores under handle ${scores.handle}`);
    this.#pending.delete(scores.handle);
    await pending.pass.backward(rowGradients(pending, gradients));
    pending.pass.release();
  }

  release(scores: Scores): void {
    this.#pending.get(scores.handle)?.pass.release();
    this.#pending.delete(scores.handle);
  }

  async step(
    { learningRate, clipNorm, weightDecay, averageDecay }: StepOptions,
  ): Promise<{ readonly gradientNorm: number }> {
    const { model } = this.parts;
    this.#releaseAll();
    if (averageDecay !== undefined) this.#averages ??= startAverages(await model.parameters());
    const made = await model.step({ learningRate, clipNorm, ...(weightDecay && { weightDecay }) });
    this.#version++;
    if (averageDecay === undefined) return made;
    averageOf(this.#averages!, await model.parameters(), averageDecay);
    return made;
  }

  #releaseAll(): void {
    for (const { pass } of this.#pending.values()) pass.release();
    this.#pending.clear();
  }

  async save(): Promise<Uint8Array> {
    return encodeTensors(await this.parts.model.parameters(), this.#metadata());
  }

  async *saveParts(): AsyncIterable<Uint8Array> {
    yield* tensorParts(await this.parts.model.parameters(), this.#metadata());
  }

  #metadata(): Record<string, string> {
    return { format: "sluice_policy_2", policy: canonicalJson(this.header) };
  }

  async saveOptimizer(): Promise<Uint8Array> {
    return encodeTensors(await this.#optimizerTensors(), optimizerMetadata);
  }

  async *saveOptimizerParts(): AsyncIterable<Uint8Array> {
    yield* tensorParts(await this.#optimizerTensors(), optimizerMetadata);
  }

  async #optimizerTensors(): Promise<NamedTensor[]> {
    const averages = this.#averages?.map((one) => ({ ...one, name: averagePrefix + one.name }));
    const steps = { name: stepsTensor, shape: [1], values: Int32Array.of(this.#version) };
    return [...await this.parts.model.saveOptimizer(), ...averages ?? [], steps];
  }

  async loadOptimizer(saved: Uint8Array | readonly NamedTensor[]): Promise<void> {
    const all = saved instanceof Uint8Array ? decodeTensors(saved).tensors : saved;
    const isAverage = ({ name }: NamedTensor) => name.startsWith(averagePrefix);
    this.#version = findValues(all, stepsTensor, 1)[0];
    const averages = all.filter(isAverage)
      .map((one) => ({ ...one, name: one.name.slice(averagePrefix.length) }));
    // A file has its tensors in another order than the model.
    const ordered = averages.length === 0
      ? []
      : (await this.parts.model.parameters()).map(({ name }) =>
        averages.find((one) => one.name === name)
      );
    this.#averages = averages.length > 0
      ? startAverages(ordered.map((one, k) => one ?? missingAverage(k)))
      : undefined;
    const own = all.filter((one) => !isAverage(one) && one.name !== stepsTensor);
    this.parts.model.loadOptimizer(own);
  }

  /**
   * Files for other tools, by name: the adapter as PEFT has it, or the model with the adapter merged.
   *
   * @throws InputError if all weights learned and an adapter is asked for.
   */
  files(merged: boolean): ReadonlyMap<string, Uint8Array> {
    if (merged) return this.parts.model.saveMerged();
    if (this.header.config.adapter !== "full") return this.parts.model.saveAdapter();
    const message = "Cannot write an adapter: all weights of the model learned";
    throw inputError("policy/adapter", message, undefined, "ask for the merged model");
  }

  async clone(): Promise<LanguageModelPolicy> {
    return this.#with(await this.parts.model.parameters());
  }

  async averaged(): Promise<LanguageModelPolicy> {
    return this.#with(this.#averages ?? await this.parts.model.parameters());
  }

  #with(parameters: readonly NamedTensor[]): LanguageModelPolicy {
    const model = this.parts.another();
    model.loadParameters([...parameters]);
    return new LanguageModelPolicy({ ...this.parts, model }, this.#version);
  }

  dispose(): void {
    this.#releaseAll();
    this.parts.model.dispose?.();
  }

  /** A policy of other tokens would read other texts. */
  #requireFit(environment: Environment, longest: number, prompts: readonly Prompt[]): void {
    const { header: { actions }, context } = this.parts;
    const before = prompts.reduce((most, prompt) => {
      return Math.max(most, this.#rootOf(prompt).length);
    }, 1);
    const faults = [
      actions === environment.actionNames.length
        ? ""
        : `${actions} tokens instead of ${environment.actionNames.length}`,
      before + longest - 1 > context
        ? `at most ${context} tokens instead of ${before + longest - 1}`
        : "",
    ].filter((fault) => fault !== "");
    if (faults.length === 0) return;
    const message = `Cannot use the policy on ${calledOf(environment)}: it is for ${
      faults.join(", ")
    }`;
    const hint = "wire the environment that the policy was made for, or raise context";
    throw inputError("policy/environment", message, undefined, hint);
  }
}

const optimizerMetadata = { format: "sluice_optimizer_1" };

function scoresOf({ batch, rows, rowOf, pass: { logProbabilities } }: Pending) {
  const zeros = () => new Float64Array(batch.B * batch.T);
  const scores = { logPf: zeros(), logExit: zeros(), logFlow: zeros() };
  forEachChoice(batch, rowOf, (at, row, missing) => {
    const known = (action: number) => logProbabilities[row][placeInRow(rows[row], action)];
    const rest = missing < 0 ? 0 : logRest(known(missing));
    const place = (action: number) => known(action) - rest;
    scores.logPf[at] = place(batch.actions[at]);
    if (batch.terminable[at] === 1) scores.logExit[at] = place(batch.environment.exitAction);
  });
  return scores;
}

/** Derivatives by the log probabilities of each row, summed over the trajectories that pass it. */
function rowGradients(
  { batch, rows, rowOf, pass: { logProbabilities } }: Pending,
  { logPf, logExit }: ScoreGradients,
): Float64Array[] {
  const gradients = logProbabilities.map(({ length }) => new Float64Array(length));
  forEachChoice(batch, rowOf, (at, row, missing) => {
    const place = (action: number) => placeInRow(rows[row], action);
    const p = missing < 0 ? 0 : exp(logProbabilities[row][place(missing)]);
    const add = (action: number, force: number) => {
      gradients[row][place(action)] += force;
      if (missing >= 0) gradients[row][place(missing)] += force * p / (1 - p);
    };
    add(batch.actions[at], logPf[at]);
    if (batch.terminable[at] === 1) add(batch.environment.exitAction, logExit[at]);
  });
  return gradients;
}

/** Cells of a batch in which there is a choice, with the row of their state, and the token that alone is not legal. */
function forEachChoice(
  { B, T, A, lengths, states: { index, legal } }: Batch,
  rowOf: Int32Array,
  visit: (at: number, row: number, missing: number) => void,
): void {
  for (let b = 0; b < B; b++) {
    for (let at = b * T; at < b * T + lengths[b]; at++) {
      const state = index[at];
      if (rowOf[state] >= 0) visit(at, rowOf[state], missingOf(legal[state], A));
    }
  }
}
