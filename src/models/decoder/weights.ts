/** The weights of a decoder, read from a checkpoint by the names of its format. */
import { brainFloatsOf, type FrozenNumbers } from "../../numerics/blas/mod.ts";
import { loadAgain, modelError } from "../files/model_error.ts";
import type { WeightFile } from "../files/weight_file.ts";
import type { ModelConfig } from "./model_config.ts";

/** Numbers in single precision. */
export type Numbers = Float32Array<ArrayBuffer>;

/** Precision of the large matrices; gains, shifts and positions are in single precision. */
export type Precision = "f32" | "bf16";

/** An affine map y = W x + b. */
export interface Affine {
  /** `[outputs, inputs]`, outside of any WebAssembly memory. */
  readonly weight: FrozenNumbers;
  /** `[outputs]`. */
  readonly bias?: Numbers;
  /** Length of x. */
  readonly inputs: number;
  /** Length of y. */
  readonly outputs: number;
}

/** Gains of a normalisation, and the shifts of LayerNorm. */
export interface Norm {
  /** `[width]`, by which normalised rows are multiplied. */
  readonly gain: Numbers;
  /** `[width]`, which LayerNorm adds. */
  readonly shift?: Numbers;
}

/** One layer. */
export interface LayerWeights {
  /** Norm before attention. */
  readonly attentionNorm: Norm;
  /** `[heads × head size, width]`. */
  readonly query: Affine;
  /** `[key heads × head size, width]`. */
  readonly key: Affine;
  /** `[key heads × head size, width]`. */
  readonly value: Affine;
  /** Norm of the query heads of Qwen3. */
  readonly queryNorm?: Norm;
  /** Norm of the key heads of Qwen3. */
  readonly keyNorm?: Norm;
  /** `[width, heads × head size]`. */
  readonly output: Affine;
  /** Norm before the perceptron. */
  readonly innerNorm: Norm;
  /** Gate of SwiGLU; GPT-2 has none. */
  readonly gate?: Affine;
  /** `[inner, width]`. */
  readonly up: Affine;
  /** `[width, inner]`. */
  readonly down: Affine;
}

/** All of them. */
export interface Weights {
  /** `[vocabulary, width]`. */
  readonly embedding: FrozenNumbers;
  /** `[context, width]`, where positions are learned. */
  readonly positions?: Numbers;
  /** Layers, the first one first. */
  readonly layers: readonly LayerWeights[];
  /** Norm before the head. */
  readonly finalNorm: Norm;
  /** `[vocabulary, width]`; the embedding, where they are tied. */
  readonly head: FrozenNumbers;
}

/** Names of the parts in a format. */
interface Names {
  /** Left out by some files. */
  readonly prefix: string;
  readonly layer: (index: number) => string;
  readonly embedding: string;
  readonly positions: string;
  readonly finalNorm: string;
  readonly head: string;
  readonly attentionNorm: string;
  /** Query, key and value in one, of GPT-2. */
  readonly fused: string;
  readonly query: string;
  readonly key: string;
  readonly value: string;
  readonly queryNorm: string;
  readonly keyNorm: string;
  readonly output: string;
  readonly innerNorm: string;
  readonly gate: string;
  readonly up: string;
  readonly down: string;
}

/** Names of Hugging Face's `LlamaForCausalLM` and `Qwen3ForCausalLM`. */
const published: Names = {
  prefix: "model.",
  layer: (index) => `layers.${index}.`,
  embedding: "embed_tokens.weight",
  positions: "",
  finalNorm: "norm",
  head: "lm_head.weight",
  attentionNorm: "input_layernorm",
  fused: "",
  query: "self_attn.q_proj",
  key: "self_attn.k_proj",
  value: "self_attn.v_proj",
  queryNorm: "self_attn.q_norm",
  keyNorm: "self_attn.k_norm",
  output: "self_attn.o_proj",
  innerNorm: "post_attention_layernorm",
  gate: "mlp.gate_proj",
  up: "mlp.up_proj",
  down: "mlp.down_proj",
};

