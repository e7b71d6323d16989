/** K-fold cross-validation: where too many observations would have to be refitted one by one. */
import { RandomStream } from "../../base/random.ts";
import type { GradientBudget, SamplingFailure } from "../mcmc/budget.ts";
import type { ChainSet } from "../mcmc/chain_set.ts";
import type { StreamKey } from "../mcmc/sample_chains.ts";
import { exp } from "../../base/math/elementary.ts";
import { logSumExp } from "../../base/math/log_sum_exp.ts";
import { log } from "../../base/math/elementary.ts";
import { type CellGains, cellGains } from "./cells.ts";
import { ControlVariates } from "./control_variates.ts";
import { pointwiseLogLikelihood } from "./posterior.ts";
import { thresholds } from "./thresholds.ts";
import { type RefitSettings, sampleWithout } from "./exact.ts";
import type { FullPosterior } from "./full_posterior.ts";

/** How many folds there are for so many observations. */
export function foldCount(observations: number): number {
  return Math.min(thresholds.maxFolds, observations);
}

/** Pointwise fit without the fold of each observation. */
interface KFold {
  readonly kind: "k_fold";
  /** log p(y_i | y without the fold of i) `[observations]`, with control variates. */
  readonly pointwise: Float64Array;
  /** Monte Carlo standard error of the sum. */
  readonly mcse: number;
  /** What cells are worth beside densities, if data were recorded to a step. */
  readonly gains?: CellGains;
}

/**
 * The fold of every observation, 0 … folds − 1: sizes differ by one at most, membership is random.
 */
export function assignFolds(observations: number, folds: number, key: StreamKey): Int32Array {
  const random = new RandomStream(...key);
  const order = Int32Array.from({ length: observations }, (_, i) => i);
  for (let i = observations - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  const fold = new Int32Array(observations);
  for (let rank = 0; rank < observations; rank++) fold[order[rank]] = rank % folds;
  return fold;
}

/**
 * Samples the posterior without each fold, warm-started from the full one, and scores the fold's
 * observations under it, each by itself (Vehtari, Gelman, Gabry 2017, section 2.3).
 */
export function* kFold(
  full: FullPosterior,
  folds: number,
  settings: RefitSettings,
  key: StreamKey,
  budget: GradientBudget,
): Generator<void, KFold | SamplingFailure> {
  const n = full.density.observations;
  const foldOf = assignFolds(n, folds, [...key, "members"]);
  const pointwise = new Float64Array(n);
  const gains = new Float64Array(n);
  let squaredError = 0;
  let squaredGainError = 0;
  for (let fold = 0; fold < folds; fold++) {
    const members = Array.from({ length: n }, (_, i) => i).filter((i) => foldOf[i] === fold);
    const rest = full.density.without(members);
    const streams = [...key, "without", fold];
    const result = yield* sampleWithout(rest, full.chainSet, settings, streams, budget);
    if (result.kind !== "chains") return result;
    squaredError += scoreFold(full, result.chainSet, members, pointwise);
    squaredGainError += gainsOfFold(full.density, result.chainSet, members, gains);
  }
  const found = { kind: "k_fold", pointwise, mcse: Math.sqrt(squaredError) } as const;
  if (!full.density.logCells) return found;
  return { ...found, gains: { pointwise: gains, mcse: Math.sqrt(squaredGainError) } };
}

/** Fills the members' gains; returns the squared Monte Carlo error of their sum. */
function gainsOfFold(
  density: FullPosterior["density"],
  set: ChainSet,
  members: readonly number[],
  gains: Float64Array,
): number {
  const logLikelihood = pointwiseLogLikelihood(density, set);
  const count = set.chains * set.draws;
  const alike = new Float64Array(count);
  const logWeights = () => alike;
  const skipped = [...gains.keys()].filter((i) => !members.includes(i));
  const variates = new ControlVariates(set);
  const { positions } = set;
  const draws = { positions, count, logLikelihood, logWeights, variates, skipped };
  const found = cellGains(density, draws);
  if (!found) return 0;
  for (const i of members) gains[i] = found.pointwise[i];
  return found.mcse * found.mcse;
}

/** Fills the members' values; returns the squared Monte Carlo error of their sum. */
function scoreFold(
  { density }: FullPosterior,
  set: ChainSet,
  members: readonly number[],
  pointwise: Float64Array,
): number {
  const draws = set.chains * set.draws;
  const row = new Float64Array(density.observations);
  const values = new Float64Array(members.length * draws);
  for (let s = 0; s < draws; s++) {
    density.logLikelihood(set.positions, s * set.dimension, row, 0);
    for (let m = 0; m < members.length; m++) values[m * draws + s] = row[members[m]];
  }
  const variates = new ControlVariates(set);
  const influence = new Float64Array(draws);
  const one = new Float64Array(draws);
  for (let m = 0; m < members.length; m++) {
    const mean = logSumExp(values, m * draws, draws, 1) - log(draws);
    for (let s = 0; s < draws; s++) {
      one[s] = exp(values[m * draws + s] - mean) - 1;
      influence[s] += one[s];
    }
    pointwise[members[m]] = mean + variates.correction(one);
  }
  const { mcse } = variates.correct(influence);
  return mcse * mcse;
}
