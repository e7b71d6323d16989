/** Families about covariance matrices: multivariate normal and t, and LKJ's distribution of factors. */
import { drawBeta, drawGamma, drawNormal } from "../../../numerics/math/mod.ts";
import type { RandomStream } from "../../../base/random.ts";
import type { GraphBuilder } from "../ir/builder.ts";
import type { NodeId } from "../ir/node.ts";
import type { Distribution } from "../ir/program.ts";
import { type Shape, sizeOf } from "../ir/shape.ts";
import { pickLast, sumLast } from "./arrays.ts";
import type { FamilyDefinition, Form, Given } from "./family.ts";
import { direct, plus, times } from "./forms.ts";
import { atMost, domainConditions, guard } from "./guard.ts";
import type { Lookup } from "./lookup.ts";
import { mostShape } from "./reach.ts";
import { halfLog2Pi, logPi } from "./real_line.ts";
import { logOf } from "./stable_log.ts";
import { diagonalOf } from "./transforms.ts";
import { realVectors } from "./whole_vectors.ts";

/** The lower factor of the covariance: given, of the covariance, or of the inverse of a precision. */
function factorForms(covariance: readonly string[], others: readonly string[]): readonly Form[] {
  const form = (name: string, factor: (g: GraphBuilder, x: NodeId) => NodeId): Form => ({
    names: [...others, name],
    canonical: (g, given) => arranged(g, given, others, factor(g, given[name])),
  });
  return [
    ...covariance.map((name) => form(name, (g, x) => g.cholesky(x))),
    form("chol", (_g, x) => x),
    form("tau", (g, x) => factorOfInverse(g, x)),
  ];
}

/** The arguments before the factor; `mu` gets its last axis. */
function arranged(
  g: GraphBuilder,
  given: Given,
  others: readonly string[],
  factor: NodeId,
): readonly NodeId[] {
  const n = g.shapeOf(factor)[0];
  const filled = (x: NodeId) =>
    g.broadcast(x, [...g.shapeOf(x).slice(0, -1), n].slice(0, Math.max(1, g.shapeOf(x).length)));
  return [...others.map((name) => name === "mu" ? filled(given.mu) : given[name]), factor];
}

/** The lower factor of τ⁻¹ = (L⁻¹)ᵀ L⁻¹ for τ = L Lᵀ. */
function factorOfInverse(g: GraphBuilder, tau: NodeId): NodeId {
  const n = g.shapeOf(tau)[0];
  const unit = Float64Array.from({ length: n * n }, (_, i) => i % (n + 1) === 0 ? 1 : 0);
  const inverse = g.solve(g.cholesky(tau), g.array(unit, [n, n]));
  return g.cholesky(g.matmul(transposed(g, inverse), inverse));
}

function transposed(g: GraphBuilder, x: NodeId): NodeId {
  const [rows, columns] = g.shapeOf(x);
  const index = Int32Array.from(
    { length: rows * columns },
    (_, at) => (at % rows) * columns + Math.floor(at / rows),
  );
  return g.gather(x, index, [columns, rows]);
}

/** (x − μ)ᵀ Σ⁻¹ (x − μ) for each row, log |L|, and that L is a factor. */
function quadratic(g: GraphBuilder, x: NodeId, mu: NodeId, factor: NodeId) {
  const n = g.shapeOf(factor)[0];
  const away = g.sub(x, mu);
  const batch: Shape = g.shapeOf(away).slice(0, -1);
  const rows = sizeOf(batch);
  const columns = transposed(g, g.reshape(away, [rows, n]));
  const z = g.solve(factor, columns);
  const diagonal = g.gather(factor, Int32Array.from({ length: n }, (_, i) => i * (n + 1)), [n]);
  const positive = domainConditions(g, diagonal, "positive").map((all) => g.reduce("min", all));
  return {
    n,
    squares: g.reshape(g.sum(g.square(z), [0]), batch),
    logDeterminant: g.sum(logOf(g, diagonal)),
    conditions: positive,
  };
}

