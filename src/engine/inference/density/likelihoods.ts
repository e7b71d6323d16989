/** Log likelihoods of whole data, of parts and of units: of factors, and with variables summed out. */
import { logSumExpLast } from "../../language/distributions/arrays.ts";
import type { GraphBuilder } from "../../language/ir/builder.ts";
import type { NodeId } from "../../language/ir/node.ts";
import { type CellEffort, logCellMass } from "../cells/cell_mass.ts";
import type { CellEnds } from "../cells/cell_ends.ts";

/** The likelihood of a posterior, as nodes over the parameters that are drawn. */
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
  /**
   * log P(y_u in its cells | y_-u, parameters) − the logarithms of their widths, of every unit `[units]`,
   * the others being as they are; of every observation, if no units are given.
   */
  inCells(cells: RecordedCells, unitOfRow?: Int32Array, units?: number): NodeId;
}

/** Cells that observations were recorded in, and log probabilities of them. */
interface RecordedCells {
  /** Log probabilities given parameters alone, for every value of summed-out variables `[…, observations]`. */
  masses(): NodeId;
  /** Ends of the cells `[observations]`. */
  readonly ends: CellEnds;
  /** How far to go for them. */
  readonly effort: CellEffort;
  /** log of their width. */
  readonly logWidth: NodeId;
}

/** A likelihood that is a product of `pointwise` `[observations]`. */
export function factorised(g: GraphBuilder, pointwise: NodeId): AssembledLikelihood {
  return {
    whole: g.sum(pointwise),
    factorises: true,
    ofEach: pointwise,
    kept: (weights) => g.sum(g.where(weights, pointwise, g.scalar(0))),
    ofUnits: (unitOfRow, units) => g.scatter(pointwise, unitOfRow, [units]),
    inCells: (cells, unitOfRow, units) =>
      unitOfRow ? g.scatter(cells.masses(), unitOfRow, [units!]) : cells.masses(),
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
  /** log p(y_-u | θ), for log p(y_u | θ, z) `[values, units]`; with other factors instead of those. */
  const without = (ofUnits: NodeId, instead?: NodeId): NodeId => {
    const impossible = g.map("eq", ofUnits, g.scalar(-Infinity));
    const finite = g.where(impossible, g.scalar(0), ofUnits);
    const column = (x: NodeId) => g.reshape(g.sum(x, [1]), [count, 1]);
    const rest = g.sub(column(finite), finite);
    const possible = g.map("eq", column(impossible), impossible);
    const each = g.where(possible, rest, g.scalar(-Infinity));
    const joint = g.add(g.reshape(prior, [count, 1]), each);
    return logSumExpLast(g, transposed(g, instead === undefined ? joint : g.add(joint, instead)));
  };
  const toUnits = (rows: NodeId, unitOfRow: Int32Array, units: number): NodeId => {
    const index = new Int32Array(count * observations);
    for (let at = 0; at < index.length; at++) {
      index[at] = Math.floor(at / observations) * units + unitOfRow[at % observations];
    }
    return g.scatter(rows, index, [count, units]);
  };
  return {
    whole,
    factorises: false,
    ofEach: g.sub(whole, without(terms)),
    kept: (weights) =>
      logSumExpLast(g, g.add(prior, g.sum(g.where(weights, terms, g.scalar(0)), [1]))),
    ofUnits: (unitOfRow, units) => g.sub(whole, without(toUnits(terms, unitOfRow, units))),
    inCells(cells, unitOfRow, units) {
      const ofEach = (rows: NodeId) => unitOfRow ? toUnits(rows, unitOfRow, units!) : rows;
      const own = ofEach(terms);
      return g.sub(without(own, ofEach(cells.masses())), without(own));
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

/** One normal vector of all observations. */
interface JointNormal {
  /** log N(y; μ, L Lᵀ), with all conditions on the arguments. */
  readonly whole: NodeId;
  /** y − μ `[n]`. */
  readonly residuals: NodeId;
  /** L `[n, n]`. */
  readonly factor: NodeId;
  /** y `[n]`. */
  readonly observed: NodeId;
  /** log slopes of the functions of the response that y are `[n]`; none if y is the response. */
  readonly slopes?: NodeId;
}

/**
 * All observations as one normal vector N(μ, L Lᵀ): the term of one is its density given the others,
 * with the precision Q = (L Lᵀ)⁻¹ and α = Q (y − μ): N(y_i − α_i / Q_ii, 1 / Q_ii) at y_i (Bürkner,
 * Gabry and Vehtari 2021); that of a unit the same with a block of Q.
 */
export function jointNormal(
  g: GraphBuilder,
  { whole, residuals, factor, observed, slopes }: JointNormal,
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
  const defined = g.add(each, g.sub(whole, whole));
  const ofEach = slopes === undefined ? defined : g.add(defined, slopes);
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
        const own = g.sub(g.sub(logDiagonal(g, block), squares), g.scalar(m * halfLog2Pi));
        return slopes === undefined
          ? own
          : g.add(own, g.sum(g.gather(slopes, Int32Array.from(rows), [m])));
      });
      return g.join(terms.map((term) => g.reshape(term, [1])), [units]);
    },
    // The cell of one row given the others as they are; rows of a unit one after another.
    inCells({ ends, effort, logWidth }, unitOfRow, units) {
      const conditional = (weights: NodeId, roots: NodeId, { low, high }: CellEnds) => {
        const centre = g.div(weights, roots);
        const around = (end: NodeId) => g.add(centre, g.mul(end, roots));
        const own = { low: around(low), high: around(high) };
        const standard = { family: "normal", args: [g.scalar(0), g.scalar(1)], shape: [n] };
        return g.sub(logCellMass(g, own, standard, effort), logWidth);
      };
      const away = {
        low: g.sub(ends.low, observed),
        high: g.sub(ends.high, observed),
      };
      const guarded = (rows: NodeId) => g.add(rows, g.sub(whole, whole));
      if (!unitOfRow) return guarded(conditional(weighted, g.map("sqrt", precision), away));
      const full = g.matmul(transposed(g, inverse), inverse);
      const terms = Array.from({ length: units! }, (_, u) => {
        const rows = Int32Array.from([...unitOfRow.keys()].filter((i) => unitOfRow[i] === u));
        const m = rows.length;
        const entries = [...rows].flatMap((i) => [...rows].map((j) => i * n + j));
        const block = g.cholesky(g.gather(full, Int32Array.from(entries), [m, m]));
        // Given all others and those of the unit behind it, row k has the precision block_kk².
        const white = g.reshape(g.solve(block, g.gather(weighted, rows, [m, 1])), [m]);
        const roots = g.gather(block, Int32Array.from({ length: m }, (_, i) => i * (m + 1)), [m]);
        const own = { low: g.gather(away.low, rows, [m]), high: g.gather(away.high, rows, [m]) };
        return g.sum(conditional(g.mul(white, roots), roots, own));
      });
      return guarded(g.join(terms.map((term) => g.reshape(term, [1])), [units!]));
    },
  };
}

/** Σ log of the diagonal of a factor. */
function logDiagonal(g: GraphBuilder, factor: NodeId): NodeId {
  const [n] = g.shapeOf(factor);
  return g.sum(g.log(g.gather(factor, Int32Array.from({ length: n }, (_, i) => i * (n + 1)), [n])));
}
