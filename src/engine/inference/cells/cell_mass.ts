/** log P(low < X ≤ high) of distributions, as nodes: the log probability of a datum recorded to a step. */
import { farthestEnd } from "../../../base/interval_censored.ts";
import type { CellEnds } from "./cell_ends.ts";
import { logSumExpLast, padRight, pickLast } from "../../language/distributions/arrays.ts";
import { plus, times } from "../../language/distributions/forms.ts";
import { log2 } from "../../language/distributions/real_line.ts";
import { logOf } from "../../language/distributions/stable_log.ts";
import { families } from "../../language/distributions/table.ts";
import type { GraphBuilder } from "../../language/ir/builder.ts";
import type { NodeId } from "../../language/ir/node.ts";
import type { Distribution } from "../../language/ir/program.ts";
import { logMassByQuadrature, logSum } from "./quadrature_mass.ts";

/**
 * How far to go: `quick` gives NaN where the difference of two distribution functions has lost its
 * digits; `whole` integrates the density there.
 */
export type CellEffort = "quick" | "whole";

/** Difference of two log probabilities below which rounding is more than 10⁻⁸ of it. */
const leastDifference = 1e-7;
/** Rounding error of such a difference, at most. */
const rounding = 1e-12;

/**
 * log of the mass between `low` and `high`: the log difference of distribution functions, taken on the
 * side of the smaller tail; of mixtures, the sum over their components, so that a comb of narrow teeth
 * is exact. Where the difference has no digits left, because the cell is next to nothing beside the
 * distribution or lies where its tails underflow, the density is integrated; the result
 * is then at most what the distribution functions can mean.
 */
export function logCellMass(
  g: GraphBuilder,
  ends: CellEnds,
  distribution: Distribution,
  effort: CellEffort,
): NodeId {
  const { args, components } = distribution;
  const { besideZero, logCdf } = families[distribution.family];
  if (besideZero) return hurdleMass(g, ends, distribution, besideZero, effort);
  switch (distribution.family) {
    case "mixture":
      return mixtureMass(g, ends, distribution, effort);
    case "normal_mixture": {
      const [weights, mu, sigma] = args;
      const own = { family: "normal", args: [mu, sigma], shape: g.shapeOf(mu) };
      return joined(g, weights, logCellMass(g, padded(g, ends), own, effort));
    }
    case "truncated":
      return truncatedMass(g, ends, args, components![0], effort);
    case "censored":
      return logCellMass(g, censoredEnds(g, ends, args), components![0], effort);
    case "windowed":
      return logCellMass(g, windowEnds(g, ends, args), components![0], effort);
    case "asymmetric_laplace":
      return exponentialsMass(g, ends, args);
    case "half_student_t":
      return foldedMass(g, ends, distribution, effort);
    default:
      return logCdf
        ? massByTails(g, ends, distribution, effort)
        : logMassByQuadrature(g, ends, distribution);
  }
}

/** Probabilities of two nested tails: the mass is their difference. */
interface Tails {
  readonly larger: NodeId;
  readonly smaller: NodeId;
}

function tailsOf(g: GraphBuilder, { low, high }: CellEnds, distribution: Distribution): Tails {
  const { logCdf, logSurvival, symmetric, location } = families[distribution.family];
  if (symmetric) {
    const twice = times(g, 2, distribution.args[location!]);
    const isAbove = g.map("gt", g.add(low, high), twice);
    const to = g.where(isAbove, g.sub(twice, low), high);
    const from = g.where(isAbove, g.sub(twice, high), low);
    return { larger: logCdf!(g, to, distribution), smaller: logCdf!(g, from, distribution) };
  }
  const [to, from] = [logCdf!(g, high, distribution), logCdf!(g, low, distribution)];
  if (!logSurvival) return { larger: to, smaller: from };
  const [above, beyond] = [
    logSurvival(g, low, distribution),
    logSurvival(g, high, distribution),
  ];
  const isBelow = g.map("le", to, above);
  return { larger: g.where(isBelow, to, above), smaller: g.where(isBelow, from, beyond) };
}

