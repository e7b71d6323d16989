/** The kind `mlp`: a multilayer perceptron over the features that the environment gives its states. */
import { z } from "../../../base/zod.ts";
import { backend, backward, frozen, type PolicyKind, policyKind } from "../policy_kind.ts";

const parameters = z.strictObject({
  kind: z.literal("mlp"),
  layers: z.int().min(1).max(16).default(2).describe("hidden layers"),
  width: z.int().min(1).default(256).describe("width of each hidden layer"),
  activation: z.enum(["relu", "leaky_relu"]).default("leaky_relu").describe(
    "activation of hidden layers",
  ),
  backward,
  backend,
  frozen,
});

/** Its configuration with the defaults. */
export type MlpConfig = z.output<typeof parameters>;

/** A multilayer perceptron. */
export const mlp: PolicyKind<typeof parameters> = policyKind({
  kind: "mlp",
  parameters,
  readsFeatures: true,
  readsTokens: false,
  refusal({ features }, called) {
    if (features) return undefined;
    const message = `Cannot use an mlp on ${called}: the environment describes no features`;
    return { message, hint: 'choose "transformer" or "table"' };
  },
  open: async (config, opening) => (await import("../open_mlp.ts")).openMlp(config, opening),
});
