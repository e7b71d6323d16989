/** Whether the engine has to compute log p(y): where a judge of the target weighs by it. */
import type { WeightedJudges } from "./null_reward.ts";

/** The schedule's part of it. */
export function evidenceFor(judged: WeightedJudges): { readonly evidence?: true } {
  return judged.some(({ judge }) => judge.needsEvidence) ? { evidence: true } : {};
}
