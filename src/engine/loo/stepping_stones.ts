/** The density of an observation that is an outlier, by posteriors between those with and without it. */
import type { GradientBudget } from "../inference/mcmc/budget.ts";
import {
  continueChains,
  sampleChains,
  type SamplingResult,
  type StreamKey,
} from "../inference/mcmc/sample_chains.ts";
import type { ChainSet } from "../inference/mcmc/chain_set.ts";
import { exp, type LogDensity } from "../../numerics/math/mod.ts";
import { bridge } from "./bridge.ts";
import { ControlVariates } from "./control_variates.ts";
import { between } from "./powers.ts";
import { mixing } from "./posterior.ts";
import { rhatOfFewDraws } from "./rhat_limits.ts";
import { thresholds } from "./thresholds.ts";

/**
 * Share of a step that a new stone is away from either end, at least. A round number: variances of
 * few draws are unreliable further.
 */
const minStoneShare = 0.02;

/**
 * Posteriors in a row of stones, both ends included, at most. A round number: a log ratio of a
 * hundred nats takes ten.
 */
const maxStones = 24;

/** A posterior that has the likelihood of the observation to a power, and its draws. */
export interface Stone {
  /** 0 without the observation, 1 with it. */
  readonly power: number;
  /** Its draws. */
  readonly set: ChainSet;
  /** log p(y_i | draw) `[chains · draws]`. */
  readonly logLikelihood: Float64Array;
}

/** Where stones are laid. */
interface Crossing {
  /** The posterior without the observation. */
  readonly without: LogDensity;
  /** The one with it. */
  readonly full: LogDensity;
  /** log p(y_i | draw) at draws of any set. */
  logLikelihood(set: ChainSet): Float64Array;
  /** Key of the random streams. */
  readonly key: StreamKey;
  /** Monte Carlo standard error that the stones may have, nats. */
  readonly targetMcse: number;
  /** Draws per chain at most. */
  readonly maxDraws: number;
  /** Use of the budget above which nothing more is drawn. */
  readonly softLimit: number;
}

/** Estimate by a series of stepping stones. */
interface Crossed {
  /** log p(y_i | y_-i). */
  readonly elpd: number;
  /** Influence of the draws of the full posterior. */
  readonly influence: Float64Array;
  /** Monte Carlo standard error from all other draws. */
  readonly mcse: number;
}

/**
 * How much two neighbours have in common: the mean over both of a·b / (½a + ½b)² for their densities a and b, 1
 * where they are the same and 0 where they are apart. The error of a bridge is large where it is small (Meng and Wong 1996, section 3).
 */
export function overlap(a: Stone, b: Stone): number {
  const by = b.power - a.power;
  const logA = a.logLikelihood.map((v) => by * v);
  const logB = b.logLikelihood.map((v) => by * v);
  const { logRatio } = bridge(logA, logB);
  const term = (v: number) => 2 / (1 + exp(v));
  const mean = (values: Float64Array, sign: number) =>
    values.reduce((sum, v) => sum + term(sign * (v - logRatio)), 0) / values.length;
  return 0.5 * (mean(logA, -1) + mean(logB, 1));
}

/**
 * log p(y_i | y_-i) as a sum of bridges over posteriors with powers of the observation's likelihood (stepping stones:
 * Xie, Lewis, Fan, Kuo and Chen 2011; path sampling's choice of powers: Gelman and Meng 1998), laid until neighbours overlap. All are drawn on until
 * the error is small. `undefined` where the budget ends or chains do not mix before that.
 */
export function* steppingStones(
  ends: readonly [Stone, Stone],
  crossing: Crossing,
  budget: GradientBudget,
): Generator<void, Crossed | undefined> {
  let stones: Stone[] = [...ends];
  for (let at = 0; at + 1 < stones.length;) {
    if (overlap(stones[at], stones[at + 1]) >= thresholds.minOverlap) {
      at += 1;
      continue;
    }
    if (stones.length >= maxStones) return undefined;
    const stone = yield* laid(stones[at], stones[at + 1], crossing, budget);
    if (!stone) return undefined;
    stones.splice(at + 1, 0, stone);
  }
  for (;;) {
    const crossed = across(stones);
    const draws = 2 * stones[0].set.draws;
    const cost = stones.slice(0, -1).reduce((sum, { set }) => sum + set.gradientEvaluations, 0);
    const affordable = budget.used + 2 * thresholds.costMargin * cost <= crossing.softLimit;
    if (crossed.mcse <= crossing.targetMcse || draws > crossing.maxDraws || !affordable) {
      return crossed;
    }
    const longer: Stone[] = [];
    for (const stone of stones.slice(0, -1)) {
      const density = between(crossing, stone.power);
      const next = yield* counted(
        stone.power,
        budget,
        (own) => continueChains(density, stone.set, draws, own),
      );
      if (next.kind !== "chains") return crossed;
      longer.push(stoneOf(stone.power, next.chainSet, crossing));
    }
    stones = [...longer, stones[stones.length - 1]];
  }
}

