/** Samples several chains from a log density, and continues them. */
import { RandomStream } from "../base/random.ts";
import type { LogDensity } from "../math/log_density.ts";
import type { GradientBudget, SamplingFailure } from "./budget.ts";
import { type ChainAdaptation, type ChainSet, copyDraws, emptyChainSet } from "./chain_set.ts";
import { unitMetric } from "./metric.ts";
import { Nuts } from "./nuts.ts";
import { laplaceStart, uniformStart } from "./start.ts";
import { retuneStepSize, tuneChain } from "./tuning.ts";

/** How chains are sampled. */
export interface SamplerOptions {
  /** How many chains. */
  readonly chains: number;
  /** Transitions that learn step size and metric and are not kept. */
  readonly tune: number;
  /** Transitions kept, per chain. */
  readonly draws: number;
  /** Acceptance statistic that the step size aims at; 0.8 if absent. */
  readonly targetAcceptance?: number;
  /** Doublings of a trajectory at most; 10 if absent. */
  readonly maxTreeDepth?: number;
  /** Stan's start and diagonal metric, or Laplace's where there is one (the default). */
  readonly start?: "laplace" | "uniform";
  /** Chains of a similar posterior: start where they ended and keep their metric. */
  readonly warmStart?: readonly ChainAdaptation[];
}

/** Chains, or why there are none. */
export type SamplingResult =
  | { readonly kind: "chains"; readonly chainSet: ChainSet }
  | SamplingFailure;

/** A key of a random stream; see `RandomStream`. */
export type StreamKey = readonly (string | number)[];

/**
 * Samples chains with the No-U-Turn sampler. Chain c draws from the stream `key`, "chain", c, so
 * the same key gives the same bits. Yields about once per transition, so that a worker can do
 * something else in between; the returned value is the result.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { finish, sampleChains } from "./sample_chains.ts";
 * const normal = {
 *   dimension: 1,
 *   logDensity(position: Float64Array, gradient: Float64Array, offset: number) {
 *     gradient[offset] = -position[offset];
 *     return -0.5 * position[offset] * position[offset];
 *   },
 * };
 * const options = { chains: 2, tune: 100, draws: 50 };
 * const result = finish(sampleChains(normal, options, ["example"], { used: 0, limit: 1e6 }));
 * assert.ok(result.kind === "chains");
 * assert.equal(result.chainSet.positions.length, 100);
 * ```
 */
export function* sampleChains(
  density: LogDensity,
  options: SamplerOptions,
  key: StreamKey,
  budget: GradientBudget,
): Generator<void, SamplingResult> {
  const usedBefore = budget.used;
  const set = emptyChainSet(options.chains, options.draws, density.dimension);
  const sampler = new Nuts(density, unitMetric(density.dimension), options.maxTreeDepth ?? 10);
  const adaptations: ChainAdaptation[] = [];
  for (let c = 0; c < options.chains; c++) {
    const stream = new RandomStream(...key, "chain", c);
    const warm = options.warmStart?.[c];
    const failure = warm
      ? yield* resume(density, warm, options, sampler, stream, budget)
      : yield* begin(density, options, sampler, stream, budget);
    if (failure) return failure;
    if (!(yield* drawChain(sampler, set, c, 0, stream, budget))) return { kind: "budget" };
    adaptations.push(adaptationOf(sampler, stream));
  }
  return done(set, budget.used - usedBefore, adaptations);
}

/**
 * Draws until every chain has `draws` draws, from where the chains stopped and with their tuning;
 * the result begins with the draws of `set`. The streams of `set` move on, so a set can be
 * continued once.
 */
export function* continueChains(
  density: LogDensity,
  set: ChainSet,
  draws: number,
  budget: GradientBudget,
  maxTreeDepth: number = 10,
): Generator<void, SamplingResult> {
  const usedBefore = budget.used;
  const longer = emptyChainSet(set.chains, draws, set.dimension);
  copyDraws(set, longer);
  const sampler = new Nuts(density, unitMetric(density.dimension), maxTreeDepth);
  const adaptations: ChainAdaptation[] = [];
  for (const [c, adaptation] of set.adaptations.entries()) {
    const { stream } = adaptation;
    enter(density, adaptation, sampler, budget);
    if (!(yield* drawChain(sampler, longer, c, set.draws, stream, budget))) {
      return { kind: "budget" };
    }
    adaptations.push(adaptationOf(sampler, stream));
  }
  return done(longer, set.gradientEvaluations + budget.used - usedBefore, adaptations);
}

