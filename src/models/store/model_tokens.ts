/** The tokenizer of a model that was added, without its weights. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { inputError } from "../../base/diagnostic.ts";
import { openCheckpoint } from "../decoder/checkpoint.ts";
import { Tokenizer } from "../text/tokenizer.ts";
import { folderTokenizer, type TokenizerSource } from "../text/tokenizer_source.ts";
import { tokenizerOf } from "./add_model.ts";
import type { ModelEntry } from "./model_entry.ts";
import type { ModelStore } from "./model_store.ts";

/** Tokenizer of a model with its entry. */
export interface ModelTokens {
  /** Contents of its `model.json`. */
  readonly entry: ModelEntry;
  /** Text to ids and back. */
  readonly tokenizer: Tokenizer;
}

/** The tokenizer beside weights, or in their file. */
function sourceOf(folder: string): TokenizerSource {
  const checkpoint = openCheckpoint(folder);
  const source = tokenizerOf(checkpoint);
  checkpoint.file.close();
  return source;
}

/**
 * Opens the tokenizer of a model.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { ModelStore } from "./model_store.ts";
 * import { openTokens } from "./model_tokens.ts";
 * const folder = Deno.makeTempDirSync();
 * assert.throws(() => openTokens(new ModelStore(folder), "smollm2-135m")); // not added there
 * Deno.removeSync(folder, { recursive: true });
 * ```
 *
 * @param name Its name, or the beginning of its digest.
 * @throws MissingPartError if it was not added; InputError if its tokenizer was changed.
 */
export function openTokens(store: ModelStore, name: string): ModelTokens {
  const entry = store.find(name);
  const folder = store.folderOf(entry);
  const gone = entry.files.find((one) => !existsSync(join(folder, one.name)));
  if (gone) {
    const message = `Cannot use model "${entry.name}": ${gone.name} is no longer in ${folder}`;
    throw inputError("model/changed", message, undefined, "remove the model, and add it again");
  }
  const tokenizer = new Tokenizer(
    entry.weights === false ? folderTokenizer(folder) : sourceOf(folder),
  );
  if (tokenizer.digest === entry.tokenizer.sha256) return { entry, tokenizer };
  const message = `Cannot use model "${entry.name}": its tokenizer has the SHA-256 ` +
    `${tokenizer.digest}, model.json says ${entry.tokenizer.sha256}`;
  throw inputError("model/changed", message, undefined, "remove the model, and add it again");
}
