/** The weights that a trained model computes with, adapters added to their maps. */
import { singlesOf } from "../../numerics/blas/mod.ts";
import { encodeTensors } from "../../base/safetensors.ts";
import type { Body } from "../decoder/body.ts";
import type { PlacedAffine, PlacedNorm } from "../decoder/placed.ts";
import { publishedConfig, publishedTensors } from "../decoder/published_weights.ts";
import type { Affine, Norm, Weights } from "../decoder/weights.ts";

/** Copies norms, biases and adapted maps; other maps are shared. */
function mergedWeights(body: Body): Weights {
  const { weights, config: { width, head_size } } = body;
  const norm = (one: PlacedNorm, size: number): Norm => ({
    gain: body.memory.f32(one.gain, size).slice(),
    ...(one.shift !== undefined && { shift: body.memory.f32(one.shift, size).slice() }),
  });
  const layers = body.layers.map((layer) => ({
    attentionNorm: norm(layer.attentionNorm, width),
    query: mergedMap(layer.query),
    key: mergedMap(layer.key),
    value: mergedMap(layer.value),
    ...(layer.queryNorm && { queryNorm: norm(layer.queryNorm, head_size) }),
    ...(layer.keyNorm && { keyNorm: norm(layer.keyNorm, head_size) }),
    output: mergedMap(layer.output),
    innerNorm: norm(layer.innerNorm, width),
    ...(layer.gate && { gate: mergedMap(layer.gate) }),
    up: mergedMap(layer.up),
    down: mergedMap(layer.down),
  }));
  return { ...weights, layers, finalNorm: norm(body.norm, width) };
}

/** W + (alpha / rank) B A, in double precision before it is rounded once. */
function mergedMap({ map, bias, adapter, products: { memory } }: PlacedAffine): Affine {
  const { inputs, outputs } = map;
  const own = bias === undefined ? {} : { bias: memory.f32(bias, outputs).slice() };
  if (!adapter) return { ...map, ...own };
  const { places, sizes: { rank, alpha } } = adapter;
  const [a, b] = [memory.f32(places.a, rank * inputs), memory.f32(places.b, outputs * rank)];
  const weight = singlesOf(map.weight).slice();
  const sums = new Float64Array(inputs);
  for (let row = 0; row < outputs; row++) {
    sums.fill(0);
    for (let r = 0; r < rank; r++) {
      const factor = alpha / rank * b[row * rank + r];
      for (let c = 0; c < inputs; c++) sums[c] += factor * a[r * inputs + c];
    }
    for (let c = 0; c < inputs; c++) weight[row * inputs + c] += sums[c];
  }
  return { ...map, weight, ...own };
}

/** Weights and configuration by name, as transformers, vLLM and Sluice load them; no tokenizer. */
export function mergedFiles(body: Body): ReadonlyMap<string, Uint8Array> {
  const weights = mergedWeights(body);
  const config = JSON.stringify(publishedConfig(body.config, weights), null, 2);
  return new Map([
    ["model.safetensors", encodeTensors(publishedTensors(weights, body.config), { format: "pt" })],
    ["config.json", new TextEncoder().encode(config)],
  ]);
}
