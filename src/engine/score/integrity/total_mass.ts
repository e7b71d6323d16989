/** Total mass of a distribution, by quadrature, or by summation for whole numbers: 1 if it is one. */
import { exp } from "../../../numerics/math/mod.ts";
import type { RowDistributions } from "./distribution_at.ts";
import { Proposal } from "./proposal.ts";
import { wideEvaluations, wideMasses } from "./wide_counts.ts";

/** Budget of quadrature, which counts down. */
interface WorkLimit {
  /** Numbers that may still be computed. */
  left: number;
}

/** Total masses, as far as they could be shown. */
interface TotalMass {
  /** Of every row whose integral was taken to its end. */
  readonly masses: readonly number[];
  /** Rows whose integral was not: too many corners, or too much work. */
  readonly notShown: number;
}

/**
 * ∫ p(y_i) dy_i of every row, to about 1e-8. Whole numbers are summed outwards from the median,
 * and by strata where they are too many; densities are integrated over the quantiles of a proposal with heavier tails, by adaptive
 * Gauss–Kronrod rules (Piessens et al. 1983, QUADPACK), which corners and jumps only slow down. A
 * comb of many narrow teeth has more corners than there is time for: its rows are not shown.
 *
 * @param limit what it may cost; rows that are not done by then are not shown.
 */
export function totalMass(
  distribution: RowDistributions,
  key: readonly (string | number)[],
  limit: WorkLimit = { left: Infinity },
): TotalMass {
  const proposal = new Proposal(distribution, key);
  if (!distribution.discrete) return integrals(distribution, proposal, limit);
  return isWide(distribution, proposal)
    ? wideSums(distribution, key, limit)
    : sums(distribution, proposal, limit);
}

/** Whole numbers within half the distance of the quartiles from which on counts are not summed one by one. */
const wide = 2_000;

function isWide(distribution: RowDistributions, proposal: Proposal): boolean {
  const rows = [...Array(distribution.rows).keys()];
  return rows.some((i) => proposal.at(i, 0.75) - proposal.at(i, 0.25) > 2 * wide);
}

/** Standard error up to which the mass of wide counts is shown. A round number: forty rows gain .04 nats by it. */
const wideTolerance = 1e-3;

/** Masses by strata; an error of theirs, and of doubles, is no distance from 1. */
function wideSums(
  distribution: RowDistributions,
  key: readonly (string | number)[],
  limit: WorkLimit,
): TotalMass {
  limit.left -= wideEvaluations * distribution.work;
  if (limit.left <= 0) return { masses: [], notShown: distribution.rows };
  const { masses, errors, rounding } = wideMasses(distribution, key);
  const shown = [...masses.keys()].filter((i) => errors[i] <= wideTolerance && rounding[i] < 0.5);
  const distance = (i: number) =>
    Math.max(0, Math.abs(masses[i] - 1) - wideTolerance - 4 * errors[i] - rounding[i]);
  return {
    masses: shown.map((i) => 1 + Math.sign(masses[i] - 1) * distance(i)),
    notShown: distribution.rows - shown.length,
  };
}

const negligible = 1e-13;
const mostTerms = 200_000;

function sums(distribution: RowDistributions, proposal: Proposal, limit: WorkLimit): TotalMass {
  const middle = Float64Array.from(
    { length: distribution.rows },
    (_, i) => Math.round(proposal.at(i, 0.5)),
  );
  const total = Float64Array.from(distribution.logDensity(middle), exp);
  for (const direction of [1, -1]) {
    const response = middle.slice();
    for (let k = 1, quiet = 0; k < mostTerms && quiet < 64; k++) {
      limit.left -= distribution.work;
      if (limit.left <= 0) return { masses: [], notShown: distribution.rows };
      for (let i = 0; i < distribution.rows; i++) response[i] += direction;
      const terms = distribution.logDensity(response);
      let largest = 0;
      for (let i = 0; i < distribution.rows; i++) {
        const term = exp(terms[i]);
        total[i] += term;
        largest = Math.max(largest, term);
      }
      quiet = largest < negligible ? quiet + 1 : 0;
    }
  }
  return { masses: [...total], notShown: 0 };
}

