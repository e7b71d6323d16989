/** Vector kernels of the binary operations with broadcasting, forward and backward. */
import { exp, log, pow } from "../math/elementary.ts";
import { addProduct, addScaled } from "./accumulate.ts";
import type { Instruction, KernelPair, TapeBinaryOp } from "./instruction.ts";

const add: KernelPair = {
  forward(m, _g, { n, a, aMask, b, bMask, out }) {
    for (let i = 0; i < n; i++) m[out + i] = m[a + (i & aMask)] + m[b + (i & bMask)];
  },
  backward(_m, g, { n, a, aMask, aFree, b, bMask, bFree, out }) {
    if (aFree) addScaled(g, n, a, aMask, out, 1);
    if (bFree) addScaled(g, n, b, bMask, out, 1);
  },
};

const sub: KernelPair = {
  forward(m, _g, { n, a, aMask, b, bMask, out }) {
    for (let i = 0; i < n; i++) m[out + i] = m[a + (i & aMask)] - m[b + (i & bMask)];
  },
  backward(_m, g, { n, a, aMask, aFree, b, bMask, bFree, out }) {
    if (aFree) addScaled(g, n, a, aMask, out, 1);
    if (bFree) addScaled(g, n, b, bMask, out, -1);
  },
};

const mul: KernelPair = {
  forward(m, _g, { n, a, aMask, b, bMask, out }) {
    for (let i = 0; i < n; i++) m[out + i] = m[a + (i & aMask)] * m[b + (i & bMask)];
  },
  backward(m, g, { n, a, aMask, aFree, b, bMask, bFree, out }) {
    if (aFree) addProduct(m, g, n, a, aMask, out, b, bMask);
    if (bFree) addProduct(m, g, n, b, bMask, out, a, aMask);
  },
};

const div: KernelPair = {
  forward(m, _g, { n, a, aMask, b, bMask, out }) {
    for (let i = 0; i < n; i++) m[out + i] = m[a + (i & aMask)] / m[b + (i & bMask)];
  },
  backward(m, g, { n, a, aMask, aFree, b, bMask, bFree, out }) {
    const [even, odd] = [new Sums(), new Sums()];
    for (let i = 0; i < n; i++) {
      const slope = g[out + i] / m[b + (i & bMask)];
      const slopeB = slope * m[out + i];
      if (aFree && aMask !== 0) g[a + i] += slope;
      if (bFree && bMask !== 0) g[b + i] -= slopeB;
      const sums = i & 1 ? odd : even;
      sums.a += slope;
      sums.b += slopeB;
    }
    if (aFree && aMask === 0) g[a] += even.a + odd.a;
    if (bFree && bMask === 0) g[b] -= even.b + odd.b;
  },
};

/** Running sums over lanes of the same parity, one per operand. */
class Sums {
  a = 0;
  b = 0;
}

/** Any base and exponent: x^y as the mathematical library defines it, negative bases included. */
const powGeneral: KernelPair = {
  forward(m, _g, { n, a, aMask, b, bMask, out }) {
    for (let i = 0; i < n; i++) m[out + i] = pow(m[a + (i & aMask)], m[b + (i & bMask)]);
  },
  backward(m, g, step) {
    if (step.aFree) powBaseAdjoint(m, g, step);
    if (step.bFree) powExponentAdjoint(m, g, step);
  },
};

/** d/dx x^y = y · x^y / x; at x = 0 the power itself. */
function powBaseAdjoint(m: Float64Array, g: Float64Array, step: Instruction): void {
  const { n, a, aMask, b, bMask, out } = step;
  let sum = 0;
  for (let i = 0; i < n; i++) {
    const x = m[a + (i & aMask)];
    const y = m[b + (i & bMask)];
    const slope = g[out + i] * (x === 0 ? y * pow(0, y - 1) : (y * m[out + i]) / x);
    if (aMask === 0) sum += slope;
    else g[a + i] += slope;
  }
  if (aMask === 0) g[a] += sum;
}

/** d/dy x^y = x^y · log x; zero where the power is zero. */
function powExponentAdjoint(m: Float64Array, g: Float64Array, step: Instruction): void {
  const { n, a, aMask, b, bMask, out } = step;
  let sum = 0;
  for (let i = 0; i < n; i++) {
    const power = m[out + i];
    const slope = power === 0 ? 0 : g[out + i] * power * log(m[a + (i & aMask)]);
    if (bMask === 0) sum += slope;
    else g[b + i] += slope;
  }
  if (bMask === 0) g[b] += sum;
}

/** A free scalar base and a constant vector of exponents: one logarithm for all lanes. */
const powScalarBase: KernelPair = {
  forward(m, g, step) {
    const { n, a, b, out } = step;
    if (!(m[a] > 0)) return powGeneral.forward(m, g, step);
    const logBase = log(m[a]);
    for (let i = 0; i < n; i++) m[out + i] = exp(logBase * m[b + i]);
  },
  backward(m, g, step) {
    const { n, a, b, out } = step;
    if (!(m[a] > 0)) return powBaseAdjoint(m, g, step);
    let even = 0;
    let odd = 0;
    let i = 0;
    for (; i + 1 < n; i += 2) {
      even += g[out + i] * m[b + i] * m[out + i];
      odd += g[out + i + 1] * m[b + i + 1] * m[out + i + 1];
    }
    if (i < n) even += g[out + i] * m[b + i] * m[out + i];
    g[a] += (even + odd) / m[a];
  },
};

/** Kernels of every binary operation. */
export const binaryKernels: { readonly [op in TapeBinaryOp]: KernelPair } = {
  add,
  sub,
  mul,
  div,
  pow: powGeneral,
  powScalarBase,
};
