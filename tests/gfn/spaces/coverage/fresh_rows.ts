/** Predictions of fresh rows by a linear model with known priors: exact but for a sum over sigma. */
import { exp, log } from "../../../../src/numerics/math/elementary.ts";
import { logSumExp } from "../../../../src/numerics/math/log_sum_exp.ts";

/** Rows of a design, the intercept's 1 first, and of the response. */
export interface Rows {
  readonly x: readonly (readonly number[])[];
  readonly y: readonly number[];
}

/** Priors as programs of a space write them: Normal coefficients, Exponential sigma. */
export interface LinearPriors {
  readonly mean: readonly number[];
  readonly width: readonly number[];
  /** Rate of sigma. */
  readonly rate: number;
}

/** Nodes of log sigma about the response's own spread. */
const nodes = 61;

/**
 * Mean over fresh rows of log p(y* | y): given sigma the coefficients are normal (Lindley and Smith
 * 1972), and sigma is summed over a lattice of its logarithm. It shares no line with the engine.
 *
 * @param weights of the fresh rows, summing to 1; equal ones, if left out.
 * @returns the mean of the log predictive density of `fresh`, nats.
 */
export function expectedLogScore(
  seen: Rows,
  fresh: Rows,
  priors: LinearPriors,
  weights: ArrayLike<number> = fresh.y.map(() => 1 / fresh.y.length),
): number {
  const logs = Array.from({ length: nodes }, (_, k) => -1.2 + (2.4 * k) / (nodes - 1));
  const fits = logs.map((logSigma) => fitAt(seen, priors, exp(logSigma)));
  const most = logSumExp(Float64Array.from(fits, ({ logWeight }) => logWeight));
  const kept = fits.filter(({ logWeight }) => logWeight > most - 20);
  const scores = fresh.y.map((y, i) => {
    const terms = kept.map(({ logWeight, mean, covariance, sigma }) => {
      const x = fresh.x[i];
      const centre = dot(x, mean);
      const variance = sigma * sigma + dot(x, covariance.map((row) => dot(row, x)));
      return logWeight - most + logNormal(y - centre, variance);
    });
    return logSumExp(Float64Array.from(terms));
  });
  return scores.reduce((sum, score, i) => sum + weights[i] * score, 0);
}

/** Posterior of the coefficients given sigma, and log p(y | sigma) p(sigma) up to a constant. */
function fitAt({ x, y }: Rows, { mean: at, width, rate }: LinearPriors, sigma: number) {
  const k = at.length;
  const precision = at.map((_, a) =>
    at.map((_, b) =>
      x.reduce((sum, row) => sum + row[a] * row[b], 0) / (sigma * sigma) +
      (a === b ? 1 / (width[a] * width[a]) : 0)
    )
  );
  const right = at.map((_, a) =>
    x.reduce((sum, row, i) => sum + row[a] * y[i], 0) / (sigma * sigma) +
    at[a] / (width[a] * width[a])
  );
  const { inverse, logDeterminant } = invert(precision);
  const mean = inverse.map((row) => dot(row, right));
  const residuals = x.reduce((sum, row, i) => sum + (y[i] - dot(row, mean)) ** 2, 0);
  const shifts = at.reduce((sum, m, a) => sum + ((mean[a] - m) / width[a]) ** 2, 0);
  const logLikelihood = -y.length * log(sigma) - residuals / (2 * sigma * sigma) - shifts / 2 -
    logDeterminant / 2 - at.reduce((sum, _, a) => sum + log(width[a]), 0);
  const logPrior = -rate * sigma + log(sigma); // of log sigma
  if (k !== mean.length) throw new Error("internal: a coefficient is lost");
  return { logWeight: logLikelihood + logPrior, mean, covariance: inverse, sigma };
}

function logNormal(difference: number, variance: number): number {
  return -0.5 * (log(2 * Math.PI * variance) + (difference * difference) / variance);
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}

/** By Gauss and Jordan; matrices here are small and positive definite. */
function invert(matrix: readonly (readonly number[])[]) {
  const n = matrix.length;
  const rows = matrix.map((row, i) => [...row, ...row.map((_, j) => (i === j ? 1 : 0))]);
  let logDeterminant = 0;
  for (let i = 0; i < n; i++) {
    logDeterminant += log(rows[i][i]);
    const pivot = rows[i][i];
    rows[i] = rows[i].map((value) => value / pivot);
    for (let j = 0; j < n; j++) {
      if (j === i) continue;
      const factor = rows[j][i];
      rows[j] = rows[j].map((value, c) => value - factor * rows[i][c]);
    }
  }
  return { inverse: rows.map((row) => row.slice(n)), logDeterminant };
}
