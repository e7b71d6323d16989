/** Vector kernels of the unary operations, forward and backward; a scalar is a vector of one. */
import { exp, expm1, log, log1p, sigmoid, tanh } from "../math/elementary.ts";
import { addScaled } from "./accumulate.ts";
import type { Kernel, KernelPair, TapeUnaryOp } from "./instruction.ts";

// Operand and result of a unary operation have the same number of lanes, and the operand is free
// (otherwise it would have been folded), so masks and flags need not be looked at.

const neg: KernelPair = {
  forward(m, _g, { n, a, out }) {
    for (let i = 0; i < n; i++) m[out + i] = -m[a + i];
  },
  backward(_m, g, { n, a, out }) {
    addScaled(g, n, a, -1, out, -1);
  },
};

/** For exp and its kin, whose slope is a function of the result. */
const timesResult: Kernel = (m, g, { n, a, out }) => {
  for (let i = 0; i < n; i++) g[a + i] += g[out + i] * m[out + i];
};

const exponential: KernelPair = {
  forward(m, _g, { n, a, out }) {
    for (let i = 0; i < n; i++) m[out + i] = exp(m[a + i]);
  },
  backward: timesResult,
};

const logarithm: KernelPair = {
  forward(m, _g, { n, a, out }) {
    for (let i = 0; i < n; i++) m[out + i] = log(m[a + i]);
  },
  backward(m, g, { n, a, out }) {
    for (let i = 0; i < n; i++) g[a + i] += g[out + i] / m[a + i];
  },
};

const logarithm1p: KernelPair = {
  forward(m, _g, { n, a, out }) {
    for (let i = 0; i < n; i++) m[out + i] = log1p(m[a + i]);
  },
  backward(m, g, { n, a, out }) {
    for (let i = 0; i < n; i++) g[a + i] += g[out + i] / (1 + m[a + i]);
  },
};

const exponentialM1: KernelPair = {
  forward(m, _g, { n, a, out }) {
    for (let i = 0; i < n; i++) m[out + i] = expm1(m[a + i]);
  },
  backward(m, g, { n, a, out }) {
    for (let i = 0; i < n; i++) g[a + i] += g[out + i] * (1 + m[out + i]);
  },
};

const squareRoot: KernelPair = {
  forward(m, _g, { n, a, out }) {
    for (let i = 0; i < n; i++) m[out + i] = Math.sqrt(m[a + i]);
  },
  backward(m, g, { n, a, out }) {
    for (let i = 0; i < n; i++) g[a + i] += g[out + i] * (0.5 / m[out + i]);
  },
};

const absolute: KernelPair = {
  forward(m, _g, { n, a, out }) {
    for (let i = 0; i < n; i++) m[out + i] = Math.abs(m[a + i]);
  },
  backward(m, g, { n, a, out }) {
    for (let i = 0; i < n; i++) g[a + i] += g[out + i] * Math.sign(m[a + i]);
  },
};

const logistic: KernelPair = {
  forward(m, _g, { n, a, out }) {
    for (let i = 0; i < n; i++) m[out + i] = sigmoid(m[a + i]);
  },
  backward(m, g, { n, a, out }) {
    for (let i = 0; i < n; i++) g[a + i] += g[out + i] * (m[out + i] * (1 - m[out + i]));
  },
};

const hyperbolicTangent: KernelPair = {
  forward(m, _g, { n, a, out }) {
    for (let i = 0; i < n; i++) m[out + i] = tanh(m[a + i]);
  },
  backward(m, g, { n, a, out }) {
    for (let i = 0; i < n; i++) g[a + i] += g[out + i] * (1 - m[out + i] * m[out + i]);
  },
};

const square: KernelPair = {
  forward(m, _g, { n, a, out }) {
    for (let i = 0; i < n; i++) m[out + i] = m[a + i] * m[a + i];
  },
  backward(m, g, { n, a, out }) {
    for (let i = 0; i < n; i++) g[a + i] += g[out + i] * (2 * m[a + i]);
  },
};

const reciprocal: KernelPair = {
  forward(m, _g, { n, a, out }) {
    for (let i = 0; i < n; i++) m[out + i] = 1 / m[a + i];
  },
  backward(m, g, { n, a, out }) {
    for (let i = 0; i < n; i++) g[a + i] -= g[out + i] * (m[out + i] * m[out + i]);
  },
};

/** Kernels of every unary operation. */
export const unaryKernels: { readonly [op in TapeUnaryOp]: KernelPair } = {
  neg,
  exp: exponential,
  log: logarithm,
  log1p: logarithm1p,
  expm1: exponentialM1,
  sqrt: squareRoot,
  abs: absolute,
  sigmoid: logistic,
  tanh: hyperbolicTangent,
  square,
  reciprocal,
};
