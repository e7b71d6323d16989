/** A model that was added, opened: text in, log probabilities out. */
import { join } from "node:path";
import type { Blas } from "../../base/blas/blas.ts";
import { inputError, MissingPartError } from "../../base/diagnostic.ts";
import { openCheckpoint } from "../decoder/checkpoint.ts";
import { Decoder } from "../decoder/decoder.ts";
import { weightCount } from "../decoder/model_config.ts";
import { readWeights } from "../decoder/weights.ts";
import { ChatTemplate } from "../text/chat_template.ts";
import { type ScoredText, type TextIds, textIds } from "../text/text_ids.ts";
import { Tokenizer } from "../text/tokenizer.ts";
import { tokenizerOf } from "./add_model.ts";
import { fileDigest } from "./file_digest.ts";
import { configOf, type ModelEntry } from "./model_entry.ts";
import type { ModelStore } from "./model_store.ts";

/** How a model is opened. */
export interface OpenOptions {
  /** Computes matrix products; own kernels do without. */
  readonly blas?: Blas;
  /** Bytes that may be used; what the machine has free, unless this says otherwise. */
  readonly freeBytes?: number;
}

/** An open model. */
export interface LanguageModel {
  readonly entry: ModelEntry;
  readonly tokenizer: Tokenizer;
  /** Undefined where the model has none. */
  readonly template: ChatTemplate | undefined;
  readonly decoder: Decoder;
  /**
   * Scores a text: log p of each of its tokens given those before it, in nats.
   *
   * @param text.given What comes before and is not scored, for example a prompt by the template.
   * @param text.scored What is scored; its tokens are those of the whole text.
   * @param text.ends Whether the end token is scored as well; it is unless this is false.
   */
  score(text: ScoredText): TextScore;
}

/** The tokens of a text and what they are worth. */
export interface TextScore extends TextIds {
  /** log p of `ids[from]`, …, in nats. */
  readonly logProbabilities: Float64Array;
}

/** Beside weights: activations, caches, tiles. */
const otherBytes = 200e6;

/**
 * Opens a model that was added.
 *
 * @param name Its name, or the beginning of its digest.
 * @throws MissingPartError if it was not added, or memory is short; InputError if files were
 * changed.
 */
export function openModel(
  store: ModelStore,
  name: string,
  { blas, freeBytes = freeMemory() }: OpenOptions = {},
): LanguageModel {
  const entry = store.find(name);
  const folder = store.folderOf(entry);
  checkMemory(entry, freeBytes);
  for (const { name, sha256 } of entry.files) checkDigest(join(folder, name), sha256);
  const checkpoint = openCheckpoint(folder);
  const source = tokenizerOf(checkpoint);
  const weights = readWeights(checkpoint.file, configOf(entry));
  checkpoint.file.close();
  const tokenizer = new Tokenizer(source);
  const decoder = new Decoder(configOf(entry), weights, { blas });
  const template = entry.chat_template === null ? undefined : new ChatTemplate(entry.chat_template);
  const score = (text: ScoredText) => scoreText({ entry, tokenizer, decoder }, text);
  return { entry, tokenizer, template, decoder, score };
}

function scoreText(
  { entry, tokenizer, decoder }: Pick<LanguageModel, "entry" | "tokenizer" | "decoder">,
  text: ScoredText,
): TextScore {
  const { ids, from } = textIds(tokenizer, entry, text);
  const [logProbabilities] = decoder.logProbabilities([{ ids, from }]);
  return { ids, from, logProbabilities };
}

function freeMemory(): number {
  try {
    return Deno.systemMemoryInfo().available;
  } catch {
    return Infinity; // Not permitted: nobody knows.
  }
}

function checkMemory(entry: ModelEntry, free: number): void {
  const wanted = 4 * weightCount(configOf(entry)) + otherBytes;
  if (wanted <= free) return;
  const [need, have] = [wanted, free].map((bytes) => `${(bytes / 1e9).toFixed(2)} GB`);
  throw new MissingPartError(
    `Cannot open model "${entry.name}": in single precision it takes ${need} of memory, ${have} are free`,
    "end other programs, or choose a smaller model",
  );
}

function checkDigest(path: string, wanted: string): void {
  const found = fileDigest(path);
  if (found === wanted) return;
  const message = `Cannot use model: the SHA-256 of ${path} is ${found}, model.json says ${wanted}`;
  throw inputError("model/changed", message, undefined, "remove the model, and add it again");
}
