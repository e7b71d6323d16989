/** A lower bound of log Z at a confidence, by scored objects, draws, and the policy's trajectories. */
import { log, logAddExp, logSumExp } from "../../numerics/math/mod.ts";
import { logLowerBoundOfMean } from "./betting_bound.ts";
import { type KnownObject, logRatio } from "./known_object.ts";
import { type Draw, logLowerBoundOfSum } from "./drawn_sum_bound.ts";
import type { WeighedDraws } from "./listed_sample.ts";
import type { ThinDraws } from "./thin_sample.ts";
import type { ThinSet } from "./thin_walks.ts";

/** Error probabilities of the parts: 0.036 in sum. The largest go to the largest masses to prove. */
const alphas = {
  found: 0.003,
  covered: 0.003,
  missed: 0.005,
  all: 0.004,
  thick: 0.006,
  thin: 0.015,
} as const;

/** log of R / P, relative to the usual ratio, above which the policy misses an object. */
const logMissed = log(2);

/** Ratios R / P above so many times the usual one count as this. */
const logMost = log(4);

/** Share of the trajectories from which the usual ratio is estimated, and which no bound uses. */
const pilotShare = 1 / 8;

/** Evidence that a bound rests on. */
export interface Proof {
  readonly known: ReadonlyMap<string, KnownObject>;
  /** Texts of the policy's trajectories, in their order. */
  readonly drawn: readonly string[];
  /** Draws of objects by explorers independent of the policy. */
  readonly weighed?: WeighedDraws;
  /** Draws of objects to which the policy gives little mass. */
  readonly thin?: ThinDraws;
  /** The same by trajectories, where objects cannot be enumerated. */
  readonly thinSet?: ThinSet;
  /** Share of the 5 % error probability of all bounds together; 1 if left out. */
  readonly part?: number;
}

/**
 * The largest of four lower bounds of log Z; the second and third need listed objects:
 * - explorers' finds that the policy misses, plus all other objects by its own trajectories;
 * - missed objects by draws, unscored ones included, plus all others by its trajectories;
 * - all objects by draws, independent of the policy;
 * - objects to which the policy gives little, by draws, plus all others by its trajectories.
 */
export function provedLogZ({ known, drawn, weighed, thin, thinSet, part = 1 }: Proof): number {
  const pilot = Math.max(1, Math.floor(pilotShare * drawn.length));
  const usual = median(drawn.slice(0, pilot).map((text) => logRatio(known.get(text)!)));
  const walks = drawn.slice(pilot).map((text) => known.get(text)!);
  const isMissed = (one: KnownObject) => logRatio(one) > usual + logMissed;
  const covered = (isLeftOut: (one: KnownObject) => boolean, alpha: number) => {
    const ratios = walks.map((one) => isLeftOut(one) ? -Infinity : logRatio(one));
    return logLowerBoundOfMean(ratios, usual + logMost, alpha * part);
  };
  const isFind = (one: KnownObject) => one.before && isMissed(one);
  const finds = logSumOf([...known.values()].filter(isFind));
  const found = logAddExp(finds, covered(isFind, alphas.found));
  if (thinSet) {
    const beside = covered(thinSet.has, alphas.thick);
    return Math.max(found, logAddExp(beside, thinSet.logBound(alphas.thin * part)));
  }
  if (!weighed) return found;
  const before = [...weighed.before.keys()].map((text) => known.get(text)!);
  const { draws, planned } = weighed;
  const proved = (isIn: (one: KnownObject) => boolean, own: readonly Draw[], alpha: number) =>
    logLowerBoundOfSum(logSumOf(before.filter(isIn)), own, { alpha: alpha * part, planned });
  const missed = draws.map((one) => isMissed(known.get(one.text)!) ? one : worthNothing(one));
  const isThin = ({ object }: KnownObject) => thin!.has(object.text);
  return Math.max(
    found,
    logAddExp(covered(isMissed, alphas.covered), proved(isMissed, missed, alphas.missed)),
    proved(() => true, draws, alphas.all),
    thin
      ? logAddExp(covered(isThin, alphas.thick), proved(isThin, thin.draws, alphas.thin))
      : -Infinity,
  );
}

function worthNothing(draw: Draw): Draw {
  return { ...draw, logReward: -Infinity };
}

function logSumOf(some: readonly KnownObject[]): number {
  return logSumExp([-Infinity, ...some.map(({ logReward }) => logReward)]);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}
