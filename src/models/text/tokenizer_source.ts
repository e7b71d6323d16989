/** Sources of a tokenizer: the two JSON files that transformers reads. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readRegularText } from "../../base/regular_file.ts";
import { loadAgain, modelError } from "../files/model_error.ts";

/** The contents of `tokenizer.json` and `tokenizer_config.json`. */
export interface TokenizerSource {
  /** File or folder, for messages. */
  readonly path: string;
  /** Contents of `tokenizer.json`. */
  readonly tokenizer: Readonly<Record<string, unknown>>;
  /** Empty where there is no such file. */
  readonly config: Readonly<Record<string, unknown>>;
}

/** Bytes of one of these files; those of large vocabularies have some ten million. */
const mostBytes = 1 << 28;

/** The file that a folder must have. */
export const tokenizerFile = "tokenizer.json";
/** Files of a tokenizer that a folder may have. */
export const tokenizerFiles = [tokenizerFile, "tokenizer_config.json", "chat_template.jinja"];

/**
 * The tokenizer of a folder: `tokenizer.json`, `tokenizer_config.json`, and the chat template in
 * the latter or in a file of its own.
 *
 * @throws InputError if `tokenizer.json` is missing, or one of them is not JSON.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { folderTokenizer, Tokenizer, writeRandomCheckpoint } from "sluice/models";
 * const folder = await Deno.makeTempDir();
 * writeRandomCheckpoint(folder, "seed 1");
 * const tokenizer = new Tokenizer(folderTokenizer(folder));
 * assert.deepEqual(tokenizer.encode("ab"), [97, 98]); // tokens of random models are bytes
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export function folderTokenizer(folder: string): TokenizerSource {
  const [tokenizer, config] = tokenizerFiles.slice(0, 2).map((name) =>
    readJson(join(folder, name))
  );
  if (!tokenizer) {
    const problem = "there is no such file";
    const mend = "put the model's tokenizer.json beside its weights";
    throw modelError({ kind: "file", path: join(folder, tokenizerFile), problem, mend });
  }
  const template = join(folder, tokenizerFiles[2]);
  const own = existsSync(template) ? { chat_template: readRegularText(template, mostBytes) } : {};
  return { path: folder, tokenizer, config: { ...config, ...own } };
}

function readJson(path: string): Record<string, unknown> | undefined {
  if (!existsSync(path)) return undefined;
  const text = readRegularText(path, mostBytes);
  try {
    return JSON.parse(text);
  } catch (error) {
    const problem = `it is not JSON: ${(error as Error).message}`;
    throw modelError({ kind: "json", path, problem, mend: loadAgain });
  }
}
