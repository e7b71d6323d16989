/** Tuning of chains, together: one step size and one metric, learnt from the draws of all. */
import type { RandomStream } from "../../../base/random.ts";
import type { LogDensity } from "../../../numerics/math/mod.ts";
import { type GradientBudget, gradientsPerYield } from "./budget.ts";
import { CovarianceEstimator } from "./covariance.ts";
import { chooseMetric, diagonalMetric, maxDenseDimension, type Metric } from "./metric.ts";
import type { Nuts } from "./nuts.ts";
import { DualAveraging } from "./step_size.ts";

/** How chains are tuned. */
interface TuningOptions {
  /** How many transitions, per chain. */
  readonly tune: number;
  /** Acceptance statistic that the step size aims at. */
  readonly targetAcceptance: number;
  /** Variances `[dimension]` that estimates of the metric are shrunk towards. */
  readonly reference: Float64Array;
  /** Whether the metric may become dense. */
  readonly mayBeDense: boolean;
}

/** Chains on their way: their positions are written over, their streams move on. */
export interface MovingChains {
  /** The log density that they sample. */
  readonly density: LogDensity;
  /** Where each is `[chains][dimension]`. */
  readonly positions: readonly Float64Array[];
  /** One per chain. */
  readonly streams: readonly RandomStream[];
}

/**
 * Transitions per chain in each round of `tune`: 15 %, in which chains forget where they started,
 * 25 % and 40 %, after which the metric is replaced, and the rest for the step size.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { tuningRounds } from "./tuning.ts";
 * assert.deepEqual(tuningRounds(100), [15, 25, 40, 20]);
 * ```
 */
export function tuningRounds(tune: number): readonly number[] {
  if (tune < 20) return [0, 0, 0, tune];
  const rounds = [0.15, 0.25, 0.4].map((share) => Math.floor(share * tune));
  return [...rounds, tune - rounds.reduce((a, b) => a + b)];
}

/**
 * Tunes chains in rounds. In a round every chain in turn makes its transitions, all with the metric
 * of the round before, while the step size goes from chain to chain; after the rounds in the middle
 * the metric becomes the covariance of the draws of all chains. Leaves metric and averaged step
 * size in `sampler`. Yields now and then; returns whether the budget held.
 */
export function* tuneChains(
  sampler: Nuts,
  chains: MovingChains,
  options: TuningOptions,
  budget: GradientBudget,
): Generator<void, boolean> {
  const d = chains.density.dimension;
  const estimator = new CovarianceEstimator(d, options.mayBeDense && d <= maxDenseDimension);
  const averaging = new DualAveraging(options.targetAcceptance);
  for (const [round, transitions] of tuningRounds(options.tune).entries()) {
    if (transitions === 0) continue;
    restartStepSize(sampler, chains, averaging, budget);
    const collect = round === 1 || round === 2 ? estimator : undefined;
    if (!(yield* tuneRound(sampler, chains, transitions, averaging, budget, collect))) return false;
    sampler.stepSize = averaging.averaged();
    if (!collect) continue;
    sampler.metric = learnt(estimator, options.reference) ?? sampler.metric;
    estimator.reset();
  }
  return true;
}

/**
 * Makes `transitions` per chain that learn the step size only, from the present one: for chains
 * that go on from another's metric. Yields now and then; returns whether the budget held.
 */
export function* retuneStepSize(
  sampler: Nuts,
  chains: MovingChains,
  transitions: number,
  targetAcceptance: number,
  budget: GradientBudget,
): Generator<void, boolean> {
  const averaging = new DualAveraging(targetAcceptance);
  averaging.restart(sampler.stepSize, 1);
  if (!(yield* tuneRound(sampler, chains, transitions, averaging, budget))) return false;
  sampler.stepSize = averaging.averaged();
  return true;
}

/** One round: every chain in turn. */
function* tuneRound(
  sampler: Nuts,
  { positions, streams }: MovingChains,
  transitions: number,
  averaging: DualAveraging,
  budget: GradientBudget,
  collect?: CovarianceEstimator,
): Generator<void, boolean> {
  let due = budget.used + gradientsPerYield;
  for (const [c, position] of positions.entries()) {
    sampler.moveTo(position, 0);
    budget.used += 1;
    for (let i = 0; i < transitions; i++) {
      sampler.stepSize = averaging.stepSize;
      sampler.transition(streams[c]);
      budget.used += sampler.steps;
      if (budget.used > budget.limit) return false;
      averaging.update(sampler.acceptance);
      collect?.add(sampler.position, sampler.offset);
      if (budget.used < due) continue;
      due = budget.used + gradientsPerYield;
      yield;
    }
    const { offset } = sampler;
    position.set(sampler.position.subarray(offset, offset + position.length));
  }
  return true;
}

/** Restarts at a step size that suits the first chain. */
function restartStepSize(
  sampler: Nuts,
  { positions, streams }: MovingChains,
  averaging: DualAveraging,
  budget: GradientBudget,
): void {
  sampler.moveTo(positions[0], 0);
  budget.used += 1 + sampler.findStepSize(streams[0]);
  averaging.restart(sampler.stepSize);
}

/** The metric of a round's draws; `undefined` if they hardly moved. */
function learnt(estimator: CovarianceEstimator, reference: Float64Array): Metric | undefined {
  const estimate = estimator.regularised(reference);
  return estimator.dense
    ? chooseMetric(estimate, estimator.dimension, true)
    : diagonalMetric(estimate);
}
