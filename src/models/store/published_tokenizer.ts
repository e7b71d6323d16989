/** Tokenizer and chat template of a model as files, for tools that load its merged weights. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openCheckpoint } from "../decoder/checkpoint.ts";
import { tokenizerFiles } from "../text/tokenizer_source.ts";
import { tokenizerOf } from "./add_model.ts";
import type { ModelStore } from "./model_store.ts";

/**
 * Files by name: those that the model came with, or for one that came as GGUF `tokenizer.json` and
 * `tokenizer_config.json`, with the chat template in the latter.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { ModelStore } from "./model_store.ts";
 * import { publishedTokenizer } from "./published_tokenizer.ts";
 * const folder = Deno.makeTempDirSync();
 * assert.throws(() => publishedTokenizer(new ModelStore(folder), "smollm2-135m")); // not added there
 * Deno.removeSync(folder, { recursive: true });
 * ```
 *
 * @param name Its name, or the beginning of its digest.
 * @throws MissingPartError if it was not added.
 */
export function publishedTokenizer(
  store: ModelStore,
  name: string,
): ReadonlyMap<string, Uint8Array> {
  const entry = store.find(name);
  const folder = store.folderOf(entry);
  const own = entry.files.filter((one) => tokenizerFiles.includes(one.name));
  if (own.length > 0) {
    return new Map(own.map((one) => [one.name, readFileSync(join(folder, one.name))]));
  }
  const checkpoint = openCheckpoint(folder);
  const { tokenizer, config } = tokenizerOf(checkpoint);
  checkpoint.file.close();
  const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
  return new Map([
    ["tokenizer.json", bytes(tokenizer)],
    ["tokenizer_config.json", bytes({ tokenizer_class: "PreTrainedTokenizerFast", ...config })],
  ]);
}
