/** A language model whose adapter a server trains: it returns log probabilities, and takes gradients. */
import { inputError } from "../../../base/diagnostic.ts";
import { decodeTensors, type NamedTensor } from "../../../base/safetensors.ts";
import { exp, logSoftmax } from "../../../numerics/math/mod.ts";
import type { KeyValueCache, ModelConfig } from "../../../models/decoder/mod.ts";
import {
  adapterFiles,
  type AdapterSpec,
  type BaseModel,
  type HeadRow,
  type LegalChunk,
  type TokenTree,
  type TrainableModel,
  type TrainedText,
  type TrainerCheckpoint,
  type TrainerConfig,
  type TrainerLink,
  type TrainerRecord,
  type TrainerRequest,
  type TrainerWork,
  type TrainingStep,
  type TreePass,
  type Writing,
  type WrittenText,
} from "../../../models/training/mod.ts";
import { sequencesOf, type ServedSequences } from "./served_sequences.ts";

/** Parts of a model on a server. */
export interface ServedParts {
  /** Asks the server; left out where nothing may: then the adapter can be read, and no more. */
  readonly link?: TrainerLink | undefined;
  readonly trainer: TrainerConfig;
  /** Seed of a fresh adapter. */
  readonly seed: number;
  readonly config: TrainableModel["config"];
  /** The model of this project whose tokens the server's model reads. */
  readonly base: BaseModel & Pick<ModelConfig, "architecture">;
}

/** Settings of AdamW here, so that a step on the server is the same. */
const adam = { beta1: 0.9, beta2: 0.999, eps: 1e-8 };

/** Name of the tensor that holds the server's names of a checkpoint, letter by letter. */
const checkpointTensor = "server.checkpoint";

/** Edges that are scored in one question. */
const mostEdges = 4096;

/** Content of `checkpointTensor`: the checkpoint without its files, and the adapter's alpha if it is known. */
type Named = Omit<TrainerCheckpoint, "files"> & { readonly alpha?: number };

/** Asks a server for everything: the adapter is there. */
export class ServedModel implements TrainableModel {
  readonly memoryBytes = 0;
  readonly #handle = crypto.randomUUID();
  /** Texts whose gradient the next step follows. */
  #pending: TrainedText[] = [];
  #steps = 0;
  #from: string | undefined;
  /** Parameters as they were saved, until the next step. */
  #kept: readonly NamedTensor[] | undefined;

  /** A fresh adapter, until parameters are loaded. */
  constructor(readonly parts: ServedParts) {}

  get config(): TrainableModel["config"] {
    return this.parts.config;
  }

  get size(): number {
    return this.#adapter().reduce((sum, { values }) => sum + values.length, 0);
  }

  async pass(tree: TokenTree, rows: readonly HeadRow[]): Promise<TreePass> {
    rows.forEach(requireEdges);
    const sequences = sequencesOf(tree, rows);
    const { texts, places } = sequences;
    const scores = texts.length === 0 ? [] : await this.#ask("forward", { texts });
    const raw = places.map((row) => Float64Array.from(row, ({ text, at }) => scores[text][at - 1]));
    const isNormalised = rows.map(({ legal }) => legal !== "all");
    // A server normalises over its vocabulary, a mask over its legal tokens.
    const logProbabilities = raw.map((row, r) => isNormalised[r] ? logSoftmax(row) : row);
    return {
      logProbabilities,
      backward: (gradients) => {
        const own = gradients.map((row, r) =>
          isNormalised[r] ? throughSoftmax(row, logProbabilities[r]) : row
        );
        this.#pending.push(...gradientTexts(sequences, scores, own));
      },
      release: () => {},
    };
  }

  cache(): KeyValueCache {
    return new Path([]) as unknown as KeyValueCache;
  }

