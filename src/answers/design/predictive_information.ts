/** Expected information of an observation about other outcomes, those of measurements at given rows. */
import { log } from "../../numerics/math/mod.ts";
import { between, errorOfMean, jackknife, mean, type Nats } from "./information.ts";
import { groupEnds, groups, type ProgramOutcomes } from "./program_outcomes.ts";

/** A row of outcomes: where it stands in the densities, and the weights of its points. */
export interface OutcomeRow {
  /** The row, from 0. */
  readonly row: number;
  /** `[points]`. */
  readonly weights: Float64Array;
}

/**
 * I(Y; Y*) of the outcomes of two rows, parameters and programs averaged over (expected predictive information gain: Bickford
 * Smith et al. 2023). The same draws in and outside of the logarithm make it too high; H(Y*) less the cross entropy of
 * Y* given Y, by draws that the expectation does not know, too low (Barber and Agakov 2003).
 */
export function aboutOutcome(
  programs: readonly ProgramOutcomes[],
  at: OutcomeRow,
  target: OutcomeRow,
): Nats {
  const own = Array.from({ length: groups }, (_, g) => jointOf(programs, at, target, g));
  const whole = averaged(own);
  const left = own.map((_, g) => averaged(own.filter((_, other) => other !== g)));
  const [points, others] = [at.weights.length, target.weights.length];
  const upper = mutual(whole, whole, points, others);
  const lows = left.map((inner, g) =>
    marginalEntropy(inner, points, others) - conditionalCross(own[g], inner, points, others)
  );
  const highs = left.map((one) => mutual(one, one, points, others));
  return between(mean(lows), errorOfMean(lows), upper, jackknife(highs));
}

/** Masses of both outcomes by a group's draws `[points, others]`. */
function jointOf(
  programs: readonly ProgramOutcomes[],
  at: OutcomeRow,
  target: OutcomeRow,
  group: number,
): Float64Array {
  const [points, others] = [at.weights.length, target.weights.length];
  const out = new Float64Array(points * others);
  for (const { weight, draws, densities } of programs) {
    const [first, end] = groupEnds(draws, group);
    for (let s = first; s < end; s++) {
      const share = weight / (end - first);
      const [a, b] = [(at.row * draws + s) * points, (target.row * draws + s) * others];
      for (let k = 0; k < points; k++) {
        const mass = share * densities[a + k] * at.weights[k];
        if (!(mass > negligible)) continue;
        for (let j = 0; j < others; j++) {
          out[k * others + j] += mass * densities[b + j] * target.weights[j];
        }
      }
    }
  }
  return out;
}

/** A mass that counts for none. */
const negligible = 1e-12;

function averaged(all: readonly Float64Array[]): Float64Array {
  const out = new Float64Array(all[0].length);
  for (const one of all) for (let k = 0; k < out.length; k++) out[k] += one[k] / all.length;
  return out;
}

/** Sums over the second outcome, then over the first. */
function marginals(joint: Float64Array, points: number, others: number) {
  const [rows, columns] = [new Float64Array(points), new Float64Array(others)];
  for (let k = 0; k < points; k++) {
    for (let j = 0; j < others; j++) {
      rows[k] += joint[k * others + j];
      columns[j] += joint[k * others + j];
    }
  }
  return { rows, columns };
}

function mutual(p: Float64Array, q: Float64Array, points: number, others: number): number {
  const { rows, columns } = marginals(q, points, others);
  let sum = 0;
  for (let at = 0; at < p.length; at++) {
    const apart = rows[Math.floor(at / others)] * columns[at % others];
    if (p[at] > negligible && q[at] > 0 && apart > 0) sum += p[at] * log(q[at] / apart);
  }
  return sum;
}

/** Entropy of the second outcome's masses. */
function marginalEntropy(joint: Float64Array, points: number, others: number): number {
  const { columns } = marginals(joint, points, others);
  return columns.reduce((sum, mass) => mass > 0 ? sum - mass * log(mass) : sum, 0);
}

/** −Σ p(y, y*) log q(y* | y). */
function conditionalCross(p: Float64Array, q: Float64Array, points: number, others: number) {
  const { rows } = marginals(q, points, others);
  let sum = 0;
  for (let at = 0; at < p.length; at++) {
    const given = q[at] / rows[Math.floor(at / others)];
    if (p[at] > negligible) sum -= p[at] * log(given > negligible ? given : negligible);
  }
  return sum;
}
