/** Log likelihoods of whole data, of parts and of units: of factors, and with variables summed out. */
import { logSumExpLast } from "../distributions/arrays.ts";
import type { GraphBuilder } from "../ir/builder.ts";
import type { NodeId } from "../ir/node.ts";

/** What a posterior asks of its likelihood, as nodes over the parameters that are drawn. */
export interface AssembledLikelihood {
  /** log p(y | parameters). */
  readonly whole: NodeId;
  /** Whether that is the sum of `ofEach`. */
  readonly factorises: boolean;
  /** log p(y_i | y_-i, parameters) `[observations]`, which is log p(y_i | parameters) of factors. */
  readonly ofEach: NodeId;
  /** log p of the observations whose weight is not 0. */
  kept(weights: NodeId): NodeId;
  /** log p(y_u | y_-u, parameters) of every unit `[units]`. */
  ofUnits(unitOfRow: Int32Array, units: number): NodeId;
}

/** A likelihood that is a product of `pointwise` `[observations]`. */
export function factorised(g: GraphBuilder, pointwise: NodeId): AssembledLikelihood {
  return {
    whole: g.sum(pointwise),
    factorises: true,
    ofEach: pointwise,
    kept: (weights) => g.sum(g.where(weights, pointwise, g.scalar(0))),
    ofUnits: (unitOfRow, units) => g.scatter(pointwise, unitOfRow, [units]),
  };
}

/**
 * A likelihood with discrete variables z summed out: p(y | θ) = Σ_z p(z | θ) Π_i p(y_i | θ, z).
 * An observation's own term is p(y_i | y_-i, θ) = p(y | θ) / p(y_-i | θ), which is also the harmonic
 * mean of p(y_i | θ, z) under p(z | θ, y): so 1 / p(y_i | y_-i) is the posterior mean of its inverse,
 * as it is for factors, and the posterior without i is the posterior over it.
 *
 * @param prior log p(z | θ), with what else depends on z alone `[values]`.
 * @param terms log p(y_i | θ, z) `[values, observations]`.
 */
export function summedOut(g: GraphBuilder, prior: NodeId, terms: NodeId): AssembledLikelihood {
  const [count, observations] = g.shapeOf(terms);
  const whole = logSumExpLast(g, g.add(prior, g.sum(terms, [1])));
  /** log p(y_-u | θ), for log p(y_u | θ, z) `[values, units]`. */
  const without = (ofUnits: NodeId): NodeId => {
    const impossible = g.map("eq", ofUnits, g.scalar(-Infinity));
    const finite = g.where(impossible, g.scalar(0), ofUnits);
    const column = (x: NodeId) => g.reshape(g.sum(x, [1]), [count, 1]);
    const rest = g.sub(column(finite), finite);
    const possible = g.map("eq", column(impossible), impossible);
    const each = g.where(possible, rest, g.scalar(-Infinity));
    return logSumExpLast(g, transposed(g, g.add(g.reshape(prior, [count, 1]), each)));
  };
  return {
    whole,
    factorises: false,
    ofEach: g.sub(whole, without(terms)),
    kept: (weights) =>
      logSumExpLast(g, g.add(prior, g.sum(g.where(weights, terms, g.scalar(0)), [1]))),
    ofUnits(unitOfRow, units) {
      const index = new Int32Array(count * observations);
      for (let at = 0; at < index.length; at++) {
        index[at] = Math.floor(at / observations) * units + unitOfRow[at % observations];
      }
      return g.sub(whole, without(g.scatter(terms, index, [count, units])));
    },
  };
}

/** `[n, m]` from `[m, n]`: sums over the last axis are the quick ones. */
function transposed(g: GraphBuilder, x: NodeId): NodeId {
  const [m, n] = g.shapeOf(x);
  const index = Int32Array.from({ length: m * n }, (_, at) => at % m * n + Math.floor(at / m));
  return g.gather(x, index, [n, m]);
}

/** ½ log 2π. */
const halfLog2Pi = 0.9189385332046727;

/**
 * All observations as one normal vector N(μ, L Lᵀ): the term of one is its density given the others,
 * with the precision Q = (L Lᵀ)⁻¹ and α = Q (y − μ): N(y_i − α_i / Q_ii, 1 / Q_ii) at y_i (Bürkner,
 * Gabry and Vehtari 2021); that of a unit the same with a block of Q.
 *
 * @param whole log N(y; μ, L Lᵀ), with all conditions on the arguments.
 * @param residuals y − μ `[n]`.
 * @param factor L `[n, n]`.
 */
export function jointNormal(
  g: GraphBuilder,
  whole: NodeId,
  residuals: NodeId,
  factor: NodeId,
): AssembledLikelihood {
  const [n] = g.shapeOf(residuals);
  const unit = Float64Array.from({ length: n * n }, (_, at) => at % (n + 1) === 0 ? 1 : 0);
  const identity = g.array(unit, [n, n]);
  const inverse = g.solve(factor, identity);
  const weighted = g.reshape(
    g.matmul(transposed(g, inverse), g.solve(factor, g.reshape(residuals, [n, 1]))),
    [n],
  );
  const precision = g.sum(g.square(inverse), [0]);
  const squares = g.div(g.square(weighted), precision);
  const half = g.scalar(0.5);
  const each = g.sub(g.mul(half, g.sub(g.log(precision), squares)), g.scalar(halfLog2Pi));
  // Where the whole is −∞ or no number, so is each.
  const ofEach = g.add(each, g.sub(whole, whole));
  return {
    whole,
    factorises: false,
    ofEach,
    kept(weights) {
      const row = g.reshape(weights, [1, n]);
      const both = g.mul(g.reshape(weights, [n, 1]), row);
      const covariance = g.mul(g.matmul(factor, transposed(g, factor)), both);
      const rest = g.mul(identity, g.sub(g.scalar(1), row));
      const own = g.cholesky(g.add(covariance, rest));
      const white = g.solve(own, g.reshape(g.mul(residuals, weights), [n, 1]));
      const count = g.mul(g.sum(weights), g.scalar(halfLog2Pi));
      return g.sub(
        g.mul(g.scalar(-0.5), g.sum(g.square(white))),
        g.add(logDiagonal(g, own), count),
      );
    },
    ofUnits(unitOfRow, units) {
      const full = g.matmul(transposed(g, inverse), inverse);
      const terms = Array.from({ length: units }, (_, u) => {
        const rows = [...unitOfRow.keys()].filter((i) => unitOfRow[i] === u);
        const m = rows.length;
        const entries = rows.flatMap((i) => rows.map((j) => i * n + j));
        const block = g.cholesky(g.gather(full, Int32Array.from(entries), [m, m]));
        const white = g.solve(block, g.gather(weighted, Int32Array.from(rows), [m, 1]));
        const squares = g.mul(half, g.sum(g.square(white)));
        return g.sub(g.sub(logDiagonal(g, block), squares), g.scalar(m * halfLog2Pi));
      });
      return g.join(terms.map((term) => g.reshape(term, [1])), [units]);
    },
  };
}

/** Σ log of the diagonal of a factor. */
function logDiagonal(g: GraphBuilder, factor: NodeId): NodeId {
  const [n] = g.shapeOf(factor);
  return g.sum(g.log(g.gather(factor, Int32Array.from({ length: n }, (_, i) => i * (n + 1)), [n])));
}