/** Names of `GPT2LMHeadModel`. */
const publishedGpt2: Names = {
  ...published,
  prefix: "transformer.",
  layer: (index) => `h.${index}.`,
  embedding: "wte.weight",
  positions: "wpe.weight",
  finalNorm: "ln_f",
  attentionNorm: "ln_1",
  fused: "attn.c_attn",
  output: "attn.c_proj",
  innerNorm: "ln_2",
  up: "mlp.c_fc",
  down: "mlp.c_proj",
};

/** Names of GGUF (gguf-py, `TENSOR_NAMES`). */
const gguf: Names = {
  prefix: "",
  layer: (index) => `blk.${index}.`,
  embedding: "token_embd.weight",
  positions: "position_embd.weight",
  finalNorm: "output_norm",
  head: "output.weight",
  attentionNorm: "attn_norm",
  fused: "attn_qkv",
  query: "attn_q",
  key: "attn_k",
  value: "attn_v",
  queryNorm: "attn_q_norm",
  keyNorm: "attn_k_norm",
  output: "attn_output",
  innerNorm: "ffn_norm",
  gate: "ffn_gate",
  up: "ffn_up",
  down: "ffn_down",
};

/** Sees each tensor as it is read. */
export type LookAtTensor = (name: string, values: Numbers) => void;

/** Reads tensors by name and shape. */
class Reader {
  readonly names: Names;
  readonly isGpt2: boolean;
  /** `Conv1D` of GPT-2 is stored by inputs. */
  readonly #isTransposed: boolean;
  /** llama.cpp stores rows of queries and keys of Llama in another order. */
  readonly #isPaired: boolean;

  constructor(
    readonly file: WeightFile,
    readonly config: ModelConfig,
    readonly precision: Precision,
    readonly look: LookAtTensor = () => {},
  ) {
    this.isGpt2 = config.architecture === "gpt2";
    const isGguf = file.format === "gguf";
    this.names = isGguf ? gguf : this.isGpt2 ? publishedGpt2 : published;
    this.#isTransposed = this.isGpt2 && !isGguf;
    this.#isPaired = isGguf && config.architecture === "llama";
  }

  /** The tensor of that shape. @throws InputError if it is missing, or of another. */
  tensor(name: string, shape: readonly number[]): Numbers {
    const found = this.#find(name);
    const entry = this.file.tensors.get(found);
    const wanted = `[${shape.join(", ")}]`;
    const fault = (kind: string, problem: string) =>
      modelError({ kind, path: this.file.path, problem, mend: loadAgain });
    if (!entry) throw fault("tensor", `there is no tensor "${found}", one of ${wanted} is wanted`);
    const have = `[${entry.shape.join(", ")}]`;
    if (have === wanted) {
      const values = this.file.read(found);
      this.look(found, values);
      return values;
    }
    throw fault("shape", `tensor "${found}" is ${have}, ${wanted} is wanted`);
  }

  #find(name: string): string {
    const long = `${this.names.prefix}${name}`;
    return this.file.tensors.has(long) || !this.file.tensors.has(name) ? long : name;
  }

  has(name: string): boolean {
    return this.file.tensors.has(this.#find(name));
  }

  norm(name: string, size: number): Norm {
    const gain = this.tensor(`${name}.weight`, [size]);
    return this.has(`${name}.bias`)
      ? { gain, shift: this.tensor(`${name}.bias`, [size]) }
      : { gain };
  }

  /** Numbers in the precision in which they are held. */
  #held(values: Numbers): FrozenNumbers {
    return this.precision === "f32" ? values : brainFloatsOf(values);
  }

  table(name: string, rows: number): FrozenNumbers {
    return this.#held(this.tensor(name, [rows, this.config.width]));
  }

  affine(name: string, inputs: number, outputs: number): Affine {
    const shape = this.#isTransposed ? [inputs, outputs] : [outputs, inputs];
    const stored = this.tensor(`${name}.weight`, shape);
    const plain = this.#isTransposed ? transpose(stored, inputs, outputs) : stored;
    const weight = this.#held(plain);
    const bias = this.has(`${name}.bias`) ? this.tensor(`${name}.bias`, [outputs]) : undefined;
    return { weight, ...(bias && { bias }), inputs, outputs };
  }

  /** An affine map to heads that are turned by positions. */
  turned(name: string, inputs: number, heads: number): Affine {
    const map = this.affine(name, inputs, heads * this.config.head_size);
    if (!this.#isPaired) return map;
    const { head_size } = this.config;
    const bias = map.bias && inHalves(map.bias, heads, head_size, 1);
    return {
      ...map,
      weight: inHalves(map.weight, heads, head_size, inputs),
      ...(bias && { bias }),
    };
  }
}

