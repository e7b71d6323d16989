/** Weight decay is asked of policies whose optimiser has it. */
import { inputError } from "../../base/diagnostic.ts";
import type { Policy } from "./policy.ts";

/**
 * Refuses weight decay for a policy whose optimiser has none.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { requireDecay } from "./require_decay.ts";
 * const mlp = { kind: "mlp", decaysWeights: false };
 * assert.throws(() => requireDecay(mlp as never, 0.1), /has no decay/);
 * ```
 *
 * @throws InputError if a decay is asked of a policy whose optimiser has none.
 */
export function requireDecay({ kind, decaysWeights }: Policy, weightDecay = 0): void {
  if (weightDecay === 0 || decaysWeights) return;
  const message =
    `Cannot decay the weights of a policy of kind ${kind}: its optimiser has no decay`;
  throw inputError("learn/decay", message, undefined, "leave out weight_decay");
}
