/** Particles that follow a posterior from row to row: weights, resampling and steps (Chopin 2002; Del Moral et al. 2006). */
import type { RandomStream } from "../../../base/random.ts";
import { exp, log, type PointwiseDensity } from "../../../numerics/math/mod.ts";
import { blockSize, nearCoordinates } from "./near_coordinates.ts";

/** Particles after some rows, equally likely. */
export interface Population {
  /** `[count, dimension]` on the unconstrained scale. */
  readonly positions: Float64Array;
  readonly dimension: number;
  readonly count: number;
  /** log p of the rows so far, in nats. */
  readonly logEvidence: number;
  /** Its Monte Carlo variance, by the spread of the weights. */
  readonly variance: number;
}

/** Least effective share of the particles: below it they are resampled and moved. */
const leastShare = 0.5;
/** Rounds of steps after each resampling, and after one that hardly took away a particle. */
const [manyRounds, fewRounds] = [12, 4];
/** Effective share of the particles by such weights. */
const hardlyAny = 0.85;
/**
 * Above so many coordinates steps along all of them are hardly ever taken: those that a row does not bind together stay as
 * they are, and of more than so many that it does most steps go along a block that moves together. Rounds are so many times
 * as many, since a group that has had few rows is hard to follow, and a round moves one block of each particle.
 */
const fewCoordinates = 12;
const [blockShare, moreRounds] = [0.9, 6];
/** Steps of their full length lead from mode to mode; the others have the length that ter Braak (2006) advises. */
const fullLength = 0.1;

/**
 * The population once a further row is known, the last of `density`. The row's likelihood is raised from power 0
 * to 1 in steps that keep half of the particles effective; after each they are resampled and moved, along the
 * coordinates that the row binds together: it has no information about others, which stay as they are.
 */
export function withRow(
  before: Population,
  density: PointwiseDensity,
  random: RandomStream,
): Population {
  const { count, dimension } = before;
  const bound = dimension > fewCoordinates
    ? density.boundTo?.(density.observations - 1)
    : undefined;
  const state = new State(before.positions, dimension, count, density, bound);
  let [power, { logEvidence, variance }] = [0, before];
  while (power < 1) {
    const next = nextPower(state.last, power);
    const weights = state.last.map((l) => l === -Infinity ? -Infinity : (next - power) * l);
    const { mean, worth } = logMean(weights);
    logEvidence += mean;
    variance += (1 / worth - 1) / count;
    power = next;
    if (!(mean > -Infinity)) break;
    state.resample(weights, random);
    state.move(power, worth > hardlyAny ? fewRounds : manyRounds, random);
  }
  return { positions: state.whole, dimension, count, logEvidence, variance };
}

/** The largest power up to 1 at which half of the particles are effective. */
function nextPower(last: Float64Array, power: number): number {
  const worthAt = (next: number) =>
    logMean(last.map((l) => l === -Infinity ? l : (next - power) * l)).worth;
  if (worthAt(1) >= leastShare) return 1;
  let [low, high] = [power, 1];
  for (let step = 0; step < 40; step++) {
    const middle = 0.5 * (low + high);
    if (worthAt(middle) >= leastShare) low = middle;
    else high = middle;
  }
  // Where most particles have no likelihood at all, no power keeps enough effective.
  return low > power + 1e-9 ? low : high;
}

/** log of the mean of e^w, and the effective share of particles. */
function logMean(logs: Float64Array): { readonly mean: number; readonly worth: number } {
  const top = logs.reduce((a, b) => Math.max(a, b), -Infinity);
  if (!(top > -Infinity)) return { mean: -Infinity, worth: 1 };
  let [sum, squares] = [0, 0];
  for (const one of logs) {
    const weight = exp(one - top);
    sum += weight;
    squares += weight * weight;
  }
  return { mean: top + log(sum / logs.length), worth: sum * sum / squares / logs.length };
}

/** Positions with their log densities, and the log likelihood of the last row. */
class State {
  /** Coordinates that move `[count, dimension]`. */
  positions: Float64Array;
  readonly dimension: number;
  #logs: Float64Array;
  last: Float64Array;
  readonly #rows: Float64Array;
  /** Where all coordinates are, those that move among them. */
  readonly #full: Float64Array;

  /** @param bound coordinates that move, ascending; all if left out. */
  constructor(
    positions: Float64Array,
    readonly fullDimension: number,
    readonly count: number,
    readonly density: PointwiseDensity,
    readonly bound: Int32Array = Int32Array.from({ length: fullDimension }, (_, k) => k),
  ) {
    const dimension = this.dimension = bound.length;
    this.#full = positions.slice();
    this.positions = new Float64Array(count * dimension);
    this.#logs = new Float64Array(count);
    this.last = new Float64Array(count);
    this.#rows = new Float64Array(density.observations);
    for (let s = 0; s < count; s++) {
      for (let k = 0; k < dimension; k++) {
        this.positions[s * dimension + k] = positions[s * fullDimension + bound[k]];
      }
      this.#logs[s] = this.#logDensity(s, this.positions, s * dimension);
      this.last[s] = this.#logLast();
    }
  }

  /** The positions in all coordinates `[count, fullDimension]`. */
  get whole(): Float64Array {
    for (let s = 0; s < this.count; s++) this.#place(s, this.positions, s * this.dimension);
    return this.#full;
  }