  /** Edge by edge: each legal token is scored as the end of a sequence of its own. */
  async advance(chunks: readonly LegalChunk[]): Promise<Float64Array[]> {
    const [ids, parents]: [number[], number[]] = [[], []];
    const rows = chunks.map(({ cache, ids: fresh, legal }): HeadRow => {
      const path = cache as unknown as Path;
      path.ids.push(...Array.from(fresh));
      path.ids.forEach((id, i) => {
        parents.push(i === 0 ? -1 : ids.length - 1);
        ids.push(id);
      });
      return { node: ids.length - 1, legal };
    });
    const tree = { ids: Int32Array.from(ids), parents: Int32Array.from(parents) };
    return [...(await this.pass(tree, rows)).logProbabilities];
  }

  /** Tries the server, and returns its record. @throws InputError, MissingPartError if it cannot be used. */
  async tried(begin: number): Promise<TrainerRecord> {
    return await this.#ask("open", { begin });
  }

  async write(texts: readonly WrittenText[], { temperature, topP }: Writing) {
    return await this.#ask("sample", {
      prompts: texts.map(({ prompt }) => prompt),
      most: texts.map(({ most }) => most),
      end: texts[0]?.end ?? 0,
      seeds: texts.map(({ seed }) => seed),
      temperature,
      top_p: topP,
    });
  }

  /** The server reports no norm of the gradient, and not every one clips it. */
  async step(
    { learningRate, weightDecay = 0, clipNorm = Infinity }: TrainingStep,
  ): Promise<{ readonly gradientNorm: number }> {
    const texts = this.#pending;
    this.#pending = [];
    this.#steps++;
    this.#kept = undefined;
    if (texts.length === 0) return { gradientNorm: 0 };
    const clip = Number.isFinite(clipNorm) && { grad_clip_norm: clipNorm };
    const step = { ...adam, learning_rate: learningRate, weight_decay: weightDecay, ...clip };
    await this.#ask("train", { texts, adam: step });
    return { gradientNorm: NaN };
  }

  zeroGradients(): void {
    this.#pending = [];
  }

  /** The adapter as the server exports it, and the server's name of a checkpoint of weights and moments. */
  async parameters(): Promise<NamedTensor[]> {
    this.#kept ??= await this.#keep();
    return [...this.#kept];
  }

  async #keep(): Promise<readonly NamedTensor[]> {
    const found = await this.#ask("save", {});
    this.#from = found.weights;
    return tensorsOf(found);
  }

  loadParameters(tensors: readonly NamedTensor[]): void {
    const named = namedIn(tensors);
    if (!named) {
      const message = "Cannot load a policy of a server: its file names no checkpoint there";
      throw inputError("policy/file", message, undefined, "load a file of a policy of kind tinker");
    }
    this.#from = named.weights;
    this.#pending = [];
    this.#kept = tensors;
  }

  /** Moments stay on the server, in the checkpoint that the parameters name. */
  async saveOptimizer(): Promise<NamedTensor[]> {
    await this.parameters();
    return [{ name: "steps", shape: [1], values: Int32Array.of(this.#steps) }];
  }

  loadOptimizer(tensors: readonly NamedTensor[]): void {
    const steps = tensors.find(({ name }) => name === "steps");
    this.#steps = steps?.values[0] ?? 0;
  }

  /** Files of the adapter as PEFT has them, with the names of the adapted modules. */
  saveAdapter(): ReadonlyMap<string, Uint8Array> {
    const tensors = this.#adapter();
    if (tensors.length > 0) {
      const { trainer: { rank }, base } = this.parts;
      const { alpha } = namedIn(this.#kept!)!;
      const spec: AdapterSpec = { rank, alpha: alpha!, targets: "all-linear" };
      return adapterFiles(spec, { base, config: base }, tensors);
    }
    const message = "Cannot write an adapter: the server did not hand it out";
    throw inputError("policy/adapter", message, undefined, "take it from the server's own files");
  }

  loadAdapter(): void {
    const message = "Cannot load an adapter into a model on a server: the protocol takes none";
    throw inputError("policy/adapter", message, undefined, "name a checkpoint of the server");
  }

  saveMerged(): ReadonlyMap<string, Uint8Array> {
    const message = "Cannot merge an adapter: the weights of the model are on the server";
    throw inputError("policy/merged", message, undefined, "leave out --merged");
  }

  /** Lets the server forget the model; its checkpoints stay there. */
  dispose(): void {
    if (this.parts.link) void this.#ask("release", {}).catch(() => {});
  }

  #adapter(): readonly NamedTensor[] {
    return (this.#kept ?? []).filter(({ name }) => name.endsWith(".weight"));
  }

  async #ask<K extends keyof TrainerWork>(
    op: K,
    asked: TrainerWork[K]["asked"],
  ): Promise<TrainerWork[K]["answer"]> {
    const { link, trainer, seed } = this.parts;
    if (!link) {
      const message = `Cannot ask ${trainer.url} for a policy: this happens in a run alone`;
      throw inputError("policy/server", message, undefined, "wire the policy to a stage of a run");
    }
    const place = { trainer, handle: this.#handle, from: this.#from, seed };
    return await link({ op, ...place, ...asked } as TrainerRequest) as TrainerWork[K]["answer"];
  }
}

/** Tokens that were put behind one another: a server keeps none of them. */
class Path {
  constructor(readonly ids: number[]) {}

  fork(): Path {
    return new Path([...this.ids]);
  }

  dispose(): void {}
}

/** @throws InputError where a distribution over the vocabulary is asked for, or over thousands of tokens. */
function requireEdges({ legal, picked }: HeadRow): void {
  const count = (picked ?? legal).length;
  if (legal === "all" ? picked !== undefined : count <= mostEdges) return;
  const what = legal === "all" ? "the whole vocabulary" : `${count} tokens`;
  const message = `Cannot score ${what} after a text on a server: it scores token by token`;
  const hint = 'a policy on a server knows mask = "trie", and mask = "none" without exploration';
  throw inputError("policy/served-mask", message, undefined, hint);
}

/** Derivatives by log p over the vocabulary, from those by log p over legal tokens. */
function throughSoftmax(gradients: Float64Array, logProbs: Float64Array): Float64Array {
  const total = gradients.reduce((sum, one) => sum + one, 0);
  return gradients.map((one, k) => one - total * exp(logProbs[k]));
}

/** Texts of which something is to learn, each derivative at the token it belongs to. */
function gradientTexts(
  { texts, places }: ServedSequences,
  scores: readonly (readonly number[])[],
  gradients: readonly Float64Array[],
): TrainedText[] {
  const forces = texts.map(({ length }) => new Array<number>(length - 1).fill(0));
  places.forEach((row, r) =>
    row.forEach(({ text, at }, k) => {
      forces[text][at - 1] += gradients[r][k];
    })
  );
  return texts.flatMap((ids, i) =>
    forces[i].every((one) => one === 0) ? [] : [{ ids, logProbs: scores[i], gradients: forces[i] }]
  );
}

/** The checkpoint that tensors of a file name; undefined where they name none. */
function namedIn(tensors: readonly NamedTensor[]): Named | undefined {
  const named = tensors.find(({ name }) => name === checkpointTensor);
  return named && JSON.parse(String.fromCodePoint(...named.values));
}

/** The adapter's tensors, and the checkpoint that {@link namedIn} finds in them. */
function tensorsOf({ files, ...names }: TrainerCheckpoint): NamedTensor[] {
  const weights = files["adapter_model.safetensors"];
  const settings = files["adapter_config.json"];
  const alpha = settings === undefined
    ? undefined
    : JSON.parse(new TextDecoder().decode(Uint8Array.fromBase64(settings))).lora_alpha;
  const text = JSON.stringify({ ...names, ...(alpha !== undefined && { alpha }) });
  const values = Int32Array.from(text, (letter) => letter.codePointAt(0)!);
  const named = { name: checkpointTensor, shape: [values.length], values };
  if (weights === undefined) return [named];
  return [...decodeTensors(Uint8Array.fromBase64(weights)).tensors, named];
}
