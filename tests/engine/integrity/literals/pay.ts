/** Rewards of programs after the charge for their constants. */
import { scoreNow } from "../../../../src/engine/score/score.ts";
import type { Forgery } from "./forgeries.ts";
import { type Ground, type GroundName, grounds } from "./grounds.ts";

/** A program's reward and its charge. */
export interface Charged {
  /** ELPD of the reward, nats; left out where there is no score. */
  readonly paid?: number;
  /** The charge, at most 0. */
  readonly literals: number;
  readonly mcse: number;
  readonly refused?: string;
}

/** Scores a text on a ground, its constants charged. */
export function charged(text: string, { data, schedule }: Ground): Charged {
  const { score, diagnostics } = scoreNow(text, data, schedule);
  if (!score) {
    const error = diagnostics.find(({ severity }) => severity === "error");
    return { literals: 0, mcse: 0, refused: error?.code ?? "?" };
  }
  const { elpdReward: paid, literals = 0, rewardMcse, mcse } = score;
  return { paid, literals, mcse: rewardMcse ?? mcse };
}

const best = new Map<GroundName, Charged>();

/** Returns the reward of a ground's best honest program. */
export function honestyOn(name: GroundName): Charged {
  const known = best.get(name);
  if (known) return known;
  const all = grounds[name].honest.map((text) => charged(text, grounds[name]));
  const found = all.reduce((a, b) => rewardOf(b) > rewardOf(a) ? b : a);
  best.set(name, found);
  return found;
}

/** ELPD with its charge; −∞ where there is no score. */
export function rewardOf({ paid, literals }: Charged): number {
  return paid === undefined ? -Infinity : paid + literals;
}

/** Nats that blind searches keep on average: a forgery may be as lucky. */
const ofLuck = 0.5;

/** Whether a forgery earns more than honesty by more than luck and both errors tell. */
export function isOverpaid({ about }: Forgery, pay: Charged): boolean {
  const honest = honestyOn(about);
  return rewardOf(pay) > rewardOf(honest) + ofLuck + 4 * Math.hypot(pay.mcse, honest.mcse);
}
