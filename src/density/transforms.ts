/** Transforms of unconstrained numbers into the support, and their log Jacobians. */
import { exp, log, sigmoid } from "../math/elementary.ts";
import type { KernelPair, TransformOp } from "./instruction.ts";

// `a` is the unconstrained number q, `b` a bound, and `out` the constrained value x.

/** x = e^q. */
const logTransform: KernelPair = {
  forward(m, _g, { a, out }) {
    m[out] = exp(m[a]);
  },
  backward(m, g, { a, out }) {
    g[a] += g[out] * m[out];
  },
};

/** x = 1 / (1 + e^−q). */
const logoddsTransform: KernelPair = {
  forward(m, _g, { a, out }) {
    m[out] = sigmoid(m[a]);
  },
  backward(m, g, { a, out }) {
    g[a] += g[out] * (m[out] * (1 - m[out]));
  },
};

/** x = lower + e^q, `b` the lower bound. */
const lowerBoundTransform: KernelPair = {
  forward(m, _g, { a, b, out }) {
    m[out] = m[b] + exp(m[a]);
  },
  backward(m, g, { a, b, bFree, out }) {
    g[a] += g[out] * exp(m[a]);
    if (bFree) g[b] += g[out];
  },
};

/** x = upper − e^q, `b` the upper bound. */
const upperBoundTransform: KernelPair = {
  forward(m, _g, { a, b, out }) {
    m[out] = m[b] - exp(m[a]);
  },
  backward(m, g, { a, b, bFree, out }) {
    g[a] -= g[out] * exp(m[a]);
    if (bFree) g[b] += g[out];
  },
};

/** Kernels of every transform; the identity needs none. */
export const transformKernels: { readonly [op in TransformOp]: KernelPair } = {
  logTransform,
  logoddsTransform,
  lowerBoundTransform,
  upperBoundTransform,
};

/** A log Jacobian: returns its value and adds its adjoints. `width` is upper − lower, or −1. */
export type JacobianKernel = (
  m: Float64Array,
  g: Float64Array,
  q: number,
  width: number,
  widthFree: boolean,
) => number;

/** log |dx/dq| = q, of the logarithmic and the one-sided transforms. */
export const exponentialJacobian: JacobianKernel = (m, g, q) => {
  g[q] += 1;
  return m[q];
};

/**
 * log |dx/dq| = log σ(q) + log σ(−q) of the log-odds transform, from e^−|q|: −|q| − 2 log(1 + e^−|q|).
 */
export const logoddsJacobian: JacobianKernel = (m, g, q) => {
  const size = Math.abs(m[q]);
  const e = exp(-size);
  const slope = (1 - e) / (1 + e);
  g[q] += m[q] < 0 ? slope : -slope;
  return -size - 2 * log(1 + e);
};

/** log |dx/dq| of the interval transform: that of the log odds plus log(upper − lower). */
export const intervalJacobian: JacobianKernel = (m, g, q, width, widthFree) => {
  if (widthFree) g[width] += 1 / m[width];
  return logoddsJacobian(m, g, q, width, widthFree) + log(m[width]);
};