/** Nodes and weights of the Kronrod rule of 15 points, and of the Gauss rule of 7 within. */
const nodes = [
  ...[0.9914553711208126, 0.9491079123427585, 0.8648644233597691, 0.7415311855993945],
  ...[0.5860872354676911, 0.4058451513773972, 0.2077849550078985, 0],
];
const kronrod = [
  ...[0.022935322010529224, 0.06309209262997856, 0.10479001032225019, 0.14065325971552592],
  ...[0.1690047266392679, 0.19035057806478542, 0.20443294007529889, 0.20948214108472782],
];
const gauss = [
  ...[0, 0.1294849661688697, 0, 0.27970539148927664, 0, 0.3818300505051189, 0],
  ...[0.4179591836734694],
];
const rule = nodes.flatMap((node, k) => {
  const weights = { kronrod: kronrod[k], gauss: gauss[k] };
  return node === 0 ? [{ node, ...weights }] : [-node, node].map((x) => ({ node: x, ...weights }));
});

interface Interval {
  readonly from: number;
  readonly to: number;
  readonly depth: number;
}

const [tolerance, deepest, mostRounds] = [1e-9, 44, 600];

/** Each row works off intervals of its own; all rows are evaluated together. */
function integrals(
  distribution: RowDistributions,
  proposal: Proposal,
  limit: WorkLimit,
): TotalMass {
  const total = new Float64Array(distribution.rows);
  const pending = Array.from(
    { length: distribution.rows },
    (_, i) => between(distribution, proposal, i),
  );
  for (let round = 0; round < mostRounds && limit.left > 0; round++) {
    limit.left -= rule.length * distribution.work;
    const current = pending.map((own) => own.pop());
    if (current.every((one) => one === undefined)) break;
    const { value, error } = integrateEach(distribution, proposal, current);
    for (const [i, interval] of current.entries()) {
      if (!interval) continue;
      const fine = error[i] <= tolerance * (interval.to - interval.from) ||
        error[i] <= 1e-3 * tolerance || interval.depth >= deepest;
      if (fine) total[i] += value[i];
      else pending[i].push(...halves(interval));
    }
  }
  for (const atom of distribution.atoms) {
    const mass = distribution.logDensity(atom);
    for (let i = 0; i < distribution.rows; i++) {
      if (Number.isFinite(atom[i])) total[i] += exp(mass[i]);
    }
  }
  const masses = [...total].filter((_, i) => pending[i].length === 0);
  return { masses, notShown: distribution.rows - masses.length };
}

/** Intervals between the quantiles at which the density of a row may jump. */
function between(distribution: RowDistributions, proposal: Proposal, i: number): Interval[] {
  const jumps = distribution.breaks.map((own) => proposal.below(i, own[i])).filter((u) =>
    u > 0 && u < 1
  );
  const ends = [...new Set([0, 0.5, ...jumps, 1])].sort((a, b) => a - b);
  return ends.slice(1).map((to, k) => ({ from: ends[k], to, depth: 1 }));
}

function halves({ from, to, depth }: Interval): Interval[] {
  const middle = (from + to) / 2;
  return [{ from, to: middle, depth: depth + 1 }, { from: middle, to, depth: depth + 1 }];
}

/** ∫ p/q du over one interval of each row, and the difference of the two rules. */
function integrateEach(
  distribution: RowDistributions,
  proposal: Proposal,
  intervals: readonly (Interval | undefined)[],
): { readonly value: Float64Array; readonly error: Float64Array } {
  const [value, error] = [new Float64Array(distribution.rows), new Float64Array(distribution.rows)];
  const shares = new Float64Array(distribution.rows);
  const response = new Float64Array(distribution.rows);
  for (const point of rule) {
    for (const [i, interval] of intervals.entries()) {
      const { from, to } = interval ?? { from: 0.25, to: 0.75 };
      shares[i] = (from + to) / 2 + point.node * (to - from) / 2;
      response[i] = proposal.at(i, shares[i]);
    }
    const logs = distribution.logDensity(response);
    for (const [i, interval] of intervals.entries()) {
      if (!interval) continue;
      const ratio = exp(logs[i] - proposal.logDensity(i, shares[i], response[i]));
      const part = Number.isFinite(ratio) ? ratio * (interval.to - interval.from) / 2 : 0;
      value[i] += point.kronrod * part;
      error[i] += (point.kronrod - point.gauss) * part;
    }
  }
  for (let i = 0; i < distribution.rows; i++) error[i] = Math.abs(error[i]);
  return { value, error };
}
