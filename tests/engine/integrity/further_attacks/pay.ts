/** The native engine's reward of a further attack, beside the most that it may earn. */
import { defaultSchedule } from "../../../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../../../src/engine/score/score.ts";
import { type FurtherAttack, groundOf } from "./further_attack.ts";

/** The reward of a further attack. */
export interface FurtherPay {
  /** Nats; left out where there is no score. */
  readonly paid?: number;
  /** Monte Carlo standard error, nats. */
  readonly mcse: number;
  /** Code of the first error. */
  readonly refused?: string;
}

/** Scores one attack under the default schedule. */
export function furtherPay(attack: FurtherAttack): FurtherPay {
  const { text, rows } = attack;
  const schedule = rows ? { ...defaultSchedule, rows } : defaultSchedule;
  const { score, diagnostics } = scoreNow(text, groundOf(attack), schedule);
  if (score) return { paid: score.elpdReward, mcse: score.rewardMcse ?? score.mcse };
  return {
    mcse: 0,
    refused: diagnostics.find(({ severity }) => severity === "error")?.code ?? "?",
  };
}

/** Whether it was paid more than it may earn by more than its error; `needsHoldout` excuses none here. */
export function isOverpaid(
  { honest = -Infinity }: FurtherAttack,
  { paid, mcse }: FurtherPay,
): boolean {
  return paid !== undefined && paid > honest + 0.02 + 4 * mcse;
}
