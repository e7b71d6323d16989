/** Lowers operations of the graph to instructions: folds constants, picks cheaper powers. */
import type { BinaryOp, UnaryOp } from "../lang/graph.ts";
import { binaryKernels } from "./binary_kernels.ts";
import type { Instruction, KernelPair, TapeBinaryOp, TapeOp, TapeUnaryOp } from "./instruction.ts";
import { isFree, type Layout, maskOf, type Operand } from "./layout.ts";
import { applyBinary, applyUnary } from "./operations.ts";
import { unaryKernels } from "./unary_kernels.ts";

/** Appends instructions to a tape; they are built by `link` once addresses are known. */
export class TapeBuilder {
  #pending: (() => Instruction)[] = [];

  constructor(readonly layout: Layout) {}

  /** A unary operation, folded if its argument is constant. */
  unary(op: UnaryOp, argument: Operand): Operand {
    const { constant } = argument;
    if (constant) return this.layout.constant(constant.map(applyUnary[op]), argument.vector);
    return this.#unary(op, argument);
  }

  /** A binary operation with broadcasting, folded if both arguments are constant. */
  binary(op: BinaryOp, a: Operand, b: Operand): Operand {
    if (a.constant && b.constant) return this.#foldBinary(op, a, a.constant, b, b.constant);
    return op === "pow" ? this.#power(a, b) : this.#binary(op, a, b);
  }

  /**
   * Instructions since the last call, as a function to call after `layout.link`: scalars first, then
   * rows. That is an order of evaluation, since no scalar depends on rows.
   */
  take(): () => Instruction[] {
    const pending = this.#pending;
    this.#pending = [];
    return () => {
      const built = pending.map((build) => build());
      return [...built.filter(isScalar), ...built.filter((step) => !isScalar(step))];
    };
  }

  /** Appends an instruction that is not an operation of the graph. */
  append(build: () => Instruction): void {
    this.#pending.push(build);
  }

  #foldBinary(
    op: BinaryOp,
    a: Operand,
    x: Float64Array,
    b: Operand,
    y: Float64Array,
  ): Operand {
    const n = Math.max(a.n, b.n);
    const apply = applyBinary[op];
    const values = new Float64Array(n);
    for (let i = 0; i < n; i++) values[i] = apply(x[a.n === 1 ? 0 : i], y[b.n === 1 ? 0 : i]);
    return this.layout.constant(values, a.vector || b.vector);
  }

  #unary(op: TapeUnaryOp, a: Operand): Operand {
    const out = this.layout.free(a.n, a.vector);
    this.append(() => instructionOf(op, unaryKernels[op], out, a, a));
    return out;
  }

  #binary(op: TapeBinaryOp, a: Operand, b: Operand): Operand {
    const out = this.layout.free(Math.max(a.n, b.n), a.vector || b.vector);
    this.append(() => instructionOf(op, binaryKernels[op], out, a, b));
    return out;
  }

  #power(base: Operand, exponent: Operand): Operand {
    if (exponent.constant && exponent.n === 1) return this.#fixedPower(base, exponent);
    if (base.constant && base.constant.every((x) => x > 0 && x < Infinity)) {
      return this.#unary("exp", this.#binary("mul", exponent, this.unary("log", base)));
    }
    if (exponent.constant) {
      const op = base.vector || base.constant ? "pow" : "powScalarBase";
      return this.#binary(op, base, exponent);
    }
    return base.constant ? this.#binary("pow", base, exponent) : this.#realPower(base, exponent);
  }

  /** x^y for a y that is hardly ever an integer, so that x <= 0 has no power: e^(y log x). */
  #realPower(base: Operand, exponent: Operand): Operand {
    return this.#unary("exp", this.binary("mul", exponent, this.#unary("log", base)));
  }

  #fixedPower(base: Operand, exponent: Operand): Operand {
    const y = exponent.constant![0];
    if (y === 1) return base;
    if (y === 2) return this.#unary("square", base);
    if (y === 0.5) return this.#unary("sqrt", base);
    if (y === -1) return this.#unary("reciprocal", base);
    if (y === -2) return this.#unary("reciprocal", this.#unary("square", base));
    if (y === 3) return this.#binary("mul", this.#unary("square", base), base);
    if (y === 4) return this.#unary("square", this.#unary("square", base));
    return Number.isInteger(y)
      ? this.#binary("pow", base, exponent)
      : this.#realPower(base, exponent);
  }
}

const isScalar = (step: Instruction): boolean => step.aMask === 0 && step.bMask === 0;

/** The instruction of a kernel over linked operands. */
export function instructionOf(
  op: TapeOp,
  kernels: KernelPair,
  out: Operand,
  a: Operand,
  b: Operand,
): Instruction {
  return {
    op,
    forward: kernels.forward,
    backward: kernels.backward,
    n: out.n,
    a: a.address,
    aMask: maskOf(a),
    aFree: isFree(a),
    b: b.address,
    bMask: maskOf(b),
    bFree: isFree(b),
    out: out.address,
  };
}
