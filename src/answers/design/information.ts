/** Expected information of an observation, in nats, bounded from both sides by draws. */
import { log } from "../../numerics/math/mod.ts";
import {
  groupEnds,
  type GroupMasses,
  groups,
  type ProgramOutcomes,
  type RowOutcomes,
} from "./program_outcomes.ts";

/** Nats with an interval that holds them. */
export interface Nats {
  /** Middle of the two bounds. */
  readonly nats: number;
  /** The lower bound less two of its Monte Carlo errors, at least 0. */
  readonly low: number;
  /** The upper bound and two of its errors. */
  readonly high: number;
}

/** Quantity on which an observation is to inform. */
export type About = "models" | "effects" | "predictions";

/** Standard errors of the interval's ends: 95 % of Student's t with the fifteen degrees of freedom of sixteen groups. */
const errors = 2.131;

/**
 * Information about which answer is true, I(A; Y): the divergence of each answer's prediction from the mixture. With the
 * same draws in both it is too high, since noise separates answers; with a group's draws outside of the logarithm and
 * all others inside it is too low.
 *
 * @param answers index of the answer of each program; each its own if left out.
 */
export function aboutAnswers(
  { programs, masses }: RowOutcomes,
  answers: ArrayLike<number> = programs.map((_, m) => m),
): Nats {
  const count = 1 + Array.from(answers).reduce((most, a) => Math.max(most, a), 0);
  const of = (pick: (one: GroupMasses) => Float64Array) =>
    mixtures(programs, masses, answers, count, pick);
  const upper = divergence(of(({ whole }) => whole), of(({ whole }) => whole));
  const left = Array.from({ length: groups }, (_, g) => of(({ others }) => others[g]));
  const high = left.map((own) => divergence(own, own));
  const low = left.map((own, g) => divergence(of(({ own }) => own[g]), own));
  return between(mean(low), errorOfMean(low), upper, jackknife(high));
}

/**
 * Information about all unknowns, parameters and programs: the entropy of the mixture less the entropy when both are
 * known. The entropy of averaged draws is too low; the cross entropy of a group's average with all others' is too high
 * (Foster et al. 2020; Rainforth et al. 2024).
 */
export function aboutEffects({ programs, masses, row, weights }: RowOutcomes): Nats {
  const of = (pick: (one: GroupMasses) => Float64Array) =>
    mixtures(programs, masses, programs.map(() => 0), 1, pick).parts[0];
  const noise = programs.map((one) => noiseEntropies(one, row, weights));
  const noiseOf = (pick: (one: NoiseEntropy) => number) =>
    programs.reduce((sum, { weight }, m) => sum + weight * pick(noise[m]), 0);
  const left = Array.from({ length: groups }, (_, g) => of(({ others }) => others[g]));
  const lower = crossEntropy(of(({ whole }) => whole), of(({ whole }) => whole), weights) -
    noiseOf(({ whole }) => whole);
  const lows = left.map((own, g) =>
    crossEntropy(own, own, weights) - noiseOf(({ others }) => others[g])
  );
  const highs = left.map((own, g) =>
    crossEntropy(of(({ own }) => own[g]), own, weights) - noiseOf(({ own }) => own[g])
  );
  return between(lower, jackknife(lows), mean(highs), errorOfMean(highs));
}

/** Probability that another answer leads after the observation. */
export function leaderChanges(
  { programs, masses, weights }: RowOutcomes,
  answers: ArrayLike<number>,
): number {
  const count = 1 + Array.from(answers).reduce((most, a) => Math.max(most, a), 0);
  const { parts, shares } = mixtures(programs, masses, answers, count, ({ whole }) => whole);
  const leader = shares.indexOf(Math.max(...shares));
  return weights.reduce((sum, _, k) => {
    const after = parts.map((part, a) => shares[a] * part[k]);
    const all = after.reduce((a, b) => a + b, 0);
    return after.some((mass) => mass > after[leader]) ? sum + all : sum;
  }, 0);
}

