/** Why chains have not mixed: modes that are separated, or a posterior that is improper. */
import type { ChainSet } from "../inference/mcmc/chain_set.ts";
import { rhat } from "../inference/mcmc/diagnostics.ts";
import type { SamplingResult } from "../inference/mcmc/sample_chains.ts";
import { coordinate, type Mixing, mixing } from "./posterior.ts";
import { thresholds } from "./thresholds.ts";

/** Chains did not mix even on the long schedule, or the estimate is not a number. */
export interface NumericFailure {
  /** Discriminates this failure from others. */
  readonly kind: "numeric";
  /** Reason for a message. */
  readonly reason: string;
}

/** Reports that chains did not mix, and the likeliest of the usual causes. */
export function notMixed(set: ChainSet, mixed: Mixing): NumericFailure {
  const reason = `chains did not mix: R-hat ${mixed.rhatMax.toFixed(3)}`;
  if (runsAway(set)) {
    const cause = "; draws run off towards infinity, as they do where a posterior is improper";
    return { kind: "numeric", reason: reason + cause };
  }
  const modes = stayApart(set) || keepToModes(set);
  const cause = modes ? "; each chain keeps to a mode of its own" : "";
  return { kind: "numeric", reason: reason + cause };
}

function runsAway({ positions }: ChainSet): boolean {
  return positions.some((q) => !(Math.abs(q) < thresholds.runawayCoordinate));
}

/**
 * Whether chains keep to separated modes of similar mass: then restarted chains would agree by
 * chance alone.
 */
export function haveModes(result: SamplingResult): result is SamplingResult & { kind: "chains" } {
  return result.kind === "chains" && keepToModes(result.chainSet) &&
    areAlikeInDensity(result.chainSet);
}

/** Whether the chains are apart in a coordinate in which each alone is stationary. */
function keepToModes(set: ChainSet): boolean {
  if (!(mixing(set).rhatMax > thresholds.separatedRhat)) return false;
  return Array.from({ length: set.dimension }, (_, k) => coordinate(set, k)).some((values) =>
    rhat(values, set.chains) > thresholds.separatedRhat && areStationary(values, set)
  );
}

/** Whether no chain sits where there is hardly any mass. */
function areAlikeInDensity({ logDensities, chains, draws }: ChainSet): boolean {
  const means = Array.from({ length: chains }, (_, c) => {
    const own = logDensities.subarray(c * draws, (c + 1) * draws);
    return own.reduce((sum, value) => sum + value, 0) / draws;
  });
  return Math.max(...means) - Math.min(...means) <= thresholds.comparableModes;
}

/** Whether every chain alone is stationary in every coordinate in which they disagree. */
function stayApart(set: ChainSet): boolean {
  return Array.from({ length: set.dimension }, (_, k) => coordinate(set, k)).every((values) =>
    rhat(values, set.chains) <= thresholds.mixedRhat || areStationary(values, set)
  );
}

/** Whether R-hat of every chain alone is at most 1.1 in this coordinate. */
function areStationary(values: Float64Array, { chains, draws }: ChainSet): boolean {
  return Array.from({ length: chains }, (_, c) => values.subarray(c * draws, (c + 1) * draws))
    .every((own) => rhat(own, 1) <= thresholds.stationaryRhat);
}
