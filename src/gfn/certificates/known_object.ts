/** An object whose reward is known, and the ratio of its reward to the policy's mass. */
import type { TerminalObject } from "../environments/environment.ts";

/** An object with its reward and the policy's mass on it. */
export interface KnownObject {
  /** Object as the environment has it. */
  readonly object: TerminalObject;
  /** log R(x), −Infinity where R is 0. */
  readonly logReward: number;
  /** log P(x), exact; absent where too many paths lead to it. */
  readonly logP?: number;
  /** True if it was found before the trajectories were drawn on which bounds rest. */
  readonly before: boolean;
}

/** log R − log P: log of the ratio of target to policy, up to log Z. */
export function logRatio({ logReward, logP }: KnownObject): number {
  return logReward === -Infinity ? -Infinity : logReward - logP!;
}