/** Prediction and probability of each answer. */
interface Mixtures {
  /** Masses that add up to 1 `[answers][points]`. */
  readonly parts: readonly Float64Array[];
  readonly shares: readonly number[];
}

function mixtures(
  programs: readonly ProgramOutcomes[],
  masses: readonly GroupMasses[],
  answers: ArrayLike<number>,
  count: number,
  pick: (one: GroupMasses) => Float64Array,
): Mixtures {
  const points = masses[0].whole.length;
  const parts = Array.from({ length: count }, () => new Float64Array(points));
  const shares = new Array<number>(count).fill(0);
  programs.forEach(({ weight }, m) => {
    shares[answers[m]] += weight;
    const own = pick(masses[m]);
    for (let k = 0; k < points; k++) parts[answers[m]][k] += weight * own[k];
  });
  parts.forEach((part, a) => {
    if (shares[a] > 0) { for (let k = 0; k < points; k++) part[k] /= shares[a]; }
  });
  return { parts, shares };
}

/** Σ_a w_a Σ_k p_a log(q_a / q) for the mixture q of the q_a. */
function divergence({ parts, shares }: Mixtures, inside: Mixtures): number {
  const points = parts[0].length;
  let sum = 0;
  for (let k = 0; k < points; k++) {
    const mixed = inside.parts.reduce((all, part, a) => all + shares[a] * part[k], 0);
    if (!(mixed > 0)) continue;
    for (let a = 0; a < parts.length; a++) {
      const own = shares[a] * parts[a][k];
      const inner = Math.max(inside.parts[a][k], leastMass * mixed);
      if (own > 0) sum += own * log(inner / mixed);
    }
  }
  return sum;
}

/** Share of a mixture's mass that counts for none: a logarithm of −46. */
const leastMass = 1e-20;

/** −Σ_k p_k log(q_k / weight_k): masses over weights are densities. */
function crossEntropy(p: Float64Array, q: Float64Array, weights: Float64Array): number {
  return p.reduce((sum, mass, k) => {
    const density = q[k] / weights[k];
    return mass > 0 && weights[k] > 0 ? sum - mass * log(Math.max(density, leastDensity)) : sum;
  }, 0);
}

/** A density that counts for none; a guard against log 0. */
const leastDensity = 1e-300;

/** Entropy of the outcome when parameters are known: over all draws, a group's, and all others'. */
interface NoiseEntropy {
  readonly whole: number;
  readonly own: readonly number[];
  readonly others: readonly number[];
}

function noiseEntropies(
  { draws, densities }: ProgramOutcomes,
  row: number,
  weights: Float64Array,
): NoiseEntropy {
  const points = weights.length;
  const sums = Array.from({ length: groups }, (_, g) => {
    const [first, end] = groupEnds(draws, g);
    let sum = 0;
    for (let s = first; s < end; s++) {
      const at = (row * draws + s) * points;
      for (let k = 0; k < points; k++) {
        const density = densities[at + k];
        if (density > 0) sum -= weights[k] * density * log(density);
      }
    }
    return { sum, size: end - first };
  });
  const [all, size] = [sums.reduce((a, { sum }) => a + sum, 0), draws];
  return {
    whole: all / size,
    own: sums.map(({ sum, size: own }) => sum / own),
    others: sums.map(({ sum, size: own }) => (all - sum) / (size - own)),
  };
}

export function between(low: number, lowError: number, high: number, highError: number): Nats {
  const [least, most] = [Math.min(low, high), Math.max(low, high)];
  const nats = Math.max(0, 0.5 * (low + high));
  return {
    nats,
    low: Math.max(0, Math.min(nats, least - errors * lowError)),
    high: Math.max(nats, most + errors * highError),
  };
}

export function mean(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / values.length;
}

/** Error of the mean of values that do not know of one another. */
export function errorOfMean(values: readonly number[]): number {
  const centre = mean(values);
  const squares = values.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1) / values.length);
}

/** Error of an estimate from those that lack a group each (Quenouille 1956). */
export function jackknife(without: readonly number[]): number {
  const centre = mean(without);
  const squares = without.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  return Math.sqrt(squares * (without.length - 1) / without.length);
}
