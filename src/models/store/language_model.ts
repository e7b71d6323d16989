/** A model that was added, opened: text in, log probabilities out. */
import type { Blas } from "../../numerics/blas/mod.ts";
import { Decoder } from "../decoder/decoder.ts";
import { readWeights } from "../decoder/weights.ts";
import { ChatTemplate } from "../text/chat_template.ts";
import { type ScoredText, type TextIds, textIds } from "../text/text_ids.ts";
import { Tokenizer } from "../text/tokenizer.ts";
import { tokenizerOf } from "./add_model.ts";
import { configOf, type ModelEntry } from "./model_entry.ts";
import type { ModelStore } from "./model_store.ts";
import { checkMemory, freeMemory, openFiles } from "./model_weights.ts";

/** Options with which a model is opened. */
export interface OpenOptions {
  /** Computes matrix products; own kernels do without. */
  readonly blas?: Blas;
  /** Bytes that may be used; the free memory of the machine if left out. */
  readonly freeBytes?: number;
}

/** An open model. */
export interface LanguageModel {
  /** Contents of its `model.json`. */
  readonly entry: ModelEntry;
  /** Text to ids and back. */
  readonly tokenizer: Tokenizer;
  /** Undefined where the model has none. */
  readonly template: ChatTemplate | undefined;
  /** Forward pass over ids. */
  readonly decoder: Decoder;
  /**
   * Scores a text: log p of each of its tokens given those before it, in nats.
   *
   * @param text.given Text before, which is not scored, for example a prompt by the template.
   * @param text.scored Text that is scored; its tokens are those of the whole text.
   * @param text.ends Whether the end token is scored as well; it is unless this is false.
   */
  score(text: ScoredText): TextScore;
}

/** The tokens of a text and their log probabilities. */
export interface TextScore extends TextIds {
  /** log p of `ids[from]`, …, in nats. */
  readonly logProbabilities: Float64Array;
}

/**
 * Opens a model that was added.
 *
 * @param name Its name, or the beginning of its digest.
 * @throws MissingPartError if it was not added, or memory is short; InputError if files were
 * changed.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { addModel, ModelStore, openModel, writeRandomCheckpoint } from "sluice/models";
 * const folder = await Deno.makeTempDir();
 * writeRandomCheckpoint(`${folder}/tiny`, "seed 1");
 * const store = new ModelStore(folder);
 * await addModel(store, `${folder}/tiny`);
 * const { logProbabilities } = openModel(store, "tiny").score({ given: "x = ", scored: "1" });
 * assert.equal(logProbabilities.length, 2); // of "1", and of the token that ends the text
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export function openModel(
  store: ModelStore,
  name: string,
  { blas, freeBytes = freeMemory() }: OpenOptions = {},
): LanguageModel {
  const entry = store.find(name);
  checkMemory(entry, freeBytes);
  const checkpoint = openFiles(store, entry);
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
