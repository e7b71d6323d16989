/** Chains that have mixed: on the short schedule, retuned, or on the long one; or why they have not. */
import type { GradientBudget } from "../infer/budget.ts";
import type { ChainSet } from "../infer/chain_set.ts";
import { rhat } from "../infer/diagnostics.ts";
import { pooledAdaptations } from "../infer/pooled_adaptations.ts";
import { sampleChains, type SamplingResult, type StreamKey } from "../infer/sample_chains.ts";
import type { LogDensity } from "../math/log_density.ts";
import { coordinate, type Mixing, mixing } from "./posterior.ts";

/** Chains did not mix even on the long schedule, or the estimate is not a number. */
export interface NumericFailure {
  /** Tells this failure from others. */
  readonly kind: "numeric";
  /** What went wrong, for a message. */
  readonly reason: string;
}

/** R-hat from which chains are started anew. */
export const mixedRhat = 1.05;
const maxDivergent = 0.01;
/** Transitions in which chains retune that did not mix on the short schedule. */
const retune = 50;
/** Unconstrained coordinates beyond which no proper posterior of this engine's programs lies. */
const faraway = 1e12;

/** How many chains, and how long. */
export interface ChainSchedule {
  /** How many chains. */
  readonly chains: number;
  /** Transitions that tune a chain. */
  readonly tune: number;
  /** Draws per chain to begin with. */
  readonly draws: number;
  /** Key of the random streams. */
  readonly seedKey: StreamKey;
}

/**
 * Samples `chains` × (`tune` + `draws`). If R-hat > 1.05, a chain is stuck or more than 1 % of the
 * transitions diverge, the chains are retuned with a metric from the draws of all (50 + 2 `draws`,
 * acceptance 0.9); if that does not help, they start anew on a long schedule (500 + 1000,
 * acceptance 0.95).
 */
export function* sampleMixed(
  density: LogDensity,
  schedule: ChainSchedule,
  budget: GradientBudget,
): Generator<void, SamplingResult | NumericFailure> {
  const { chains, tune, draws, seedKey } = schedule;
  const short = yield* sampleChains(density, { chains, tune, draws }, seedKey, budget);
  if (short.kind !== "chains" || isHealthy(mixing(short.chainSet))) return short;
  const retuned = {
    ...{ chains, tune: retune, draws: 2 * draws, targetAcceptance: 0.9 },
    warmStart: pooledAdaptations(short.chainSet),
  };
  const again = yield* sampleChains(density, retuned, [...seedKey, "retuned"], budget);
  if (again.kind !== "chains" || isHealthy(mixing(again.chainSet))) return again;
  const long = {
    chains,
    tune: Math.max(500, tune),
    draws: Math.max(1000, draws),
    targetAcceptance: 0.95,
  };
  const last = yield* sampleChains(density, long, [...seedKey, "long"], budget);
  if (last.kind !== "chains") return last;
  const mixed = mixing(last.chainSet);
  return mixed.rhatMax <= mixedRhat ? last : notMixed(last.chainSet, mixed);
}

function isHealthy(mixed: Mixing): boolean {
  return mixed.rhatMax <= mixedRhat && mixed.divergent <= maxDivergent && !mixed.stuck;
}

/** Says that chains did not mix, and which of the usual causes it looks like. */
export function notMixed(set: ChainSet, mixed: Mixing): NumericFailure {
  const reason = `chains did not mix: R-hat ${mixed.rhatMax.toFixed(3)}`;
  const cause = runsAway(set)
    ? "; draws run off towards infinity, as they do where a posterior is improper"
    : stayApart(set)
    ? "; each chain keeps to a mode of its own"
    : "";
  return { kind: "numeric", reason: reason + cause };
}

function runsAway({ positions }: ChainSet): boolean {
  return positions.some((q) => !(Math.abs(q) < faraway));
}

/** Whether every chain alone has settled in every coordinate. */
function stayApart(set: ChainSet): boolean {
  for (let k = 0; k < set.dimension; k++) {
    const values = coordinate(set, k);
    for (let c = 0; c < set.chains; c++) {
      const own = values.subarray(c * set.draws, (c + 1) * set.draws);
      if (!(rhat(own, 1) <= 1.1)) return false;
    }
  }
  return true;
}
