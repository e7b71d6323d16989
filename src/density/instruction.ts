/** Instructions of the tape: what they read and write, and how a list of them runs. */
import type { BinaryOp, UnaryOp } from "../lang/graph.ts";

/** Unary operations of the tape: those of the graph and cheaper powers. */
export type TapeUnaryOp = UnaryOp | "square" | "reciprocal";

/** Binary operations of the tape: those of the graph, and a power with one logarithm. */
export type TapeBinaryOp = BinaryOp | "powScalarBase";

/** Transforms of an unconstrained number. */
export type TransformOp =
  | "logTransform"
  | "logoddsTransform"
  | "lowerBoundTransform"
  | "upperBoundTransform";

export type TapeOp = TapeUnaryOp | TapeBinaryOp | TransformOp;

/**
 * One step over `n` lanes. Values live in one memory `m` and their adjoints at the same addresses
 * of `g`. An operand's mask is −1 if it has a value per lane and 0 if one value serves all lanes,
 * so lane `i` of operand `a` is `m[a + (i & aMask)]`. `aFree` tells that `a` depends on parameters:
 * only then is its adjoint wanted.
 */
export interface Instruction {
  readonly op: TapeOp;
  readonly forward: Kernel;
  readonly backward: Kernel;
  readonly n: number;
  readonly a: number;
  readonly aMask: number;
  readonly aFree: boolean;
  readonly b: number;
  readonly bMask: number;
  readonly bFree: boolean;
  readonly out: number;
}

/** Either fills `m[out …]` from the operands or adds to their adjoints in `g`. */
export type Kernel = (m: Float64Array, g: Float64Array, step: Instruction) => void;

/** Both directions of one operation. */
export interface KernelPair {
  readonly forward: Kernel;
  readonly backward: Kernel;
}

/** Fills the values of all instructions, in order. */
export function runForward(
  tape: readonly Instruction[],
  m: Float64Array,
  g: Float64Array,
): void {
  for (let k = 0; k < tape.length; k++) tape[k].forward(m, g, tape[k]);
}

/** Adds the adjoints of all operands, in reverse order. */
export function runBackward(
  tape: readonly Instruction[],
  m: Float64Array,
  g: Float64Array,
): void {
  for (let k = tape.length - 1; k >= 0; k--) tape[k].backward(m, g, tape[k]);
}
