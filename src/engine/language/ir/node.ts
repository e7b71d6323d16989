/** Nodes of the graph that is scored: arrays, and operations on arrays. */
import type { BinaryOp, TernaryOp, UnaryOp } from "./operations.ts";
import type { Shape } from "./shape.ts";

/** Index into the list of nodes; arguments come before the nodes that use them. */
export type NodeId = number;

/** Members of all nodes. */
export interface Common {
  /** Nodes that it is computed from; all of them earlier in the list. */
  readonly args: readonly NodeId[];
  /** Shape of its value. */
  readonly shape: Shape;
}

/** Numbers known when the program is checked. */
export interface ConstantNode extends Common {
  /** Which kind of node. */
  readonly kind: "constant";
  /** `[sizeOf(shape)]`, row-major; never written to. */
  readonly values: Float64Array;
}

/** A column of the data, as the host holds it. */
export interface ColumnNode extends Common {
  /** Which kind of node. */
  readonly kind: "column";
  /** Its name. */
  readonly column: string;
}

/** The value of a free random variable, on the scale of its support. */
export interface ParameterNode extends Common {
  /** Which kind of node. */
  readonly kind: "parameter";
  /** Index into the parameters of the program. */
  readonly parameter: number;
}

/** A part of the unconstrained vector; only compiled densities have such nodes. */
export interface InputNode extends Common {
  /** Which kind of node. */
  readonly kind: "input";
  /** Where it begins in the unconstrained vector. */
  readonly offset: number;
}

/** An elementwise operation; its one to three arguments broadcast by NumPy's rules. */
export interface MapNode extends Common {
  /** Which kind of node. */
  readonly kind: "map";
  /** Operation on each element. */
  readonly op: UnaryOp | BinaryOp | TernaryOp;
}

/** Operations that reduce axes. */
export const reduceOps = ["sum", "prod", "max", "min"] as const;
/** An operation that reduces axes. */
export type ReduceOp = (typeof reduceOps)[number];

/** A reduction over axes, which the result does not have any more. */
export interface ReduceNode extends Common {
  /** Which kind of node. */
  readonly kind: "reduce";
  /** How elements are joined; sums and products take those of even and of odd position apart. */
  readonly op: ReduceOp;
  /** Ascending, at least one. */
  readonly axes: readonly number[];
}

/** A cumulative sum or product along one axis. */
export interface ScanNode extends Common {
  /** Which kind of node. */
  readonly kind: "scan";
  /** How elements are joined. */
  readonly op: "cumsum" | "cumprod";
  /** Along which axis. */
  readonly axis: number;
}

/** Elements in their order, under another shape. */
export interface ReshapeNode extends Common {
  /** Which kind of node. */
  readonly kind: "reshape";
}

/** `out[i] = arg[index[i]]` on flat indices: slices, transposes, diagonals, broadcasts. */
export interface GatherNode extends Common {
  /** Which kind of node. */
  readonly kind: "gather";
  /** `[sizeOf(shape)]`; −1 stands for a zero. */
  readonly index: Int32Array;
}

/** `out[index[i]] += arg[i]` on flat indices, from zeros: the adjoint of a gather. */
export interface ScatterNode extends Common {
  /** Which kind of node. */
  readonly kind: "scatter";
  /** `[sizeOf(argument)]`; −1: the element is dropped. */
  readonly index: Int32Array;
}

/**
 * `out[i] = args[0][args[1][i]]` on flat indices; the second argument is known from data alone, has
 * the shape of the result and holds whole numbers: `ability[student]`.
 */
export interface TakeNode extends Common {
  /** Which kind of node. */
  readonly kind: "take";
}

/** The flat elements of all arguments one after another. */
export interface JoinNode extends Common {
  /** Which kind of node. */
  readonly kind: "join";
}

/** `[n, k] × [k, m]`. */
export interface MatmulNode extends Common {
  /** Which kind of node. */
  readonly kind: "matmul";
}

/** The lower Cholesky factor of a symmetric positive definite `[n, n]`; NaN if it is not. */
export interface CholeskyNode extends Common {
  /** Which kind of node. */
  readonly kind: "cholesky";
}

/** Solves `L X = B` (or `Lᵀ X = B`) for lower triangular `args[0]` `[n, n]` and `args[1]` `[n, m]`. */
export interface SolveNode extends Common {
  /** Which kind of node. */
  readonly kind: "solve";
  /** Whether the factor is transposed. */
  readonly transposed: boolean;
}

/** A node of the graph. */
export type GraphNode =
  | ConstantNode
  | ColumnNode
  | ParameterNode
  | InputNode
  | MapNode
  | ReduceNode
  | ScanNode
  | ReshapeNode
  | GatherNode
  | ScatterNode
  | TakeNode
  | JoinNode
  | MatmulNode
  | CholeskyNode
  | SolveNode;
