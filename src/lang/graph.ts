/** The canonical graph of a checked program: what is scored, stripped of names and spelling. */
import type { Diagnostic } from "../base/diagnostic.ts";

/** Operations on one node. */
export const unaryOps = [
  "neg",
  "exp",
  "log",
  "log1p",
  "expm1",
  "sqrt",
  "abs",
  "sigmoid",
  "tanh",
] as const;
/** Name of an operation on one node. */
export type UnaryOp = (typeof unaryOps)[number];

/** Operations on two nodes. */
export const binaryOps = ["add", "sub", "mul", "div", "pow"] as const;
/** Name of an operation on two nodes. */
export type BinaryOp = (typeof binaryOps)[number];

/** Index into `CheckedProgram.nodes`; arguments come before the nodes that use them. */
export type NodeId = number;

/** Scalars broadcast over the observation axis; a `vector` has one value per row of the data. */
export type NodeShape = "scalar" | "vector";

/** A node: a constant, a column, a free variable, or an operation on earlier nodes. */
export type GraphNode =
  | { readonly kind: "constant"; readonly value: number; readonly shape: "scalar" }
  | { readonly kind: "column"; readonly column: string; readonly shape: "vector" }
  | { readonly kind: "parameter"; readonly parameter: number; readonly shape: "scalar" }
  | {
    readonly kind: "unary";
    readonly op: UnaryOp;
    readonly argument: NodeId;
    readonly shape: NodeShape;
  }
  | {
    readonly kind: "binary";
    readonly op: BinaryOp;
    readonly left: NodeId;
    readonly right: NodeId;
    readonly shape: NodeShape;
  };

/**
 * The families that the engine knows, with the names of their canonical parameters in order.
 * Alternative parametrisations (`tau`, `lam`, `mu`/`sigma` of a gamma …) become operations on
 * these. Values are in PyMC's meaning: `gamma.beta` is a rate, `exponential.lam` is a rate.
 */
export const families = {
  normal: ["mu", "sigma"],
  half_normal: ["sigma"],
  log_normal: ["mu", "sigma"],
  student_t: ["nu", "mu", "sigma"],
  half_student_t: ["nu", "sigma"],
  cauchy: ["alpha", "beta"],
  half_cauchy: ["beta"],
  exponential: ["lam"],
  gamma: ["alpha", "beta"],
  inverse_gamma: ["alpha", "beta"],
  weibull: ["alpha", "beta"],
  beta: ["alpha", "beta"],
  uniform: ["lower", "upper"],
  laplace: ["mu", "b"],
  logistic: ["mu", "s"],
  gumbel: ["mu", "beta"],
  skew_normal: ["mu", "sigma", "alpha"],
  truncated_normal: ["mu", "sigma", "lower", "upper"],
} as const;
/** Name of a family. */
export type Family = keyof typeof families;

/** A family applied to nodes; `arguments` are in the order of `families[family]`. */
export interface Distribution {
  /** Its family. */
  readonly family: Family;
  /** Nodes, in the order of `families[family]`. */
  readonly arguments: readonly NodeId[];
}

/** How an unconstrained number becomes a value in the support. */
export type Transform =
  | { readonly kind: "identity" }
  | { readonly kind: "log" }
  | { readonly kind: "logodds" }
  | { readonly kind: "interval"; readonly lower: NodeId; readonly upper: NodeId };

/** A free random variable. Names are for reports; they are not part of the hash. */
export interface Parameter {
  /** Name in the program. */
  readonly name: string;
  /** Its distribution before the data. */
  readonly prior: Distribution;
  /** From the unconstrained number to the value. */
  readonly transform: Transform;
}

/** A program that has been checked against the data's columns: the only thing that is scored. */
export interface CheckedProgram {
  /** In canonical, topological order. */
  readonly nodes: readonly GraphNode[];
  /** In canonical order: renaming or reordering statements of the text does not change it. */
  readonly parameters: readonly Parameter[];
  /** Named quantities for reports. */
  readonly deterministics: readonly { readonly name: string; readonly node: NodeId }[];
  /** The distribution of the response, and its column. */
  readonly likelihood: { readonly name: string; readonly column: string } & Distribution;
  /** SHA-256 of the canonical graph: equal for programs that differ in names and spelling only. */
  readonly hash: string;
  /** Warnings and notes; a program with errors is never checked. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What checking gives: a program, or the findings that forbid it. */
export type CheckResult =
  | { readonly ok: true; readonly program: CheckedProgram }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };
