/** A plan: the system calls that the launcher makes, one after the other, and their memory. */
import { execNameOffset, planAddress, planSize, stepFields, stepSize } from "./launcher_layout.ts";
import type { Architecture, SyscallName } from "./syscall_numbers.ts";
import { syscallNumber } from "./syscall_numbers.ts";

/** Bytes in the plan's memory, at an offset of their own where one is given. */
export class Block {
  constructor(readonly bytes: Uint8Array, readonly at?: number) {}
}

/** An address: a block's first byte, or one that lies `offset` bytes behind it. */
interface Address {
  readonly block: Block;
  readonly offset: number;
}

/** Argument of a step's call: a number, or the address of a part of the plan. */
type Argument = number | bigint | Block | Address;

/** One system call and what must come of it. */
export interface Step {
  readonly call: SyscallName | number;
  readonly args?: readonly Argument[];
  /** Purpose: printed if its result is not the wanted one. */
  readonly label: string;
  /** The result that is wanted; 0 by default, "any" if none is. Failures are -errno. */
  readonly expect?: number | "any" | "natural";
  /** Where the low 32 bits of the result go: into a block, or into a later step. */
  readonly store?: Address | StepField;
  /** Where to go on if the result is not zero; with the step that follows by default. */
  readonly ifOther?: Step;
}

/** An argument or the expected result of another step, to be filled in while the plan runs. */
interface StepField {
  readonly step: Step;
  readonly field: "expect" | number;
}

/** A text that ends with a zero byte, as the kernel wants it. */
export function cString(text: string): Block {
  if (text.includes("\0")) throw new Error("internal: a zero byte in a text for the kernel");
  return new Block(new TextEncoder().encode(`${text}\0`));
}

/** A block that holds the addresses of others, ended by a zero: `argv`, `envp`, `iovec` …. */
export class Pointers extends Block {
  constructor(readonly targets: readonly Argument[]) {
    super(new Uint8Array(8 * targets.length));
  }

  static ofTexts(texts: readonly string[]): Pointers {
    return new Pointers([...texts.map(cString), 0]);
  }
}

/**
 * Lays steps and blocks out at the launcher's fixed address.
 *
 * @throws Error `internal:` if a call does not exist on the processor, or the plan is too large.
 */
export function encodePlan(steps: readonly Step[], arch: Architecture): Uint8Array<ArrayBuffer> {
  return new PlanEncoder(steps, arch).encode();
}

const maskOf = { any: 0, natural: 0x8000_0000 } as const;

class PlanEncoder {
  readonly #bytes = new Uint8Array(planSize);
  readonly #view = new DataView(this.#bytes.buffer);
  readonly #blocks = new Map<Block, number>();
  readonly #scratch = new Block(new Uint8Array(8));
  #end: number;

  constructor(readonly steps: readonly Step[], readonly arch: Architecture) {
    this.#end = steps.length * stepSize;
  }

  encode(): Uint8Array<ArrayBuffer> {
    this.steps.forEach((step, i) => this.#step(step, i));
    return this.#bytes;
  }

  #step(step: Step, index: number): void {
    const at = index * stepSize;
    const call = typeof step.call === "number" ? step.call : syscallNumber(step.call, this.arch);
    if (call === undefined) throw new Error(`internal: no ${step.call} on ${this.arch}`);
    this.#set(at + stepFields.number, call);
    (step.args ?? []).forEach((value, i) => this.#set(at + stepFields.arguments + 8 * i, value));
    this.#set(at + stepFields.store, this.#addressOf(step.store ?? this.#scratch));
    const { expect = 0 } = step;
    this.#set(at + stepFields.expect, typeof expect === "number" ? expect : 0);
    this.#set(at + stepFields.mask, typeof expect === "number" ? 0xffff_ffff : maskOf[expect]);
    const next = planAddress + at + stepSize;
    this.#set(at + stepFields.ifZero, next);
    this.#set(at + stepFields.ifOther, step.ifOther ? this.#placeOf(step.ifOther) : next);
    const label = new TextEncoder().encode(`sluice launcher: ${step.label}\n`);
    this.#set(at + stepFields.label, new Block(label));
    this.#set(at + stepFields.labelLength, label.length);
  }

  #placeOf(step: Step): number {
    const index = this.steps.indexOf(step);
    if (index < 0) throw new Error(`internal: step "${step.label}" is not in the plan`);
    return planAddress + index * stepSize;
  }

  #addressOf(place: Block | Address | StepField): number {
    if (place instanceof Block) return this.#place(place);
    if ("block" in place) return this.#place(place.block) + place.offset;
    const { step, field } = place;
    const offset = field === "expect" ? stepFields.expect : stepFields.arguments + 8 * field;
    return this.#placeOf(step) + offset;
  }

  #set(at: number, value: Argument): void {
    const number = typeof value === "object" ? this.#addressOf(value) : value;
    this.#view.setBigUint64(at, BigInt.asUintN(64, BigInt(number)), true);
  }

  /** Puts a block behind what is there, once. */
  #place(block: Block): number {
    const known = this.#blocks.get(block);
    if (known !== undefined) return known;
    const at = block.at ?? this.#end;
    if (block.at === undefined) this.#end = (at + block.bytes.length + 7) & ~7;
    if (this.#end > execNameOffset) throw new Error("internal: the plan does not fit");
    this.#blocks.set(block, planAddress + at);
    if (block instanceof Pointers) {
      block.targets.forEach((target, i) => this.#set(at + 8 * i, target));
    } else this.#bytes.set(block.bytes, at);
    return planAddress + at;
  }
}
