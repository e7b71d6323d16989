/** Leave-one-out of posteriors of several modes or with jumps, by particles that are carried from the prior. */
import { exp, log, type PointwiseDensity } from "../../numerics/math/mod.ts";
import type { GradientBudget } from "../inference/mcmc/budget.ts";
import type { StreamKey } from "../inference/mcmc/sample_chains.ts";
import type { CellGains } from "./cells.ts";
import { type Evidence, evidenceOfWeights } from "./evidence.ts";
import type { ImportanceEstimate } from "./importance_estimate.ts";
import { type Carried, carry, type Effort } from "./particles/carry.ts";
import { logComponent, logSum } from "./particles/path.ts";
import { Evaluator } from "./particles/population.ts";
import { normalised } from "./proposals/weights.ts";
import { thresholds } from "./thresholds.ts";
import type { ImportanceDraws } from "./importance_draws.ts";

/**
 * Share of the particles that an observation's component has, at least, of an equal one. A
 * round number: ratios are then at most ten times the number of components.
 */
const leastComponent = 0.1;

/**
 * Random steps of each particle on each rung at most. A round number: twice what three sources
 * have room for.
 */
const mostParticleSteps = 32;

/**
 * Particles of the second attempt at most. Measured: 1,000 in each population keep modes that
 * 500 lose.
 */
const mostParticles = 16000;

/** Stream and stopping rule of the particles. */
interface ParticleGoal {
  readonly seedKey: StreamKey;
  /** Standard error of the sum, nats, with which a first attempt is enough. */
  readonly targetMcse: number;
}

/** Estimate by particles, and their positions. */
export interface ParticleEstimate extends Omit<ImportanceEstimate, "weighted" | "effective"> {
  /** Where they are, with log weights for the whole posterior. */
  readonly weighted: Pick<ImportanceDraws, "positions" | "logWeights">;
  /** From groups, each of which has an estimate of its own. */
  readonly evidence: Evidence;
}

/** Whether a posterior is small enough for particles. */
function fitsParticles(density: PointwiseDensity): boolean {
  return density.dimension <= thresholds.particleCoordinates &&
    density.observations <= thresholds.particleRows && density.factorises !== false;
}

/** Gradients of the budget that are kept for particles where chains have not mixed at once. */
export function reserveForParticles(density: PointwiseDensity, budget: GradientBudget): number {
  return fitsParticles(density)
    ? thresholds.particleReserve * Math.max(0, budget.limit - budget.used)
    : 0;
}

/**
 * Particles go from the prior to a mixture of the posterior with all that lack an observation, in groups
 * that estimate the error: modes keep their share of the particles, though none ever leaves its own, and no
 * gradient is asked for. Ratios to the mixture are bounded, so that no observation is too influential. A
 * second attempt has what is left of the budget, if the first has too large an error.
 *
 * @returns `undefined` where the posterior has too many coordinates or rows, or the budget is too small.
 */
export function* particlesLoo(
  density: PointwiseDensity,
  { seedKey, targetMcse }: ParticleGoal,
  budget: GradientBudget,
): Generator<void, ParticleEstimate | undefined> {
  if (!fitsParticles(density)) return undefined;
  const evaluator = new Evaluator(density);
  const { firstParticles, firstParticleSteps } = thresholds;
  const effort = { particles: inGroups(firstParticles), steps: firstParticleSteps };
  const first = yield* carry(evaluator, effort, [...seedKey, "first particles"], budget);
  if (!first) return undefined;
  const estimate = estimateOf(density, first);
  if (!estimate || estimate.mcse <= targetMcse) return estimate;
  const more = secondEffort(effort, first.rungs, budget);
  if (!more) return estimate;
  const second = yield* carry(evaluator, more, [...seedKey, "more particles"], budget);
  return second ? estimateOf(density, second) : estimate;
}

function inGroups(particles: number): number {
  const { particleGroups } = thresholds;
  return particleGroups * Math.floor(particles / particleGroups);
}

/** Gradients that chains of the prior hardly exceed. */
const priorChains = 50_000;

/** As much as the budget has room for, if that is twice as much as before. */
function secondEffort(
  first: Effort,
  rungs: number,
  budget: GradientBudget,
): Effort | undefined {
  // The prior is a rung as well, and more particles may find one more.
  const room = (budget.limit - budget.used - priorChains) / (rungs + 2);
  if (room < 2 * first.particles * first.steps) return undefined;
  const particles = inGroups(Math.min(mostParticles, room / first.steps));
  return { particles, steps: Math.min(mostParticleSteps, Math.floor(room / particles)) };
}

/** log of weighted sums over the particles of each group `[groups]`. */
type GroupSums = Float64Array;

