/** The kind `transformer`: a small decoder over actions, which reads how a state was reached. */
import { z } from "../../../base/zod.ts";
import { backend, frozen, type PolicyKind, policyKind } from "../policy_kind.ts";

const parameters = z.strictObject({
  kind: z.literal("transformer"),
  layers: z.int().min(1).max(64).default(2).describe("decoder blocks"),
  width: z.int().min(4).default(64).describe("size of the residual stream"),
  heads: z.int().min(1).default(4).describe("attention heads; divides width"),
  backend,
  frozen,
}).superRefine(({ width, heads }, context) => {
  if (width % heads === 0) return;
  const message = `width ${width} is not a multiple of heads ${heads}: change one of them`;
  context.addIssue({ code: "custom", message });
});

/** Its configuration with the defaults. */
export type TransformerConfig = z.output<typeof parameters>;

/** A small decoder, for trees. */
export const transformer: PolicyKind<typeof parameters> = policyKind({
  kind: "transformer",
  parameters,
  readsFeatures: false,
  readsTokens: false,
  refusal({ backward }, called) {
    if (!backward) return undefined;
    const message = `Cannot use a transformer on ${called}: several ways lead to one of its states`;
    const hint = 'a transformer reads the way; choose "mlp" or "table", which read the state';
    return { message, hint };
  },
  open: async (config, opening) =>
    (await import("../open_transformer.ts")).openTransformer(config, opening),
});
