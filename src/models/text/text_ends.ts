/** Begin and end tokens of a text. */
import type { Tokenizer } from "./tokenizer.ts";
import type { TokenizerSource } from "./tokenizer_source.ts";

/** A token with its id. */
export interface NamedToken {
  /** Spelling of the token in the tokenizer. */
  readonly token: string;
  /** Id of the token. */
  readonly id: number;
}

/** Tokens before a text's first one and behind its last. */
export interface TextEnds {
  /**
   * The token given which the first one is scored; null if there is none, so that scores begin with
   * the second.
   */
  readonly begin: NamedToken | null;
  /** Whether the tokenizer itself puts it there. SmolLM2 and Qwen3 put nothing. */
  readonly begin_is_added: boolean;
  /** The token by which the model ends an answer; its probability belongs to that of the text. */
  readonly end: NamedToken | null;
}

/** Separator of documents in the training data of GPT-2, SmolLM2 and Qwen3. */
const separator = "<|endoftext|>";

/**
 * The ends of a model's texts. A tokenizer that adds a first token names it; other models were
 * trained on texts that begin behind the token that separates documents.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { folderTokenizer, textEnds, Tokenizer, writeRandomCheckpoint } from "sluice/models";
 * const folder = await Deno.makeTempDir();
 * writeRandomCheckpoint(folder, "seed 1");
 * const source = folderTokenizer(folder);
 * const { begin, end } = textEnds(new Tokenizer(source), source);
 * assert.deepEqual([begin?.id, end?.id], [256, 257]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export function textEnds(tokenizer: Tokenizer, { config }: TokenizerSource): TextEnds {
  const isAdded = config.add_bos_token === true;
  const begins = isAdded ? [spelling(config.bos_token)] : [separator, spelling(config.bos_token)];
  const end = spelling(config.eos_token);
  return {
    begin: firstKnown(tokenizer, begins),
    begin_is_added: isAdded,
    end: firstKnown(tokenizer, [end]),
  };
}

/** Configurations have tokens as strings, or as objects with their content. */
function spelling(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const content = (value as { readonly content?: unknown } | null | undefined)?.content;
  return typeof content === "string" ? content : undefined;
}

function firstKnown(
  tokenizer: Tokenizer,
  tokens: readonly (string | undefined)[],
): NamedToken | null {
  for (const token of tokens) {
    const id = token === undefined ? undefined : tokenizer.idOf(token);
    if (token !== undefined && id !== undefined) return { token, id };
  }
  return null;
}
