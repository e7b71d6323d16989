/** Interface of a BLAS library or a GPU that computes matrix products of own networks. */
import type { FrozenNumbers } from "./brain_floats.ts";

/** C = op(A) op(B), or C + op(A) op(B), stored by rows; addresses are bytes from the memory's start. */
export interface Product {
  /** Rows of C. */
  readonly rows: number;
  /** Columns of C. */
  readonly columns: number;
  /** Terms of each sum. */
  readonly depth: number;
  /** Left factor, `[rows, depth]` after transposition. */
  readonly a: Operand;
  /** Right factor, `[depth, columns]` after transposition. */
  readonly b: Operand;
  /** Target of C. */
  readonly c: Target;
  /** Whether the product is added to C. */
  readonly accumulate: boolean;
}

/** A matrix in the memory; rows lie `stride` numbers apart. */
export interface Operand {
  /** Address in bytes from the start of the memory; from the first of `values` where these are given. */
  readonly address: number;
  /** Numbers from one row to the next. */
  readonly stride: number;
  /** Whether its transpose is meant. */
  readonly transposed?: boolean;
  /**
   * Where it lies outside of the memory: then the address counts from its first number. Numbers in
   * bfloat16 are multiplied by numbers that are rounded to it, and summed in single precision.
   */
  readonly values?: FrozenNumbers;
}

/** Target of a product; rows lie `stride` numbers apart. */
export interface Target {
  /** Address in bytes from the start of the memory; from the first of `values` where these are given. */
  readonly address: number;
  /** Numbers from one row to the next. */
  readonly stride: number;
  /** Where it lies outside of the memory: then the address counts from its first number. */
  readonly values?: Float32Array<ArrayBuffer>;
}

/** A library that multiplies matrices of single precision. */
export interface Blas {
  /** Name, version and kernels, for the run's header. */
  readonly name: string;
  /** Whether it multiplies numbers in bfloat16. */
  readonly hasBrainFloats?: boolean;
  /** Computes one product; operands lie in `memory` unless they say otherwise. */
  multiply(memory: ArrayBuffer, product: Product): void;
}
