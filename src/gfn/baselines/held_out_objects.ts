/** Objects that a surrogate believes in and has not seen: those by which it is judged. */
import type { RandomStream } from "../../base/random.ts";
import { BroadWalks } from "../certificates/broad_walks.ts";
import { broadWalk } from "../certificates/moves.ts";
import type { Environment, TerminalObject } from "../environments/environment.ts";
import { drawByBelief } from "./draw_by_belief.ts";
import type { RewardSurrogate } from "../evaluation/surrogate/reward_surrogate.ts";
import { surrogateChains } from "./surrogate_chains.ts";

/** Chains, and steps that they take at most. */
const [CHAINS, STEPS] = [32, 200] as const;

/**
 * Distinct unseen objects, drawn by expected reward to the power of ½, so that light ones are among
 * them; where objects are not listed, those that chains on the surrogate pass.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { activeSurrogate } from "./active_surrogate.ts";
 * import { environmentNamed } from "../environments/built_in_environments.ts";
 * import { RandomStream } from "../../base/random.ts";
 * import { defaultSurrogate } from "../evaluation/surrogate/reward_surrogate.ts";
 * import { heldOutObjects } from "./held_out_objects.ts";
 * const environment = environmentNamed("regressions", { terms: 6 });
 * const objects = [...environment.enumerate()];
 * const surrogate = await activeSurrogate({
 *   ...defaultSurrogate,
 *   environment,
 *   objects,
 *   budget: 30,
 *   first: 16,
 *   growth: 0.25,
 *   ask: (some) => Promise.resolve(some.map(({ logReward }) => logReward!)),
 *   random: new RandomStream("seed 1"),
 * });
 * const random = new RandomStream("held out");
 * const drawn = heldOutObjects(surrogate, 5, { environment, objects, random });
 * assert(drawn.every(({ text }) => surrogate.known(text) === undefined));
 * ```
 */
export function heldOutObjects(
  surrogate: RewardSurrogate,
  count: number,
  { environment, objects, random }: {
    readonly environment: Environment;
    readonly objects?: readonly TerminalObject[];
    readonly random: RandomStream;
  },
): TerminalObject[] {
  if (count === 0) return [];
  const open = objects
    ? objects.filter(({ text }) => surrogate.known(text) === undefined)
    : unseen(surrogate, environment, random);
  const means = surrogate.means(surrogate.sets.encode(open), open.length);
  return drawByBelief(means, [...open.keys()], count, random).map((x) => open[x]);
}

function unseen(surrogate: RewardSurrogate, environment: Environment, random: RandomStream) {
  const base = new BroadWalks(environment, random);
  const starts = Array.from({ length: CHAINS }, () => broadWalk(base, random));
  const met = new Map<string, TerminalObject>();
  for (const states of surrogateChains(base, surrogate, { starts, steps: STEPS, random })) {
    for (const { object } of states) {
      if (surrogate.known(object.text) === undefined) met.set(object.text, object);
    }
  }
  return [...met.values()];
}