/** `[rows, columns]` stored by columns. */
export function transpose(values: Numbers, rows: number, columns: number): Numbers {
  const out = new Float32Array(values.length);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) out[j * rows + i] = values[i * columns + j];
  }
  return out;
}

/**
 * Undoes the order of llama.cpp's conversion (convert_hf_to_gguf.py, `permute`): numbers that are
 * turned together lie side by side there, and half a head apart here.
 */
function inHalves<T extends FrozenNumbers>(
  values: T,
  heads: number,
  size: number,
  width: number,
): T {
  const out = values.slice() as T;
  for (let head = 0; head < heads; head++) {
    for (let row = 0; row < size; row++) {
      const from = 2 * (row % (size / 2)) + Math.floor(row / (size / 2));
      const begin = (head * size + from) * width;
      out.set(values.subarray(begin, begin + width), (head * size + row) * width);
    }
  }
  return out;
}

/** Query, key and value of GPT-2, which are stored as one map. */
function parts({ weight, bias, inputs, outputs }: Affine): readonly Affine[] {
  const size = outputs / 3;
  return [0, 1, 2].map((part) => ({
    weight: weight.subarray(part * size * inputs, (part + 1) * size * inputs),
    ...(bias && { bias: bias.subarray(part * size, (part + 1) * size) }),
    inputs,
    outputs: size,
  }));
}

function readLayer(reader: Reader, index: number): LayerWeights {
  const { names, config } = reader;
  const { width, heads, key_heads, head_size, inner } = config;
  const called = (part: keyof Names) => `${names.layer(index)}${names[part]}`;
  const affine = (part: keyof Names, inputs: number, outputs: number) =>
    reader.affine(called(part), inputs, outputs);
  const [query, key, value] = reader.isGpt2 ? parts(affine("fused", width, 3 * width)) : [
    reader.turned(called("query"), width, heads),
    reader.turned(called("key"), width, key_heads),
    affine("value", width, key_heads * head_size),
  ];
  const isQwen = config.architecture === "qwen3";
  return {
    attentionNorm: reader.norm(called("attentionNorm"), width),
    query,
    key,
    value,
    ...(isQwen && { queryNorm: reader.norm(called("queryNorm"), head_size) }),
    ...(isQwen && { keyNorm: reader.norm(called("keyNorm"), head_size) }),
    output: affine("output", heads * head_size, width),
    innerNorm: reader.norm(called("innerNorm"), width),
    ...(!reader.isGpt2 && { gate: affine("gate", width, inner) }),
    up: affine("up", width, inner),
    down: affine("down", inner, width),
  };
}

/**
 * Reads all weights of a checkpoint, tensor by tensor.
 *
 * @param precision Of embedding, maps and head: bfloat16 takes half the memory.
 * @throws InputError if a tensor is missing or of a shape that disagrees with the sizes.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { openCheckpoint, readWeights, writeRandomCheckpoint } from "sluice/models";
 * const folder = await Deno.makeTempDir();
 * writeRandomCheckpoint(folder, "seed 1");
 * const { config, file } = openCheckpoint(folder);
 * const { embedding, layers } = readWeights(file, config);
 * assert.equal(embedding.length, config.vocabulary * config.width);
 * assert.equal(layers[0].up.outputs, config.inner);
 * file.close();
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export function readWeights(
  file: WeightFile,
  config: ModelConfig,
  precision: Precision = "f32",
  look?: LookAtTensor,
): Weights {
  const reader = new Reader(file, config, precision, look);
  const { names, isGpt2 } = reader;
  const { width, vocabulary, context, tied } = config;
  const embedding = reader.table(names.embedding, vocabulary);
  return {
    embedding,
    ...(isGpt2 && { positions: reader.tensor(names.positions, [context, width]) }),
    layers: Array.from({ length: config.layers }, (_, index) => readLayer(reader, index)),
    finalNorm: reader.norm(names.finalNorm, width),
    head: tied ? embedding : reader.table(names.head, vocabulary),
  };
}