  #place(s: number, from: Float64Array, at: number): void {
    const { bound, fullDimension } = this;
    for (let k = 0; k < bound.length; k++) this.#full[s * fullDimension + bound[k]] = from[at + k];
  }

  /** Log density of a particle at a position, and the likelihood of the rows there. */
  #logDensity(s: number, positions: Float64Array, at: number): number {
    this.#place(s, positions, at);
    return this.density.valueWithLikelihood!(this.#full, s * this.fullDimension, this.#rows, 0);
  }

  /** Log likelihood of the last row where the density was asked last. */
  #logLast(): number {
    const last = this.#rows[this.#rows.length - 1];
    return Number.isNaN(last) ? -Infinity : last;
  }

  /** Systematic resampling (Kitagawa 1996), then a random order: groups of particles are alike. */
  resample(weights: Float64Array, random: RandomStream): void {
    const { count, dimension: d } = this;
    const top = weights.reduce((a, b) => Math.max(a, b), -Infinity);
    const shares = weights.map((one) => exp(one - top));
    const step = shares.reduce((a, b) => a + b, 0) / count;
    const picks = new Int32Array(count);
    let [left, from] = [random.uniform() * step, 0];
    for (let s = 0; s < count; s++) {
      while (from + 1 < count && left > shares[from]) left -= shares[from++];
      picks[s] = from;
      left += step;
    }
    for (let s = count - 1; s > 0; s--) {
      const other = random.below(s + 1);
      [picks[s], picks[other]] = [picks[other], picks[s]];
    }
    const positions = new Float64Array(count * d);
    picks.forEach((one, s) => {
      positions.set(this.positions.subarray(one * d, (one + 1) * d), s * d);
    });
    this.positions = positions;
    this.last = Float64Array.from(picks, (one) => this.last[one]);
    this.#logs = d === this.fullDimension
      ? Float64Array.from(picks, (one) => this.#logs[one])
      : Float64Array.from(picks, (_, s) => this.#logDensity(s, positions, s * d));
  }

  /**
   * Steps by the differences of two others (ter Braak 2006), along all coordinates or some (Vrugt et al. 2009). Others
   * are those before the round, and blocks are those before all rounds, so that steps to and fro are equally likely.
   */
  move(power: number, rounds: number, random: RandomStream): void {
    const { count, dimension: d } = this;
    if (d === 0) return;
    const proposed = new Float64Array(d);
    const near = d > fewCoordinates ? nearCoordinates(this.positions, count, d) : undefined;
    const all = near || d < this.fullDimension ? moreRounds * rounds : rounds;
    for (let round = 0; round < all; round++) {
      const frozen = this.positions.slice();
      for (let s = 0; s < count; s++) {
        if (near && random.uniform() < blockShare) {
          this.#proposeBlock(near, frozen, s, proposed, random);
        } else this.#propose(frozen, s, proposed, random);
        const logs = this.#logDensity(s, proposed, 0);
        const u = log(random.uniform());
        if (!(logs > -Infinity)) continue;
        const last = this.#logLast();
        const now = tempered(this.#logs[s], this.last[s], power);
        if (!(u < tempered(logs, last, power) - now)) continue;
        this.positions.set(proposed, s * d);
        this.#logs[s] = logs;
        this.last[s] = last;
      }
    }
  }

  #propose(frozen: Float64Array, s: number, out: Float64Array, random: RandomStream): void {
    const { count, dimension: d } = this;
    const [a, b] = [random.below(count), random.below(count)];
    const share = random.uniform() < 0.5 ? 1 : random.uniform() < 0.5 ? 0.5 : 1 / d;
    const length = lengthOfStep(Math.max(1, Math.round(share * d)), random);
    const only = share < 1 ? random.below(d) : -1;
    for (let k = 0; k < d; k++) {
      const moves = share === 1 || k === only || (share === 0.5 && random.uniform() < 0.5);
      const step = length * (frozen[a * d + k] - frozen[b * d + k]);
      out[k] = frozen[s * d + k] + (moves ? step + 1e-6 * (random.uniform() - 0.5) : 0);
    }
  }

  /** Along one to `blockSize` coordinates that move together. */
  #proposeBlock(
    near: Int32Array,
    frozen: Float64Array,
    s: number,
    out: Float64Array,
    random: RandomStream,
  ): void {
    const { count, dimension: d } = this;
    const [a, b] = [random.below(count), random.below(count)];
    const [first, along] = [random.below(d), 1 + random.below(blockSize)];
    const length = lengthOfStep(along, random);
    out.set(frozen.subarray(s * d, (s + 1) * d));
    for (let i = 0; i < along; i++) {
      const k = near[first * blockSize + i];
      const step = length * (frozen[a * d + k] - frozen[b * d + k]);
      out[k] += step + 1e-6 * (random.uniform() - 0.5);
    }
  }
}

/** In units of a difference of two, along so many coordinates. */
function lengthOfStep(along: number, random: RandomStream): number {
  return random.uniform() < fullLength
    ? 1
    : 2.38 / Math.sqrt(2 * along) * exp(0.5 - 1.5 * random.uniform());
}

/** The log density whose last row has a power. */
function tempered(logs: number, last: number, power: number): number {
  return power === 1 ? logs : last === -Infinity ? -Infinity : logs - (1 - power) * last;
}
