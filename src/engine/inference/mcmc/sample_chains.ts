/** Samples several chains from a log density, and continues them. */
import { RandomStream } from "../../../base/random.ts";
import type { LogDensity } from "../../../numerics/math/mod.ts";
import { type GradientBudget, gradientsPerYield, type SamplingFailure } from "./budget.ts";
import { type ChainAdaptation, type ChainSet, copyDraws, emptyChainSet } from "./chain_set.ts";
import { unitMetric } from "./metric.ts";
import { Nuts } from "./nuts.ts";
import { startChains } from "./start.ts";
import { type MovingChains, retuneStepSize, tuneChains } from "./tuning.ts";

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
 * Samples chains with the No-U-Turn sampler. Chain c draws from the stream `key`, "chain", c;
 * chains are tuned together. The same key gives the same bits. Yields about every 64 gradients, so
 * that a worker can do something else in between; the returned value is the result.
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
  const streams = Array.from(
    { length: options.chains },
    (_, c) => new RandomStream(...key, "chain", c),
  );
  const sampler = new Nuts(density, unitMetric(density.dimension), options.maxTreeDepth ?? 10);
  const tuned = options.warmStart
    ? yield* resume(density, options.warmStart, options, sampler, streams, budget)
    : yield* begin(density, options, sampler, streams, budget);
  if (!Array.isArray(tuned)) return tuned;
  const set = emptyChainSet(options.chains, options.draws, density.dimension);
  return yield* drawChains(sampler, set, 0, tuned, usedBefore, budget);
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
  const usedBefore = budget.used - set.gradientEvaluations;
  const longer = emptyChainSet(set.chains, draws, set.dimension);
  copyDraws(set, longer);
  const sampler = new Nuts(density, unitMetric(density.dimension), maxTreeDepth);
  return yield* drawChains(sampler, longer, set.draws, set.adaptations, usedBefore, budget);
}

/** Runs a generator to its end and returns its value: for callers with nothing else to do. */
export function finish<T>(work: Generator<void, T>): T {
  for (;;) {
    const next = work.next();
    if (next.done) return next.value;
  }
}

/** Starts and tunes chains; returns where they are, or why they could not be. */
function* begin(
  density: LogDensity,
  options: SamplerOptions,
  sampler: Nuts,
  streams: readonly RandomStream[],
  budget: GradientBudget,
): Generator<void, ChainAdaptation[] | SamplingFailure> {
  const mayBeDense = options.start !== "uniform";
  const starts = startChains(density, streams, mayBeDense, budget);
  if (!starts) return { kind: "no_finite_start" };
  const { positions, metric, reference } = starts;
  sampler.metric = metric;
  sampler.stepSize = 1;
  const { tune, targetAcceptance = 0.8 } = options;
  const tuning = { tune, targetAcceptance, reference, mayBeDense };
  const chains = { density, positions, streams };
  const held = yield* tuneChains(sampler, chains, tuning, budget);
  return held ? adaptationsOf(sampler, chains) : { kind: "budget" };
}

/** Takes over chains of a similar posterior and retunes the step size. */
function* resume(
  density: LogDensity,
  warm: readonly ChainAdaptation[],
  options: SamplerOptions,
  sampler: Nuts,
  streams: readonly RandomStream[],
  budget: GradientBudget,
): Generator<void, ChainAdaptation[] | SamplingFailure> {
  sampler.metric = warm[0].metric;
  sampler.stepSize = warm[0].stepSize;
  const positions = streams.map((_, c) => Float64Array.from(warm[c].position));
  budget.used += positions.length;
  if (positions.some((p) => !(sampler.moveTo(p, 0) > -Infinity))) {
    return { kind: "no_finite_start" };
  }
  const { tune, targetAcceptance = 0.8 } = options;
  const chains = { density, positions, streams };
  const held = yield* retuneStepSize(sampler, chains, tune, targetAcceptance, budget);
  return held ? adaptationsOf(sampler, chains) : { kind: "budget" };
}

function adaptationsOf(sampler: Nuts, { positions, streams }: MovingChains): ChainAdaptation[] {
  const { metric, stepSize } = sampler;
  return positions.map((position, c) => ({ metric, stepSize, position, stream: streams[c] }));
}

/** Fills every chain of `set` from draw `from` on; `usedBefore` is the budget's use before them. */
function* drawChains(
  sampler: Nuts,
  set: ChainSet,
  from: number,
  before: readonly ChainAdaptation[],
  usedBefore: number,
  budget: GradientBudget,
): Generator<void, SamplingResult> {
  const adaptations: ChainAdaptation[] = [];
  for (const [c, adaptation] of before.entries()) {
    const { metric, stepSize, stream } = adaptation;
    sampler.metric = metric;
    sampler.stepSize = stepSize;
    sampler.moveTo(adaptation.position, 0);
    budget.used += 1;
    if (!(yield* drawChain(sampler, set, c, from, stream, budget))) return { kind: "budget" };
    const { offset } = sampler;
    const position = sampler.position.slice(offset, offset + set.dimension);
    adaptations.push({ metric, stepSize, position, stream });
  }
  const gradientEvaluations = budget.used - usedBefore;
  return { kind: "chains", chainSet: { ...set, gradientEvaluations, adaptations } };
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
  let due = budget.used + gradientsPerYield;
  for (let i = c * set.draws + from; i < (c + 1) * set.draws; i++) {
    sampler.transition(stream);
    budget.used += sampler.steps;
    if (budget.used > budget.limit) return false;
    record(sampler, set, i);
    if (budget.used < due) continue;
    due = budget.used + gradientsPerYield;
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
  set.steps[i] = sampler.steps;
  set.energies[i] = sampler.energy;
}