/** e^(−½ |L⁻¹(x − μ)|²) / ((2π)^(n/2) |L|) for Σ = L Lᵀ. */
export const mvNormal: FamilyDefinition = {
  ...realVectors,
  signature: {
    names: ["MvNormal"],
    positional: ["mu", "cov"],
    keywordOnly: ["tau", "chol", "lower"],
    defaults: { mu: 0 },
    domains: { mu: "real", cov: "matrix", tau: "matrix", chol: "matrix", lower: "size" },
    forms: factorForms(["cov"], ["mu"]),
  },
  parameters: ["mu", "chol"],
  parameterRanks: [1, 2],
  eventShape: (g, { args: [, factor] }) => g.shapeOf(factor).slice(-1),
  logDensity: (g, x, { args: [mu, factor] }) => {
    const { n, squares, logDeterminant, conditions } = quadratic(g, x, mu, factor);
    const normaliser = plus(g, logDeterminant, n * halfLog2Pi);
    return guard(g, conditions, g.sub(times(g, -0.5, squares), normaliser));
  },
  draw: (random, [mu, factor], _distribution, out) => {
    const n = factor.shape.at(-1)!;
    for (let at = 0; at < out.length; at += n) {
      addFactored(random, factor.values.subarray(at * n, (at + n) * n), n, 1, out, at);
      for (let i = 0; i < n; i++) out[at + i] += mu.values[at + i];
    }
  },
  centre: (a) => a,
};

/** Γ((ν+n)/2) / (Γ(ν/2) (νπ)^(n/2) |L|) · (1 + |L⁻¹(x − μ)|²/ν)^(−(ν+n)/2). */
export const mvStudentT: FamilyDefinition = {
  ...realVectors,
  signature: {
    names: ["MvStudentT"],
    positional: ["nu"],
    keywordOnly: ["Sigma", "mu", "scale", "tau", "chol", "lower", "cov"],
    defaults: { mu: 0 },
    domains: {
      nu: "positive",
      Sigma: "matrix",
      mu: "real",
      scale: "matrix",
      tau: "matrix",
      chol: "matrix",
      lower: "size",
      cov: "matrix",
    },
    forms: factorForms(["scale", "Sigma", "cov"], ["nu", "mu"]),
  },
  parameters: ["nu", "mu", "chol"],
  most: { nu: mostShape },
  parameterRanks: [0, 1, 2],
  eventShape: (g, { args: [, , factor] }) => g.shapeOf(factor).slice(-1),
  logDensity: (g, x, { args: [nu, mu, factor] }) => {
    const { n, squares, logDeterminant, conditions } = quadratic(g, x, mu, factor);
    const half = times(g, 0.5, plus(g, nu, n));
    const gammas = g.sub(g.map("lgamma", half), g.map("lgamma", times(g, 0.5, nu)));
    const scale = times(g, 0.5 * n, plus(g, logOf(g, nu), logPi));
    const kernel = g.mul(half, g.map("log1p", g.div(squares, nu)));
    const density = g.sub(g.sub(g.sub(gammas, scale), logDeterminant), kernel);
    const own = [...domainConditions(g, nu, "positive"), ...atMost(g, nu, mostShape)];
    return guard(g, [...own, ...conditions], density);
  },
  draw: (random, [nu, mu, factor], _distribution, out) => {
    const n = factor.shape.at(-1)!;
    for (let at = 0; at < out.length; at += n) {
      const df = nu.values[at / n];
      const spread = 1 / Math.sqrt(2 * drawGamma(random, 0.5 * df) / df);
      addFactored(random, factor.values.subarray(at * n, (at + n) * n), n, spread, out, at);
      for (let i = 0; i < n; i++) out[at + i] += mu.values[at + i];
    }
  },
  centre: (_a, b) => b,
};

/** scale · L z for standard normal z. */
function addFactored(
  random: RandomStream,
  factor: Float64Array,
  n: number,
  scale: number,
  out: Float64Array,
  at: number,
): void {
  const z = Float64Array.from({ length: n }, () => scale * drawNormal(random));
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let j = 0; j <= i; j++) sum += factor[i * n + j] * z[j];
    out[at + i] = sum;
  }
}

/** Σ over rows of a packed lower triangle, `[n]`. */
function sumsOfRows(g: GraphBuilder, packed: NodeId, n: number): NodeId {
  const index = new Int32Array(n * n).fill(-1);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) index[i * n + j] = i * (i + 1) / 2 + j;
  }
  return sumLast(g, g.gather(packed, index, [n, n]));
}

