/** The kind `language_model`: a published model, of which an adapter learns; actions are its tokens. */
import { modelName } from "../../../base/model_name.ts";
import { z } from "../../../base/zod.ts";
import { tokensKind } from "../../environments/tokens.ts";
import { type PolicyKind, policyKind } from "../policy_kind.ts";

const adapter = z.strictObject({
  rank: z.int().min(4).multipleOf(4).default(16).describe("rank of the two maps"),
  alpha: z.number().positive().default(32).describe("their product is scaled by alpha / rank"),
  targets: z.union([z.literal("all-linear"), z.array(z.string().min(1)).min(1)])
    .default("all-linear").describe('maps to adapt: all, or a list such as ["q_proj"]'),
  last_layers: z.int().positive().optional()
    .describe("number of last layers to adapt (default: all)"),
  dropout: z.number().gt(0).lt(1).optional()
    .describe("dropout of an adapter's inputs in training"),
});

const parameters = z.strictObject({
  kind: z.literal("language_model"),
  model: modelName().describe("a model of the project: sluice model list"),
  adapter: z.union([adapter, z.literal("full")]).prefault({})
    .describe(
      'trained weights: low-rank maps beside the frozen ones (LoRA), or "full": all weights',
    ),
  precision: z.enum(["f32", "bf16"]).default("f32")
    .describe(
      "precision of the frozen weights; bf16 takes half the memory and rounds inputs of products",
    ),
  context: z.int().min(2).default(512).describe(
    "most tokens of a text, the beginning token included",
  ),
  backend: z.enum(["fused", "blas", "cuda"]).default("fused")
    .describe(
      "backend: own kernels, these with OpenBLAS or Accelerate, or with an NVIDIA GPU",
    ),
});

/** Its configuration with the defaults. */
export type LanguageModelConfig = z.output<typeof parameters>;

/** A language model, for environments in its tokens. */
export const languageModel: PolicyKind<typeof parameters> = policyKind({
  kind: "language_model",
  parameters,
  readsFeatures: false,
  readsTokens: true,
  refusal({ kind, rows }, called) {
    if (kind === tokensKind || (kind === "custom" && rows)) return undefined;
    const message = `Cannot use a language model on ${called}: its actions are no tokens`;
    const hint = 'lift it by a stage of kind = "tokens" with the same model, and wire that';
    return { message, hint };
  },
  open: async (config, opening) =>
    (await import("../language_model/open_language_model.ts")).openLanguageModel(config, opening),
});