/** A stone about half-way between two, measured in standard deviations of the log likelihood. */
function* laid(
  low: Stone,
  high: Stone,
  crossing: Crossing,
  budget: GradientBudget,
): Generator<void, Stone | undefined> {
  const power = powerBetween(low, high);
  const density = between(crossing, power);
  // The wider one of both has the metric that the steps can do with.
  const warm = { ...scheduleOf(high.set), warmStart: high.set.adaptations };
  const fresh = { ...scheduleOf(high.set), tune: thresholds.freshTune };
  const key = [...crossing.key, "stone", power];
  for (const [k, options] of [warm, fresh].entries()) {
    const found = yield* counted(
      power,
      budget,
      (own) => sampleChains(density, options, k === 0 ? key : [...key, "fresh"], own),
    );
    if (found.kind !== "chains") return undefined;
    const limit = rhatOfFewDraws(thresholds.mixedRhat, found.chainSet.dimension);
    if (mixing(found.chainSet).rhatMax <= limit) {
      return stoneOf(power, found.chainSet, crossing);
    }
  }
  return undefined;
}

function scheduleOf({ chains }: ChainSet) {
  return { chains, tune: thresholds.retuneTransitions, draws: thresholds.stoneDraws };
}

/**
 * Steps of equal length in standard deviations of log L, were the reciprocal of these linear in the
 * power, as it is for a squared distance from a normal mean.
 */
function powerBetween(low: Stone, high: Stone): number {
  const [a, b] = [low, high].map(({ logLikelihood }) => 1 / (deviation(logLikelihood) + 1e-9));
  const middle = Math.sqrt(a * b);
  const share = Math.abs(b - a) > 1e-6 * a ? (middle - a) / (b - a) : 0.5;
  const kept = Math.min(1 - minStoneShare, Math.max(minStoneShare, share));
  return low.power + kept * (high.power - low.power);
}

function deviation(values: Float64Array): number {
  const mean = values.reduce((sum, v) => sum + v, 0) / values.length;
  return Math.sqrt(values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / values.length);
}

function stoneOf(power: number, set: ChainSet, crossing: Crossing): Stone {
  return { power, set, logLikelihood: crossing.logLikelihood(set) };
}

/** Runs with the budget counted twice where a gradient is two. */
function* counted(
  power: number,
  budget: GradientBudget,
  work: (own: GradientBudget) => Generator<void, SamplingResult>,
): Generator<void, SamplingResult> {
  const each = power === 0 ? 1 : 2;
  const own = { used: 0, limit: (budget.limit - budget.used) / each };
  const found = yield* work(own);
  budget.used += each * own.used;
  return found;
}

/** The sum of all bridges; each stone's draws have part in two of them. */
function across(stones: readonly Stone[]): Crossed {
  const influences = stones.map(({ logLikelihood }) => new Float64Array(logLikelihood.length));
  let elpd = 0;
  for (let k = 0; k + 1 < stones.length; k++) {
    const by = stones[k + 1].power - stones[k].power;
    const [a, b] = [stones[k], stones[k + 1]].map((one) => one.logLikelihood.map((v) => by * v));
    const { logRatio, influenceA, influenceB } = bridge(a, b);
    elpd += logRatio;
    influenceA.forEach((v, s) => influences[k][s] += v);
    influenceB.forEach((v, s) => influences[k + 1][s] += v);
  }
  let square = 0;
  for (let k = 0; k + 1 < stones.length; k++) {
    const { correction, mcse } = new ControlVariates(stones[k].set).correct(influences[k]);
    elpd += correction;
    square += mcse * mcse;
  }
  return { elpd, influence: influences[stones.length - 1], mcse: Math.sqrt(square) };
}
