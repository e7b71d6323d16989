/** Carries particles from the prior to the mixture of leave-one-out posteriors: sequential Monte Carlo. */
import { exp, largest, log } from "../../../numerics/math/mod.ts";
import { RandomStream } from "../../../base/random.ts";
import { type GradientBudget, gradientsPerYield } from "../../inference/mcmc/budget.ts";
import { sampleChains, type StreamKey } from "../../inference/mcmc/sample_chains.ts";
import { thresholds } from "../thresholds.ts";
import { Steps } from "./moves.ts";
import { PathDensity } from "./path.ts";
import { copyParticle, emptyPopulation, type Evaluator, type Population } from "./population.ts";

/** How many particles, and how many steps of each on every rung. */
export interface Effort {
  /** A multiple of the number of groups. */
  readonly particles: number;
  readonly steps: number;
}

/** Particles at the end of the path, in groups of equal size that stand one behind the other. */
export interface Carried {
  readonly population: Population;
  /** The density that they are drawn from. */
  readonly end: PathDensity;
  /** Its log beside the prior at each `[count]`. */
  readonly logRatios: Float64Array;
  /** log of each group's estimate of its mass, which is the weight of its particles `[groups]`. */
  readonly logMass: Float64Array;
  /** Rungs, the prior not counted. */
  readonly rungs: number;
}

/** Halvings by which the power of the next rung is found. */
const halvings = 20;
/** The least by which a power rises. */
const leastRise = 1e-5;
/** The prior's chains and their draws. */
const ofPrior = { chains: 4, tune: 100, draws: 1000, start: "uniform" as const };

/**
 * Particles drawn from the prior are weighted, resampled and moved from rung to rung (Del Moral, Doucet and
 * Jasra 2006), the rungs so close that half of the particles are effective. Groups are resampled each for
 * itself: of the mass of the end each has an unbiased estimate that is independent of the others' weights.
 *
 * @returns `undefined` where the budget ends, or no particle is possible.
 */
export function* carry(
  evaluator: Evaluator,
  { particles, steps }: Effort,
  key: StreamKey,
  budget: GradientBudget,
): Generator<void, Carried | undefined> {
  const random = new RandomStream(...key, "particles");
  const groups = thresholds.particleGroups;
  const first = yield* priorParticles(evaluator, particles, key, random, budget);
  if (!first) return undefined;
  let population = first;
  let path = PathDensity.prior(evaluator.density.observations);
  let logRatios = new Float64Array(particles);
  const logMass = new Float64Array(groups);
  for (let rungs = 0;; rungs++) {
    const moved = yield* moveAll({ population, path, logRatios }, evaluator, steps, random, budget);
    if (!moved) return undefined;
    if (path.power === 1) return { population, end: path, logRatios, logMass, rungs };
    const next = nextRung(population, path, logRatios);
    if (!next) return undefined;
    const resampled = inGroups(population, next.logWeights, logMass, random);
    if (!resampled) return undefined;
    [population, path] = [resampled, next.path];
    logRatios = Float64Array.from(
      { length: particles },
      (_, s) => next.path.logRatio(resampled, s),
    );
  }
}

/** Where particles are, and the density that they are to be of. */
interface Rung {
  readonly population: Population;
  readonly path: PathDensity;
  /** `[count]`; kept as particles move. */
  readonly logRatios: Float64Array;
}

/** Moves every particle so many steps; whether the budget had room. */
function* moveAll(
  { population, path, logRatios }: Rung,
  evaluator: Evaluator,
  steps: number,
  random: RandomStream,
  budget: GradientBudget,
): Generator<void, boolean> {
  const { count } = population;
  if (budget.used + count * steps > budget.limit) return false;
  const frozen = { ...population, positions: population.positions.slice() };
  const walk = new Steps(frozen, evaluator, random);
  for (let k = 0; k < steps; k++) {
    for (let s = 0; s < count; s++) {
      logRatios[s] = walk.step(population, s, path, logRatios[s]);
      budget.used += 1;
      if (s % gradientsPerYield === 0) yield;
    }
  }
  return true;
}

/**
 * Draws of chains of the prior, each as often as chance has it. Groups have draws of their own:
 * shared draws would not appear in their differences, which estimate the error.
 */
function* priorParticles(
  evaluator: Evaluator,
  count: number,
  key: StreamKey,
  random: RandomStream,
  budget: GradientBudget,
): Generator<void, Population | undefined> {
  const found = yield* sampleChains(evaluator.prior, ofPrior, [...key, "prior"], budget);
  if (found.kind !== "chains") return undefined;
  const { positions, chains, draws, dimension } = found.chainSet;
  const groups = thresholds.particleGroups;
  const share = Math.floor(chains * draws / groups);
  const population = emptyPopulation(count, evaluator.density);
  for (let s = 0; s < count; s++) {
    const group = Math.floor(s * groups / count);
    const from = (group * share + random.below(share)) * dimension;
    population.positions.set(positions.subarray(from, from + dimension), s * dimension);
    evaluator.write(population, s);
    budget.used += 1;
  }
  return population;
}

/** A density further on, and the weights of the particles for it. */
interface Next {
  readonly path: PathDensity;
  readonly logWeights: Float64Array;
}

/** The density as far on as enough particles are effective. */
function nextRung(
  population: Population,
  path: PathDensity,
  logRatios: Float64Array,
): Next | undefined {
  const at = (power: number): Next => {
    const next = path.towards(power, population, logRatios);
    const logWeights = logRatios.map((now, s) => {
      const weight = next.logRatio(population, s) - now;
      return weight < Infinity ? weight : -Infinity;
    });
    return { path: next, logWeights };
  };
  const isNear = ({ logWeights }: Next) => worth(logWeights) >= thresholds.particleWorth;
  const end = at(1);
  if (isNear(end)) return end;
  let [low, high] = [path.power, 1];
  for (let k = 0; k < halvings; k++) {
    const middle = 0.5 * (low + high);
    if (isNear(at(middle))) low = middle;
    else high = middle;
  }
  const found = at(Math.min(1, Math.max(low, path.power + leastRise)));
  return worth(found.logWeights) > 0 ? found : undefined;
}

/** Effective share of the particles (Kish 1965); 0 if none has any. */
function worth(logWeights: Float64Array): number {
  const top = largest(logWeights);
  if (!(top > -Infinity)) return 0;
  let [sum, squares] = [0, 0];
  for (const value of logWeights) {
    const weight = exp(value - top);
    [sum, squares] = [sum + weight, squares + weight * weight];
  }
  return sum * sum / squares / logWeights.length;
}

/** Systematic resampling inside every group, which adds the mean weight to its mass; none if a group has no weight. */
function inGroups(
  population: Population,
  logWeights: Float64Array,
  logMass: Float64Array,
  random: RandomStream,
): Population | undefined {
  const size = population.count / logMass.length;
  const out = emptyPopulation(population.count, population);
  for (let g = 0; g < logMass.length; g++) {
    const own = logWeights.subarray(g * size, (g + 1) * size);
    const top = largest(own);
    if (!(top > -Infinity)) return undefined;
    const weights = own.map((value) => exp(value - top));
    const mean = weights.reduce((a, b) => a + b, 0) / size;
    logMass[g] += top + log(mean);
    let [at, sum] = [0, weights[0]];
    const offset = random.uniform();
    for (let s = 0; s < size; s++) {
      while (sum < (s + offset) * mean && at + 1 < size) sum += weights[++at];
      copyParticle(population, g * size + at, out, g * size + s);
    }
  }
  return out;
}
