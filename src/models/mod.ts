/**
 * Language models: checkpoints as they are published, tokenizers, and exact log probabilities.
 *
 * A tour: a model is added to a project once, and opened by name. Here a tiny one of random weights;
 * `addModel(store, "smollm2-135m")` loads a real one.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import * as models from "./mod.ts";
 *
 * const folder = Deno.makeTempDirSync();
 * models.writeRandomCheckpoint(`${folder}/tiny`, "seed 20");
 * const store = new models.ModelStore(folder);
 * const { name, architecture } = await models.addModel(store, `${folder}/tiny`);
 * assert.deepEqual([name, architecture], ["tiny", "qwen3"]);
 *
 * // A text is scored token by token, given how texts begin, and its end counts.
 * const { score, tokenizer, decoder } = models.openModel(store, "tiny");
 * const { ids, from, logProbabilities } = score({ given: "x = ", scored: "1 + 2" });
 * assert.equal(tokenizer.decode(ids.slice(from, -1)), "1 + 2");
 * assert(logProbabilities.every((one) => one < 0));
 *
 * // Tokens one by one, each with what came before it in a cache, score the same.
 * const cache = decoder.cache(ids.length);
 * let [logits] = decoder.advance([{ cache, ids: ids.slice(0, from) }]);
 * ids.slice(from).forEach((id, i) => {
 *   const logZ = Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit), 0));
 *   assert(Math.abs(logits[id] - logZ - logProbabilities[i]) < 1e-4);
 *   [logits] = decoder.advance([{ cache, ids: [id] }]);
 * });
 * cache.dispose();
 * Deno.removeSync(folder, { recursive: true });
 * ```
 *
 * @module
 */
export { InputError, MissingPartError } from "../base/diagnostic.ts";
export { type Blas, findBlas } from "../numerics/blas/mod.ts";

export { addModel } from "./store/add_model.ts";
export { catalogue, type CatalogueEntry } from "./store/catalogue.ts";
export {
  type LanguageModel,
  openModel,
  type OpenOptions,
  type TextScore,
} from "./store/language_model.ts";
export type { ModelEntry } from "./store/model_entry.ts";
export { ModelStore } from "./store/model_store.ts";
export { writeRandomCheckpoint } from "./store/random_checkpoint.ts";

export { type Checkpoint, openCheckpoint } from "./decoder/checkpoint.ts";
export {
  type Chunk,
  Decoder,
  type DecoderOptions,
  type ScoredSequence,
} from "./decoder/decoder.ts";
export type { KeyValueCache } from "./decoder/key_value_cache.ts";
export type { Architecture, ModelConfig } from "./decoder/model_config.ts";
export {
  type Affine,
  type LayerWeights,
  type Norm,
  readWeights,
  type Weights,
} from "./decoder/weights.ts";

export type { AdapterSpec } from "./training/attach.ts";
export type { Targets } from "./training/linear_maps.ts";
export type { BaseModel } from "./training/peft_folder.ts";
export type {
  HeadRow,
  LegalChunk,
  PassOptions,
  TokenTree,
  TrainableModel,
  TrainingStep,
  TreePass,
} from "./training/token_tree.ts";
export { RememberedRows } from "./training/remembered_rows.ts";
export type { Trained } from "./training/trained.ts";
export { TrainedModel, type TrainedModelOptions } from "./training/trained_model.ts";

export { type GgufFile, openGguf } from "./files/gguf_file.ts";
export type { MetadataValue } from "./files/gguf_header.ts";
export { openSafetensors } from "./files/safetensors_file.ts";
export type { TensorEntry, WeightFile } from "./files/weight_file.ts";

export {
  readSft,
  type SftExample,
  type SftExamples,
  type SftOptions,
  type SftTexts,
  withoutThinking,
} from "./sft/sft_examples.ts";
export { readSftLines, type SftConversation, type SftLine, type SftText } from "./sft/sft_lines.ts";

export { type AnsweredTurn, answeredTurn } from "./text/answered_turn.ts";
export {
  type ChatMessage,
  type ChatSettings,
  ChatTemplate,
  type RenderOptions,
} from "./text/chat_template.ts";
export { ggufTokenizer } from "./text/gguf_tokenizer.ts";
export { PromptTemplate, type TemplateVariables } from "./text/prompt_template.ts";
export { type NamedToken, type TextEnds, textEnds } from "./text/text_ends.ts";
export { type ScoredText, type TextIds, textIds } from "./text/text_ids.ts";
export { Tokenizer } from "./text/tokenizer.ts";
export { folderTokenizer, type TokenizerSource } from "./text/tokenizer_source.ts";
