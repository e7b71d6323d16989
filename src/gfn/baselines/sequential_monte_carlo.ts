/** Sequential Monte Carlo over prefixes: particles grow by the prior and are reweighted at each step. */
import type { RandomStream } from "../../base/random.ts";
import { exp, logSumExp } from "../../numerics/math/mod.ts";
import { type BaselineResult, EvaluationBudget } from "./budget.ts";
import { drawIndex, type WalkTarget } from "./rewarded_walk.ts";

/** Numbers of particles and of their sets. */
export interface SmcOptions {
  /** Number of objects of the enumeration. */
  readonly objects: number;
  /** Distinct objects whose reward may be asked for. */
  readonly budget: number;
  /** Particles of one set. */
  readonly particles: number;
  /** Most trajectories in all sets together. */
  readonly walks: number;
  /** Source of all randomness of the particles. */
  readonly random: RandomStream;
}

interface Particle {
  readonly state: unknown;
  /** log of the interim value of R P_B / p: that of the last complete prefix, or 0. */
  readonly value: number;
  readonly logPrior: number;
  readonly logPb: number;
  readonly logWeight: number;
  /** Set when the particle has exited. */
  readonly object?: number;
}

/**
 * The weighted particles of independent sets, each set weighted by its estimate of Z (Del Moral,
 * Doucet and Jasra 2006; the sets are islands). Intermediate targets are p(prefix) times R P_B / p
 * of the last complete prefix, so that a prefix which is a good object already draws particles;
 * where no prefix is complete this is importance sampling from the prior. Particles are resampled
 * (systematically) when the effective sample size falls below half.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "../environments/built_in_environments.ts";
 * import { ownTarget } from "../evaluation/own_target.ts";
 * import { RandomStream } from "../../base/random.ts";
 * import { WalkTarget } from "./rewarded_walk.ts";
 * import { sequentialMonteCarlo } from "./sequential_monte_carlo.ts";
 * const target = ownTarget(environmentNamed("numbers", { max: 9, base: 10 }));
 * const random = new RandomStream("seed");
 * const options = { objects: 10, budget: 10, particles: 50, walks: 2000, random };
 * const { probability } = sequentialMonteCarlo(new WalkTarget(target), options);
 * assert(Math.abs(probability.reduce((sum, one) => sum + one, 0) - 1) < 1e-9);
 * ```
 */
export function sequentialMonteCarlo(target: WalkTarget, options: SmcOptions): BaselineResult {
  const budget = new EvaluationBudget(options.budget);
  const sets: { readonly object: number; readonly logWeight: number }[] = [];
  let walks = 0;
  while (budget.used < options.budget && walks + options.particles <= options.walks) {
    const finished = runSet(target, options, budget);
    walks += options.particles;
    if (!finished) break;
    sets.push(...finished);
  }
  const probability = new Float64Array(options.objects);
  const total = logSumExp(sets.map((one) => one.logWeight));
  for (const { object, logWeight } of sets) probability[object] += exp(logWeight - total);
  return { probability, distinctEvaluations: budget.used, asked: budget.asked, walks };
}

/** One set to its end, or undefined if the budget did not reach so far. */
function runSet(target: WalkTarget, { particles, random }: SmcOptions, budget: EvaluationBudget) {
  const { environment } = target;
  const start: Particle = {
    state: environment.initialState(),
    value: 0,
    logPrior: 0,
    logPb: 0,
    logWeight: 0,
  };
  let set: Particle[] = Array.from({ length: particles }, () => start);
  let withinBudget = true;
  const grow = (particle: Particle): Particle => {
    if (particle.object !== undefined) return particle;
    const grown = growOnce(target, particle, budget, random);
    withinBudget &&= grown !== undefined;
    return grown ?? particle;
  };
  while (set.some((particle) => particle.object === undefined)) {
    set = set.map(grow);
    if (!withinBudget) return undefined;
    if (effectiveSize(set) < particles / 2) set = resample(set, random);
  }
  return set.map(({ object, logWeight }) => ({ object: object!, logWeight }));
}

/** One more action; undefined if it would need one reward too many. */
function growOnce(
  target: WalkTarget,
  particle: Particle,
  budget: EvaluationBudget,
  random: RandomStream,
): Particle | undefined {
  const { environment } = target;
  const prior = environment.logPrior(particle.state);
  const action = drawIndex(prior, random);
  const logPrior = particle.logPrior + prior[action];
  const isExit = action === environment.exitAction;
  const state = isExit ? particle.state : environment.step(particle.state, action);
  const logPb = isExit ? particle.logPb : particle.logPb + target.logBackward(state);
  const exit = environment.legalActions(state)[environment.exitAction] === 1;
  if (!isExit && !exit) return { ...particle, state, logPrior, logPb };
  const object = target.objectOf(state);
  if (!budget.ask(object)) return undefined;
  const toExit = isExit ? 0 : environment.logPrior(state)[environment.exitAction];
  const value = target.logReward(object) + logPb - logPrior - toExit;
  const logWeight = particle.logWeight + value - particle.value;
  return { state, value, logPrior, logPb, logWeight, ...(isExit && { object }) };
}

/** (Σ w)² / Σ w². */
function effectiveSize(set: readonly Particle[]): number {
  const logs = set.map((particle) => particle.logWeight);
  return exp(2 * logSumExp(logs) - logSumExp(logs.map((one) => 2 * one)));
}

/** Systematic: one uniform number, equally spaced places; each copy gets the mean weight. */
function resample(set: readonly Particle[], random: RandomStream): Particle[] {
  const logs = set.map((particle) => particle.logWeight);
  const total = logSumExp(logs);
  const u = random.uniform();
  const drawn: Particle[] = [];
  let cumulative = 0;
  set.forEach((particle) => {
    cumulative += exp(particle.logWeight - total) * set.length;
    while (drawn.length < set.length && drawn.length + u < cumulative) drawn.push(particle);
  });
  while (drawn.length < set.length) drawn.push(set[set.length - 1]); // rounding
  const mean = total - logSumExp(set.map(() => 0));
  return drawn.map((particle) => ({ ...particle, logWeight: mean }));
}
