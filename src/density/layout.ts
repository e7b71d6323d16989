/** The memory of a compiled program: values that depend on parameters first, constants after. */

/** A value on the tape: one number or one per row; constant, or free to vary with the parameters. */
export interface Operand {
  /** 1, or the number of rows. */
  readonly n: number;
  readonly vector: boolean;
  /** The numbers of a constant; undefined if the operand depends on parameters. */
  readonly constant?: Float64Array;
  /** Where it lies in memory; −1 until `Layout.link`. */
  address: number;
}

/** Collects operands, then gives each its address. */
export class Layout {
  readonly #free: Operand[] = [];
  readonly #constants: Operand[] = [];

  /** Room for a value that depends on parameters. */
  free(n: number, vector: boolean): Operand {
    const operand: Operand = { n, vector, address: -1 };
    this.#free.push(operand);
    return operand;
  }

  /** A constant scalar or vector. */
  constant(values: Float64Array, vector: boolean): Operand {
    const operand: Operand = { n: values.length, vector, constant: values, address: -1 };
    this.#constants.push(operand);
    return operand;
  }

  /** Assigns addresses; returns the memory, filled with the constants, and the size of the rest. */
  link(): { memory: Float64Array; freeSize: number } {
    let next = 0;
    for (const operand of this.#free) next = place(operand, next);
    const freeSize = next;
    for (const operand of this.#constants) next = place(operand, next);
    const memory = new Float64Array(next);
    for (const { constant, address } of this.#constants) memory.set(constant!, address);
    return { memory, freeSize };
  }
}

function place(operand: Operand, at: number): number {
  operand.address = at;
  return at + operand.n;
}

/** −1 for one value per lane, 0 for one value that serves all lanes. */
export function maskOf(operand: Operand): number {
  return operand.vector ? -1 : 0;
}

/** Whether an operand depends on parameters. */
export function isFree(operand: Operand): boolean {
  return operand.constant === undefined;
}
