/** Densities from the prior to a mixture of the posterior with all that lack an observation. */
import { exp, largest, log } from "../../../numerics/math/mod.ts";
import type { Population } from "./population.ts";

/** log Σ e^x, −∞ of nothing else. */
export function logSum(values: Float64Array): number {
  const top = largest(values);
  if (!(top > -Infinity)) return -Infinity;
  let sum = 0;
  for (const value of values) sum += exp(value - top);
  return top + log(sum);
}

/** The sum of finite log likelihoods of a particle, and the observations that are impossible there. */
interface RowSums {
  readonly sum: number;
  readonly impossible: number;
  /** One of those. */
  readonly which: number;
}

/** Sums over the observations of the particle whose likelihoods begin at `at`. */
function rowSums({ logLikelihood, observations }: Population, at: number): RowSums {
  let [sum, impossible, which] = [0, 0, -1];
  for (let i = 0; i < observations; i++) {
    const one = logLikelihood[at + i];
    if (one > -Infinity) sum += one;
    else [impossible, which] = [impossible + 1, i];
  }
  return { sum, impossible, which };
}

/**
 * log of what a component is beside the prior at a particle: component `n` is the whole likelihood to
 * a power, component i the one without observation i.
 */
export function logComponent(
  population: Population,
  particle: number,
  component: number,
  power: number,
): number {
  if (power === 0) return 0;
  const { observations: n, logLikelihood } = population;
  const { sum, impossible, which } = rowSums(population, particle * n);
  if (impossible > 1 || (impossible === 1 && which !== component)) return -Infinity;
  if (component === n || impossible === 1) return power * sum;
  return power * (sum - logLikelihood[particle * n + component]);
}

/**
 * One density of the path: p(θ) L^t (e^(c_n) + Σ_i e^(c_i) / L_i^t) for the likelihood L of all observations
 * (at t = 1 the mixture of Silva and Zanella 2022).
 */
export class PathDensity {
  constructor(
    /** t, from 0 to 1. */
    readonly power: number,
    /** c of every component, the whole one last `[observations + 1]`. */
    readonly constants: Float64Array,
  ) {}

  /** The prior: all components are equal. */
  static prior(observations: number): PathDensity {
    const constants = new Float64Array(observations + 1).fill(-log(observations + 1));
    return new PathDensity(0, constants);
  }

  /** Its log beside the prior at a particle. */
  logRatio(population: Population, particle: number): number {
    const { power, constants } = this;
    if (power === 0) return 0;
    const { observations: n, logLikelihood } = population;
    const at = particle * n;
    const { sum, impossible, which } = rowSums(population, at);
    if (impossible > 1) return -Infinity;
    if (impossible === 1) return power * sum + constants[which];
    let top = constants[n];
    for (let i = 0; i < n; i++) {
      const one = constants[i] - power * logLikelihood[at + i];
      if (one > top) top = one;
    }
    let all = exp(constants[n] - top);
    for (let i = 0; i < n; i++) all += exp(constants[i] - power * logLikelihood[at + i] - top);
    return power * sum + top + log(all);
  }

  /**
   * The density of another power at which every component has about the same mass, by particles of
   * this one whose `logRatio` is known.
   */
  towards(power: number, population: Population, logRatios: Float64Array): PathDensity {
    const { count, observations: n } = population;
    const values = new Float64Array(count);
    const constants = Float64Array.from({ length: n + 1 }, (_, component) => {
      for (let s = 0; s < count; s++) {
        values[s] = logComponent(population, s, component, power) - logRatios[s];
      }
      const mass = logSum(values) - log(count);
      return mass > -Infinity ? -mass : 0;
    });
    return new PathDensity(power, constants);
  }
}
