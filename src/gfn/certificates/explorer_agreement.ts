/** Agreement of an explorer with a policy: how much of the target it saw where the policy gives too little. */
import { exp, log, logAddExp, logSumExp } from "../../numerics/math/mod.ts";
import type { Estimate } from "../evaluation/importance_estimates.ts";
import { type KnownObject, logRatio } from "./known_object.ts";
import type { Exploration, WeightedObject } from "./exploration.ts";

/** An explorer beside a policy. */
export interface ExplorerAgreement {
  /** Σ w (1 − P Z_P / R)₊ over its samples: the share of the target that the policy misses. */
  readonly missed?: Estimate;
  /** S / (S + Z_P) for the sum S of R over its finds with P < R / (2 Z_P). */
  readonly foundMissed: number;
  /** True if its samples represent the target by their own diagnostics. */
  readonly reliable: boolean;
  /** The find of largest reward that the policy misses. */
  readonly best?: { readonly text: string; readonly logReward: number; readonly logP: number };
}

/** Groups below which an error is not known. */
const leastGroups = 4;

/** Least samples of a chain for a diagnostic. */
const leastSamples = 20;

/** Standard error of log Z above which islands are unreliable. */
const mostError = 0.5;

/** Split of variance between and within chains above which they have not met. */
const mostRhat = 1.3;

/** @param drawn Texts of the policy's trajectories. */
export function agreementOf(
  { name, found, groups, logZ, samples }: Exploration,
  known: ReadonlyMap<string, KnownObject>,
  drawn: readonly string[],
): ExplorerAgreement {
  const usable = drawn.length > 0 && [...known.values()].every(({ logP }) => logP !== undefined);
  if (!usable) return { foundMissed: 0, reliable: false };
  const logZPolicy = policyLogZ(known, drawn);
  const missedFinds = [...found.keys()].flatMap((text) => known.get(text) ?? [])
    .filter((one) => logRatio(one) > logZPolicy + log(2));
  const logFound = logSumExp([-Infinity, ...missedFinds.map(({ logReward }) => logReward)]);
  const share = exp(logFound - logAddExp(logFound, logZPolicy));
  const best = missedFinds.reduce<KnownObject | undefined>(
    (a, b) => a && a.logReward >= b.logReward ? a : b,
    undefined,
  );
  const missed = groups.length >= leastGroups ? missedShare(groups, known, logZPolicy) : undefined;
  const reliable = samples
    ? samplesStand(groups, known, logZ) && (name !== "reached_sample" || holds(logZ, logZPolicy))
    : reachesTheUsual(found, known, drawn);
  const { object: { text }, logReward, logP } = best ??
    { object: { text: "" }, logReward: 0, logP: 0 };
  return {
    ...(missed && { missed }),
    foundMissed: share,
    reliable,
    ...(best && { best: { text, logReward, logP: logP! } }),
  };
}

/** A partial list counts for the whole if it holds nine tenths of the policy's samples. */
function holds(logZ: Estimate | undefined, logZPolicy: number): boolean {
  return logZ !== undefined && logZ.value >= logZPolicy + log(0.9);
}

/** log of the mean of R / P over the policy's trajectories. */
export function policyLogZ(
  known: ReadonlyMap<string, KnownObject>,
  drawn: readonly string[],
): number {
  return logSumExp(drawn.map((text) => logRatio(known.get(text)!))) - log(drawn.length);
}

/** The weighted mean over groups; its error from leaving each group out. */
function missedShare(
  groups: readonly (readonly WeightedObject[])[],
  known: ReadonlyMap<string, KnownObject>,
  logZ: number,
): Estimate {
  const most = groups.flat().reduce((a, { logWeight }) => Math.max(a, logWeight), -Infinity);
  const sums = groups.map((group) => {
    return group.reduce(([missed, total], { text, logWeight }) => {
      const weight = exp(logWeight - most);
      const share = Math.max(0, 1 - exp(logZ - logRatio(known.get(text)!)));
      return [missed + weight * share, total + weight] as const;
    }, [0, 0] as readonly [number, number]);
  });
  const [missed, total] = sums.reduce(([a, b], [c, d]) => [a + c, b + d] as const);
  const value = missed / total;
  const without = sums.map(([a, b]) => (missed - a) / (total - b));
  const squares = without.reduce((sum, one) => sum + (one - value) * (one - value), 0);
  return { value, mcse: Math.sqrt((sums.length - 1) / sums.length * squares) };
}

