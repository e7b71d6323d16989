/** Checks the types of operands on the stack of generated code where an instruction is written. */
import type { ValueType } from "./instructions.ts";

/** State of the stack at the beginning of a block. */
interface Block {
  readonly height: number;
  readonly isDead: boolean;
}

/** The stack as the algorithm for validation has it (WebAssembly 2.0, appendix A.3). */
export class TypeStack {
  readonly #types: ValueType[] = [];
  readonly #blocks: Block[] = [];
  #floor = 0;
  #isDead = false;

  push(type: ValueType): void {
    this.#types.push(type);
  }

  /** @param by name of the instruction that takes them, for the message. */
  pop(wanted: readonly ValueType[], by: string): void {
    for (let i = wanted.length - 1; i >= 0; i--) {
      const isEmpty = this.#types.length <= this.#floor;
      if (isEmpty && this.#isDead) continue;
      const found = isEmpty ? undefined : this.#types.pop();
      if (found !== wanted[i]) throw mismatch(by, wanted, i, found);
    }
  }

  /** Marks code behind a return as unreachable: its operands may have any type. */
  die(): void {
    this.#types.length = this.#floor;
    this.#isDead = true;
  }

  /** Begins a block, which cannot reach the operands below. */
  enter(): void {
    this.#blocks.push({ height: this.#floor, isDead: this.#isDead });
    this.#floor = this.#types.length;
    this.#isDead = false;
  }

  /** Ends it with exactly these results, which are left on the stack of the enclosing block. */
  leave(results: readonly ValueType[], by: string): void {
    this.pop(results, by);
    if (this.#types.length !== this.#floor) {
      throw new TypeError(`internal: ${by} leaves ${this.#types.slice(this.#floor).join(" ")}`);
    }
    const { height, isDead } = this.#blocks.pop() ?? { height: 0, isDead: false };
    this.#floor = height;
    this.#isDead = isDead;
    for (const type of results) this.push(type);
  }
}

function mismatch(
  by: string,
  wanted: readonly ValueType[],
  at: number,
  found: ValueType | undefined,
): TypeError {
  const operand = `operand ${at + 1} of ${wanted.join(" ")}`;
  return new TypeError(`internal: ${by} finds ${found ?? "nothing"} as ${operand}`);
}