function massByTails(
  g: GraphBuilder,
  ends: CellEnds,
  distribution: Distribution,
  effort: CellEffort,
): NodeId {
  const { larger, smaller } = tailsOf(g, ends, distribution);
  const difference = g.sub(larger, smaller);
  const isEmpty = g.map("le", ends.high, ends.low);
  const holds = g.map("gt", difference, g.scalar(leastDifference));
  const safe = g.where(holds, difference, g.scalar(1));
  const mass = g.add(larger, g.map("log1mexp", g.neg(safe)));
  const fallback = effort === "quick"
    ? g.scalar(NaN)
    : boundedQuadrature(g, ends, distribution, larger, difference);
  return g.where(isEmpty, g.scalar(-Infinity), g.where(holds, mass, fallback));
}

/** The integral of the density, at most what the tails allow for with all their rounding. */
function boundedQuadrature(
  g: GraphBuilder,
  ends: CellEnds,
  distribution: Distribution,
  larger: NodeId,
  difference: NodeId,
): NodeId {
  const integral = logMassByQuadrature(g, ends, distribution);
  const isKnown = g.map("ge", difference, g.scalar(-1));
  const most = plus(g, g.map("maximum", difference, g.scalar(0)), rounding);
  const bound = g.add(larger, g.log(g.where(isKnown, most, g.scalar(1))));
  return g.where(isKnown, g.map("minimum", integral, bound), integral);
}

function mixtureMass(
  g: GraphBuilder,
  ends: CellEnds,
  { args: [weights], components }: Distribution,
  effort: CellEffort,
): NodeId {
  if (components!.length === 1) {
    return joined(g, weights, logCellMass(g, padded(g, ends), components![0], effort));
  }
  const batch = g.shapeOf(weights).slice(0, -1);
  const logWeights = logOf(g, weights);
  return logSum(
    g,
    components!.map((one, k) => {
      const weight = g.reshape(pickLast(g, logWeights, [k]), batch);
      return g.add(logCellMass(g, ends, one, effort), weight);
    }),
  );
}

/** log Σ w_k e^(mass_k) along the last axis. */
function joined(g: GraphBuilder, weights: NodeId, masses: NodeId): NodeId {
  return logSumExpLast(g, g.add(masses, logOf(g, weights)));
}

function padded(g: GraphBuilder, { low, high }: CellEnds): CellEnds {
  return { low: padRight(g, low), high: padRight(g, high) };
}

/** Given that a value lies between the bounds: the part of the cell there, over the mass there. */
function truncatedMass(
  g: GraphBuilder,
  { low, high }: CellEnds,
  [lower, upper]: readonly NodeId[],
  base: Distribution,
  effort: CellEffort,
): NodeId {
  const within = { low: g.map("maximum", low, lower), high: g.map("minimum", high, upper) };
  const isOpen = g.constantOf(lower) === -Infinity && g.constantOf(upper) === Infinity;
  const own = logCellMass(g, within, base, effort);
  if (isOpen) return own;
  return g.sub(own, logCellMass(g, { low: lower, high: upper }, base, effort));
}

/** Ends of a censored cell: data beyond a bound are recorded at it, so its cell has all of that tail. */
function censoredEnds(
  g: GraphBuilder,
  ends: CellEnds,
  [lower, upper]: readonly NodeId[],
): CellEnds {
  const { low, high } = apart(g, ends);
  return {
    low: g.where(holds(g, { low, high }, lower), g.scalar(-Infinity), g.map("maximum", low, lower)),
    high: g.where(
      holds(g, { low, high }, upper),
      g.scalar(Infinity),
      g.map("minimum", high, upper),
    ),
  };
}

