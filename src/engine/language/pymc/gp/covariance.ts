/** Covariance functions of Gaussian processes, as `pm.gp.cov` has them, and what is made of them. */
import type { GraphBuilder } from "../../ir/builder.ts";
import type { NodeId } from "../../ir/node.ts";
import { type Points, stridedColumn } from "./points.ts";

/** A covariance function on its own, before it is evaluated anywhere. */
export interface CovarianceParts {
  /** Columns that its inputs have; absent where it reads none of them. */
  readonly inputDim?: number;
  /** Columns that it reads. */
  readonly activeDims?: readonly number[];
  /** Values `[n, m]`, or what broadcasts to that, between points and others, or themselves. */
  readonly full: (g: GraphBuilder, x: Points, others?: Points) => NodeId;
  /**
   * Power spectral density `[m]` at frequencies, given by their squares `[m, dims]`; absent where
   * PyMC has none.
   */
  readonly spectralDensity?: (g: GraphBuilder, squares: Points) => NodeId;
}

/** A covariance function; an object of the programs that are checked. */
export class CovarianceFunction {
  constructor(readonly parts: CovarianceParts) {}

  /** Its matrix `[n, n]` at points. */
  matrix(g: GraphBuilder, x: Points): NodeId {
    return g.broadcast(this.parts.full(g, x), [x.rows, x.rows]);
  }

  /** Between points and others `[n, m]`. */
  between(g: GraphBuilder, x: Points, others: Points): NodeId {
    return g.broadcast(this.parts.full(g, x, others), [x.rows, others.rows]);
  }
}

/** A sum or a product of covariance functions and numbers, under the inputs that they share. */
export function combined(
  op: "add" | "mul",
  left: CovarianceParts,
  right: CovarianceParts,
): CovarianceFunction {
  const [a, b] = [left.spectralDensity, right.spectralDensity];
  const dims = [left, right].flatMap(({ activeDims }) => activeDims ?? []);
  const activeDims = [...new Set(dims)].sort((p, q) => p - q);
  const inputDim = left.inputDim ?? right.inputDim;
  // Densities add up, and are scaled by numbers.
  const isScaled = left.inputDim === undefined || right.inputDim === undefined;
  const haveSame = [left, right].every((one) =>
    one.activeDims === undefined || `${one.activeDims}` === `${activeDims}`
  );
  const hasDensity = a && b && haveSame && (op === "mul") === isScaled;
  return new CovarianceFunction({
    ...(inputDim !== undefined && { inputDim, activeDims }),
    full: (g, x, others) => g.map(op, left.full(g, x, others), right.full(g, x, others)),
    ...(hasDensity && { spectralDensity: (g, squares) => g.map(op, a(g, squares), b(g, squares)) }),
  });
}

/** `cov ** power`. */
export function powerOf({ parts }: CovarianceFunction, power: NodeId): CovarianceFunction {
  const { inputDim, activeDims, full } = parts;
  return new CovarianceFunction({
    ...(inputDim !== undefined && { inputDim }),
    ...(activeDims && { activeDims }),
    full: (g, x, others) => g.map("pow", full(g, x, others), power),
  });
}

/** A number as a covariance function. */
export function numberParts(value: NodeId): CovarianceParts {
  return { full: () => value, spectralDensity: () => value };
}

/** `pm.gp.cov.Constant`. */
export function constantParts(value: NodeId): CovarianceParts {
  return { full: () => value };
}

/** `pm.gp.cov.WhiteNoise`: between points and themselves alone. */
export function whiteNoise(sigma: NodeId): CovarianceParts {
  return {
    full: (g, { rows }, others) => others ? g.scalar(0) : g.mul(identity(g, rows), g.square(sigma)),
  };
}

/** The identity matrix. */
export function identity(g: GraphBuilder, n: number): NodeId {
  const values = new Float64Array(n * n);
  for (let i = 0; i < n; i++) values[i * n + i] = 1;
  return g.array(values, [n, n]);
}

/** x − x' of one column, `[n, m]`. */
export function differences(
  g: GraphBuilder,
  x: Points,
  others: Points | undefined,
  column: number,
): NodeId {
  const own = stridedColumn(g, x, column);
  const other = others ? stridedColumn(g, others, column) : own;
  const m = (others ?? x).rows;
  return g.sub(g.reshape(own, [x.rows, 1]), g.reshape(other, [1, m]));
}
