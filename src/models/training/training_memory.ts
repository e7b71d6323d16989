/** Computes the memory that training takes beside the weights of a model, before they are loaded. */
import { type ModelConfig, weightCount } from "../decoder/model_config.ts";

/** Trained part of a model. */
export type TrainedPart = "full" | { readonly rank: number; readonly lastLayers?: number };

/** Bytes of activations that a pass keeps by default. */
export const keptBytesOfPass: number = 352 << 20;

/** Bytes of a trained number: value, gradient and the two moments of AdamW, in single precision. */
const bytesOfNumber = 16;

/** Numbers that adapters on all linear maps of the last layers have; fewer where fewer maps are named. */
function adapterCount(
  config: ModelConfig,
  { rank, lastLayers = config.layers }: Exclude<TrainedPart, "full">,
): number {
  const { architecture, width, heads, key_heads, head_size, inner } = config;
  const [wide, narrow] = [heads * head_size, key_heads * head_size];
  const isGpt2 = architecture === "gpt2";
  const attention = isGpt2
    ? (width + wide + 2 * narrow) + (wide + width)
    : (width + wide) + 2 * (width + narrow) + (wide + width);
  const inside = (isGpt2 ? 2 : 3) * (width + inner);
  return rank * lastLayers * (attention + inside);
}

/**
 * Bytes that training takes beside the shared weights: trained numbers, and activations of a pass.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { keptBytesOfPass, trainingBytes } from "./training_memory.ts";
 * const smollm2 = {
 *   architecture: "llama", layers: 30, width: 576, heads: 9, key_heads: 3, head_size: 64, inner: 1536,
 *   vocabulary: 49152, context: 8192, epsilon: 1e-5, rotary_base: 1e5, tied: true,
 * } as const;
 * const adapters = trainingBytes(smollm2, { rank: 16 }) - keptBytesOfPass;
 * assert.equal(adapters, 16 * 4_884_480); // numbers of the adapters, 16 bytes each
 * ```
 */
export function trainingBytes(config: ModelConfig, part: TrainedPart): number {
  const count = part === "full" ? weightCount(config) : adapterCount(config, part);
  return bytesOfNumber * count + keptBytesOfPass;
}
