/** Layers of the published shapes of Qwen3 and GPT-2, of random weights, against PyTorch and PEFT. */
import assert from "node:assert/strict";
import { findBlas } from "../../../src/numerics/blas/blas_library.ts";
import type { ModelConfig } from "../../../src/models/decoder/model_config.ts";
import { publishedTensors } from "../../../src/models/decoder/published_weights.ts";
import { readWeights, type Weights } from "../../../src/models/decoder/weights.ts";
import { countOf, type TensorEntry } from "../../../src/models/files/weight_file.ts";
import { TrainedModel } from "../../../src/models/training/trained_model.ts";
import golden from "../../golden/published_shapes.json" with { type: "json" };
import { farthest } from "../checkpoints.ts";
import { farthestSummary } from "./golden_tree.ts";
import { noise } from "./random_weights.ts";

const common = { layers: 2, vocabulary: 512, context: 64, tied: true };
const configs: Readonly<Record<keyof typeof golden.cases, ModelConfig>> = {
  qwen3: {
    ...common,
    architecture: "qwen3",
    ...{ width: 1024, heads: 16, key_heads: 8, head_size: 128, inner: 3072 },
    ...{ epsilon: 1e-6, rotary_base: 1e6 },
  },
  gpt2: {
    ...common,
    architecture: "gpt2",
    ...{ width: 768, heads: 12, key_heads: 12, head_size: 64, inner: 3072 },
    ...{ epsilon: 1e-5, rotary_base: 0 },
  },
};

/** Weights as the golden's script makes them, by their published names. */
function randomWeights(config: ModelConfig): Weights {
  const tensors = new Map<string, TensorEntry>(
    publishedTensors(shapes(config), config).map(({ name, shape }) => [
      name,
      { name, shape, type: "F32" },
    ]),
  );
  const read = (name: string) => {
    const { shape } = tensors.get(name)!;
    const isVector = shape.length === 1;
    const values = noise(name, countOf(shape), isVector ? 0.3 : 0.05);
    return isVector && name.endsWith("weight") ? values.map((x) => x + 1) : values;
  };
  const file = { path: "random", format: "safetensors" as const, tensors, read, close: () => {} };
  return readWeights(file, config);
}

/** Weights of zeros, of which only the shapes matter. */
function shapes(config: ModelConfig): Weights {
  const { width, heads, key_heads, head_size, inner, vocabulary, context } = config;
  const isGpt2 = config.architecture === "gpt2";
  const map = (inputs: number, outputs: number) => ({
    weight: new Float32Array(inputs * outputs),
    ...(isGpt2 && { bias: new Float32Array(outputs) }),
    ...{ inputs, outputs },
  });
  const norm = (size: number) => ({
    gain: new Float32Array(size),
    ...(isGpt2 && { shift: new Float32Array(size) }),
  });
  const layer = {
    attentionNorm: norm(width),
    query: map(width, heads * head_size),
    key: map(width, key_heads * head_size),
    value: map(width, key_heads * head_size),
    ...(!isGpt2 && { queryNorm: norm(head_size), keyNorm: norm(head_size) }),
    output: map(heads * head_size, width),
    innerNorm: norm(width),
    ...(!isGpt2 && { gate: map(width, inner) }),
    up: map(width, inner),
    down: map(inner, width),
  };
  const embedding = new Float32Array(vocabulary * width);
  return {
    embedding,
    ...(isGpt2 && { positions: new Float32Array(context * width) }),
    layers: Array.from({ length: config.layers }, () => layer),
    finalNorm: norm(width),
    head: embedding,
  };
}

const found = findBlas();
const blas = "blas" in found ? found.blas : undefined;

for (const [name, config] of Object.entries(configs)) {
  Deno.test(`layers of ${name} as published have PyTorch's scores and PEFT's gradients`, () => {
    const { ids, log_probabilities, gradients } = golden.cases[name as keyof typeof configs];
    const adapter = { rank: 16, alpha: 32, targets: "all-linear" as const };
    const base = { name, sha256: "" };
    const weights = randomWeights(config);
    const model = new TrainedModel({ config, weights, base, adapter, seedKey: "", blas });
    for (const { name, values } of model.trained) {
      const view = values();
      view.set(noise(name, view.length, 0.03));
    }
    const parents = Int32Array.from(ids, (_, node) => node - 1);
    const rows = ids.slice(1).map((id, node) => ({
      node,
      legal: "all" as const,
      picked: Int32Array.of(id),
    }));
    const pass = model.pass({ ids: Int32Array.from(ids), parents }, rows, { grad: true });
    const scores = pass.logProbabilities.map(([score]) => score);
    assert(farthest(scores, log_probabilities) < 1e-4);
    pass.backward(rows.map(() => Float64Array.of(-1 / rows.length)));
    pass.release();
    const all = new Map(model.trained.map((one) => [one.name, one.gradient()]));
    assert.equal(all.size, Object.keys(gradients).length);
    assert(farthestSummary(all, gradients) < 1e-3);
  });
}
