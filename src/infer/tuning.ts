/** Tuning of one chain: step size and metric, as Stan does it. */
import type { RandomStream } from "../base/random.ts";
import type { GradientBudget } from "./budget.ts";
import { CovarianceEstimator } from "./covariance.ts";
import { denseMetric, diagonalMetric, type Metric } from "./metric.ts";
import type { Nuts } from "./nuts.ts";
import { DualAveraging } from "./step_size.ts";
import { adaptationWindows } from "./windows.ts";

/** How a chain is tuned. */
export interface TuningOptions {
  /** How many transitions. */
  readonly tune: number;
  /** Acceptance statistic that the step size aims at. */
  readonly targetAcceptance: number;
  /** What windowed estimates of the metric are shrunk towards; see `ChainStart`. */
  readonly reference: Float64Array;
}

/**
 * Runs `tune` transitions that learn step size and metric; yields after each. Leaves the averaged
 * step size in `sampler`. Returns whether the budget held.
 */
export function* tuneChain(
  sampler: Nuts,
  options: TuningOptions,
  stream: RandomStream,
  budget: GradientBudget,
): Generator<void, boolean> {
  const { tune, reference } = options;
  const windows = adaptationWindows(tune);
  const dimension = sampler.metric.dense ? Math.sqrt(reference.length) : reference.length;
  const estimator = new CovarianceEstimator(dimension, sampler.metric.dense);
  const averaging = new DualAveraging(options.targetAcceptance);
  restartStepSize(sampler, averaging, stream, budget);
  const end = windows.ends.at(-1) ?? -1;
  for (let i = 0, window = 0; i < tune; i++) {
    advance(sampler, averaging, stream, budget);
    if (budget.used > budget.limit) return false;
    if (i >= windows.begin && i <= end) estimator.add(sampler.position, sampler.offset);
    if (i === windows.ends[window]) {
      window += 1;
      sampler.metric = learnt(estimator, reference) ?? sampler.metric;
      estimator.reset();
      restartStepSize(sampler, averaging, stream, budget);
    }
    yield;
  }
  sampler.stepSize = averaging.averaged();
  return true;
}

/**
 * Runs `tune` transitions that learn the step size only, from the present one: for a chain that
 * goes on from another's metric. Yields after each; returns whether the budget held.
 */
export function* retuneStepSize(
  sampler: Nuts,
  tune: number,
  targetAcceptance: number,
  stream: RandomStream,
  budget: GradientBudget,
): Generator<void, boolean> {
  const averaging = new DualAveraging(targetAcceptance);
  averaging.restart(sampler.stepSize, 1);
  for (let i = 0; i < tune; i++) {
    advance(sampler, averaging, stream, budget);
    if (budget.used > budget.limit) return false;
    yield;
  }
  sampler.stepSize = averaging.averaged();
  return true;
}

/** One transition, and what the step size learns from it. */
function advance(
  sampler: Nuts,
  averaging: DualAveraging,
  stream: RandomStream,
  budget: GradientBudget,
): void {
  sampler.stepSize = averaging.stepSize;
  sampler.transition(stream);
  budget.used += sampler.steps;
  averaging.update(sampler.acceptance);
}

function restartStepSize(
  sampler: Nuts,
  averaging: DualAveraging,
  stream: RandomStream,
  budget: GradientBudget,
): void {
  budget.used += sampler.findStepSize(stream);
  averaging.restart(sampler.stepSize);
}

/** The metric of a window's draws; `undefined` if they hardly moved. */
function learnt(estimator: CovarianceEstimator, reference: Float64Array): Metric | undefined {
  const estimate = estimator.regularised(reference);
  return estimator.dense ? denseMetric(estimate, estimator.dimension) : diagonalMetric(estimate);
}
