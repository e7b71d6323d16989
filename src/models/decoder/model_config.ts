/** Sizes of a decoder, read from `config.json` or from GGUF metadata. */
import type { MetadataValue } from "../files/gguf_header.ts";
import { modelError } from "../files/model_error.ts";

/** Architectures that are computed here. */
export const architectures = ["llama", "qwen3", "gpt2"] as const;

/** One of them. */
export type Architecture = typeof architectures[number];

/** Architecture and sizes of a decoder. */
export interface ModelConfig {
  /** Decides norms, activation and positions. */
  readonly architecture: Architecture;
  /** Number of layers. */
  readonly layers: number;
  /** Numbers of a position between layers. */
  readonly width: number;
  /** Query heads. */
  readonly heads: number;
  /** Heads of keys and values; query heads share them in groups. */
  readonly key_heads: number;
  /** Numbers of one head. */
  readonly head_size: number;
  /** Inner width of the multilayer perceptron. */
  readonly inner: number;
  /** Number of tokens. */
  readonly vocabulary: number;
  /** Most positions. */
  readonly context: number;
  /** Added to mean squares. */
  readonly epsilon: number;
  /** Base of rotary positions; 0 where positions are learned. */
  readonly rotary_base: number;
  /** Whether the head is the embedding. */
  readonly tied: boolean;
}

/** Access to one source of sizes. */
interface Source {
  readonly path: string;
  get(name: string): unknown;
}

function fault(path: string, kind: string, problem: string, mend: string) {
  return modelError({ kind, path, problem, mend });
}

function size({ path, get }: Source, name: string, otherwise?: number): number {
  const value = get(name) ?? otherwise;
  if (typeof value === "number" && Number.isFinite(value) && value > 0) return value;
  const found = value === undefined ? "missing" : JSON.stringify(value);
  throw fault(
    path,
    "config",
    `${name} is ${found}, a positive number is wanted`,
    "add a whole model",
  );
}

function architectureOf(path: string, name: unknown): Architecture {
  const found = architectures.find((one) => one === name);
  if (found) return found;
  const problem = `its architecture is ${JSON.stringify(name)}, computed are ${
    architectures.join(", ")
  }`;
  throw fault(path, "architecture", problem, "choose a model of Llama, Qwen3 or GPT-2");
}

/** Reads `config.json` as transformers writes it. @throws InputError if something is missing. */
export function configOfJson(path: string, json: Readonly<Record<string, unknown>>): ModelConfig {
  const source: Source = { path, get: (name) => json[name] };
  const architecture = architectureOf(path, json.model_type);
  if (architecture === "gpt2") return checked(path, gpt2Config(source, json));
  refuse(path, "hidden_act", json.hidden_act ?? "silu", "silu");
  refuse(path, "rope_scaling", scalingOf(json), "default");
  const [width, heads] = [size(source, "hidden_size"), size(source, "num_attention_heads")];
  const rope = (json.rope_parameters ?? {}) as Readonly<Record<string, unknown>>;
  return checked(path, {
    architecture,
    layers: size(source, "num_hidden_layers"),
    width,
    heads,
    key_heads: size(source, "num_key_value_heads", heads),
    head_size: size(source, "head_dim", width / heads),
    inner: size(source, "intermediate_size"),
    vocabulary: size(source, "vocab_size"),
    context: size(source, "max_position_embeddings"),
    epsilon: size(source, "rms_norm_eps"),
    rotary_base: size({ path, get: (name) => json[name] ?? rope[name] }, "rope_theta"),
    tied: json.tie_word_embeddings === true,
  });
}

function gpt2Config(source: Source, json: Readonly<Record<string, unknown>>): ModelConfig {
  refuse(source.path, "activation_function", json.activation_function ?? "gelu_new", "gelu_new");
  const [width, heads] = [size(source, "n_embd"), size(source, "n_head")];
  return {
    architecture: "gpt2",
    layers: size(source, "n_layer"),
    width,
    heads,
    key_heads: heads,
    head_size: width / heads,
    inner: size(source, "n_inner", 4 * width),
    vocabulary: size(source, "vocab_size"),
    context: size(source, "n_positions"),
    epsilon: size(source, "layer_norm_epsilon"),
    rotary_base: 0,
    tied: json.tie_word_embeddings !== false,
  };
}

/** Newer files have the kind of rotary positions in `rope_parameters`. */
function scalingOf(json: Readonly<Record<string, unknown>>): unknown {
  const old = json.rope_scaling as { readonly type?: string; readonly rope_type?: string } | null;
  const present = json.rope_parameters as { readonly rope_type?: string } | undefined;
  return old?.rope_type ?? old?.type ?? present?.rope_type ?? "default";
}

function refuse(path: string, name: string, found: unknown, wanted: string): void {
  if (found === wanted) return;
  const problem = `${name} is ${JSON.stringify(found)}, computed is "${wanted}"`;
  throw fault(path, "config", problem, "choose a model without it");
}

type Metadata = ReadonlyMap<string, MetadataValue>;

/** Reads the metadata of a GGUF file. @throws InputError if something is missing. */
export function configOfGguf(path: string, metadata: Metadata, tied: boolean): ModelConfig {
  const architecture = architectureOf(path, metadata.get("general.architecture"));
  const get = (name: string) => metadata.get(`${architecture}.${name}`);
  const source: Source = { path, get };
  refuse(path, "rope.scaling.type", get("rope.scaling.type") ?? "none", "none");
  const [width, heads] = [size(source, "embedding_length"), size(source, "attention.head_count")];
  const tokens = metadata.get("tokenizer.ggml.tokens") as readonly string[] | undefined;
  const isGpt2 = architecture === "gpt2";
  return checked(path, {
    architecture,
    layers: size(source, "block_count"),
    width,
    heads,
    key_heads: size(source, "attention.head_count_kv", heads),
    head_size: size(source, "attention.key_length", width / heads),
    inner: size(source, "feed_forward_length"),
    vocabulary: size(source, "vocab_size", tokens?.length),
    context: size(source, "context_length"),
    epsilon: size(source, `attention.layer_norm_${isGpt2 ? "" : "rms_"}epsilon`),
    rotary_base: isGpt2 ? 0 : size(source, "rope.freq_base", 10_000),
    tied,
  });
}

/** Kernels read four numbers at a time, and heads share keys in equal groups. */
function checked(path: string, config: ModelConfig): ModelConfig {
  const { width, head_size, inner, heads, key_heads } = config;
  const odd = Object.entries({ width, inner, "half a head": head_size / 2 })
    .find(([, count]) => count % 4 !== 0);
  if (odd) {
    const problem = `${odd[0]} is ${odd[1]} numbers, a multiple of 4 is wanted`;
    throw fault(path, "config", problem, "choose a model whose sizes are multiples of 8");
  }
  if (heads % key_heads === 0) return config;
  const problem = `it has ${heads} heads for ${key_heads} of keys, equal groups are wanted`;
  throw fault(path, "config", problem, "choose another model");
}

/** Numbers that the weights of a model have. */
export function weightCount(config: ModelConfig): number {
  const { layers, width, heads, key_heads, head_size, inner, vocabulary, context } = config;
  const isGpt2 = config.architecture === "gpt2";
  const attention = 2 * width * head_size * (heads + key_heads);
  const perceptron = (isGpt2 ? 2 : 3) * width * inner;
  const positions = isGpt2 ? context * width : 0;
  const head = config.tied ? 1 : 2;
  return layers * (attention + perceptron) + head * vocabulary * width + positions;
}
