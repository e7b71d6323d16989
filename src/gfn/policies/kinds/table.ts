/** The kind `table`: logits per state, for few states and tests. */
import { z } from "../../../base/zod.ts";
import { backward, type PolicyKind, policyKind } from "../policy_kind.ts";
import { TableNetwork } from "../table.ts";

const parameters = z.strictObject({ kind: z.literal("table"), backward });

/** Logits per state. */
export const table: PolicyKind<typeof parameters> = policyKind({
  kind: "table",
  parameters,
  readsFeatures: true,
  readsTokens: false,
  refusal: () => undefined,
  open(_config, { header: { actions, backward }, source }) {
    const sizes = { actions, backward };
    return Promise.resolve(
      typeof source === "string"
        ? new TableNetwork(sizes)
        : TableNetwork.fromTensors(sizes, source),
    );
  },
});
