/** Leave-one-out by quadrature over the few coordinates of a posterior. */
import { logSumExp, type PredictiveLikelihood } from "../../numerics/math/mod.ts";
import type { GradientBudget } from "../inference/mcmc/budget.ts";
import type { StreamKey } from "../inference/mcmc/sample_chains.ts";
import type { CellGains } from "./cells.ts";
import { cellsAt, Lattice, latticeFrame, type LatticePoint } from "./lattice.ts";
import { type Evidence, evidenceOfLattice } from "./evidence.ts";
import { thresholds } from "./thresholds.ts";

/**
 * Part of the Monte Carlo error asked for that the error of a lattice may be. A round number:
 * 0.005 nats of 0.05; the error is an order of magnitude, no bound.
 */
const latticeErrorShare = 0.1;

/**
 * Points of one lattice at most. Measured: the cost of importance draws in three coordinates, fits
 * included.
 */
const latticePoints = 4000;

/** Attempts with points closer and closer. A round number: three halvings of each of three axes. */
const latticeAttempts = 9;

/** Distance of the first points, in standard deviations, by the number of coordinates. */
function firstStep(dimension: number): number {
  const { latticeStepOfOne, latticeStepOfTwo, latticeStepOfThree } = thresholds;
  return [NaN, latticeStepOfOne, latticeStepOfTwo, latticeStepOfThree][dimension];
}

/** Leave-one-out by quadrature; log quantities in nats. */
export interface QuadratureEstimate {
  /** log p(y_i | y_-i) `[observations]`. */
  readonly pointwise: Float64Array;
  /** log p(y_i | y) `[observations]`. */
  readonly lppd: Float64Array;
  /** The error of the sum, estimated from every other point. */
  readonly error: number;
  /** Points. */
  readonly points: number;
  /** Gains of cells over densities, if data were recorded to a step. */
  readonly gains?: CellGains;
  /** log p(y), unless points are missing. */
  readonly evidence?: Evidence;
  /** The points, unless there is only one, or some are missing. */
  readonly lattice?: Lattice;
}

/**
 * p(y_i | y_-i) = Σ w / Σ (w / L_i) over points of a lattice, for w = p(θ, y) and L_i = p(y_i |
 * y_-i, θ): the trapezoidal rule, whose error falls like e^(−2π²/h²) with the distance h of the
 * points where densities are normal (Trefethen and Weideman 2014). The estimate from every other
 * point along an axis shows its error; points come closer along the axis until it is small.
 *
 * @returns `undefined` where there is no mode, where too many points would be needed, or where the density ends among
 * points that matter.
 */
export function* quadratureLoo(
  density: PredictiveLikelihood,
  targetError: number,
  key: StreamKey,
  budget: GradientBudget,
): Generator<void, QuadratureEstimate | undefined> {
  if (density.dimension === 0) return ofSinglePoint(density, budget);
  if (density.dimension > thresholds.latticeCoordinates) return undefined;
  const frame = latticeFrame(density, key, budget);
  if (!frame) return undefined;
  const steps = new Array<number>(density.dimension).fill(firstStep(density.dimension));
  const lattice = new Lattice(density, frame, steps);
  const goal = latticeErrorShare * targetError;
  let best: LatticeEstimate | undefined;
  let isWhole = true;
  for (let attempt = 0; attempt < latticeAttempts; attempt++) {
    isWhole = yield* lattice.grow(latticePoints, budget);
    const found = isWhole ? estimateFrom(lattice.points, density.dimension) : undefined;
    if (!found) break;
    best = found;
    if (found.error <= goal) break;
    if (2 * lattice.size > latticePoints) break;
    lattice.halve(found.errors.indexOf(Math.max(...found.errors)));
  }
  if (!best || best.error > targetError || lattice.isCut) return undefined;
  return isWhole ? withLattice(best, lattice) : best;
}

function withLattice(found: LatticeEstimate, lattice: Lattice): QuadratureEstimate {
  const points = lattice.points.map(({ at, logDensity }) => ({
    logDensity,
    isEven: at[0] % 2 === 0,
  }));
  return { ...found, lattice, evidence: evidenceOfLattice(points, lattice.logVolume) };
}