/** Whether samples represent the target by their own diagnostics: log Z has a small error, chains mixed. */
function samplesStand(
  groups: Exploration["groups"],
  known: ReadonlyMap<string, KnownObject>,
  logZ: Estimate | undefined,
): boolean {
  if (groups.length < leastGroups) return false;
  return logZ ? logZ.mcse <= mostError : haveMet(groups, known);
}

/** Whether chains agree on the log reward: the split R̂ of Gelman and Rubin 1992. */
function haveMet(
  groups: readonly (readonly WeightedObject[])[],
  known: ReadonlyMap<string, KnownObject>,
): boolean {
  if (groups.length < leastGroups || groups[0].length < leastSamples) return false;
  const halves = groups.flatMap((group) => {
    const values = group.map(({ text }) => known.get(text)!.logReward);
    return [values.slice(0, values.length >> 1), values.slice(values.length >> 1)];
  });
  const means = halves.map(mean);
  const within = mean(halves.map(variance));
  const between = variance(means);
  return within === 0 ? between === 0 : Math.sqrt(1 + between / within) <= mostRhat;
}

/** Whether a search reached rewards as high as the median of the policy's own samples. */
function reachesTheUsual(
  found: Exploration["found"],
  known: ReadonlyMap<string, KnownObject>,
  drawn: readonly string[],
): boolean {
  const heights = drawn.map((text) => known.get(text)!.logReward).sort((a, b) => a - b);
  const usual = heights[heights.length >> 1];
  return [...found.values()].some(({ logReward }) => logReward >= usual);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0) / values.length;
}

function variance(values: readonly number[]): number {
  const centre = mean(values);
  return values.reduce((sum, one) => sum + (one - centre) ** 2, 0) / (values.length - 1);
}

/** The 97.5 % quantile of Student's distribution with seven degrees of freedom. */
const t7 = 2.364624;

/**
 * KL(target‖policy) by samples that do not come from the policy, E_π[log R − log P] − log Z; its
 * error from leaving each group out, as if one more had been as far off as the farthest. The
 * interval is Student's, with one degree of freedom less than groups.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { klTargetPolicy } from "./explorer_agreement.ts";
 * assert.equal(klTargetPolicy([], new Map()), undefined); // too few groups
 * ```
 *
 * @param groups Their weights have the scale of R: the mean of their sums is an estimate of Z.
 * @returns Undefined where there are too few groups, or log P is not known; infinite where the policy
 *   cannot make one of the samples.
 */
export function klTargetPolicy(
  groups: Exploration["groups"],
  known: ReadonlyMap<string, KnownObject>,
): Estimate & { readonly interval: readonly [number, number] } | undefined {
  const items = groups.flat().map(({ text }) => known.get(text)!);
  if (groups.length < leastGroups || items.some(({ logP }) => logP === undefined)) {
    return undefined;
  }
  const most = groups.flat().reduce((a, { logWeight }) => Math.max(a, logWeight), -Infinity);
  const sums = groups.map((group) => {
    const own = group.filter(({ logWeight }) => exp(logWeight - most) > 0);
    const weights = own.map(({ logWeight }) => exp(logWeight - most));
    const ratios = own.map(({ text }) => logRatio(known.get(text)!));
    return {
      weight: weights.reduce((a, b) => a + b, 0),
      ratio: weights.reduce((sum, w, i) => sum + w * ratios[i], 0),
    };
  });
  const of = (chosen: typeof sums) => {
    const weight = chosen.reduce((sum, one) => sum + one.weight, 0);
    const ratio = chosen.reduce((sum, one) => sum + one.ratio, 0);
    return ratio / weight - log(weight / chosen.length) - most;
  };
  const value = of(sums);
  if (value === Infinity) return { value, mcse: 0, interval: [value, value] };
  const distances = sums.map((_, i) => (of(sums.filter((_, k) => k !== i)) - value) ** 2);
  const squares = distances.reduce((sum, one) => sum + one, Math.max(...distances));
  const mcse = Math.sqrt((sums.length - 1) / sums.length * squares);
  return { value, mcse, interval: [value - t7 * mcse, value + t7 * mcse] };
}
