/** Objects a few moves from the best known ones, independent of the surrogate. */
import type { RandomStream } from "../../base/random.ts";
import type { BroadWalks } from "../certificates/broad_walks.ts";
import { propose, reached, walkOf } from "../certificates/moves.ts";
import type { TerminalObject } from "../environments/environment.ts";
import type { ScoredObject } from "../evaluation/surrogate/reward_surrogate.ts";

/** Known objects from which moves start. */
const starts = 32;

/** Moves for each object that is to be new, at most. */
const mostTries = 20;

/**
 * Up to `count` unscored objects, each one to three moves (cut and regrow, substitute, insert,
 * delete) from one of the 32 best. A surrogate believes all that is far below its best to be equally
 * bad; from what it has found, a better mode is often a few moves away.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { RandomStream } from "../../base/random.ts";
 * import { BroadWalks } from "../certificates/broad_walks.ts";
 * import { environmentNamed } from "../environments/built_in_environments.ts";
 * import { neighboursOf } from "./neighbours.ts";
 * const environment = environmentNamed("regressions", { terms: 6 });
 * const random = new RandomStream("seed 1");
 * const [best, second] = environment.enumerate();
 * const scored = [{ object: best, logReward: 0 }, { object: second, logReward: -9 }];
 * const found = neighboursOf(new BroadWalks(environment, random), scored, 5, random);
 * assert.equal(new Set([best, second, ...found].map(({ text }) => text)).size, 7);
 * ```
 */
export function neighboursOf(
  base: BroadWalks,
  scored: readonly ScoredObject[],
  count: number,
  random: RandomStream,
): TerminalObject[] {
  const known = new Set(scored.map(({ object }) => object.text));
  const best = scored.toSorted((a, b) => b.logReward - a.logReward).slice(0, starts);
  const found = new Map<string, TerminalObject>();
  for (let tries = 0; found.size < count && tries < mostTries * count; tries++) {
    const { object: { actions } } = best[random.below(best.length)];
    const move = propose(base, walkOf(base.environment, actions)!, random);
    if (!move) continue;
    const { object } = reached(base.environment, move.walk);
    if (!known.has(object.text)) found.set(object.text, object);
  }
  return [...found.values()];
}
