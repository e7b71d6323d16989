/** Leave-one-out by sampling the posterior without an observation, where weights cannot do it. */
import type { FullPosterior } from "./full_posterior.ts";
import type { GradientBudget, SamplingFailure } from "../inference/mcmc/budget.ts";
import type { ChainSet } from "../inference/mcmc/chain_set.ts";
import {
  continueChains,
  sampleChains,
  type SamplingResult,
  type StreamKey,
} from "../inference/mcmc/sample_chains.ts";
import type { LogDensity } from "../../numerics/math/mod.ts";
import { bridge } from "./bridge.ts";
import { ControlVariates } from "./control_variates.ts";
import { mixing } from "./posterior.ts";
import { type CellGain, refitGain } from "./refit_gain.ts";
import { rhatOfFewDraws } from "./rhat_limits.ts";
import { overlap, steppingStones, type Stone } from "./stepping_stones.ts";
import { thresholds } from "./thresholds.ts";

/** How long a refit may draw. */
export interface RefitSettings {
  /** Draws per chain to begin with; doubled until the error is small or `maxDraws` reached. */
  readonly draws: number;
  /** Draws per chain at most. */
  readonly maxDraws: number;
  /** Monte Carlo standard error that the refit's own draws may add, nats. */
  readonly targetMcse: number;
  /** Use of the budget above which draws are not doubled any more. */
  readonly softLimit: number;
}

/** One observation's fit with the help of its own posterior, or why there is none. */
type Refit =
  | {
    readonly kind: "refit";
    /** log p(y_i | y_-i); the refit's draws corrected by control variates, the full ones not. */
    readonly elpd: number;
    /** Influence of the draws of the full posterior on `elpd`, `[chains · draws]`. */
    readonly influence: Float64Array;
    /** Monte Carlo standard error from the refit's own draws. */
    readonly mcse: number;
    /** Gain of its cell over its density, with its error, if data were recorded to a step. */
    readonly gain?: CellGain;
    /** Draws per chain. */
    readonly draws: number;
  }
  | SamplingFailure;

/**
 * Samples the posterior without observation `i`, and bridges between it and the full posterior: the
 * ratio of their normalising constants is p(y_i | y_-i). Chains start where those of the full
 * posterior ended and keep their metric; if that does not mix, because the two posteriors are far
 * apart, they are restarted, and at last on a long schedule.
 */
export function* refitWithout(
  full: FullPosterior,
  i: number,
  settings: RefitSettings,
  key: StreamKey,
  budget: GradientBudget,
): Generator<void, Refit> {
  const rest = full.density.without([i]);
  const streams = [...key, "without", i];
  let result = yield* sampleWithout(rest, full.chainSet, settings, streams, budget);
  if (result.kind === "chains") {
    const crossed = yield* crossedByStones(
      full,
      i,
      rest,
      result.chainSet,
      settings,
      streams,
      budget,
    );
    if (crossed) return crossed;
  }
  while (result.kind === "chains") {
    const set: ChainSet = result.chainSet;
    const estimate = bridgeBetween(full, i, set);
    const draws = 2 * set.draws;
    const affordable =
      budget.used + thresholds.costMargin * set.gradientEvaluations <= settings.softLimit;
    if (estimate.mcse <= settings.targetMcse || draws > settings.maxDraws || !affordable) {
      return { kind: "refit", ...estimate, ...refitGain(full, i, set), draws: set.draws };
    }
    result = yield* continueChains(rest, set, draws, budget);
  }
  return result;
}

/** By stones between both posteriors, where they have little in common; `undefined` elsewhere. */
function* crossedByStones(
  full: FullPosterior,
  i: number,
  rest: LogDensity,
  set: ChainSet,
  settings: RefitSettings,
  key: StreamKey,
  budget: GradientBudget,
): Generator<void, Refit | undefined> {
  const n = full.density.observations;
  const logLikelihood = (of: ChainSet) =>
    of === full.chainSet ? columnOf(full.logLikelihood, n, i) : logLikelihoodAt(full, i, of);
  const ends: [Stone, Stone] = [
    { power: 0, set, logLikelihood: logLikelihood(set) },
    { power: 1, set: full.chainSet, logLikelihood: logLikelihood(full.chainSet) },
  ];
  if (overlap(...ends) >= thresholds.minOverlap) return undefined;
  const { targetMcse, maxDraws, softLimit } = settings;
  const posterior = full.density;
  const crossing = { without: rest, full: posterior, logLikelihood, key };
  const goal = { ...crossing, targetMcse, maxDraws, softLimit };
  const found = yield* steppingStones(ends, goal, budget);
  if (!found) return { kind: "budget" };
  return { kind: "refit", ...found, ...refitGain(full, i, set), draws: set.draws };
}

/**
 * Chains of a posterior that lacks some observations of `full`: warm-started from its chains, or
 * from the beginning if those do not mix.
 */
function* sampleWithout(
  rest: LogDensity,
  full: ChainSet,
  settings: RefitSettings,
  key: StreamKey,
  budget: GradientBudget,
): Generator<void, SamplingResult> {
  const { chains, adaptations: warmStart } = full;
  const warm = { chains, tune: thresholds.refitTune, draws: settings.draws, warmStart };
  const result = yield* sampleChains(rest, warm, key, budget);
  if (result.kind !== "chains" || haveMixed(result.chainSet)) return result;
  const fresh = { chains, tune: thresholds.freshTune, draws: 2 * settings.draws };
  const again = yield* sampleChains(rest, fresh, [...key, "fresh"], budget);
  if (again.kind !== "chains" || haveMixed(again.chainSet)) return again;
  const { longTune: tune, longDraws: draws, longAcceptance: targetAcceptance } = thresholds;
  const cold = { chains, tune, draws, targetAcceptance };
  return yield* sampleChains(rest, cold, [...key, "cold"], budget);
}

function haveMixed(set: ChainSet): boolean {
  return mixing(set).rhatMax <= rhatOfFewDraws(thresholds.mixedRhat, set.dimension);
}

/** The bridge estimate of log p(y_i | y_-i), the refit's side of it corrected. */
function bridgeBetween(full: FullPosterior, i: number, set: ChainSet) {
  const without = logLikelihoodAt(full, i, set);
  const within = columnOf(full.logLikelihood, full.density.observations, i);
  const { logRatio, influenceA, influenceB } = bridge(without, within);
  const { correction, mcse } = new ControlVariates(set).correct(influenceA);
  return { elpd: logRatio + correction, influence: influenceB, mcse };
}

/** log p(y_i | draw) at the draws of a set. */
function logLikelihoodAt({ density }: FullPosterior, i: number, set: ChainSet): Float64Array {
  const row = new Float64Array(density.observations);
  const out = new Float64Array(set.chains * set.draws);
  for (let s = 0; s < out.length; s++) {
    density.logLikelihood(set.positions, s * set.dimension, row, 0);
    out[s] = row[i];
  }
  return out;
}

function columnOf(values: Float64Array, columns: number, i: number): Float64Array {
  return Float64Array.from({ length: values.length / columns }, (_, s) => values[s * columns + i]);
}