/** A row with a window has all that lies in it. */
function windowEnds(
  g: GraphBuilder,
  { low, high }: CellEnds,
  [lower, upper]: readonly NodeId[],
): CellEnds {
  const known = g.map("eq", lower, upper);
  const far = g.scalar(farthestEnd);
  const from = g.where(g.map("lt", lower, g.neg(far)), g.scalar(-Infinity), lower);
  const to = g.where(g.map("gt", upper, far), g.scalar(Infinity), upper);
  return { low: g.where(known, low, from), high: g.where(known, high, to) };
}

/**
 * Whether a cell holds a point: its lower end is the next cell's, so that a point between two cells has its mass
 * in one of them. Cells at the ends of the line hold what is there.
 */
function holds(g: GraphBuilder, { low, high }: CellEnds, point: NodeId): NodeId {
  return g.map("and", g.map("lt", low, point), g.map("ge", high, point));
}

/** How near ends of two cells have to be, in cells, to be one end that was computed from either side. */
const sameEnd = 1e-6;

/** Ends that two cells have in common, to the last digit: else a point could lie in both. */
function apart(g: GraphBuilder, { low, high }: CellEnds): CellEnds {
  const [lows, highs] = [g.valueOf(low), g.valueOf(high)];
  if (!lows || !highs || lows.values.length !== highs.values.length) return { low, high };
  const sorted = Float64Array.from(highs.values).sort();
  const shared = lows.values.map((end, i) => {
    const most = sameEnd * (highs.values[i] - end);
    const near = sorted[firstFrom(sorted, end - most)];
    return near <= end + most ? near : end;
  });
  return { low: g.array(shared, lows.shape), high };
}

/** The index of the first number from `least`; the length, if there is none. */
function firstFrom(ascending: Float64Array, least: number): number {
  let [from, to] = [0, ascending.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (ascending[middle] >= least) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** Two exponential sides that meet at mu; each by the width of what lies there, which loses no digits. */
function exponentialsMass(
  g: GraphBuilder,
  { low, high }: CellEnds,
  [kappa, mu, b]: readonly NodeId[],
): NodeId {
  const zero = g.scalar(0);
  const side = (near: NodeId, far: NodeId, rate: NodeId, share: NodeId) => {
    const width = g.sub(g.map("maximum", far, zero), g.map("maximum", near, zero));
    const mass = g.map("log1mexp", g.neg(g.mul(rate, width)));
    return g.add(g.sub(mass, g.mul(rate, g.map("maximum", near, zero))), share);
  };
  const square = g.square(kappa);
  const above = g.neg(g.map("log1p", square));
  const below = g.add(logOf(g, square), above);
  return logSum(g, [
    side(g.sub(low, mu), g.sub(high, mu), g.mul(b, kappa), above),
    side(g.sub(mu, high), g.sub(mu, low), g.div(b, kappa), below),
  ]);
}

/** Twice the mass of Student's t on the positive side. */
function foldedMass(
  g: GraphBuilder,
  { low, high }: CellEnds,
  { args: [nu, sigma], shape }: Distribution,
  effort: CellEffort,
): NodeId {
  const zero = g.scalar(0);
  const own = { family: "student_t", args: [nu, zero, sigma], shape };
  const ends = { low: g.map("maximum", low, zero), high: g.map("maximum", high, zero) };
  return plus(g, logCellMass(g, ends, own, effort), log2);
}

/** A cell that holds 0 has its mass of 1 − ψ, whatever else it has. */
function hurdleMass(
  g: GraphBuilder,
  ends: CellEnds,
  { args: [psi, ...args], shape }: Distribution,
  family: string,
  effort: CellEffort,
): NodeId {
  const zero = g.scalar(0);
  const holdsZero = holds(g, apart(g, ends), zero);
  const rest = g.add(logCellMass(g, ends, { family, args, shape }, effort), logOf(g, psi));
  const atZero = g.where(
    holdsZero,
    g.log(g.sub(g.scalar(1), psi)),
    g.scalar(-Infinity),
  );
  return logSum(g, [rest, atZero]);
}
