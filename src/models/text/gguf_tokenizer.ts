/** The tokenizer that a GGUF file describes, as `tokenizer.json` would. */
import type { MetadataValue } from "../files/gguf_header.ts";
import { loadAgain, modelError } from "../files/model_error.ts";
import type { TokenizerSource } from "./tokenizer_source.ts";

// Keys are those of ggml's docs/gguf.md; meanings of `pre` follow llama.cpp's llama-vocab.cpp
// and the tokenizer.json of the models that its conversion names.

/** Byte-level pieces of the rest, by the expression of GPT-2 or none. */
const byteLevel = (useRegex: boolean) => ({
  type: "ByteLevel",
  add_prefix_space: false,
  trim_offsets: true,
  use_regex: useRegex,
});

const split = (regex: string) => ({
  type: "Split",
  pattern: { Regex: regex },
  behavior: "Isolated",
  invert: false,
});

const qwenRegex =
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|" +
  "\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
const llamaRegex = qwenRegex.replace("|\\p{N}|", "|\\p{N}{1,3}|");

interface Before {
  readonly normalizer: { readonly type: string } | null;
  readonly steps: readonly Readonly<Record<string, unknown>>[];
}

/** Normalisation and splitting of text before pairs are merged, by `tokenizer.ggml.pre`. */
const befores: Readonly<Record<string, Before>> = {
  "gpt-2": { normalizer: null, steps: [byteLevel(true)] },
  smollm: {
    normalizer: null,
    steps: [{ type: "Digits", individual_digits: true }, byteLevel(true)],
  },
  qwen2: { normalizer: { type: "NFC" }, steps: [split(qwenRegex), byteLevel(false)] },
  "llama-bpe": { normalizer: null, steps: [split(llamaRegex), byteLevel(false)] },
};

/** Token types of GGUF: control tokens, and tokens that a user has added. */
const [controlType, userType] = [3, 4];

/** Keys of a GGUF header. */
export type Metadata = ReadonlyMap<string, MetadataValue>;

/**
 * The tokenizer of a GGUF file: byte-level BPE with the pieces of GPT-2, SmolLM, Qwen or Llama 3.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { ggufTokenizer } from "./gguf_tokenizer.ts";
 * const metadata = new Map([["tokenizer.ggml.model", "llama"]]);
 * assert.throws(() => ggufTokenizer("a.gguf", metadata as never), /known are gpt2/);
 * ```
 *
 * @throws InputError if it is of another kind, or has no tokens.
 */
export function ggufTokenizer(path: string, metadata: Metadata): TokenizerSource {
  const model = metadata.get("tokenizer.ggml.model");
  const pre = metadata.get("tokenizer.ggml.pre") ?? "gpt-2";
  const before = befores[String(pre)];
  if (model !== "gpt2" || !before) {
    const known = Object.keys(befores).join(", ");
    const problem = `its tokenizer is ${model}, ${pre}; known are gpt2 with ${known}`;
    const mend = "add the model as a folder with safetensors and tokenizer.json";
    throw modelError({ kind: "tokenizer", path, problem, mend });
  }
  const tokens = list(path, metadata, "tokens") as string[];
  const types = list(path, metadata, "token_type") as number[];
  const merges = list(path, metadata, "merges") as string[];
  return {
    path,
    tokenizer: tokenizerJson(tokens, types, merges, before),
    config: config(metadata),
  };
}

function list(path: string, metadata: Metadata, name: string): readonly MetadataValue[] {
  const value = metadata.get(`tokenizer.ggml.${name}`);
  if (Array.isArray(value)) return value;
  const problem = `it has no list tokenizer.ggml.${name}`;
  throw modelError({ kind: "tokenizer", path, problem, mend: loadAgain });
}

function tokenizerJson(
  tokens: readonly string[],
  types: readonly number[],
  merges: readonly string[],
  { normalizer, steps }: Before,
): Record<string, unknown> {
  const isAdded = (id: number) => types[id] === controlType || types[id] === userType;
  const added = tokens.map((content, id) => addedToken(id, content, types[id] === controlType));
  return {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: added.filter(({ id }) => isAdded(id)),
    normalizer,
    pre_tokenizer: { type: "Sequence", pretokenizers: steps },
    post_processor: byteLevel(false),
    decoder: byteLevel(true),
    model: {
      type: "BPE",
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: "",
      end_of_word_suffix: "",
      fuse_unk: false,
      byte_fallback: false,
      vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
      merges,
    },
  };
}

function addedToken(id: number, content: string, special: boolean) {
  const flags = { single_word: false, lstrip: false, rstrip: false, normalized: false };
  return { id, content, ...flags, special };
}

/** Contents of the equivalent `tokenizer_config.json`. */
function config(metadata: Metadata): Record<string, unknown> {
  const get = (key: string) => metadata.get(`tokenizer.ggml.${key}`);
  const tokens = get("tokens") as readonly string[];
  const token = (key: string) => tokens[get(`${key}_token_id`) as number] ?? null;
  return {
    add_bos_token: get("add_bos_token") ?? false,
    bos_token: token("bos"),
    eos_token: token("eos"),
    unk_token: token("unknown"),
    pad_token: token("padding"),
    chat_template: metadata.get("tokenizer.chat_template"),
    clean_up_tokenization_spaces: false,
  };
}
