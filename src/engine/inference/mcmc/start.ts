/** Where chains start, and with which metric: by Laplace's approximation, or as Stan does. */
import type { RandomStream } from "../../../base/random.ts";
import type { LogDensity } from "../../../numerics/math/mod.ts";
import type { GradientBudget } from "./budget.ts";
import { drawAround, type LaplaceApproximation, laplaceApproximation } from "./laplace.ts";
import { chooseMetric, diagonalOf, type Metric, unitMetric } from "./metric.ts";

/** Where chains start, and a first guess of their metric. */
interface ChainStarts {
  /** One per chain, each with finite log density and gradient. */
  readonly positions: readonly Float64Array[];
  /** First guess of the metric. */
  readonly metric: Metric;
  /** Variances `[dimension]` that estimates of the metric are shrunk towards. */
  readonly reference: Float64Array;
}

/** Dimension up to which starts may be by Laplace. */
const maxLaplaceDimension = 40;
/** Nats of evidence by which a mode may be worse than the best and still be started from. */
const evidenceGap = 10;
const attempts = 100;
/** How far a start may be below ten times the log density of the centre, nats: farther out slopes lead nowhere. */
const mostDepth = 1e30;
/** Halvings of the distance to the centre that are tried after that. */
const mostHalvings = 40;

/**
 * Stan's start: uniform in (−2, 2) in every coordinate until log density and gradient are finite,
 * in at most 100 attempts; `undefined` if there is none. Where the density names a starting region,
 * that interval is scaled by its spread and moved to its centre, as PyMC starts around the support
 * points of the priors; later attempts come closer to the centre. A start from which the density is
 * 10³⁰ nats deeper than at the centre, as where a slope meets a predictor in thousands under `exp`, is drawn
 * again at half the distance, and again.
 */
export function uniformStart(
  density: LogDensity,
  stream: RandomStream,
  budget: GradientBudget,
): Float64Array | undefined {
  const position = new Float64Array(density.dimension);
  for (let attempt = 0; attempt < attempts; attempt++) {
    const shrink = density.startingRegion ? 1 - attempt / attempts : 1;
    const value = drawStart(density, stream, shrink, position, budget);
    if (value === undefined) continue;
    return value > -mostDepth ? position : nearer(density, stream, value, position, budget);
  }
  return undefined;
}

/** Draws a position; returns its log density if that and its gradient are finite. */
function drawStart(
  density: LogDensity,
  stream: RandomStream,
  shrink: number,
  position: Float64Array,
  budget: GradientBudget,
): number | undefined {
  const region = density.startingRegion;
  for (let i = 0; i < position.length; i++) {
    const jitter = 4 * stream.uniform() - 2;
    position[i] = region ? region.centre[i] + shrink * region.spread[i] * jitter : shrink * jitter;
  }
  return valueAt(density, position, budget);
}

/** The position, or one at which the density is not far below that of the centre. */
function nearer(
  density: LogDensity,
  stream: RandomStream,
  value: number,
  position: Float64Array,
  budget: GradientBudget,
): Float64Array {
  const centre = density.startingRegion?.centre ?? new Float64Array(position.length);
  const least = 10 * Math.min(0, valueAt(density, centre, budget) ?? -Infinity) - mostDepth;
  const next = new Float64Array(position.length);
  let shrink = 1;
  for (let halving = 0; halving < mostHalvings && value < least; halving++) {
    shrink *= 0.5;
    const found = drawStart(density, stream, shrink, next, budget);
    if (found === undefined || !(found > value)) continue;
    value = found;
    position.set(next);
  }
  return position;
}

function valueAt(
  density: LogDensity,
  position: Float64Array,
  budget: GradientBudget,
): number | undefined {
  const gradient = new Float64Array(position.length);
  budget.used += 1;
  const value = density.logDensity(position, gradient, 0);
  const isFinite = Math.abs(value) < Infinity && gradient.every((g) => Math.abs(g) < Infinity);
  return isFinite ? value : undefined;
}

/**
 * Starts one chain per stream. Without `laplace` as Stan does, with the unit metric. With it, every
 * chain climbs from there to a mode and is drawn from Laplace's approximation around it; chains
 * that found no mode, or one whose evidence is more than 10 nats below the best, are drawn around
 * the best. Where no chain finds a mode, Stan's starts remain. `undefined` if there are none.
 */
export function startChains(
  density: LogDensity,
  streams: readonly RandomStream[],
  laplace: boolean,
  budget: GradientBudget,
): ChainStarts | undefined {
  const d = density.dimension;
  const uniform: Float64Array[] = [];
  for (const stream of streams) {
    const position = uniformStart(density, stream, budget);
    if (!position) return undefined;
    uniform.push(position);
  }
  const modes = laplace && d <= maxLaplaceDimension
    ? uniform.map((from) => laplaceApproximation(density, from, budget))
    : [];
  const best = bestOf(modes);
  if (!best) {
    return { positions: uniform, metric: unitMetric(d), reference: new Float64Array(d).fill(1) };
  }
  const positions = streams.map((stream, c) =>
    usableDraw(density, near(best, modes[c]), stream, budget) ?? uniform[c]
  );
  const metric = chooseMetric(best.covariance, d, true) ?? unitMetric(d);
  return { positions, metric, reference: diagonalOf(best.covariance, d) };
}

function bestOf(
  modes: readonly (LaplaceApproximation | undefined)[],
): LaplaceApproximation | undefined {
  let best: LaplaceApproximation | undefined;
  for (const mode of modes) if (mode && !(mode.evidence <= (best?.evidence ?? NaN))) best = mode;
  return best;
}

/** `mode`, or `best` where that has far more of the posterior's mass. */
function near(best: LaplaceApproximation, mode?: LaplaceApproximation): LaplaceApproximation {
  return mode && mode.evidence >= best.evidence - evidenceGap ? mode : best;
}

/** A draw at which the density is finite. */
function usableDraw(
  density: LogDensity,
  around: LaplaceApproximation,
  stream: RandomStream,
  budget: GradientBudget,
): Float64Array | undefined {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const position = drawAround(around, stream);
    if (valueAt(density, position, budget) !== undefined) return position;
  }
  return undefined;
}
