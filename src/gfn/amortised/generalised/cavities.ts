/** ELPD-LOO of generalised linear models by expectation propagation: each row is predicted from its cavity. */
import { cholesky, exp, log, solveLower, solveUpper } from "../../../numerics/math/mod.ts";
import { type Design, type PosteriorMode, precisionOf } from "./posterior_mode.ts";
import type { RowLikelihood } from "./row_likelihoods.ts";

/** Predictions of rows from all others. */
interface LeftOut {
  /** `[rows]`: log p(y_i | y_-i), nats. */
  readonly logPredictive: Float64Array;
  /** log p(y), nats. */
  readonly logEvidence: number;
}

/** Share of its variance by which a site moves in the last sweep. */
const settled = 2e-3;

/** Updates of the sites: most sweeps, and the fraction of an update that each takes. */
interface SiteMoves {
  readonly sweeps: number;
  readonly pace: number;
}

const usual: SiteMoves = { sweeps: 12, pace: 0.9 };

/** Nodes and weights of Gauss–Hermite quadrature with nine nodes, for the standard normal. */
const half: readonly (readonly [node: number, weight: number])[] = [
  [0, 0.40634920634920635],
  [1.0232556637891324, 0.24409750289493909],
  [2.0768479786778302, 0.04991640676521791],
  [3.2054290028564707, 0.002789141321231769],
  [4.512745863399783, 2.234584400774658e-5],
];
const nodes = Float64Array.from(half.flatMap(([x]) => x === 0 ? [0] : [x, -x]));
const logWeights = Float64Array.from(
  half.flatMap(([x, w]) => x === 0 ? [log(w)] : [log(w), log(w)]),
);

/**
 * A row's likelihood is a normal in its linear predictor, a site; without it the posterior is the
 * row's cavity. Sites are such that mean and variance of cavity × likelihood are those of cavity × site
 * (Minka 2001), by quadrature. They begin at Laplace's, and all move at once; none takes
 * more than a tenth from the precision of its cavity.
 */
export function leaveEachOut(
  design: Design,
  likelihood: RowLikelihood,
  mode: PosteriorMode,
  { sweeps, pace } = usual,
): LeftOut {
  const { rows, width } = design;
  const precision = mode.curvatures.slice();
  const shift = mode.slopes.map((slope, i) => precision[i] * (mode.eta[i] - design.middle) + slope);
  let found: LeftOut | undefined;
  for (let sweep = 0; sweep <= sweeps; sweep++) {
    const logPredictive = new Float64Array(rows);
    const factor = precisionOf(design, precision);
    if (!cholesky(factor, width)) break;
    const mean = meanOf(design, shift, factor);
    let [moved, volume, isAstray] = [0, 0, false];
    for (let a = 0; a < width; a++) volume -= log(factor[a * width + a]);
    let logEvidence = volume + 0.5 * energyOf(factor, mean, width);
    const last = sweep === sweeps;
    for (let i = 0; i < rows; i++) {
      const [m, v] = marginalOf(design, factor, mean, i);
      const rest = Math.max(1 - precision[i] * v, 1e-9);
      if (v / rest > 1.001 * priorVariance(design, i)) isAstray = true;
      const cavity = { mean: (m - v * shift[i]) / rest, variance: v / rest };
      const about = { mean: m + design.middle, variance: v };
      const tilted = tilt(likelihood, i, about, {
        ...cavity,
        mean: cavity.mean + design.middle,
      });
      logPredictive[i] = tilted.logZ;
      logEvidence += tilted.logZ - siteMass(precision[i], shift[i], cavity);
      if (last) continue;
      const wanted = Math.max(-0.1 / cavity.variance, 1 / tilted.variance - 1 / cavity.variance);
      const wantedShift = (tilted.mean - design.middle) / tilted.variance -
        cavity.mean / cavity.variance;
      moved = Math.max(moved, Math.abs(wanted - precision[i]) * v);
      precision[i] += pace * (wanted - precision[i]);
      shift[i] += pace * (wantedShift - shift[i]);
    }
    if (found && isAstray) break;
    found = { logPredictive, logEvidence };
    if (moved < settled) break;
  }
  if (!found) throw new Error("internal: no posterior at its mode");
  return found;
}

