/** Which productions matter, and how: parameters of the kernel by their marginal likelihood. */
import { cholesky, exp, inverseFromCholesky, log } from "../../../numerics/math/mod.ts";
import { type KernelParameters, ProductionKernel } from "./production_kernel.ts";
import { pieceBits } from "./production_sets.ts";

/** Scored objects, as a process sees them. */
export interface Points {
  /** `[count][pieces]`. */
  readonly codes: Uint8Array;
  /** Log rewards less their mean. */
  readonly heights: Float64Array;
}

/** Length of the first step of the ascent, in logs. */
const firstStride = 0.15;

/** Logs within which parameters stay. */
const [LEAST, MOST] = [-12, 6] as const;

/** Standard deviation of the prior of log θ about its start, which regularises productions that occur once. */
const priorSd = 2;

/** Parameters to begin with. */
export function firstParameters(productions: number, variance: number): KernelParameters {
  return {
    relevance: new Float64Array(productions).fill(0.3),
    variances: [variance / 4, variance / 4, variance / 4, variance / 4],
    nugget: variance * 1e-3,
  };
}

/**
 * The parameters after an ascent of the log marginal likelihood in their logs (Rasmussen and Williams
 * 2006, eq. 5.9), by resilient steps that see signs alone (Riedmiller and Braun 1993).
 */
export function fitParameters(
  points: Points,
  start: KernelParameters,
  steps = 40,
): KernelParameters {
  let at = logsOf(start);
  const anchor = Float64Array.from(at);
  const stride = new Float64Array(at.length).fill(firstStride);
  let before: Float64Array = new Float64Array(at.length);
  let best = { value: -Infinity, at };
  for (let step = 0; step < steps; step++) {
    const found = evidence(points, parametersOf(at));
    if (!found) break;
    const { gradient } = found;
    let value = found.value;
    for (let p = 0; p < at.length; p++) {
      const off = (at[p] - anchor[p]) / priorSd;
      value -= 0.5 * off * off;
      gradient[p] -= off / priorSd;
    }
    if (value > best.value) best = { value, at };
    at = Float64Array.from(at);
    for (let p = 0; p < at.length; p++) {
      const turned = gradient[p] * before[p];
      stride[p] = Math.min(
        1,
        Math.max(1e-3, stride[p] * (turned > 0 ? 1.2 : turned < 0 ? 0.5 : 1)),
      );
      at[p] = Math.min(MOST, Math.max(LEAST, at[p] + Math.sign(gradient[p]) * stride[p]));
    }
    before = gradient;
  }
  return parametersOf(best.at);
}

function logsOf({ relevance, variances, nugget }: KernelParameters): Float64Array {
  return Float64Array.from([...relevance, ...variances, nugget], (one) => log(one));
}

function parametersOf(logs: Float64Array): KernelParameters {
  const values = logs.map((one) => exp(one));
  const n = values.length - 5;
  return {
    relevance: values.slice(0, n),
    variances: [values[n], values[n + 1], values[n + 2], values[n + 3]],
    nugget: values[n + 4],
  };
}

/**
 * log p(y) but for a constant, and its gradient by the logs of the parameters; undefined if the
 * covariance is not positive definite.
 */
export function evidence(
  { codes, heights }: Points,
  parameters: KernelParameters,
): { readonly value: number; readonly gradient: Float64Array } | undefined {
  const n = heights.length;
  const kernel = new ProductionKernel(parameters);
  const { relevance, variances, nugget } = parameters;
  const pieces = codes.length / n;
  const covariance = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    kernel.row(codes, i, codes, n, covariance, i * n);
    covariance[i * n + i] += nugget;
  }
  if (!cholesky(covariance, n)) return undefined;
  let value = 0;
  for (let i = 0; i < n; i++) value -= log(covariance[i * n + i]);
  const inverse = inverseFromCholesky(covariance, n);
  const weights = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) weights[i] += inverse[i * n + j] * heights[j];
    value -= 0.5 * weights[i] * heights[i];
  }
  const gradient = new Float64Array(relevance.length + 5);
  const tail = relevance.length;
  const { total } = kernel;
  let scaled = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      const m = (i === j ? 0.5 : 1) * (weights[i] * weights[j] - inverse[i * n + j]);
      const d = kernel.distance(codes, i, j);
      const u = 1 - 2 * d / total;
      const decay = variances[3] * exp(-d);
      gradient[tail] += m * variances[0];
      gradient[tail + 1] += m * variances[1] * u;
      gradient[tail + 2] += m * variances[2] * u * u;
      gradient[tail + 3] += m * decay;
      if (i === j) gradient[tail + 4] += m * nugget;
      const slope = variances[1] + 2 * variances[2] * u;
      // du/dθ_f = −2 [f differs] / Σθ + 2 D / (Σθ)²; dD/dθ_f = [f differs].
      scaled += m * slope * 2 * d / (total * total);
      const h = m * (-2 * slope / total - decay);
      if (i === j || h === 0) continue;
      for (let p = 0; p < pieces; p++) {
        let differ = codes[i * pieces + p] ^ codes[j * pieces + p];
        while (differ !== 0) {
          const bit = 31 - Math.clz32(differ);
          gradient[p * pieceBits + bit] += h;
          differ ^= 1 << bit;
        }
      }
    }
  }
  for (let f = 0; f < tail; f++) gradient[f] = (gradient[f] + scaled) * relevance[f];
  return { value, gradient };
}
