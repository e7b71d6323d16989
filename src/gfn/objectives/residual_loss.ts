/** Losses of a balance residual δ: g(δ) and its derivative, for many residuals at once. */
import { expm1, log1p } from "../../numerics/math/mod.ts";

/** All have their only minimum, 0, at δ = 0, so the choice never moves the optimum. */
export const residualLossNames = [
  "squared",
  "log_cosh",
  "huber",
  "shifted_cosh",
  "linex",
  "linex_half",
] as const;

/** One of {@linkcode residualLossNames}. */
export type ResidualLossName = typeof residualLossNames[number];

/** δ beyond which an exponential is continued as a straight line of the same slope. */
const exponentLimit = 20;

/**
 * g and g' of the first `count` of `deltas` (nats), written into `values` and `slopes`. Returns
 * how many residuals lay beyond {@linkcode exponentLimit} of a loss that has an exponential.
 */
export type ResidualLoss = (
  deltas: Float64Array,
  count: number,
  values: Float64Array,
  slopes: Float64Array,
) => number;

/** δ² (Malkin et al. 2022); on-policy its gradient is that of the reverse KL. */
const squared: ResidualLoss = (deltas, count, values, slopes) => {
  for (let i = 0; i < count; i++) {
    values[i] = deltas[i] * deltas[i];
    slopes[i] = 2 * deltas[i];
  }
  return 0;
};

/** log cosh δ: quadratic near 0 and linear in the tails, from one exponential per residual. */
const logCosh: ResidualLoss = (deltas, count, values, slopes) => {
  for (let i = 0; i < count; i++) {
    const size = Math.abs(deltas[i]);
    const decay = expm1(-2 * size);
    values[i] = size + log1p(decay / 2);
    slopes[i] = Math.sign(deltas[i]) * -decay / (2 + decay);
  }
  return 0;
};

/** δ²/2 up to |δ| = 1, then |δ| − ½ (Huber 1964). */
const huber: ResidualLoss = (deltas, count, values, slopes) => {
  for (let i = 0; i < count; i++) {
    const size = Math.abs(deltas[i]);
    values[i] = size < 1 ? size * size / 2 : size - 0.5;
    slopes[i] = Math.max(-1, Math.min(1, deltas[i]));
  }
  return 0;
};

/** e^δ + e^−δ − 2. */
const shiftedCosh: ResidualLoss = (deltas, count, values, slopes) => {
  let beyond = 0;
  for (let i = 0; i < count; i++) {
    const size = Math.min(exponentLimit, Math.abs(deltas[i]));
    const [up, down] = [expm1(size), expm1(-size)];
    const slope = up - down;
    const excess = Math.abs(deltas[i]) - size;
    if (excess > 0) beyond++;
    values[i] = up + down + excess * slope;
    slopes[i] = Math.sign(deltas[i]) * slope;
  }
  return beyond;
};

/** (e^(αδ) − αδ − 1) / α². */
function linex(alpha: number): ResidualLoss {
  return (deltas, count, values, slopes) => {
    let beyond = 0;
    for (let i = 0; i < count; i++) {
      const t = Math.min(exponentLimit, alpha * deltas[i]);
      const excess = alpha * deltas[i] - t;
      if (excess > 0) beyond++;
      const grown = Math.abs(t) < 1e-3 ? smallExcess(t) : expm1(t) - t;
      const slope = expm1(t);
      values[i] = (grown + excess * slope) / (alpha * alpha);
      slopes[i] = slope / alpha;
    }
    return beyond;
  };
}

/** e^t − t − 1 by its series, where the difference would lose its digits. */
function smallExcess(t: number): number {
  return t * t / 2 * (1 + t / 3 * (1 + t / 4 * (1 + t / 5)));
}

/**
 * Regression losses in the sense of Hu et al. 2025 (arXiv 2410.02596), where δ = log of the forward
 * flow − log of the backward flow:
 *
 * - `squared`: δ²; zero-forcing.
 * - `log_cosh`: log cosh δ; as robust as `huber`, and smooth. A program that failed at log reward
 *   −100 pulls with a force of 1 and not of 200.
 * - `huber`: δ²/2, linear beyond 1.
 * - `shifted_cosh`: e^δ + e^−δ − 2; zero-forcing and zero-avoiding.
 * - `linex`: e^δ − δ − 1; the forward KL, zero-avoiding. `linex_half`: 4 (e^(δ/2) − δ/2 − 1),
 *   between the two.
 *
 * Exponentials continue as straight lines beyond an exponent of {@linkcode exponentLimit}, which
 * keeps numbers finite, leaves every residual a force, and is counted in the metric
 * `residuals_beyond_limit`.
 */
export const residualLosses: Readonly<Record<ResidualLossName, ResidualLoss>> = {
  squared,
  log_cosh: logCosh,
  huber,
  shifted_cosh: shiftedCosh,
  linex: linex(1),
  linex_half: linex(0.5),
};

/** The names whose loss has an exponential that can pass the limit. */
export function hasExponential(name: ResidualLossName): boolean {
  return name === "shifted_cosh" || name === "linex" || name === "linex_half";
}
