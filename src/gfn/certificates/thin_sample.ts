/** Draws listed objects to which a policy gives little mass, to prove what it misses. */
import type { RandomStream } from "../../base/random.ts";
import { exp } from "../../numerics/math/mod.ts";
import type { Environment, TerminalObject } from "../environments/environment.ts";
import type { Draw } from "./drawn_sum_bound.ts";
import type { Exploration, ExplorerOptions } from "./exploration.ts";
import { drawRound, type WeighedDraws } from "./listed_sample.ts";
import { objectBits } from "./object_bits.ts";
import { type CertifiedPolicy, logMassOf } from "./policy_mass.ts";
import { Allowance, type ScoredObjects } from "./scored_objects.ts";

/** Most listed objects for which the policy's mass on each is computed. */
const mostMasses = 20_000;

/** An object is thin where the policy's mass is less than this share of that expected by the first draws. */
const thinRatio = 0.1;

/** Rounds, before each of which the surrogate learns. */
const rounds = 2;

/** Shares of the target's mass, as far as it is expected, below which nothing is drawn. */
const least = 0.02;

/** A set of objects, and all that is known of its sum of rewards. */
export interface ThinDraws {
  readonly has: (text: string) => boolean;
  /** Draws of the set, in their order, and members that were scored meanwhile. */
  readonly draws: readonly Draw[];
}

/** An exploration that proves what a policy misses. */
interface ThinSample extends Exploration {
  readonly thin?: ThinDraws;
}

/** Listed objects, with their known rewards and draws. */
interface Listed {
  readonly environment: Environment;
  readonly objects: readonly TerminalObject[];
  readonly scored: ScoredObjects;
  /** The sample of listed objects, independent of the policy. */
  readonly weighed: WeighedDraws;
}

/**
 * Chooses objects by the policy and by expectations before the first listed draw, so that the
 * draws are independent of the choice; then draws more, from these alone.
 */
export async function thinSample(
  policy: CertifiedPolicy,
  listed: Listed,
  { limit, random }: ExplorerOptions,
): Promise<ThinSample> {
  const allowance = new Allowance(limit);
  const thin = await thinObjects(policy, listed);
  const has = thin.has.bind(thin);
  const draws = thin.size === 0 ? [] : [
    ...drawnBefore(listed, has),
    ...await drawMore(listed, has, allowance, random),
  ];
  return {
    name: "thin_sample",
    consultsPolicy: true,
    samples: false,
    evaluations: allowance.evaluations,
    found: allowance.found,
    groups: [],
    ...(thin.size > 0 && { thin: { has, draws } }),
  };
}

/** Texts of objects on which the policy has next to nothing; none where there are too many to look. */
async function thinObjects(
  policy: CertifiedPolicy,
  { environment, objects, weighed: { first } }: Listed,
): Promise<ReadonlySet<string>> {
  if (objects.length > mostMasses) return new Set();
  const logP = await logMassOf(policy, environment, objects);
  const thin = objects.filter(({ text }, x) => {
    return logP !== undefined && exp(logP[x]) < thinRatio * (first.get(text) ?? 0);
  });
  return new Set(thin.map(({ text }) => text));
}

/** Listed draws of the set, and members that others scored since. */
function drawnBefore({ scored, weighed }: Listed, has: ThinDraws["has"]): Draw[] {
  const drawn = weighed.within(has);
  const counted = new Set([...weighed.before.keys(), ...drawn.map(({ text }) => text)]);
  const others = scored.all.filter(({ object: { text } }) => has(text) && !counted.has(text));
  return [...drawn, ...others.map(({ object: { text }, logReward }) => ({ text, logReward }))];
}

async function drawMore(
  { environment, objects, scored }: Listed,
  has: ThinDraws["has"],
  allowance: Allowance,
  random: RandomStream,
): Promise<Draw[]> {
  const bits = objectBits(environment, objects);
  const round = { objects, bits, scored, allowance, random, has, least: least };
  const draws: Draw[] = [];
  for (let k = 1; k <= rounds; k++) {
    const count = Math.floor(allowance.limit * k / rounds) - allowance.evaluations;
    draws.push(...(await drawRound(round, count)).draws);
  }
  return draws;
}