/**
 * The distribution of the packed lower factor of a covariance matrix whose deviations have the distribution
 * `components[0]` and whose correlations have LKJ's distribution (Lewandowski, Kurowicka and Joe 2009); in
 * PyMC's convention, in which the logarithm of the normalising constant is added.
 */
export function lkjCholeskyCov(familyOf: Lookup): FamilyDefinition {
  return {
    signature: {
      names: ["LKJCholeskyCov"],
      positional: ["eta", "n", "sd_dist"],
      keywordOnly: ["compute_corr"],
      defaults: {},
      domains: {
        eta: "positive",
        n: "size",
        sd_dist: "distribution",
        compute_corr: "size",
      },
      forms: [direct("eta")],
    },
    sizes: ["n"],
    quiet: "compute_corr=False",
    parameters: ["eta"],
    parameterRanks: [0],
    eventRank: 1,
    discrete: false,
    proper: true,
    support: "cholesky_factor",
    eventShape: (_g, { sizes }) => [sizes![0] * (sizes![0] + 1) / 2],
    transform: (_g, { sizes }) => ({ kind: "cholesky_factor", n: sizes![0] }),
    logDensity: (g, x, distribution) => lkjDensity(familyOf, g, x, distribution),
    draw: (random, [eta], { sizes }, out, component) => {
      const n = sizes![0];
      const deviations = new Float64Array(n);
      component(0, deviations);
      fillCorrelationFactor(random, n, eta.values[0], out);
      for (let i = 0; i < n; i++) {
        for (let j = 0; j <= i; j++) out[i * (i + 1) / 2 + j] *= deviations[i];
      }
    },
    requires: ["n", "sd_dist"],
  };
}

function lkjDensity(
  familyOf: Lookup,
  g: GraphBuilder,
  x: NodeId,
  distribution: Distribution,
): NodeId {
  const n = distribution.sizes![0];
  const sd = distribution.components![0];
  const deviations = g.map("sqrt", sumsOfRows(g, g.square(x), n));
  const logDeviations = logOf(g, deviations);
  const logDiagonal = g.sub(logOf(g, pickLast(g, x, diagonalOf(n))), logDeviations);
  const eta = g.reshape(distribution.args[0], []);
  const rows = g.array(Float64Array.from({ length: n }, (_, i) => n - 2 - i), [n]);
  const index = g.array(Float64Array.from({ length: n }, (_, i) => i), [n]);
  const exponent = g.add(times(g, 2, eta), rows);
  const prior = g.sum(familyOf(sd.family).logDensity(g, deviations, sd));
  const terms = g.sub(g.mul(exponent, logDiagonal), g.mul(index, logDeviations));
  const density = g.add(g.add(g.sum(terms), g.reshape(prior, [])), lkjConstant(g, eta, n));
  return guard(g, domainConditions(g, eta, "positive"), density);
}

/** Σ ½ k log π + log Γ(η + ½ (n − 1 − k)) − (n − 1) log Γ(η + ½ (n − 1)), k = 1 … n − 1. */
function lkjConstant(g: GraphBuilder, eta: NodeId, n: number): NodeId {
  let sum = times(g, 1 - n, g.map("lgamma", plus(g, eta, 0.5 * (n - 1))));
  for (let k = 1; k < n; k++) {
    const gamma = g.map("lgamma", plus(g, eta, 0.5 * (n - 1 - k)));
    sum = g.add(sum, plus(g, gamma, 0.5 * k * logPi));
  }
  return sum;
}

/** The packed factor of a correlation matrix, row by row (the onion method, LKJ 2009, section 3). */
function fillCorrelationFactor(
  random: RandomStream,
  n: number,
  eta: number,
  out: Float64Array,
): void {
  out[0] = 1;
  for (let i = 1; i < n; i++) {
    const shape = eta + 0.5 * (n - 1 - i);
    const length = Math.sqrt(drawBeta(random, 0.5 * i, shape));
    const start = i * (i + 1) / 2;
    let norm = 0;
    for (let j = 0; j < i; j++) {
      out[start + j] = drawNormal(random);
      norm += out[start + j] * out[start + j];
    }
    for (let j = 0; j < i; j++) out[start + j] *= length / Math.sqrt(norm);
    out[start + i] = Math.sqrt(Math.max(0, 1 - length * length));
  }
}