/** Runs a generator to its end and returns its value: for callers with nothing else to do. */
export function finish<T>(work: Generator<void, T>): T {
  for (;;) {
    const next = work.next();
    if (next.done) return next.value;
  }
}

function done(
  set: ChainSet,
  gradientEvaluations: number,
  adaptations: readonly ChainAdaptation[],
): SamplingResult {
  return { kind: "chains", chainSet: { ...set, gradientEvaluations, adaptations } };
}

/** Starts and tunes a chain; returns why it could not be. */
function* begin(
  density: LogDensity,
  options: SamplerOptions,
  sampler: Nuts,
  stream: RandomStream,
  budget: GradientBudget,
): Generator<void, SamplingFailure | undefined> {
  const uniform = uniformStart(density, stream, budget);
  if (!uniform) return { kind: "no_finite_start" };
  const start = options.start === "uniform"
    ? uniform
    : laplaceStart(density, uniform, stream, budget);
  sampler.restart(density, start.metric);
  sampler.moveTo(start.position, 0);
  budget.used += 1;
  sampler.stepSize = 1;
  const { tune, targetAcceptance = 0.8 } = options;
  const tuning = { tune, targetAcceptance, reference: start.reference };
  const held = yield* tuneChain(sampler, tuning, stream, budget);
  return held ? undefined : { kind: "budget" };
}

/** Takes over a chain of a similar posterior and retunes the step size. */
function* resume(
  density: LogDensity,
  warm: ChainAdaptation,
  options: SamplerOptions,
  sampler: Nuts,
  stream: RandomStream,
  budget: GradientBudget,
): Generator<void, SamplingFailure | undefined> {
  if (!(enter(density, warm, sampler, budget) > -Infinity)) return { kind: "no_finite_start" };
  const target = options.targetAcceptance ?? 0.8;
  const held = yield* retuneStepSize(sampler, options.tune, target, stream, budget);
  return held ? undefined : { kind: "budget" };
}

/** Puts the sampler where a chain stopped; returns the log density there. */
function enter(
  density: LogDensity,
  adaptation: ChainAdaptation,
  sampler: Nuts,
  budget: GradientBudget,
): number {
  sampler.restart(density, adaptation.metric);
  sampler.stepSize = adaptation.stepSize;
  budget.used += 1;
  return sampler.moveTo(adaptation.position, 0);
}

function adaptationOf(sampler: Nuts, stream: RandomStream): ChainAdaptation {
  const { metric, stepSize, offset } = sampler;
  const dimension = metric.dense ? Math.sqrt(metric.factor.length) : metric.factor.length;
  return { metric, stepSize, position: sampler.position.slice(offset, offset + dimension), stream };
}

/** Fills chain `c` of `set` from draw `from` on; returns whether the budget held. */
function* drawChain(
  sampler: Nuts,
  set: ChainSet,
  c: number,
  from: number,
  stream: RandomStream,
  budget: GradientBudget,
): Generator<void, boolean> {
  for (let i = c * set.draws + from; i < (c + 1) * set.draws; i++) {
    sampler.transition(stream);
    budget.used += sampler.steps;
    if (budget.used > budget.limit) return false;
    record(sampler, set, i);
    yield;
  }
  return true;
}

/** Writes the sampler's state as draw `i` of `set`. */
function record(sampler: Nuts, set: ChainSet, i: number): void {
  const { position, gradient, offset } = sampler;
  const to = i * set.dimension;
  for (let k = 0; k < set.dimension; k++) {
    set.positions[to + k] = position[offset + k];
    set.gradients[to + k] = gradient[offset + k];
  }
  set.logDensities[i] = sampler.logDensity;
  set.diverging[i] = sampler.diverging ? 1 : 0;
  set.treeDepths[i] = sampler.treeDepth;
  set.acceptance[i] = sampler.acceptance;
}
