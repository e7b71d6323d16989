/** The code of one WebAssembly function: the few instructions that densities are made of. */
import { ByteWriter } from "./byte_writer.ts";
import { constantAddress } from "./constants.ts";

// Opcodes are those of the WebAssembly 2.0 specification, section 5 (binary format). Neither fused
// multiply-add nor relaxed SIMD is used: they may round differently from machine to machine.

/** Types of values. */
export const valueTypes = { i32: 0x7f, f64: 0x7c, v128: 0x7b } as const;
/** A type of values. */
export type ValueType = keyof typeof valueTypes;

const simdOps = {
  "f64x2.splat": 0x14,
  "f64x2.eq": 0x47,
  "f64x2.ne": 0x48,
  "f64x2.lt": 0x49,
  "f64x2.gt": 0x4a,
  "f64x2.le": 0x4b,
  "f64x2.ge": 0x4c,
  "v128.not": 0x4d,
  "v128.and": 0x4e,
  "v128.or": 0x50,
  "v128.bitselect": 0x52,
  "f64x2.ceil": 0x74,
  "f64x2.floor": 0x75,
  "i64x2.all_true": 0xc3,
  "i64x2.shl": 0xcb,
  "i64x2.shr_u": 0xcd,
  "i64x2.add": 0xce,
  "f64x2.abs": 0xec,
  "f64x2.neg": 0xed,
  "f64x2.sqrt": 0xef,
  "f64x2.add": 0xf0,
  "f64x2.sub": 0xf1,
  "f64x2.mul": 0xf2,
  "f64x2.div": 0xf3,
  "f64x2.min": 0xf4,
  "f64x2.max": 0xf5,
} as const;
/** An instruction on two lanes. */
export type SimdOp = keyof typeof simdOps;

const plainOps = {
  return: 0x0f,
  "i32.eqz": 0x45,
  "i32.eq": 0x46,
  "i32.lt_s": 0x48,
  "i32.lt_u": 0x49,
  "i32.le_s": 0x4c,
  "f64.eq": 0x61,
  "f64.lt": 0x63,
  "f64.gt": 0x64,
  "f64.le": 0x65,
  "f64.ge": 0x66,
  "i32.add": 0x6a,
  "i32.sub": 0x6b,
  "i32.mul": 0x6c,
  "i32.and": 0x71,
  "i32.or": 0x72,
  "i32.xor": 0x73,
  "i32.shl": 0x74,
  "i32.shr_u": 0x76,
  "i32.rotl": 0x77,
  "f64.neg": 0x9a,
  "f64.sqrt": 0x9f,
  "f64.add": 0xa0,
  "f64.sub": 0xa1,
  "f64.mul": 0xa2,
  "f64.div": 0xa3,
  "f64.min": 0xa4,
  "f64.convert_i32_s": 0xb7,
  "f64.convert_i32_u": 0xb8,
} as const;
/** An instruction without operands in the code. */
export type PlainOp = keyof typeof plainOps;

/** An index of a local variable. */
export type Local = number;

/** The body of one function, written instruction by instruction. */
export class FunctionBody {
  readonly #code = new ByteWriter(2048);
  readonly #locals: ValueType[] = [];
  #encoded: Uint8Array | undefined;

  constructor(
    readonly parameters: readonly ValueType[] = [],
    readonly results: readonly ValueType[] = [],
  ) {}

  /** How many bytes of code there are. */
  get size(): number {
    return this.#code.length;
  }

  /** How many variables of its own it has. */
  get localCount(): number {
    return this.#locals.length;
  }

  /** A new local variable, zero at first. */
  local(type: ValueType = "v128"): Local {
    return this.parameters.length + this.#locals.push(type) - 1;
  }

  /** Instructions on two lanes. */
  simd(...ops: readonly SimdOp[]): this {
    for (const op of ops) {
      this.#code.byte(0xfd);
      this.#code.unsigned(simdOps[op]);
    }
    return this;
  }

  /** Instructions on single numbers. */
  op(...ops: readonly PlainOp[]): this {
    for (const op of ops) this.#code.byte(plainOps[op]);
    return this;
  }

  get(...locals: readonly Local[]): this {
    for (const local of locals) {
      this.#code.byte(0x20);
      this.#code.unsigned(local);
    }
    return this;
  }

  set(local: Local): this {
    this.#code.byte(0x21);
    this.#code.unsigned(local);
    return this;
  }

  /** Sets a variable and leaves its value on the stack. */
  tee(local: Local): this {
    this.#code.byte(0x22);
    this.#code.unsigned(local);
    return this;
  }

  /** A new variable that holds what is on the stack. */
  hold(): Local {
    const local = this.local();
    this.set(local);
    return local;
  }

  i32(value: number): this {
    this.#code.byte(0x41);
    this.#code.signed(value);
    return this;
  }

  number(value: number): this {
    this.#code.byte(0x44);
    this.#code.f64(value);
    return this;
  }

  /** Both lanes of a constant of elementary functions: loaded, unless it is 0. */
  constant(value: number): this {
    return Object.is(value, 0) ? this.pair(0) : this.i32(0).load(constantAddress(value));
  }

  /** Both lanes of a vector constant. */
  pair(value: number): this {
    this.#code.raw([0xfd, 0x0c]);
    this.#code.f64(value);
    this.#code.f64(value);
    return this;
  }

  /** Lane 0 or 1 as a number. */
  extract(lane: 0 | 1): this {
    this.#code.raw([0xfd, 0x21, lane]);
    return this;
  }

