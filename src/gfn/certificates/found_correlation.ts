/** Correlation of log P and log R on objects that explorers found without querying the policy. */
import { agreement } from "../evaluation/agreement.ts";
import type { Exploration } from "./exploration.ts";
import type { KnownObject } from "./known_object.ts";

/** Correlation of log probabilities and log rewards. */
export interface FoundCorrelation {
  /** Pearson's, of log P and log R; NaN where one of them does not vary. */
  readonly pearson: number;
  /** Spearman's, of their ranks. */
  readonly spearman: number;
  /** Objects that it is of. */
  readonly objects: number;
  /** Found objects of reward above 0 that the policy never makes: they are left out of it. */
  readonly never: number;
}

/**
 * The measure of a GFlowNet that papers report (Madan et al. 2023, section 5), on objects that are
 * not the policy's own: on those of the policy it sees only modes that the policy has.
 *
 * @returns Nothing where log P is not known, or there are fewer than three objects.
 */
export function correlationOf(
  explorations: readonly Exploration[],
  known: ReadonlyMap<string, KnownObject>,
): { readonly correlation?: FoundCorrelation } {
  const free = explorations.filter(({ consultsPolicy }) => !consultsPolicy);
  const texts = new Set(free.flatMap(({ found }) => [...found.keys()]));
  const all = [...texts].flatMap((text) => known.get(text) ?? [])
    .filter(({ logReward }) => logReward > -Infinity);
  if (all.some(({ logP }) => logP === undefined)) return {};
  const made = all.filter(({ logP }) => logP! > -Infinity);
  if (made.length < 3) return {};
  const [rewards, logP] = [made.map(({ logReward }) => logReward), made.map((one) => one.logP!)];
  const found = agreement(Float64Array.from(rewards), Float64Array.from(logP));
  return {
    correlation: {
      pearson: found.correlation,
      spearman: found.rankCorrelation,
      objects: made.length,
      never: all.length - made.length,
    },
  };
}