function meanOf({ rows, width, values }: Design, shift: Float64Array, factor: Float64Array) {
  const mean = new Float64Array(width);
  for (let i = 0; i < rows; i++) {
    for (let a = 0; a < width; a++) mean[a] += shift[i] * values[i * width + a];
  }
  solveLower(factor, width, mean);
  solveUpper(factor, width, mean);
  return mean;
}

/** mᵀ L Lᵀ m. */
function energyOf(factor: Float64Array, mean: Float64Array, width: number): number {
  let sum = 0;
  for (let b = 0; b < width; b++) {
    let along = 0;
    for (let a = b; a < width; a++) along += factor[a * width + b] * mean[a];
    sum += along * along;
  }
  return sum;
}

/** Mean and variance of a row's linear predictor, less the middle. */
function marginalOf(
  design: Design,
  factor: Float64Array,
  mean: Float64Array,
  i: number,
): readonly [number, number] {
  const { width, values } = design;
  let m = 0;
  for (let a = 0; a < width; a++) m += values[i * width + a] * mean[a];
  return [m, marginalVariance(design, factor, i)];
}

let room = new Float64Array(16);

/** Variance of a row's linear predictor under the precision L Lᵀ: |L⁻¹ x|². */
export function marginalVariance({ width, values }: Design, factor: Float64Array, i: number) {
  if (room.length < width) room = new Float64Array(width);
  let v = 0;
  for (let a = 0; a < width; a++) {
    let sum = values[i * width + a];
    for (let b = 0; b < a; b++) sum -= factor[a * width + b] * room[b];
    room[a] = sum / factor[a * width + a];
    v += room[a] * room[a];
  }
  return v;
}

/** No cavity is wider, unless sites that curve upwards outweigh the others. */
function priorVariance({ width, values }: Design, i: number): number {
  let sum = 0;
  for (let at = i * width; at < (i + 1) * width; at++) sum += values[at] * values[at];
  return sum;
}

/** A normal density. */
interface Gaussian {
  readonly mean: number;
  readonly variance: number;
}

/** log ∫ Normal(f; cavity) exp(−½ τ f² + ν f) df. */
function siteMass(precision: number, shift: number, { mean, variance }: Gaussian): number {
  const whole = 1 + precision * variance;
  const both = mean + shift * variance;
  return -0.5 * log(whole) + 0.5 * (both * both / whole - mean * mean) / variance;
}

const [etas, logs] = [nodes.slice(), nodes.slice()];

/** Mass, mean and variance of cavity × likelihood, by nodes about the row's marginal. */
export function tilt(
  likelihood: RowLikelihood,
  row: number,
  about: Gaussian,
  cavity: Gaussian,
): Gaussian & { readonly logZ: number } {
  const scale = Math.sqrt(about.variance);
  for (let q = 0; q < nodes.length; q++) etas[q] = about.mean + scale * nodes[q];
  likelihood.densities(row, etas, logs);
  const offset = 0.5 * log(about.variance / cavity.variance);
  let most = -Infinity;
  for (let q = 0; q < nodes.length; q++) {
    const off = etas[q] - cavity.mean;
    logs[q] += logWeights[q] + offset + 0.5 * nodes[q] * nodes[q] -
      0.5 * off * off / cavity.variance;
    most = Math.max(most, logs[q]);
  }
  let [total, first, second] = [0, 0, 0];
  for (let q = 0; q < nodes.length; q++) {
    const share = exp(logs[q] - most);
    total += share;
    first += share * nodes[q];
    second += share * nodes[q] * nodes[q];
  }
  const mean = first / total;
  return {
    logZ: most + log(total),
    mean: about.mean + scale * mean,
    variance: about.variance * Math.max(second / total - mean * mean, 1e-6),
  };
}