/** Estimate by carried particles; `undefined` if it is no number. */
function estimateOf(density: PointwiseDensity, carried: Carried): ParticleEstimate | undefined {
  const { population: { count, observations: n, logLikelihood, positions } } = carried;
  const whole = weightsOf(carried, n);
  const sumOfWhole = sumsOf(carried, whole);
  const without = Array.from({ length: n }, (_, i) => weightsOf(carried, i));
  const sums = without.map((weights) => sumsOf(carried, weights));
  const { pointwise, mcse } = ratios(sums.map((own) => [sumOfWhole, own]));
  if (!(mcse < Infinity)) return undefined;
  const again = without.map((_, i) =>
    sumsOf(carried, whole.map((weight, s) => weight + logLikelihood[s * n + i]))
  );
  const lppd = ratios(again.map((own) => [own, sumOfWhole])).pointwise;
  const shapes = pointwise.map((_, i) => shapeOf(carried, i));
  const raw = pointwise.reduce((a, b) => a + b, 0);
  const weighted = { positions, logWeights: whole };
  const size = count / thresholds.particleGroups;
  const evidence = evidenceOfWeights(sumOfWhole.map((sum) => sum - log(size)));
  const sum = { pointwise, lppd, raw, mcse, shapes };
  const estimate = { ...sum, draws: count, weighted, evidence };
  if (!density.logCells) return estimate;
  const cells = cellsAt(density, carried);
  const inCells = without.map((weights, i) =>
    sumsOf(carried, weights.map((weight, s) => weight + cells[s * n + i]))
  );
  const gains = ratios(inCells.map((own) => [own, sumOfWhole]));
  return gains.mcse < Infinity ? { ...estimate, gains } : undefined;
}

/**
 * Effective number of draws of the particles: its variance over the squared error of its mean, of the
 * coordinate of which groups agree least; the error by leaving out each group (Quenouille 1956).
 */
export function worthOf(
  { positions, logWeights }: ParticleEstimate["weighted"],
  dimension: number,
): number {
  const count = logWeights.length;
  const { weights } = normalised(logWeights);
  const groups = thresholds.particleGroups;
  const worth = Array.from({ length: dimension }, (_, k) => {
    const mass = new Float64Array(groups);
    const first = new Float64Array(groups);
    let second = 0;
    for (let s = 0; s < count; s++) {
      const [g, at] = [Math.floor(s * groups / count), positions[s * dimension + k]];
      mass[g] += weights[s];
      first[g] += weights[s] * at;
      second += weights[s] * at * at;
    }
    const mean = first.reduce((a, b) => a + b, 0);
    const square = first.reduce((sum, own, g) => {
      return sum + ((mean - own) / (1 - mass[g]) - mean) ** 2;
    }, 0) * (groups - 1) / groups;
    return square > 0 ? (second - mean * mean) / square : count;
  });
  return Math.min(count, ...worth);
}

/** log weights of all particles for a component of the mixture: an observation that is lacking, or `n` for none. */
function weightsOf({ population, logRatios, logMass }: Carried, component: number): Float64Array {
  const size = population.count / logMass.length;
  return logRatios.map((now, s) =>
    logMass[Math.floor(s / size)] + logComponent(population, s, component, 1) - now
  );
}

function sumsOf({ logMass }: Carried, logWeights: Float64Array): GroupSums {
  const size = logWeights.length / logMass.length;
  return logMass.map((_, g) => logSum(logWeights.subarray(g * size, (g + 1) * size)));
}

/** Logarithms of ratios of sums over all groups, and the error of their sum by leaving out each group (Quenouille 1956). */
function ratios(pairs: readonly (readonly [GroupSums, GroupSums])[]): CellGains {
  const groups = thresholds.particleGroups;
  const pointwise = Float64Array.from(pairs, ([above, below]) => logSum(above) - logSum(below));
  const sums = Array.from({ length: groups }, (_, out) => {
    const rest = (all: GroupSums) => logSum(all.filter((_, g) => g !== out));
    return pairs.reduce((sum, [above, below]) => sum + rest(above) - rest(below), 0);
  });
  const mean = sums.reduce((a, b) => a + b, 0) / groups;
  const squares = sums.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  const mcse = Math.sqrt(squares * (groups - 1) / groups);
  return { pointwise, mcse: mcse === mcse ? mcse : Infinity };
}

/**
 * Ratios of the posterior without observation i to the mixture are at most its mean over the share of all
 * particles that are its own, so that they have no tail: 0; unless that share has become next to nothing: ∞.
 */
function shapeOf({ population, logRatios, end }: Carried, i: number): number {
  const { count, observations: n } = population;
  let share = 0;
  for (let s = 0; s < count; s++) {
    share += exp(end.constants[i] + logComponent(population, s, i, 1) - logRatios[s]) / count;
  }
  return share * (n + 1) >= leastComponent ? 0 : Infinity;
}

function cellsAt({ logCells, observations: n }: PointwiseDensity, { population }: Carried) {
  const { count, dimension, positions } = population;
  const out = new Float64Array(count * n);
  for (let s = 0; s < count; s++) logCells!(positions, s * dimension, out, s * n);
  return out;
}
