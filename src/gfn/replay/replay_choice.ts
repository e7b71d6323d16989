/** Which entries of a replay buffer are drawn: uniform, prioritised, top-fraction or diverse. */
import type { RandomStream } from "../../base/random.ts";
import { log } from "../../numerics/math/mod.ts";
import type { ReplayEntry } from "./replay_entry.ts";

/** A rule of drawing, with its parameters. */
export interface ReplayChoice {
  /**
   * - `uniform`: every entry is equally likely;
   * - `prioritised`: by rank of reward, weight rank^−power (Schaul et al. 2016, section 3.3), so
   *   that the scale of the rewards does not matter;
   * - `top_fraction`: a share from the best, the rest from the others (Shen et al. 2023);
   * - `diverse`: each next entry is the farthest, in actions, from those drawn before
   *   (farthest-first traversal, Gonzalez 1985) among four times as many uniform candidates.
   */
  readonly kind: "uniform" | "prioritised" | "top_fraction" | "diverse";
  /** `prioritised`: 0 is uniform; default 1. */
  readonly power?: number;
  /** `top_fraction`: which part of the buffer is best, in (0, 1]; default 0.1. */
  readonly top?: number;
  /** `top_fraction`: which part of the draw comes from there, in [0, 1]; default 0.5. */
  readonly topShare?: number;
}

/** Draws `count` ≤ `pool.length` different entries. */
type Draw = (
  pool: ReplayEntry[],
  count: number,
  random: RandomStream,
  choice: ReplayChoice,
) => ReplayEntry[];

/** Candidates per entry that a diverse draw looks at. */
const candidatesEach = 4;

/** Every rule of drawing, by its name. */
export const replayChoices: Readonly<Record<ReplayChoice["kind"], Draw>> = {
  uniform,
  prioritised(pool, count, random, { power = 1 }) {
    // Efraimidis and Spirakis 2006: the largest log(weight) + Gumbel are a draw without replacement.
    const keyed = byReward(pool).map((entry, rank) => {
      return { entry, key: -power * log(rank + 1) - log(-log(random.uniform())) };
    });
    return keyed.sort((a, b) => b.key - a.key).slice(0, count).map(({ entry }) => entry);
  },
  top_fraction(pool, count, random, { top = 0.1, topShare = 0.5 }) {
    const ranked = byReward(pool);
    const cut = Math.min(ranked.length, Math.max(1, Math.round(top * ranked.length)));
    const fromBest = Math.min(cut, Math.round(topShare * count));
    const fromRest = Math.min(ranked.length - cut, count - fromBest);
    return [
      ...uniform(ranked.slice(0, cut), count - fromRest, random),
      ...uniform(ranked.slice(cut), fromRest, random),
    ];
  },
  diverse(pool, count, random) {
    const candidates = uniform(pool, Math.min(pool.length, candidatesEach * count), random);
    return farthestFirst(candidates, count);
  },
};

/** Fisher and Yates, stopped early. */
function uniform(pool: ReplayEntry[], count: number, random: RandomStream): ReplayEntry[] {
  for (let i = 0; i < count; i++) {
    const j = i + random.below(pool.length - i);
    [pool[i], pool[j]] = [pool[j], pool[i]];
  }
  return pool.slice(0, count);
}

/** Best first; equals keep their order of age. */
function byReward(pool: readonly ReplayEntry[]): ReplayEntry[] {
  const reward = ({ logReward }: ReplayEntry) => logReward[logReward.length - 1];
  return [...pool].sort((a, b) => reward(b) - reward(a));
}

function farthestFirst(candidates: ReplayEntry[], count: number): ReplayEntry[] {
  const drawn = candidates.splice(0, Math.min(1, count));
  const nearest = candidates.map((one) => drawn.length > 0 ? distance(one, drawn[0]) : 0);
  while (drawn.length < count) {
    const best = nearest.reduce((most, d, i) => d > nearest[most] ? i : most, 0);
    const [next] = candidates.splice(best, 1);
    nearest.splice(best, 1);
    drawn.push(next);
    candidates.forEach((one, i) => nearest[i] = Math.min(nearest[i], distance(one, next)));
  }
  return drawn;
}

/** Positions at which two sequences of actions differ, one being padded, by the longer's length. */
function distance({ actions: a }: ReplayEntry, { actions: b }: ReplayEntry): number {
  const longest = Math.max(a.length, b.length);
  let differ = 0;
  for (let t = 0; t < longest; t++) if (a[t] !== b[t]) differ++;
  return differ / longest;
}
