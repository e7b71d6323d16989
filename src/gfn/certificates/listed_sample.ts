/** Where objects can be listed, though not all scored: an importance sample of those not scored yet. */
import type { RandomStream } from "../../base/random.ts";
import { exp, log } from "../../base/math/elementary.ts";
import { indexAbove } from "../../base/math/index_above.ts";
import { logAddExp } from "../../base/math/log_add_exp.ts";
import { logSumExp } from "../../base/math/log_sum_exp.ts";
import type { Environment, TerminalObject } from "../environments/environment.ts";
import type { Exploration, ExplorerOptions, WeightedObject } from "./exploration.ts";
import { objectBits } from "./object_bits.ts";
import { surrogateLogRewards } from "./reward_surrogate.ts";
import { Allowance, type Scored, type ScoredObjects } from "./scored_objects.ts";

/** Share of the draws that are uniform, whatever the surrogate says. */
const UNIFORM = 0.15;

/** Weights above so many times what the surrogate expects of all count as this. */
const LOG_MOST = log(8);

/** Groups of draws, by which errors are told. */
const GROUPS = 8;

/** Draws per evaluation at most. */
const DRAWS = 3;

/** A sample from which lower bounds of sums of rewards can be made. */
export interface WeighedDraws {
  /** What was scored before, and is no part of what was drawn from. */
  readonly before: ReadonlyMap<string, Scored>;
  /** Drawn objects, with log R / q: the mean of R / q over those in a set is the sum of R there. */
  readonly draws: readonly WeightedObject[];
  /** Weights above this count as this. */
  readonly logMost: number;
}

/** An exploration that also bounds log Z from below. */
export interface ListedSample extends Exploration {
  /** Absent where nothing was drawn. */
  readonly weighed?: WeighedDraws;
}

/**
 * With F the objects scored so far, Z = Σ_F R + E_q[R / q] over the others for any q that is above
 * 0 there: q follows a Gaussian process on log R, mixed with uniform choice. So the estimate is
 * unbiased, its error small where the process is right, and its lower bound holds in any case.
 *
 * @param objects All of them; their own log rewards are not read.
 */
export async function listedSample(
  environment: Environment,
  objects: readonly TerminalObject[],
  scored: ScoredObjects,
  { limit, random }: ExplorerOptions,
): Promise<ListedSample> {
  const allowance = new Allowance(limit);
  const known = [...objects.keys()].filter((x) => scored.knows(objects[x].text));
  const knownRewards = known.map((x) => scored.get(objects[x].text)!.logReward);
  const logScored = logSumExp([-Infinity, ...knownRewards]);
  const others = [...objects.keys()].filter((x) => !scored.knows(objects[x].text));
  const nothing = {
    name: "listed_sample",
    consultsPolicy: false,
    samples: true,
    evaluations: 0,
    found: allowance.found,
    groups: [],
  };
  if (others.length === 0 || known.length === 0 || limit <= 0) return nothing;
  const expected = surrogateLogRewards(
    objectBits(environment, objects),
    known,
    knownRewards,
    random,
  );
  const logExpected = logSumExp(others.map((x) => expected[x]));
  const logQ = others.map((x) =>
    logAddExp(log(1 - UNIFORM) + expected[x] - logExpected, log(UNIFORM / others.length))
  );
  const all = drawWithin(logQ, limit, random);
  const asked = await scored.ask(all.drawn.map((i) => objects[others[i]]), allowance);
  const drawn = all.stopped ? all.drawn.slice(0, -1) : all.drawn;
  if (drawn.length === 0) return { ...nothing, evaluations: allowance.evaluations };
  const drawnObjects = drawn.map((i) => objects[others[i]]);
  const rewards = asked.slice(0, drawn.length);
  const logWeights = rewards.map((one, k) => one! - logQ[drawn[k]]);
  const draws = drawnObjects.map(({ text }, k) => ({ text, logWeight: logWeights[k] }));
  const before = new Map(known.map((x) => [objects[x].text, scored.get(objects[x].text)!]));
  const groups = Array.from({ length: GROUPS }, (_, g) => {
    const own = drawn.map((_, k) => k).filter((k) => k % GROUPS === g);
    return [
      ...known.map((x, k) => ({ text: objects[x].text, logWeight: knownRewards[k] })),
      ...own.map((k) => ({
        text: drawnObjects[k].text,
        logWeight: logWeights[k] - log(own.length),
      })),
    ];
  });
  return {
    ...nothing,
    evaluations: allowance.evaluations,
    groups,
    logZ: estimateOf(logScored, logWeights),
    weighed: { before, draws, logMost: logExpected + LOG_MOST },
  };
}

/**
 * Draws until as many different ones were drawn as may be asked for. Where that ended them, the last is
 * new by design: means leave it out (inverse sampling, Haldane 1945).
 */
function drawWithin(logQ: readonly number[], limit: number, random: RandomStream) {
  let sum = 0;
  const cumulative = Float64Array.from(logQ, (one) => sum += exp(one));
  const drawn: number[] = [];
  const distinct = new Set<number>();
  while (distinct.size < limit && drawn.length < DRAWS * limit) {
    const place = indexAbove(cumulative, random.uniform() * sum);
    drawn.push(place);
    distinct.add(place);
  }
  return { drawn, stopped: distinct.size === limit };
}

/**
 * log (Z_F + mean of the weights), its error by the delta method, as if one more draw had been as
 * heavy as the heaviest: of a few skewed weights the variance is seen too small more often than not.
 */
function estimateOf(logScored: number, logWeights: readonly number[]) {
  const n = logWeights.length;
  const value = logAddExp(logScored, logSumExp(logWeights) - log(n));
  const shares = logWeights.map((one) => exp(one - value));
  const mean = shares.reduce((a, b) => a + b, 0) / n;
  const heaviest = Math.max(...shares) - mean;
  const squares = shares.reduce((sum, one) => sum + (one - mean) ** 2, heaviest ** 2);
  return { value, mcse: n > 1 ? Math.sqrt(squares / (n - 1) / n) : Infinity };
}
