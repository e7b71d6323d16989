/** Random steps of particles that leave a density as it is, of the width that its modes have. */
import { exp, log } from "../../../numerics/math/mod.ts";
import type { RandomStream } from "../../../base/random.ts";
import { thresholds } from "../thresholds.ts";
import type { PathDensity } from "./path.ts";
import { copyParticle, emptyPopulation, type Evaluator, type Population } from "./population.ts";

/** Shares of steps along all coordinates, and along about half of them; others move about one. */
const [alongAll, alongHalf] = [0.4, 0.3];
/** Share of steps between any two particles, which lead from mode to mode, and of steps of their full length. */
const [betweenAny, ofFullLength] = [0.2, 0.1];
/** Jitter, in standard deviations of the particles. */
const jitter = 1e-6;

/**
 * Steps by the differences of two other particles (differential evolution: ter Braak 2006), most often of
 * neighbours, whose difference has the width of a mode, along some of the coordinates
 * (Vrugt et al. 2009). The particles that differences are taken of stay where they are, so that steps to and fro are
 * equally likely (Metropolis et al. 1953).
 */
export class Steps {
  readonly #variance: Float64Array;
  readonly #proposed: Population;
  readonly #moving: Uint8Array;

  /** @param frozen particles that differences are taken of. */
  constructor(
    readonly frozen: Population,
    readonly evaluator: Evaluator,
    readonly random: RandomStream,
  ) {
    this.#variance = variances(frozen);
    this.#proposed = emptyPopulation(1, frozen);
    this.#moving = new Uint8Array(frozen.dimension);
  }

  /** One step towards `density`; `now` and the result are its log beside the prior, before and after. */
  step(population: Population, particle: number, density: PathDensity, now: number): number {
    this.#propose(population, particle);
    this.evaluator.write(this.#proposed, 0);
    const prior = this.#proposed.logPrior[0];
    if (!(prior > -Infinity)) return now;
    const then = density.logRatio(this.#proposed, 0);
    const gain = prior + then - population.logPrior[particle] - now;
    if (!(log(this.random.uniform()) < gain)) return now;
    copyParticle(this.#proposed, 0, population, particle);
    return then;
  }

  #propose({ positions }: Population, particle: number): void {
    const { random, frozen: { dimension: d, positions: others } } = this;
    const first = random.below(this.frozen.count);
    const second = this.#neighbour(first);
    const along = this.#chooseCoordinates();
    const length = random.uniform() < ofFullLength
      ? 1
      : 2.38 / Math.sqrt(2 * along) * exp(0.5 - 2 * random.uniform());
    const by = random.uniform() < 0.5 ? length : -length;
    for (let k = 0; k < d; k++) {
      const from = positions[particle * d + k];
      const noise = jitter * (random.uniform() - 0.5) * Math.sqrt(this.#variance[k]);
      const step = by * (others[first * d + k] - others[second * d + k]) + noise;
      this.#proposed.positions[k] = this.#moving[k] ? from + step : from;
    }
  }

  /** How many coordinates move, at least one. */
  #chooseCoordinates(): number {
    const d = this.frozen.dimension;
    const u = this.random.uniform();
    const share = u < alongAll ? 1 : u < alongAll + alongHalf ? 0.5 : 1 / d;
    let along = 0;
    for (let k = 0; k < d; k++) {
      this.#moving[k] = this.random.uniform() < share ? 1 : 0;
      along += this.#moving[k];
    }
    if (along > 0) return along;
    this.#moving[this.random.below(d)] = 1;
    return 1;
  }

  /** The nearest of some particles to one, sometimes any. */
  #neighbour(of: number): number {
    const { random, frozen: { count } } = this;
    const picks = random.uniform() < betweenAny ? 1 : thresholds.neighbourPicks;
    let [nearest, least] = [random.below(count), Infinity];
    for (let pick = 0; pick < picks; pick++) {
      const other = random.below(count);
      const distance = this.#distance(of, other);
      if (distance > 0 && distance < least) [nearest, least] = [other, distance];
    }
    return nearest;
  }

  #distance(a: number, b: number): number {
    const { dimension: d, positions } = this.frozen;
    let sum = 0;
    for (let k = 0; k < d; k++) {
      const difference = positions[a * d + k] - positions[b * d + k];
      sum += difference * difference / this.#variance[k];
    }
    return sum;
  }
}

/** Of every coordinate, above 0. */
function variances({ count, dimension: d, positions }: Population): Float64Array {
  return Float64Array.from({ length: d }, (_, k) => {
    let [mean, sum] = [0, 0];
    for (let s = 0; s < count; s++) {
      const rest = positions[s * d + k] - mean;
      mean += rest / (s + 1);
      sum += rest * (positions[s * d + k] - mean);
    }
    return sum / count + 1e-12;
  });
}
