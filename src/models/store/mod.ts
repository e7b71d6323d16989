/** Language models on disk: weights, catalogue, files. */
export { addModel } from "./add_model.ts";
export { catalogue } from "./catalogue.ts";
export { fileDigest } from "./file_digest.ts";
export { type LanguageModel, openModel } from "./language_model.ts";
export { configOf, type ModelEntry } from "./model_entry.ts";
export { ModelStore } from "./model_store.ts";
export { type ModelTokens, openTokens } from "./model_tokens.ts";
export { freeMemory, sharedWeights, weightBytes } from "./model_weights.ts";
export { publishedTokenizer } from "./published_tokenizer.ts";
