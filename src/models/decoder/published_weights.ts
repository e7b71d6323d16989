/** Weights as transformers names and stores them, which `readWeights` reads from safetensors. */
import { type FrozenNumbers, singlesOf } from "../../numerics/blas/mod.ts";
import type { NamedTensor } from "../../base/safetensors.ts";
import type { ModelConfig } from "./model_config.ts";
import { type Affine, type LayerWeights, type Norm, transpose, type Weights } from "./weights.ts";

/** Name and map of each linear map of a layer, and its norms. */
interface Parts {
  readonly maps: Readonly<Record<string, Affine>>;
  readonly norms: Readonly<Record<string, Norm>>;
}

function parts(layer: LayerWeights): Parts {
  const { queryNorm, keyNorm, gate } = layer;
  return {
    maps: {
      "self_attn.q_proj": layer.query,
      "self_attn.k_proj": layer.key,
      "self_attn.v_proj": layer.value,
      "self_attn.o_proj": layer.output,
      ...(gate && { "mlp.gate_proj": gate }),
      "mlp.up_proj": layer.up,
      "mlp.down_proj": layer.down,
    },
    norms: {
      input_layernorm: layer.attentionNorm,
      ...(queryNorm && { "self_attn.q_norm": queryNorm }),
      ...(keyNorm && { "self_attn.k_norm": keyNorm }),
      post_attention_layernorm: layer.innerNorm,
    },
  };
}

function partsGpt2(layer: LayerWeights): Parts {
  return {
    maps: {
      "attn.c_attn": fused([layer.query, layer.key, layer.value]),
      "attn.c_proj": layer.output,
      "mlp.c_fc": layer.up,
      "mlp.c_proj": layer.down,
    },
    norms: { ln_1: layer.attentionNorm, ln_2: layer.innerNorm },
  };
}

/** Maps of the same inputs as one. */
function fused(maps: readonly Affine[]): Affine {
  const outputs = maps.reduce((sum, one) => sum + one.outputs, 0);
  const join = (arrays: readonly Float32Array[]) =>
    Float32Array.from(arrays.flatMap((values) => [...values]));
  const biases = maps.flatMap(({ bias }) => bias ? [bias] : []);
  return {
    weight: join(maps.map(({ weight }) => singlesOf(weight))),
    ...(biases.length > 0 && { bias: join(biases) }),
    inputs: maps[0].inputs,
    outputs,
  };
}

/** All tensors of a checkpoint; a head that is the embedding is left out. */
export function publishedTensors(weights: Weights, config: ModelConfig): NamedTensor[] {
  const isGpt2 = config.architecture === "gpt2";
  const { width, vocabulary, context } = config;
  const [prefix, list] = isGpt2 ? ["transformer.", "h"] : ["model.", "layers"];
  const table = (name: string, rows: number, values: FrozenNumbers) => ({
    name,
    shape: [rows, width],
    values: singlesOf(values),
  });
  const { positions } = weights;
  return [
    table(`${prefix}${isGpt2 ? "wte" : "embed_tokens"}.weight`, vocabulary, weights.embedding),
    ...(positions ? [table(`${prefix}wpe.weight`, context, positions)] : []),
    ...weights.layers.flatMap((layer, index) => {
      const { maps, norms } = isGpt2 ? partsGpt2(layer) : parts(layer);
      const at = `${prefix}${list}.${index}.`;
      return [
        ...Object.entries(maps).flatMap(([name, map]) => mapTensors(`${at}${name}`, map, isGpt2)),
        ...Object.entries(norms).flatMap(([name, norm]) => normTensors(`${at}${name}`, norm)),
      ];
    }),
    ...normTensors(`${prefix}${isGpt2 ? "ln_f" : "norm"}`, weights.finalNorm),
    ...(config.tied ? [] : [table("lm_head.weight", vocabulary, weights.head)]),
  ];
}

/** GPT-2's `Conv1D` is stored by inputs. */
function mapTensors(name: string, map: Affine, isTransposed: boolean): NamedTensor[] {
  const { weight, bias, inputs, outputs } = map;
  const plain = singlesOf(weight);
  const values = isTransposed ? transpose(plain, outputs, inputs) : plain;
  const shape = isTransposed ? [inputs, outputs] : [outputs, inputs];
  return [
    { name: `${name}.weight`, shape, values },
    ...(bias ? [{ name: `${name}.bias`, shape: [outputs], values: bias }] : []),
  ];
}

function normTensors(name: string, { gain, shift }: Norm): NamedTensor[] {
  const shape = [gain.length];
  return [
    { name: `${name}.weight`, shape, values: gain },
    ...(shift ? [{ name: `${name}.bias`, shape, values: shift }] : []),
  ];
}

/** The `config.json` of these sizes, as transformers writes it. */
export function publishedConfig(config: ModelConfig, weights?: Weights): Record<string, unknown> {
  const { architecture } = config;
  const type = { gpt2: "GPT2LMHeadModel", llama: "LlamaForCausalLM", qwen3: "Qwen3ForCausalLM" };
  const common = {
    model_type: architecture,
    architectures: [type[architecture]],
    vocab_size: config.vocabulary,
    tie_word_embeddings: config.tied,
    dtype: "float32",
  };
  if (architecture === "gpt2") {
    return {
      ...common,
      n_layer: config.layers,
      n_embd: config.width,
      n_head: config.heads,
      n_inner: config.inner,
      n_positions: config.context,
      layer_norm_epsilon: config.epsilon,
      activation_function: "gelu_new",
    };
  }
  return {
    ...common,
    num_hidden_layers: config.layers,
    hidden_size: config.width,
    num_attention_heads: config.heads,
    num_key_value_heads: config.key_heads,
    head_dim: config.head_size,
    intermediate_size: config.inner,
    max_position_embeddings: config.context,
    rms_norm_eps: config.epsilon,
    rope_theta: config.rotary_base,
    hidden_act: "silu",
    attention_bias: weights?.layers[0].query.bias !== undefined,
    mlp_bias: weights?.layers[0].up.bias !== undefined,
  };
}