function ofSinglePoint(
  density: PredictiveLikelihood,
  budget: GradientBudget,
): QuadratureEstimate | undefined {
  const nowhere = new Float64Array(0);
  const pointwise = new Float64Array(density.observations);
  const lppd = new Float64Array(density.observations);
  budget.used += 1;
  const value = density.withLikelihood!(nowhere, nowhere, 0, pointwise, 0);
  if (!(value > -Infinity)) return undefined;
  density.logPredictive(nowhere, 0, lppd, 0);
  const { cells } = cellsAt(density, nowhere);
  const gains = cells && { pointwise: cells.map((one, i) => one - pointwise[i]), mcse: 0 };
  const evidence = { value, error: 0 };
  return { pointwise, lppd, error: 0, points: 1, evidence, ...(gains && { gains }) };
}

/** The estimate, and the error that each axis has part in. */
interface LatticeEstimate extends QuadratureEstimate {
  readonly errors: readonly number[];
}

/**
 * From all points; and along each axis from every second and every fourth, which estimate the error there.
 * Points whose coordinates have an even sum would not do: they miss a ridge along an axis as all points do.
 */
function estimateFrom(
  points: readonly LatticePoint[],
  dimension: number,
): LatticeEstimate | undefined {
  const pointwise = leftOut(points);
  const errors = Array.from({ length: dimension }, (_, k) => {
    const [second, fourth] = [2, 4].map((every) => points.filter(({ at }) => at[k] % every === 0));
    if (fourth.length === 0) return Infinity;
    const coarse = leftOut(second);
    return extrapolated(apart(pointwise, coarse), apart(coarse, leftOut(fourth)));
  });
  const error = errors.reduce((sum, one) => sum + one, 0);
  if (Number.isNaN(error)) return undefined;
  const gains = gainsOf(points);
  const lppd = predicted(points);
  return { pointwise, lppd, error, errors, points: points.length, ...(gains && { gains }) };
}

/**
 * The error that is left when one halving changed an estimate by `before` and the next by `last`, as a geometric
 * series: at a kink each halving leaves a quarter, for a smooth density the square.
 */
function extrapolated(last: number, before: number): number {
  return last * Math.min(1, last / Math.min(1, before));
}

function apart(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, one, i) => sum + Math.abs(one - b[i]), 0);
}

/** log Σ w P_i / L_i − log Σ w; the error is that of every other point. */
function gainsOf(points: readonly LatticePoint[]): CellGains | undefined {
  const found = gainsAt(points);
  if (!found) return undefined;
  const coarse = gainsAt(points.filter(({ at }) => at[0] % 2 === 0));
  const away = coarse
    ? found.reduce((sum, one, i) => sum + Math.abs(one - coarse[i]), 0)
    : Infinity;
  return { pointwise: found, mcse: away < 1 ? away * away : away };
}

function gainsAt(points: readonly LatticePoint[]): Float64Array | undefined {
  if (points.length === 0 || !points[0].cells) return undefined;
  const whole = logSumExp(points.map(({ logDensity }) => logDensity));
  return points[0].terms.map((_, i) =>
    logSumExp(points.map(({ logDensity, terms, cells }) => logDensity + cells![i] - terms[i])) -
    whole
  );
}

/** log Σ w − log Σ (w / L_i) `[observations]`. */
function leftOut(points: readonly LatticePoint[]): Float64Array {
  const whole = logSumExp(points.map(({ logDensity }) => logDensity));
  return points[0].terms.map((_, i) =>
    whole - logSumExp(points.map(({ logDensity, terms }) => logDensity - terms[i]))
  );
}

/** log Σ w p(y_i | y, θ) − log Σ w `[observations]`. */
function predicted(points: readonly LatticePoint[]): Float64Array {
  const whole = logSumExp(points.map(({ logDensity }) => logDensity));
  return points[0].predictive.map((_, i) =>
    logSumExp(points.map(({ logDensity, predictive }) => logDensity + predictive[i])) - whole
  );
}
