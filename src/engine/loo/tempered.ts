/** Chains of posteriors of several modes: parallel tempering from the prior to the posterior. */
import type { LogDensity, PointwiseDensity } from "../../base/math/log_density.ts";
import { exp } from "../../base/math/elementary.ts";
import { log } from "../../base/math/elementary.ts";
import { RandomStream } from "../../base/random.ts";
import type { GradientBudget } from "../mcmc/budget.ts";
import { type ChainSet, emptyChainSet } from "../mcmc/chain_set.ts";
import { pooledAdaptations } from "../mcmc/pooled_adaptations.ts";
import { continueChains, sampleChains } from "../mcmc/sample_chains.ts";
import type { ChainSchedule, MixedChains } from "./mixed_chains.ts";
import { mixing } from "./posterior.ts";
import { between, type PowerEnds } from "./powers.ts";
import { rhatOfFewDraws } from "./rhat_limits.ts";
import { thresholds } from "./thresholds.ts";

/** A rung: chains of the posterior that has its likelihood to a power. */
interface Rung {
  readonly power: number;
  readonly density: LogDensity;
  /** Where its chains are; no draws are kept. */
  set: ChainSet;
}

/**
 * Chains of a posterior whose modes are apart: rungs from the prior to it, each a power of the likelihood, laid so
 * that weights from one to the next are worth half of the draws (annealed importance sampling with adapted
 * powers: Neal 2001; Del Moral, Doucet and Jasra 2006); then all are drawn on and neighbours exchange places
 * (parallel tempering: Geyer 1991; Hukushima and Nemoto 1996). Every chain has a ladder of its own, so that R-hat compares
 * independent ones. `undefined` where they have not mixed within the budget.
 */
export function* temperedChains(
  density: PointwiseDensity,
  { chains, seedKey }: ChainSchedule,
  budget: GradientBudget,
): Generator<void, MixedChains<PointwiseDensity> | undefined> {
  const all = Array.from({ length: density.observations }, (_, i) => i);
  const ends = { without: density.without(all), full: density };
  const key = [...seedKey, "tempered"];
  // Each evaluation of a rung is one of both ends.
  const own = { used: 0, limit: (budget.limit - budget.used) / 2 };
  const rungs = yield* ladder(ends, chains, key, own);
  const found = rungs && (yield* exchanged(rungs, ends, new RandomStream(...key, "swaps"), own));
  budget.used += 2 * own.used;
  return found && { kind: "chains", density, chainSet: found };
}

/** Rungs from the prior up, each begun at importance draws of the one below it. */
function* ladder(
  ends: PowerEnds,
  chains: number,
  key: readonly (string | number)[],
  budget: GradientBudget,
): Generator<void, Rung[] | undefined> {
  const stream = new RandomStream(...key, "ladder");
  const rungs: Rung[] = [];
  const { temperedTune: tune, temperedDraws: draws } = thresholds;
  let starts: ReturnType<typeof pooledAdaptations> | undefined;
  for (let power = 0; rungs.length < thresholds.maxRungs;) {
    const density = between(ends, power);
    const from = starts ? { warmStart: starts } : { start: "uniform" as const };
    const own = [...key, "rung", rungs.length];
    const first = yield* sampleChains(density, { chains, tune, draws, ...from }, own, budget);
    if (first.kind !== "chains") return undefined;
    const warmStart = pooledAdaptations(first.chainSet);
    const again = { chains, tune, draws, warmStart };
    const second = yield* sampleChains(density, again, [...own, "tuned"], budget);
    if (second.kind !== "chains") return undefined;
    const set = second.chainSet;
    rungs.push({ power, density, set: emptied(set) });
    if (power === 1) return rungs;
    const logs = logLikelihoods(ends, set);
    const next = nextPower(power, logs);
    starts = pooledAdaptations(set).map((adaptation, c) => {
      const position = resampled(set, logs, next - power, c, stream);
      return { ...adaptation, position };
    });
    power = next;
  }
  return undefined;
}

/** log L at every draw of a set, −∞ where it is no number `[chains · draws]`. */
function logLikelihoods(ends: PowerEnds, { positions, dimension, chains, draws }: ChainSet) {
  return Float64Array.from(
    { length: chains * draws },
    (_, s) => logLikelihood(ends, positions.subarray(s * dimension, (s + 1) * dimension)),
  );
}

function logLikelihood({ without, full }: PowerEnds, position: Float64Array): number {
  const at = position.slice();
  const gradient = new Float64Array(at.length);
  const value = full.logDensity(at, gradient, 0) - without.logDensity(at, gradient, 0);
  return value === value ? value : -Infinity;
}

