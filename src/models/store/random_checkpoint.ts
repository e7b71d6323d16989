/** Checkpoints of random weights, to try out code that does not depend on a trained model. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { writeAtomic } from "../../base/atomic.ts";
import { fillNormal } from "../../numerics/math/mod.ts";
import { RandomStream } from "../../base/random.ts";
import { encodeTensors, type NamedTensor } from "../../base/safetensors.ts";
import type { ModelConfig } from "../decoder/model_config.ts";
import { publishedConfig } from "../decoder/published_weights.ts";
import { countOf } from "../files/weight_file.ts";

/** Sizes of a tiny Qwen3; its tokens are bytes, and the two that end documents and answers. */
const tinySizes: ModelConfig = {
  architecture: "qwen3",
  layers: 2,
  width: 16,
  heads: 4,
  key_heads: 2,
  head_size: 8,
  inner: 24,
  vocabulary: 258,
  context: 128,
  epsilon: 1e-6,
  rotary_base: 1e6,
  tied: true,
};

const separators = ["<|endoftext|>", "<|im_end|>"];

/**
 * Writes a folder as transformers would: Qwen3 with random weights, and a tokenizer of bytes.
 *
 * @param folder Where; made if need be.
 * @param seedKey Equal keys give equal files.
 * @param sizes Other sizes than the tiny ones; `vocabulary` is at least 258.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { openCheckpoint, writeRandomCheckpoint } from "sluice/models";
 * const folder = await Deno.makeTempDir();
 * writeRandomCheckpoint(folder, "seed 1");
 * const { config, file } = openCheckpoint(folder);
 * assert.deepEqual([config.architecture, config.layers], ["qwen3", 2]);
 * file.close();
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export function writeRandomCheckpoint(
  folder: string,
  seedKey: string,
  sizes: Partial<Omit<ModelConfig, "architecture" | "tied">> = {},
): void {
  const config = { ...tinySizes, ...sizes };
  mkdirSync(folder, { recursive: true });
  const tensors = shapesOf(config).map(([name, shape]) => randomTensor(name, shape, seedKey));
  writeAtomic(join(folder, "model.safetensors"), encodeTensors(tensors, { format: "pt" }));
  const texts = {
    "config.json": publishedConfig(config),
    "tokenizer.json": byteTokenizer(),
    "tokenizer_config.json": { add_bos_token: false, eos_token: separators[1] },
  };
  for (const [name, json] of Object.entries(texts)) {
    writeAtomic(join(folder, name), JSON.stringify(json));
  }
}

type Shape = readonly [name: string, shape: readonly number[]];

function shapesOf(config: ModelConfig): Shape[] {
  const { layers, width, heads, key_heads, head_size, inner, vocabulary } = config;
  const layer = (index: number): Shape[] =>
    ([
      ["input_layernorm", [width]],
      ["self_attn.q_proj", [heads * head_size, width]],
      ["self_attn.k_proj", [key_heads * head_size, width]],
      ["self_attn.v_proj", [key_heads * head_size, width]],
      ["self_attn.o_proj", [width, heads * head_size]],
      ["self_attn.q_norm", [head_size]],
      ["self_attn.k_norm", [head_size]],
      ["post_attention_layernorm", [width]],
      ["mlp.gate_proj", [inner, width]],
      ["mlp.up_proj", [inner, width]],
      ["mlp.down_proj", [width, inner]],
    ] as const).map(([name, shape]) => [`model.layers.${index}.${name}.weight`, shape]);
  return [
    ["model.embed_tokens.weight", [vocabulary, width]],
    ["model.norm.weight", [width]],
    ...Array.from({ length: layers }, (_, index) => layer(index)).flat(),
  ];
}

/** Gains are 1; the rest is normal, with the variance that keeps that of its inputs. */
function randomTensor(name: string, shape: readonly number[], seedKey: string): NamedTensor {
  const values = new Float64Array(countOf(shape));
  if (shape.length === 1) values.fill(1);
  else fillNormal(new RandomStream(seedKey, "random checkpoint", name), values);
  const scale = shape.length === 1 ? 1 : 1 / Math.sqrt(shape[1]);
  return { name, shape, values: Float32Array.from(values, (value) => scale * value) };
}

/** Every byte a token, spelt as GPT-2 spells bytes: printable ones as they are, others from Ā on. */
function byteTokenizer(): Record<string, unknown> {
  const isPlain = (byte: number) =>
    byte > 32 && byte < 127 || byte > 160 && byte < 256 && byte !== 173;
  let next = 256;
  const bytes = Array.from(
    { length: 256 },
    (_, byte) => String.fromCharCode(isPlain(byte) ? byte : next++),
  );
  const level = { type: "ByteLevel", add_prefix_space: false, trim_offsets: true };
  const flags = { single_word: false, lstrip: false, rstrip: false, normalized: false };
  return {
    version: "1.0",
    added_tokens: separators.map((content, i) => ({
      id: 256 + i,
      content,
      special: true,
      ...flags,
    })),
    normalizer: null,
    pre_tokenizer: { ...level, use_regex: false },
    post_processor: null,
    decoder: level,
    model: {
      type: "BPE",
      vocab: Object.fromEntries(bytes.map((letter, byte) => [letter, byte])),
      merges: [],
      byte_fallback: false,
    },
  };
}
