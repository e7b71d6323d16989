/** Families of vectors: Dirichlet, multinomial, zero-sum normal. */
import type { RandomStream } from "../../../base/random.ts";
import type { GraphBuilder } from "../ir/builder.ts";
import type { NodeId } from "../ir/node.ts";
import { commonShape, padRight, sumLast } from "./arrays.ts";
import type { FamilyDefinition } from "./family.ts";
import { direct, plus, scaled, times } from "./forms.ts";
import { atLeast, atMost, domainConditions, guard } from "./guard.ts";
import { logFactorial, logPower } from "./powers.ts";
import { mostShape } from "./reach.ts";
import { halfLog2Pi } from "./real_line.ts";
import { allLast, rescaledConstant, simplexConditions } from "./simplexes.ts";
import { drawBinomial, drawLogGamma, drawNormal, exp } from "../../../numerics/math/mod.ts";
import { logOf } from "./stable_log.ts";
import { countVectors } from "./whole_vectors.ts";

/** Conditions on every element of the last axis, one truth for each row. */
const everywhere = (g: GraphBuilder, truths: readonly NodeId[]): NodeId[] =>
  truths.map((truth) => allLast(g, truth));

/** Π x_k^(a_k−1) Γ(Σ a) / Π Γ(a_k) on the simplex. */
export const dirichlet: FamilyDefinition = {
  signature: {
    names: ["Dirichlet"],
    positional: ["a"],
    defaults: {},
    domains: { a: "positive" },
    forms: [direct("a")],
  },
  parameters: ["a"],
  most: { a: mostShape },
  parameterRanks: [1],
  eventRank: 1,
  discrete: false,
  proper: true,
  support: "simplex",
  eventShape: (g, { args: [a] }) => g.shapeOf(a).slice(-1),
  transform: () => ({ kind: "simplex" }),
  logDensity: (g, x, { args: [a] }) => {
    const conditions = everywhere(g, [
      ...domainConditions(g, a, "positive"),
      ...atMost(g, a, mostShape),
      ...atLeast(g, x, 0),
      ...atMost(g, x, 1),
    ]);
    const normaliser = g.sub(g.map("lgamma", sumLast(g, a)), sumLast(g, g.map("lgamma", a)));
    const kernel = sumLast(g, logPower(g, x, plus(g, a, -1)));
    // A constant power of 1 leaves no factor that has the batch of the value.
    const batch = g.shapeOf(sumLast(g, x));
    return g.broadcast(guard(g, conditions, g.add(kernel, normaliser)), batch);
  },
  draw: (random, [a], _distribution, out) => {
    const size = a.shape.at(-1)!;
    for (let row = 0; row < out.length; row += size) {
      fillDirichlet(random, a.values.subarray(row, row + size), out, row);
    }
  },
};

/** Gamma draws over their sum, by logarithms so that small shapes do not vanish together. */
function fillDirichlet(
  random: RandomStream,
  a: Float64Array,
  out: Float64Array,
  offset: number,
): void {
  let [largest, total] = [-Infinity, 0];
  for (let i = 0; i < a.length; i++) {
    out[offset + i] = drawLogGamma(random, a[i]);
    largest = Math.max(largest, out[offset + i]);
  }
  for (let i = 0; i < a.length; i++) {
    total += out[offset + i] = exp(out[offset + i] - largest);
  }
  for (let i = 0; i < a.length; i++) out[offset + i] /= total;
}

/** Counts over categories by the chances of each. */
function fillMultinomial(
  random: RandomStream,
  n: number,
  p: ArrayLike<number>,
  out: Float64Array,
  offset: number,
): void {
  let [left, rest] = [n, 0];
  for (let k = 0; k < p.length; k++) rest += p[k];
  for (let k = 0; k < p.length; k++) {
    const last = k === p.length - 1;
    const count = last ? left : drawBinomial(random, left, Math.min(1, Math.max(0, p[k] / rest)));
    out[offset + k] = count;
    left -= count;
    rest -= p[k];
  }
}

/** That counts are not negative and sum to n. */
function countConditions(g: GraphBuilder, x: NodeId, n: NodeId): NodeId[] {
  return [
    ...domainConditions(g, n, "count"),
    ...everywhere(g, atLeast(g, x, 0)),
    g.map("eq", sumLast(g, x), n),
  ];
}

/** n! Π p_k^(x_k) / x_k!. */
export const multinomial: FamilyDefinition = {
  ...countVectors,
  signature: {
    names: ["Multinomial"],
    positional: ["n", "p"],
    defaults: {},
    domains: { n: "count", p: "simplex" },
    forms: [{ names: ["n", "p"], canonical: (g, { n, p }) => [n, rescaledConstant(g, p)] }],
  },
  parameters: ["n", "p"],
  parameterRanks: [0, 1],
  eventShape: (g, { args: [, p] }) => g.shapeOf(p).slice(-1),
  logDensity: (g, x, { args: [n, p] }) => {
    const each = sumLast(g, g.sub(logPower(g, p, x), logFactorial(g, x)));
    const conditions = [...simplexConditions(g, p), ...countConditions(g, x, n)];
    return guard(g, conditions, g.add(each, logFactorial(g, n)));
  },
  draw: (random, [n, p], _distribution, out) => {
    const size = p.shape.at(-1)!;
    for (let row = 0; row * size < out.length; row++) {
      const chances = p.values.subarray(row * size, (row + 1) * size);
      fillMultinomial(random, n.values[row], chances, out, row * size);
    }
  },
};