  /** Replaces lane 1 of the vector below by the number on top. */
  replaceHigh(): this {
    this.#code.raw([0xfd, 0x22, 1]);
    return this;
  }

  /** From two vectors: one lane of the first, then one lane of the second. */
  shuffle(first: 0 | 1, second: 0 | 1): this {
    this.#code.raw([0xfd, 0x0d]);
    for (let i = 0; i < 8; i++) this.#code.byte(8 * first + i);
    for (let i = 0; i < 8; i++) this.#code.byte(16 + 8 * second + i);
    return this;
  }

  /** Loads two lanes from the address on the stack plus `offset` bytes. */
  load(offset: number): this {
    return this.#memory([0xfd, 0x00], 4, offset);
  }

  /** Loads one number into both lanes. */
  loadSplat(offset: number): this {
    return this.#memory([0xfd, 0x0a], 3, offset);
  }

  /** Loads one number into lane 1 of the vector on the stack, from the address below it. */
  loadHigh(offset: number): this {
    this.#memory([0xfd, 0x57], 3, offset);
    this.#code.byte(1);
    return this;
  }

  /** Loads an integer of 32 bits. */
  loadIndex(offset: number): this {
    return this.#memory([0x28], 2, offset);
  }

  /** Loads one number. */
  loadNumber(offset: number): this {
    return this.#memory([0x2b], 3, offset);
  }

  /** Stores both lanes of the value on the stack at the address below it plus `offset` bytes. */
  store(offset: number): this {
    return this.#memory([0xfd, 0x0b], 4, offset);
  }

  /** Stores one number. */
  storeNumber(offset: number): this {
    return this.#memory([0x39], 3, offset);
  }

  /** Stores an integer of 32 bits. */
  storeIndex(offset: number): this {
    return this.#memory([0x36], 2, offset);
  }

  /** Calls the function at a place in the table, which is on the stack above its arguments. */
  callIndirect(type: number): this {
    this.#code.byte(0x11);
    this.#code.unsigned(type);
    this.#code.byte(0);
    return this;
  }

  call(functionIndex: number): this {
    this.#code.byte(0x10);
    this.#code.unsigned(functionIndex);
    return this;
  }

  /** Zeros at `address`. */
  clear(address: number, bytes: number): this {
    this.i32(address).i32(0).i32(bytes);
    this.#code.raw([0xfc, 0x0b, 0]);
    return this;
  }

  /** Fills bytes: address, value and count are on the stack. */
  fill(): this {
    this.#code.raw([0xfc, 0x0b, 0]);
    return this;
  }

  /** Copies bytes. */
  copy(to: number, from: number, bytes: number): this {
    this.i32(to).i32(from).i32(bytes);
    this.#code.raw([0xfc, 0x0a, 0, 0]);
    return this;
  }

  /** Runs `body` at least once, while `local` < `limit`, adding `step` after each round. */
  countUp(local: Local, limit: number, step: number, body: () => void): this {
    this.i32(0).set(local);
    this.#code.raw([0x03, 0x40]);
    body();
    this.get(local).i32(step).op("i32.add").tee(local).i32(limit).op("i32.lt_u");
    this.#code.raw([0x0d, 0, 0x0b]);
    return this;
  }

  /** Runs `body` as long as `condition` pushes a number that is not zero. */
  asLongAs(condition: () => void, body: () => void): this {
    this.#code.raw([0x02, 0x40, 0x03, 0x40]);
    condition();
    this.op("i32.eqz");
    this.#code.raw([0x0d, 1]);
    body();
    this.#code.raw([0x0c, 0, 0x0b, 0x0b]);
    return this;
  }

  /** Runs `body` if the number on the stack is not zero, otherwise `other`. */
  choose(body: () => void, other: () => void): this {
    this.#code.raw([0x04, 0x40]);
    body();
    this.#code.byte(0x05);
    other();
    this.#code.byte(0x0b);
    return this;
  }

  /** Runs `body` if the number on the stack is not zero. */
  when(body: () => void): this {
    this.#code.raw([0x04, 0x40]);
    body();
    this.#code.byte(0x0b);
    return this;
  }

  /** Two lanes from one of two branches: the first if the number on the stack is not zero. */
  either(yes: () => void, no: () => void): this {
    this.#code.raw([0x04, valueTypes.v128]);
    yes();
    this.#code.byte(0x05);
    no();
    this.#code.byte(0x0b);
    return this;
  }

  #memory(op: readonly number[], alignment: number, offset: number): this {
    this.#code.raw(op);
    this.#code.byte(alignment);
    this.#code.unsigned(offset);
    return this;
  }

  /** Size, locals and code, as the code section wants them. */
  encode(to: ByteWriter): void {
    this.#encoded ??= this.#encode();
    to.raw(this.#encoded);
  }

  #encode(): Uint8Array {
    const to = new ByteWriter(this.#code.length + 64);
    const head = new ByteWriter();
    const runs: [ValueType, number][] = [];
    for (const type of this.#locals) {
      const last = runs.at(-1);
      if (last?.[0] === type) last[1]++;
      else runs.push([type, 1]);
    }
    head.unsigned(runs.length);
    for (const [type, count] of runs) {
      head.unsigned(count);
      head.byte(valueTypes[type]);
    }
    to.unsigned(head.length + this.#code.length + 1);
    to.raw(head.take());
    to.raw(this.#code.take());
    to.byte(0x0b);
    return to.take();
  }
}
