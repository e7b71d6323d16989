/** An adaptive importance sample of trajectories: log Z and samples of the target, without a list. */
import { exp, log, logSumExp } from "../../numerics/math/mod.ts";
import type { Exploration, ExplorerOptions, WeightedObject } from "./exploration.ts";
import type { Actions, Environment } from "../environments/environment.ts";
import { FittedWalks } from "./fitted_walks.ts";
import { estimateOf } from "./listed_sample.ts";
import { objectOf } from "./moves.ts";
import { Allowance, type Scored, type ScoredObjects } from "./scored_objects.ts";

/** Rounds, after each of which the walks are fitted again. */
const rounds = 6;

/** Number of last rounds, which are averaged. */
const averaged = 3;

/** Groups of draws, from which standard errors are estimated. */
const groupCount = 8;

/** Knowledge before the first draw. */
interface Begun {
  /** Rewards. */
  readonly before: readonly Scored[];
  /** Trajectories to many objects, which show the actions that may follow each other. */
  readonly ways: readonly Actions[];
}

/**
 * R / q of a trajectory has the mean Z for any q that is above 0 where R is (population Monte Carlo,
 * Cappé et al. 2004). Each round draws by proposals fitted to the objects known before and to its own
 * draws; the last rounds are averaged. Two such samples share neither draws nor fits.
 */
export async function fittedSample(
  environment: Environment,
  scored: ScoredObjects,
  { before, ways }: Begun,
  { limit, random, name }: ExplorerOptions & { readonly name: string },
): Promise<Exploration> {
  const allowance = new Allowance(limit);
  const known = new Set(before.map(({ object }) => object.text));
  const fit = () => {
    const own = allowance.found.values().filter(({ object }) => !known.has(object.text));
    return new FittedWalks(environment, [...before, ...own], ways, random);
  };
  const drawn: (WeightedObject & { readonly round: number })[] = [];
  let walks = fit();
  for (let round = 0; round < rounds; round++) {
    const count = Math.floor(allowance.left / (rounds - round));
    const drawnWays = Array.from({ length: count }, () => walks.draw(random));
    const objects = drawnWays.map(({ actions }) => objectOf(environment, actions));
    const rewards = await scored.ask(objects, allowance);
    drawn.push(...drawnWays.map(({ logQ }, i) => {
      return { text: objects[i].text, round, logWeight: rewards[i]! - logQ };
    }));
    walks = fit();
  }
  const used = drawn.filter(({ round }) => round >= rounds - averaged);
  const groups = Array.from(
    { length: groupCount },
    (_, g) => used.filter((_, i) => i % groupCount === g),
  );
  return {
    name,
    consultsPolicy: false,
    samples: true,
    evaluations: allowance.evaluations,
    found: allowance.found,
    groups: groups.filter((group) => group.some(({ logWeight }) => logWeight > -Infinity))
      .map((group) =>
        group.map((one) => ({ ...one, logWeight: one.logWeight - log(group.length) }))
      ),
    effective: effective(used),
    ...(used.length > 1 && { logZ: estimateOf(used.map(({ logWeight }) => logWeight)) }),
  };
}

/** (Σ w)² / Σ w². */
function effective(draws: readonly WeightedObject[]): number {
  const logs = draws.map(({ logWeight }) => logWeight);
  const total = logSumExp([-Infinity, ...logs]);
  return total === -Infinity ? 0 : exp(2 * total - logSumExp(logs.map((one) => 2 * one)));
}
