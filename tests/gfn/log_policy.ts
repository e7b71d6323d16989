/** Log probabilities of objects under a policy. */
import { type EnumeratedTarget, policyMass } from "../../src/gfn/evaluation/exact.ts";
import type { Policy } from "../../src/gfn/policies/policy.ts";

/** `[objects]`: log P(x) under a policy. */
export async function logPolicy(policy: Policy, target: EnumeratedTarget): Promise<Float64Array> {
  return (await policyMass(policy, target)).logP;
}
