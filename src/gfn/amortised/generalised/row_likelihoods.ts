/** Log likelihoods of rows about a linear predictor: Poisson, binomial, Student's t. */
import { exponentials, lgamma, log, log1p, softplus } from "../../../numerics/math/mod.ts";

/** Likelihood of rows, each by its linear predictor alone. */
export interface RowLikelihood {
  /** Number of rows. */
  readonly rows: number;
  /** Log likelihood, nats; slopes and curvatures, 0 or above, of each row are written, its own share if asked. */
  weigh(
    eta: Float64Array,
    slopes: Float64Array,
    curvatures: Float64Array,
    shares?: Float64Array,
  ): number;
  /** Log density of one row at some predictors, nats. */
  densities(row: number, etas: Float64Array, out: Float64Array): void;
}

/** Counts at the rate exp(eta). */
export function poissonRows(y: Float64Array): RowLikelihood {
  const constants = y.map((one) => -lgamma(one + 1));
  return {
    rows: y.length,
    weigh(eta, slopes, curvatures, shares) {
      exponentials(eta, 0, curvatures);
      let total = 0;
      for (let i = 0; i < y.length; i++) {
        slopes[i] = y[i] - curvatures[i];
        const own = y[i] * eta[i] - curvatures[i] + constants[i];
        total += own;
        if (shares) shares[i] = own;
      }
      return total;
    },
    densities(row, etas, out) {
      exponentials(etas, 0, out);
      for (let q = 0; q < etas.length; q++) out[q] = y[row] * etas[q] - out[q] + constants[row];
    },
  };
}

/** Successes of trials, with the log odds eta. */
export function binomialRows(y: Float64Array, trials: Float64Array): RowLikelihood {
  const constants = y.map((one, i) =>
    lgamma(trials[i] + 1) - lgamma(one + 1) - lgamma(trials[i] - one + 1)
  );
  return {
    rows: y.length,
    weigh(eta, slopes, curvatures, shares) {
      for (let i = 0; i < y.length; i++) curvatures[i] = -Math.abs(eta[i]);
      exponentials(curvatures, 0, curvatures);
      let total = 0;
      for (let i = 0; i < y.length; i++) {
        const small = curvatures[i];
        const chance = (eta[i] > 0 ? 1 : small) / (1 + small);
        const own = y[i] * eta[i] - trials[i] * (Math.max(eta[i], 0) + log1p(small)) + constants[i];
        total += own;
        if (shares) shares[i] = own;
        slopes[i] = y[i] - trials[i] * chance;
        curvatures[i] = trials[i] * small / ((1 + small) * (1 + small));
      }
      return total;
    },
    densities(row, etas, out) {
      for (let q = 0; q < etas.length; q++) {
        out[q] = y[row] * etas[q] - trials[row] * softplus(etas[q]) + constants[row];
      }
    },
  };
}

/** Student's t about eta; curvatures are weights of a normal with as much slope. */
export function studentRows(y: Float64Array, sigma: number, nu: number): RowLikelihood {
  const constant = lgamma((nu + 1) / 2) - lgamma(nu / 2) - 0.5 * log(nu * Math.PI) - log(sigma);
  const wide = nu * sigma * sigma;
  const kernel = (off: number) => constant - (nu + 1) / 2 * log1p(off * off / wide);
  return {
    rows: y.length,
    weigh(eta, slopes, curvatures, shares) {
      let total = 0;
      for (let i = 0; i < y.length; i++) {
        const off = y[i] - eta[i];
        curvatures[i] = (nu + 1) / (wide + off * off);
        slopes[i] = curvatures[i] * off;
        const own = kernel(off);
        total += own;
        if (shares) shares[i] = own;
      }
      return total;
    },
    densities(row, etas, out) {
      for (let q = 0; q < etas.length; q++) out[q] = kernel(y[row] - etas[q]);
    },
  };
}