/** The power up to which weights are worth half of the draws. */
function nextPower(power: number, logs: Float64Array): number {
  const worth = (by: number) => {
    const top = Math.max(...logs);
    let [sum, squares] = [0, 0];
    for (const v of logs) {
      const w = v > -Infinity ? exp(by * (v - top)) : 0;
      [sum, squares] = [sum + w, squares + w * w];
    }
    return sum * sum / squares / logs.length;
  };
  let [low, high] = [0, 1 - power];
  if (worth(high) >= thresholds.temperedWorth) return 1;
  for (let k = 0; k < thresholds.powerHalvings * 2; k++) {
    const middle = 0.5 * (low + high);
    if (worth(middle) >= thresholds.temperedWorth) low = middle;
    else high = middle;
  }
  return power + Math.max(low, 1e-6);
}

/** A draw of chain `c`, by its weight. */
function resampled(
  { positions, dimension, draws }: ChainSet,
  logs: Float64Array,
  by: number,
  c: number,
  stream: RandomStream,
): Float64Array {
  const own = logs.subarray(c * draws, (c + 1) * draws);
  const top = Math.max(...own);
  const weights = own.map((v) => v > -Infinity ? exp(by * (v - top)) : 0);
  let rest = stream.uniform() * weights.reduce((a, b) => a + b, 0);
  let s = 0;
  while (s + 1 < draws && (rest -= weights[s]) > 0) s++;
  const at = (c * draws + s) * dimension;
  return positions.slice(at, at + dimension);
}

/** The chains without their draws. */
function emptied(set: ChainSet): ChainSet {
  const none = emptyChainSet(set.chains, 0, set.dimension);
  return { ...none, adaptations: set.adaptations };
}

/** Draws all rungs on, exchanging places, until the draws of the posterior have mixed. */
function* exchanged(
  rungs: readonly Rung[],
  ends: PowerEnds,
  stream: RandomStream,
  budget: GradientBudget,
): Generator<void, ChainSet | undefined> {
  const { roundTransitions, temperedRounds } = thresholds;
  const top = rungs[rungs.length - 1];
  const pieces: ChainSet[] = [];
  for (let round = 1, due = thresholds.firstTemperedLook; round <= temperedRounds; round++) {
    for (const rung of rungs) {
      const found = yield* continueChains(rung.density, rung.set, roundTransitions, budget);
      if (found.kind !== "chains") return undefined;
      if (rung === top) pieces.push(found.chainSet);
      rung.set = emptied(found.chainSet);
    }
    exchange(rungs, ends, round % 2, stream, budget);
    if (round < due) continue;
    due *= 2;
    const set = joined(pieces);
    const limit = rhatOfFewDraws(thresholds.mixedRhat, set.dimension);
    const { rhatMax, essBulkMin } = mixing(set);
    if (rhatMax <= limit && essBulkMin >= thresholds.temperedEffective) return set;
  }
  return undefined;
}

/** Neighbours change places, each chain with that of the same number, as the ratio of their densities allows. */
function exchange(
  rungs: readonly Rung[],
  ends: PowerEnds,
  from: number,
  stream: RandomStream,
  budget: GradientBudget,
): void {
  const logs = rungs.map(({ set }) =>
    set.adaptations.map(({ position }) => logLikelihood(ends, position))
  );
  budget.used += rungs.length * rungs[0].set.chains;
  for (let low = from; low + 1 < rungs.length; low += 2) {
    const [a, b] = [rungs[low], rungs[low + 1]];
    const places = [a, b].map(({ set }) => [...set.adaptations]);
    for (let c = 0; c < a.set.chains; c++) {
      const gain = (b.power - a.power) * (logs[low][c] - logs[low + 1][c]);
      if (!(log(stream.uniform()) < gain)) continue;
      const position = places[0][c].position;
      places[0][c] = { ...places[0][c], position: places[1][c].position };
      places[1][c] = { ...places[1][c], position };
    }
    a.set = { ...a.set, adaptations: places[0] };
    b.set = { ...b.set, adaptations: places[1] };
  }
}

/** Draws of pieces of chains, one piece after the other. */
function joined(pieces: readonly ChainSet[]): ChainSet {
  const last = pieces[pieces.length - 1];
  const { chains, dimension } = last;
  const each = last.draws;
  const set = emptyChainSet(chains, pieces.length * each, dimension);
  pieces.forEach((piece, p) => {
    for (let c = 0; c < chains; c++) {
      const [from, to] = [c * each, c * set.draws + p * each];
      const rows = <T extends { set(a: T, at: number): void; subarray(a: number, b: number): T }>(
        out: T,
        values: T,
        width: number,
      ) => out.set(values.subarray(from * width, (from + each) * width), to * width);
      rows(set.positions, piece.positions, dimension);
      rows(set.gradients, piece.gradients, dimension);
      rows(set.logDensities, piece.logDensities, 1);
      rows(set.diverging, piece.diverging, 1);
      rows(set.treeDepths, piece.treeDepths, 1);
      rows(set.acceptance, piece.acceptance, 1);
      rows(set.steps, piece.steps, 1);
      rows(set.energies, piece.energies, 1);
    }
  });
  const gradientEvaluations = pieces.reduce((sum, one) => sum + one.gradientEvaluations, 0);
  return { ...set, gradientEvaluations, adaptations: last.adaptations };
}
