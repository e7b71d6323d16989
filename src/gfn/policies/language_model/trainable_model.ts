/** Trainable part of a model, beside its frozen weights. */
import type { Blas } from "../../../numerics/blas/mod.ts";
import type { Affine, LayerWeights, Norm, Weights } from "../../../models/decoder/mod.ts";
import { configOf, type ModelEntry } from "../../../models/store/mod.ts";
import {
  type RememberedRows,
  TrainedModel,
  type TrainedPart,
} from "../../../models/training/mod.ts";
import type { LanguageModelConfig } from "../kinds/language_model.ts";

/** Initial values and computation of the trained part. */
interface TrainableOptions {
  readonly adapter: LanguageModelConfig["adapter"];
  /** Names the random numbers of the first values. */
  readonly seedKey: string;
  readonly blas?: Blas | undefined;
  /** Computes products with frozen weights. */
  readonly device?: Blas | undefined;
  /** Remembered outputs of layers that no adapter changes, shared with other policies of these options. */
  readonly remembered?: RememberedRows;
}

/**
 * The model of these weights with a fresh adapter, or a copy of them where all of them learn.
 *
 * @throws InputError if the targets of an adapter match no map.
 */
export function trainableModel(
  entry: ModelEntry,
  shared: Weights,
  { adapter, seedKey, blas, device, remembered }: TrainableOptions,
): TrainedModel {
  const { name, sha256 } = entry;
  const weights = adapter === "full" ? copyOf(shared) : shared;
  return new TrainedModel({
    config: configOf(entry),
    weights,
    base: { name, sha256 },
    seedKey,
    adapter: adapter === "full" ? adapter : specOf(adapter),
    blas,
    device,
    remembered,
  });
}

function specOf(
  { last_layers: lastLayers, dropout, ...rest }: Exclude<LanguageModelConfig["adapter"], "full">,
) {
  return {
    ...rest,
    ...(lastLayers === undefined ? {} : { lastLayers }),
    ...(dropout === undefined ? {} : { dropout }),
  };
}

/** The part that will be trained, for estimates of its memory. */
export function trainedPart(adapter: LanguageModelConfig["adapter"]): TrainedPart {
  return adapter === "full" ? adapter : specOf(adapter);
}

/** Weights that may be written into; the head stays the embedding where it was. */
function copyOf(weights: Weights): Weights {
  const { embedding, positions, layers, finalNorm, head } = weights;
  const words = embedding.slice();
  return {
    embedding: words,
    ...(positions && { positions: positions.slice() }),
    layers: layers.map(copyLayer),
    finalNorm: copyNorm(finalNorm),
    head: head === embedding ? words : head.slice(),
  };
}

function copyLayer(layer: LayerWeights): LayerWeights {
  const parts = Object.entries(layer).filter(([, part]) => part !== undefined);
  return Object.fromEntries(
    parts.map(([name, part]) => [name, "gain" in part ? copyNorm(part) : copyAffine(part)]),
  ) as unknown as LayerWeights;
}

function copyNorm({ gain, shift }: Norm): Norm {
  return { gain: gain.slice(), ...(shift && { shift: shift.slice() }) };
}

function copyAffine(map: Affine): Affine {
  return { ...map, weight: map.weight.slice(), ...(map.bias && { bias: map.bias.slice() }) };
}