/** Multinomial with chances that are Dirichlet(a). */
export const dirichletMultinomial: FamilyDefinition = {
  ...countVectors,
  signature: {
    names: ["DirichletMultinomial"],
    positional: ["n", "a"],
    defaults: {},
    domains: { n: "count", a: "positive" },
    forms: [direct("n", "a")],
  },
  parameters: ["n", "a"],
  most: { a: mostShape },
  parameterRanks: [0, 1],
  eventShape: (g, { args: [, a] }) => g.shapeOf(a).slice(-1),
  logDensity: (g, x, { args: [n, a] }) => {
    const lgamma = (y: NodeId) => g.map("lgamma", y);
    const total = sumLast(g, a);
    const outer = g.sub(g.add(logFactorial(g, n), lgamma(total)), lgamma(g.add(n, total)));
    const each = g.sub(lgamma(g.add(x, a)), g.add(logFactorial(g, x), lgamma(a)));
    const conditions = [
      ...everywhere(g, [...domainConditions(g, a, "positive"), ...atMost(g, a, mostShape)]),
      ...countConditions(g, x, n),
    ];
    return guard(g, conditions, g.add(outer, sumLast(g, each)));
  },
  draw: (random, [n, a], _distribution, out) => {
    const size = a.shape.at(-1)!;
    const p = new Float64Array(size);
    for (let row = 0; row * size < out.length; row++) {
      fillDirichlet(random, a.values.subarray(row * size, (row + 1) * size), p, 0);
      fillMultinomial(random, n.values[row], p, out, row * size);
    }
  },
};

/**
 * Normal numbers given that they sum to zero over the last `sizes[0]` axes, as a density on that
 * subspace. The sum is not checked: the transform makes it zero.
 */
export const zeroSumNormal: FamilyDefinition = {
  signature: {
    names: ["ZeroSumNormal"],
    positional: ["sigma", "n_zerosum_axes", "support_shape"],
    defaults: { sigma: 1 },
    domains: { sigma: "positive", n_zerosum_axes: "size", support_shape: "size" },
    forms: [direct("sigma")],
  },
  sizes: ["n_zerosum_axes"],
  parameters: ["sigma"],
  parameterRanks: [0],
  eventRank: 1,
  discrete: false,
  proper: true,
  support: "zero_sum",
  transform: (_g, { sizes }) => ({ kind: "zero_sum", axes: sizes?.[0] ?? 1 }),
  logDensity: (g, x, { args: [given], sizes }) => {
    const axes = sizes?.[0] ?? 1;
    const support = g.shapeOf(x).slice(-axes);
    const freedom = support.reduce((product, extent) => product * (extent - 1), 1);
    const sigma = alongBatch(g, given, g.shapeOf(x).length, axes);
    const wide = g.shapeOf(sigma).length === 0 ? sigma : padRight(g, sigma, axes);
    const squares = sumLast(g, times(g, -0.5, g.square(scaled(g, x, wide))), axes);
    const density = g.sub(squares, times(g, freedom, plus(g, logOf(g, sigma), halfLog2Pi)));
    const conditions = domainConditions(g, sigma, "positive");
    return g.broadcast(guard(g, conditions, density), commonShape(g, [squares]));
  },
  draw: (random, [sigma], { shape, sizes }, out) => {
    const support = shape.slice(-(sizes?.[0] ?? 1));
    const size = support.reduce((product, extent) => product * extent, 1);
    for (let row = 0; row * size < out.length; row++) {
      const s = sigma.values[sigma.values.length === 1 ? 0 : row];
      const block = out.subarray(row * size, (row + 1) * size);
      for (let i = 0; i < size; i++) block[i] = s * drawNormal(random);
      centre(block, support);
    }
  },
  spread: (a) => a,
};

/** A scale `[batch]`, or `[batch, 1 …]` as PyMC wants it, as `[batch]`. */
function alongBatch(g: GraphBuilder, sigma: NodeId, rank: number, axes: number): NodeId {
  const shape = g.shapeOf(sigma);
  if (shape.every((extent) => extent === 1)) return g.reshape(sigma, []);
  return shape.length === rank ? g.reshape(sigma, shape.slice(0, rank - axes)) : sigma;
}

/** Takes the mean off along every axis of a block. */
function centre(block: Float64Array, shape: readonly number[]): void {
  let stride = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const extent = shape[axis];
    for (let at = 0; at < block.length; at++) {
      if (Math.floor(at / stride) % extent !== 0) continue;
      let mean = 0;
      for (let i = 0; i < extent; i++) mean += block[at + i * stride] / extent;
      for (let i = 0; i < extent; i++) block[at + i * stride] -= mean;
    }
    stride *= extent;
  }
}
