/** The kind `amortised`: one policy for many data sets, each of which is a prompt. */
import { networkShape } from "../../amortised/network_shape.ts";
import { questionsKind } from "../../amortised/questions_kind.ts";
import { z } from "../../../base/zod.ts";
import { frozen, type PolicyKind, policyKind } from "../policy_kind.ts";

const parameters = z.strictObject({ kind: z.literal("amortised"), ...networkShape.shape, frozen });

/** Its configuration with the defaults. */
export type AmortisedConfig = z.output<typeof parameters>;

/** Attention over the predictors of the data set that a prompt is. */
export const amortised: PolicyKind<typeof parameters> = policyKind({
  kind: "amortised",
  parameters,
  readsFeatures: false,
  readsTokens: false,
  refusal({ kind }, called) {
    if (kind === questionsKind) return undefined;
    const message =
      `Cannot use an amortised policy on ${called}: it answers questions about data sets`;
    return { message, hint: "wire an environment of kind questions, as simulate gives it" };
  },
  open: async (config, opening) => {
    return (await import("../open_amortised.ts")).openAmortised(config, opening);
  },
});
