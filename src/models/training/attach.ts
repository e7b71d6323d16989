/** Puts adapters on the maps of a decoder, or gradients under all of its weights. */
import { singlesOf } from "../../numerics/blas/mod.ts";
import { RandomStream } from "../../base/random.ts";
import { Adapter } from "../decoder/adapter.ts";
import type { Body } from "../decoder/body.ts";
import type { Dropout } from "../decoder/dropout.ts";
import type { PlacedAffine, PlacedNorm } from "../decoder/placed.ts";
import { inputError } from "../../base/diagnostic.ts";
import {
  frozenLayers,
  type LinearMap,
  linearMaps,
  matchTargets,
  type Targets,
} from "./linear_maps.ts";
import type { Trained } from "./trained.ts";

/** Low-rank adapters, the trained part of a model. */
export interface AdapterSpec {
  /** Rank, a multiple of four. */
  readonly rank: number;
  /** Outputs of an adapter are scaled by alpha / rank. */
  readonly alpha: number;
  /** Linear maps that get an adapter. */
  readonly targets: Targets;
  /** Layers that are adapted, counted from the last one; all unless given. */
  readonly lastLayers?: number;
  /** Share of an adapter's inputs that each pass with a gradient leaves out; none unless given. */
  readonly dropout?: number;
}

/** Where PEFT has a module of the model that it wraps. */
export const peftPrefix = "base_model.model.";

/**
 * Adapters on the maps that targets name. A begins uniform on ±1/√inputs, as PEFT has it, and B as
 * zeros, so that the adapted model begins as the frozen one.
 *
 * @param seedKey Equal keys give equal A.
 * @throws InputError if the rank is not a multiple of four, or a target matches no map.
 */
export function attachAdapters(
  body: Body,
  spec: AdapterSpec,
  seedKey: string,
  dropout?: Dropout,
): Trained[] {
  const { rank } = spec;
  if (!(rank > 0 && rank % 4 === 0)) {
    const message = `Cannot adapt a model: rank is ${rank}, a positive multiple of 4 is wanted`;
    throw inputError("model/rank", message, undefined, "choose a rank of 4, 8, 16, …");
  }
  const maps = matchTargets(
    linearMaps(body, frozenLayers(body.layers.length, spec.lastLayers)),
    spec.targets,
  );
  return maps.flatMap((map, i) =>
    attachAdapter(body, map, spec, seedKey, dropout && { dropout, map: i })
  );
}

function attachAdapter(
  { memory, products }: Body,
  { name, parts }: LinearMap,
  { rank, alpha }: AdapterSpec,
  seedKey: string,
  left: Adapter["left"],
): Trained[] {
  const { inputs } = parts[0].map;
  const outputs = parts.reduce((sum, { map }) => sum + map.outputs, 0);
  const [a, aGradient] = [0, 0].map(() => memory.zeros(rank * inputs));
  const [b, bGradient] = [0, 0].map(() => memory.zeros(outputs * rank));
  const stream = new RandomStream(seedKey, "adapter", name);
  const bound = 1 / Math.sqrt(inputs);
  const first = memory.f32(a, rank * inputs);
  for (let i = 0; i < first.length; i++) first[i] = bound * (2 * stream.uniform() - 1);
  let before = 0;
  for (const part of parts) {
    const places = { a, aGradient, b: b + before, bGradient: bGradient + before };
    part.adapter = new Adapter(products, { ...part.map, rank, alpha }, places, left);
    before += 4 * part.map.outputs * rank;
  }
  const view = (address: number, count: number) => () => memory.f32(address, count);
  const trained = (letter: string, at: number, gradient: number, shape: readonly number[]) => ({
    name: `${peftPrefix}${name}.lora_${letter}.weight`,
    shape,
    values: view(at, shape[0] * shape[1]),
    gradient: view(gradient, shape[0] * shape[1]),
  });
  return [
    trained("A", a, aGradient, [rank, inputs]),
    trained("B", b, bGradient, [outputs, rank]),
  ];
}

/** Where gradients of embeddings and head are added. */
export interface EmbeddingGradients {
  /** Address of `[vocabulary, width]`. */
  readonly embedding: number;
  /** The same as that of the embedding where they are tied. */
  readonly head: number;
  /** 0 where positions are not learned. */
  readonly positions: number;
}

/** Gradients under all weights, which then change where they lie. */
export function attachWeights(body: Body): {
  readonly trained: Trained[];
  readonly embedding: EmbeddingGradients;
} {
  const { memory, weights, config: { width, vocabulary, context } } = body;
  const trained: Trained[] = [];
  const add = (name: string, shape: readonly number[], values: () => Float32Array): number => {
    const count = shape.reduce((product, n) => product * n, 1);
    const gradient = memory.zeros(count);
    trained.push({ name, shape, values, gradient: () => memory.f32(gradient, count) });
    return gradient;
  };
  const placed = (name: string, address: number, count: number) =>
    add(name, [count], () => memory.f32(address, count));
  const norm = (name: string, one: PlacedNorm | undefined, size: number) => {
    if (!one) return;
    const gain = placed(`${name}.gain`, one.gain, size);
    const shift = one.shift === undefined ? 0 : placed(`${name}.shift`, one.shift, size);
    one.gradients = { gain, shift };
  };
  const affine = (name: string, one: PlacedAffine | undefined) => {
    if (!one) return;
    const { inputs, outputs } = one.map;
    const values = singlesOf(one.map.weight);
    const weight = add(`${name}.weight`, [outputs, inputs], () => values);
    const bias = one.bias === undefined ? 0 : placed(`${name}.bias`, one.bias, outputs);
    one.gradients = { weight, bias };
  };
  const embedding = add("embedding", [vocabulary, width], () => singlesOf(weights.embedding));
  const { positions: learned, head: open } = weights;
  const positions = learned ? add("positions", [context, width], () => learned) : 0;
  body.layers.forEach((layer, index) => {
    const at = (part: string) => `layers.${index}.${part}`;
    norm(at("attentionNorm"), layer.attentionNorm, width);
    for (const part of ["query", "key", "value"] as const) affine(at(part), layer[part]);
    for (const part of ["queryNorm", "keyNorm"] as const) {
      norm(at(part), layer[part], body.config.head_size);
    }
    affine(at("output"), layer.output);
    norm(at("innerNorm"), layer.innerNorm, width);
    for (const part of ["gate", "up", "down"] as const) affine(at(part), layer[part]);
  });
  norm("finalNorm", body.norm, width);
  const isTied = open === weights.embedding;
  const head = isTied ? embedding : add("head", [vocabulary, width], () => singlesOf(open));
  return { trained, embedding: { embedding, head, positions } };
}
