/** A checked program: parameters with priors, one likelihood, and the graph between them. */
import type { Diagnostic } from "../../../base/diagnostic.ts";
import type { GraphNode, NodeId } from "./node.ts";
import type { ResponseTransform } from "./response_transform.ts";
import type { Shape } from "./shape.ts";

/**
 * A family applied to nodes. Arguments are in the order of the family's canonical parameters and
 * broadcast over the batch axes, which stand before the event axes of `shape`.
 */
export interface Distribution {
  /** Its family: a key of `src/engine/language/distributions/table.ts`. */
  readonly family: string;
  /** Nodes, in the order of the family's canonical parameters. */
  readonly args: readonly NodeId[];
  /** Shape of a value: batch axes, then event axes. */
  readonly shape: Shape;
  /** The distributions that a mixture mixes, that a truncation or censoring bounds, that an LKJ distribution scales by. */
  readonly components?: readonly Distribution[];
  /** Whole numbers that belong to the structure: dimension of LKJ, order of AR … */
  readonly sizes?: readonly number[];
}

/** How unconstrained numbers become a value in the support. */
export type Transform =
  | { readonly kind: "identity" }
  | { readonly kind: "log" }
  | { readonly kind: "logodds" }
  | { readonly kind: "interval"; readonly lower: NodeId; readonly upper: NodeId }
  | { readonly kind: "circular" }
  /** location + scale · q; no program names it: see `nonCentred`. */
  | { readonly kind: "affine"; readonly location: NodeId; readonly scale: NodeId }
  /** A random walk by its first value and its steps: location + scale · q for each. */
  | { readonly kind: "walk"; readonly location: NodeId; readonly scale: NodeId }
  /** Vectors of a multivariate normal: location + factor · q for each row q. */
  | { readonly kind: "linear"; readonly location: NodeId; readonly factor: NodeId }
  | { readonly kind: "ordered" }
  | { readonly kind: "simplex" }
  /** Sums to zero over the last `axes` axes. */
  | { readonly kind: "zero_sum"; readonly axes: number }
  /** Packed lower triangular factor of size `n` with positive diagonal. */
  | { readonly kind: "cholesky_factor"; readonly n: number }
  /** None: a discrete variable is summed out over the whole numbers from `lower` on. */
  | { readonly kind: "summed"; readonly lower: number; readonly count: number }
  /** The first is nearest to the unconstrained numbers. */
  | { readonly kind: "chain"; readonly parts: readonly Transform[] };

/** A free random variable. Names are for reports; they are not part of the hash. */
export interface Parameter {
  /** Name in the program. */
  readonly name: string;
  /** Shape of its value. */
  readonly shape: Shape;
  /** Names of its axes, where the program gives them. */
  readonly dims?: readonly (string | undefined)[];
  /** Its distribution before the data. */
  readonly prior: Distribution;
  /** From unconstrained numbers to the value. */
  readonly transform: Transform;
}

/** A named quantity for reports. */
export interface Deterministic {
  /** Name in the program. */
  readonly name: string;
  /** Its node. */
  readonly node: NodeId;
  /** Names of its axes, where the program gives them. */
  readonly dims?: readonly (string | undefined)[];
}

/** The distribution of the response. */
export interface Likelihood {
  /** Name of the observed variable. */
  readonly name: string;
  /** The response column; its shape is that of `distribution`, but for rows before `from`. */
  readonly column: string;
  /** Its distribution given the parameters; that of the transformed response, if it is transformed. */
  readonly distribution: Distribution;
  /** Transform of the response that is observed; the response itself, if absent. */
  readonly transform?: ResponseTransform;
  /** Rows of the response before the first that is observed; 0, if absent. */
  readonly from?: number;
}

/** Sources of a constant of a program. */
export interface Origin {
  /** Whether columns of the data are among it. */
  readonly ofData: boolean;
  /** Nats of the numbers written for it, by source: parts that two constants share count once. */
  readonly parts: ReadonlyMap<string, number>;
}

/** A program that has been checked against the data's columns: the only thing that is scored. */
export interface CheckedProgram {
  /** In canonical, topological order. */
  readonly nodes: readonly GraphNode[];
  /** In canonical order: renaming or reordering statements of the text does not change it. */
  readonly parameters: readonly Parameter[];
  /** Named quantities for reports. */
  readonly deterministics: readonly Deterministic[];
  /** The distribution of the response, and its column. */
  readonly likelihood: Likelihood;
  /** Labels of named axes that the program gives, for reports. */
  readonly coords: Readonly<Record<string, readonly (string | number)[]>>;
  /** SHA-256 of the canonical graph: equal for programs that differ in names and spelling only. */
  readonly hash: string;
  /** Sources of constants that were computed. */
  readonly origins?: ReadonlyMap<NodeId, Origin>;
  /** Warnings and notes; a program with errors is never checked. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Result of checking: a program, or the findings that forbid it. */
export type CheckResult =
  | { readonly ok: true; readonly program: CheckedProgram }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };
