/** Entry of a model that was added: the contents of its `model.json`. */
import { z } from "../../base/zod.ts";
import { architectures, type ModelConfig } from "../decoder/model_config.ts";

const count = z.int().positive();

const token = z.strictObject({ token: z.string(), id: z.int().nonnegative() }).nullable();

/** The schema of `model.json`. */
export const modelEntrySchema = z.strictObject({
  format: z.literal(1),
  /** Name in pipelines and commands. */
  name: z.string(),
  /** SHA-256 of the GGUF file, or of names and digests of all files: which model it is. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  architecture: z.enum(architectures),
  sizes: z.strictObject({
    layers: count,
    width: count,
    heads: count,
    key_heads: count,
    head_size: count,
    inner: count,
    vocabulary: count,
    context: count,
    epsilon: z.number().positive(),
    rotary_base: z.number().nonnegative(),
    tied: z.boolean(),
  }),
  /** Numbers of all tensors. */
  parameters: count,
  /** False where the tokenizer alone was added: it reads texts for a model on a server. */
  weights: z.literal(false).optional(),
  files: z.array(z.strictObject({ name: z.string(), bytes: z.number(), sha256: z.string() })),
  /** SHA-256 of the canonical JSON of `tokenizer.json`, and the largest id plus one. */
  tokenizer: z.strictObject({ sha256: z.string(), size: count }),
  chat_template: z.string().nullable(),
  /** The system message that the template puts before a conversation without one. */
  system_text: z.string().nullable(),
  /** The token given which a text's first one is scored; null where scores begin with the second. */
  begin: token,
  begin_is_added: z.boolean(),
  /** The token that ends an answer. */
  end: token,
  source: z.string(),
  licence: z.string().nullable(),
});

/** A model that was added. */
export type ModelEntry = z.infer<typeof modelEntrySchema>;

/**
 * Its sizes as the decoder has them.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { configOf } from "./model_entry.ts";
 * const entry = { architecture: "llama", sizes: { layers: 2 } };
 * assert.deepEqual(configOf(entry as never), { architecture: "llama", layers: 2 });
 * ```
 */
export function configOf({ architecture, sizes }: ModelEntry): ModelConfig {
  return { architecture, ...sizes };
}
