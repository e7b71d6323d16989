/** ELPD-LOO of a normal response about a linear mean: closed forms given the noise, a lattice over the noise. */
import { exp, exponentials, log, takeLogs } from "../../numerics/math/mod.ts";
import { diagonalise } from "./symmetric_eigen.ts";

/** Points of log σ, from `first` on, in its approximate posterior standard deviations. */
const lattice = { points: 20, first: -5, distance: 0.8 } as const;

/** Share of the heaviest weight below which a point of the lattice is left out. */
const leastWeight = 1e-13;

const rootOf2Pi = 2.5066282746310002;

/** Scores of one program. */
export interface ProgramScore {
  /** ELPD-LOO, nats. */
  readonly elpd: number;
  /** log p(y), nats: the target of training on labels, the program that made the data. */
  readonly logEvidence: number;
}

/** A linear mean, and the prior of its noise. */
interface LinearMean {
  readonly rows: number;
  readonly width: number;
  /** `[rows, width]`: columns times the standard deviations of their coefficients' priors. */
  readonly design: Float64Array;
  /** `[rows]`: the response less its mean a priori. */
  readonly y: Float64Array;
  /** Where the search for the noise begins. */
  readonly variance: number;
  /** Adds log p(σ) + log σ, nats. */
  readonly addLogPrior: (logLikelihood: number, variance: number) => number;
}

/**
 * ELPD-LOO and evidence, nats, of y ~ Normal(X b, σ²) with b ~ Normal(0, 1). Given σ all is normal, so
 * that
 *
 *     log p(y_i | y_-i, σ) = log Normal(r_i / (1 − h_i); 0, σ² / (1 − h_i)),
 *     p(y_i | y_-i) = Σ w / Σ (w / p(y_i | y_-i, σ)),
 *
 * with residuals r, leverages h of the ridge and weights w of a lattice over log σ (Sundararajan and
 * Keerthi 2001).
 */
export function scoreLinear(mean: LinearMean): ProgramScore {
  const { rows, width, y } = mean;
  const turned = turnedRows(mean);
  const { values, projections, fitted } = turned;
  let energy = 0;
  for (let i = 0; i < rows; i++) energy += y[i] * y[i];
  for (let i = 0; i < rows; i++) {
    for (let a = 0; a < width; a++) projections[a] += fitted[i * width + a] * y[i];
  }
  const given = { rows, width, values, projections, energy };
  const center = mostLikelyVariance(given, mean.variance);
  const spread = 1 / Math.sqrt(2 * rows);
  const weights = new Float64Array(lattice.points);
  const variances = new Float64Array(lattice.points);
  for (let g = 0; g < lattice.points; g++) {
    const t = (lattice.first + g * lattice.distance) * spread;
    const variance = center * exp(2 * t);
    variances[g] = variance;
    weights[g] = mean.addLogPrior(logLikelihood(given, variance), variance);
  }
  const most = weights.reduce((a, b) => Math.max(a, b));
  let total = 0;
  for (let g = 0; g < lattice.points; g++) total += weights[g] = exp(weights[g] - most);
  const without = new Float64Array(rows); // Σ w / p(y_i | y_-i, σ)
  for (let g = 0; g < lattice.points; g++) {
    if (weights[g] > leastWeight) {
      addInverse(turned, y, { variance: variances[g], weight: weights[g] }, without);
    }
  }
  takeLogs(without);
  const elpd = without.reduce((sum, one) => sum - one, rows * log(total));
  const step = log(lattice.distance * spread) - rows * log(rootOf2Pi);
  return { elpd, logEvidence: most + log(total) + step };
}

/** Rows in the coordinates in which the posterior of the coefficients is independent. */
interface TurnedRows {
  readonly rows: number;
  readonly width: number;
  /** `[width]`: eigenvalues of the design's sums of products. */
  readonly values: Float64Array;
  /** `[width]`: sums of products with the response. */
  readonly projections: Float64Array;
  /** `[rows, width]`. */
  readonly fitted: Float64Array;
  /** `[rows]`: room. */
  readonly room: Float64Array;
}

function turnedRows({ rows, width, design: plain }: LinearMean): TurnedRows {
  const gram = new Float64Array(width * width);
  for (let i = 0; i < rows; i++) {
    for (let a = 0; a < width; a++) {
      for (let b = 0; b <= a; b++) {
        gram[a * width + b] += plain[i * width + a] * plain[i * width + b];
      }
    }
  }
  for (let a = 0; a < width; a++) {
    for (let b = a + 1; b < width; b++) gram[a * width + b] = gram[b * width + a];
  }
  const vectors = diagonalise(gram, width);
  const fitted = new Float64Array(rows * width);
  for (let i = 0; i < rows; i++) {
    for (let a = 0; a < width; a++) {
      const x = plain[i * width + a];
      for (let b = 0; b < width; b++) fitted[i * width + b] += x * vectors[a * width + b];
    }
  }
  const values = Float64Array.from({ length: width }, (_, a) => Math.max(0, gram[a * width + a]));
  const projections = new Float64Array(width);
  return { rows, width, values, projections, fitted, room: new Float64Array(rows) };
}

interface Given {
  readonly rows: number;
  readonly width: number;
  readonly values: Float64Array;
  readonly projections: Float64Array;
  readonly energy: number;
}

/** Near where the posterior of log σ is highest: residual sum of squares over rows, in a few steps. */
function mostLikelyVariance(
  { rows, width, values, projections, energy }: Given,
  start: number,
): number {
  let variance = start;
  for (let step = 0; step < 6; step++) {
    let left = energy;
    for (let a = 0; a < width; a++) {
      left -= projections[a] * projections[a] / (values[a] + variance);
    }
    variance = Math.max(left / rows, 1e-12);
  }
  return variance;
}

/** log p(y | σ), but for a constant. */
function logLikelihood({ rows, width, values, projections, energy }: Given, variance: number) {
  let left = energy;
  let inside = 1;
  let volume = 0;
  for (let a = 0; a < width; a++) {
    left -= projections[a] * projections[a] / (values[a] + variance);
    inside *= 1 + values[a] / variance;
    if (inside > 1e200) {
      volume += log(inside);
      inside = 1;
    }
  }
  volume += log(inside);
  return -0.5 * (rows * log(variance) + volume + Math.max(0, left) / variance);
}

/** Adds weight / p(y_i | y_-i, σ) to each row. */
function addInverse(
  { rows, width, values, projections, fitted, room }: TurnedRows,
  y: Float64Array,
  { variance, weight }: { readonly variance: number; readonly weight: number },
  sums: Float64Array,
): void {
  const inverse = values.map((value) => 1 / (value + variance));
  const mean = projections.map((one, a) => one * inverse[a]);
  const rests = new Float64Array(rows);
  for (let i = 0; i < rows; i++) {
    let residual = y[i];
    let h = 0;
    for (let a = 0, at = i * width; a < width; a++, at++) {
      const u = fitted[at];
      residual -= u * mean[a];
      h += u * u * inverse[a];
    }
    rests[i] = Math.max(1 - h, 1e-12);
    room[i] = 0.5 * residual * residual / (variance * rests[i]);
  }
  exponentials(room, 0, room);
  const scale = weight * rootOf2Pi * Math.sqrt(variance);
  for (let i = 0; i < rows; i++) sums[i] += scale / Math.sqrt(rests[i]) * room[i];
}
