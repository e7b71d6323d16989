/** The code of one WebAssembly function, written instruction by instruction; types are checked. */
import { ByteWriter } from "./byte_writer.ts";
import { constantAddress } from "./constants.ts";
import {
  type Access,
  accesses,
  type Operation,
  operations,
  type Type,
  typeCodes,
  type ValueType,
} from "./instructions.ts";
import { TypeStack } from "./type_stack.ts";

/** Parameters and results. */
export interface FunctionType {
  /** Types of arguments, the first one first. */
  readonly parameters: readonly ValueType[];
  /** Types of the operands left on the stack. */
  readonly results: readonly ValueType[];
}

/** Type of functions on two lanes. */
const onLanes: FunctionType = { parameters: ["v128"], results: ["v128"] };

/** Alignments of addresses in bytes, as powers of two. */
const alignments: { readonly [access in Access]: number } = {
  "i32.load": 2,
  "f32.load": 2,
  "f64.load": 3,
  "i32.store": 2,
  "f32.store": 2,
  "f64.store": 3,
  "v128.load": 4,
  "v128.load32_splat": 2,
  "v128.load64_splat": 3,
  "v128.store": 4,
};

/** An index of a local variable. */
export type Local = number;

/**
 * Writes the body of one function, instruction by instruction, and checks the types of the operands
 * that each takes from the stack.
 *
 * @throws TypeError where an operand has another type than the instruction takes.
 */
export class FunctionBody {
  readonly #code = new ByteWriter(2048);
  readonly #locals: ValueType[] = [];
  readonly #stack = new TypeStack();
  readonly #calls = new Map<number, FunctionType>();
  #encoded: Uint8Array | undefined;

  /** Begins with no instructions. */
  constructor(
    readonly parameters: readonly ValueType[] = [],
    readonly results: readonly ValueType[] = [],
  ) {}

  /** Bytes of code. */
  get size(): number {
    return this.#code.length;
  }

  /** Number of its own variables. */
  get localCount(): number {
    return this.#locals.length;
  }

  /** A new local variable, zero at first. */
  local(type: ValueType = "v128"): Local {
    return this.parameters.length + this.#locals.push(type) - 1;
  }

  /** Indices of the functions that it calls, with their types. */
  get calls(): ReadonlyMap<number, FunctionType> {
    return this.#calls;
  }

  /** Instructions that take all they need from the stack. */
  op(...names: readonly Operation[]): this {
    for (const name of names) {
      const { code, takes, gives } = operations[name];
      this.#stack.pop(takes, name);
      this.#code.raw(code);
      if (gives !== "none") this.#stack.push(gives);
    }
    return this;
  }

  /** Ends the function with its results, which are on the stack. */
  return(): this {
    this.#stack.pop(this.results, "return");
    this.#stack.die();
    this.#code.byte(0x0f);
    return this;
  }

  /** Pushes variables, the first one first (`local.get`). */
  get(...locals: readonly Local[]): this {
    for (const local of locals) {
      this.#code.byte(0x20);
      this.#code.unsigned(local);
      this.#stack.push(this.#typeOf(local));
    }
    return this;
  }

  /** Takes a value from the stack into a variable (`local.set`). */
  set(local: Local): this {
    this.#stack.pop([this.#typeOf(local)], "local.set");
    this.#code.byte(0x21);
    this.#code.unsigned(local);
    return this;
  }

  /** Sets a variable and leaves its value on the stack. */
  tee(local: Local): this {
    const type = this.#typeOf(local);
    this.#stack.pop([type], "local.tee");
    this.#stack.push(type);
    this.#code.byte(0x22);
    this.#code.unsigned(local);
    return this;
  }

  #typeOf(local: Local): ValueType {
    const count = this.parameters.length;
    const type = local < count ? this.parameters[local] : this.#locals[local - count];
    if (!type) throw new TypeError(`internal: there is no variable ${local}`);
    return type;
  }

  /** A new variable that holds the top of the stack. */
  hold(): Local {
    const local = this.local();
    this.set(local);
    return local;
  }

  /** A 32-bit integer constant. */
  i32(value: number): this {
    this.#code.byte(0x41);
    this.#code.signed(value);
    return this.#pushed("i32");
  }

  /** A constant of double precision. */
  number(value: number): this {
    this.#code.byte(0x44);
    this.#code.f64(value);
    return this.#pushed("f64");
  }

  /** A number of single precision. */
  single(value: number): this {
    this.#code.byte(0x43);
    this.#code.raw(new Uint8Array(Float32Array.of(value).buffer));
    return this.#pushed("f32");
  }

  /** A vector constant, byte by byte. */
  vector(bytes: ArrayLike<number>): this {
    this.#code.raw([0xfd, 0x0c]);
    this.#code.raw(bytes);
    return this.#pushed("v128");
  }

  #pushed(type: ValueType): this {
    this.#stack.push(type);
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
    return this.#pushed("v128");
  }

  /** Lane 0 or 1 as a number. */
  extract(lane: 0 | 1): this {
    this.#stack.pop(["v128"], "f64x2.extract_lane");
    this.#code.raw([0xfd, 0x21, lane]);
    return this.#pushed("f64");
  }

  /** One of four lanes as a number. */
  extractSingle(lane: number): this {
    this.#stack.pop(["v128"], "f32x4.extract_lane");
    this.#code.raw([0xfd, 0x1f, lane]);
    return this.#pushed("f32");
  }

  /** Replaces lane 1 of the vector below by the number on top. */
  replaceHigh(): this {
    this.#stack.pop(["v128", "f64"], "f64x2.replace_lane");
    this.#code.raw([0xfd, 0x22, 1]);
    return this.#pushed("v128");
  }

  /** Joins one lane of the first of two vectors and one lane of the second. */
  shuffle(first: 0 | 1, second: 0 | 1): this {
    const low = [0, 1, 2, 3, 4, 5, 6, 7];
    return this.shuffleBytes([
      ...low.map((i) => 8 * first + i),
      ...low.map((i) => 16 + 8 * second + i),
    ]);
  }

  /** Picks sixteen of the 32 bytes of two vectors. */
  shuffleBytes(bytes: readonly number[]): this {
    this.#stack.pop(["v128", "v128"], "i8x16.shuffle");
    this.#code.raw([0xfd, 0x0d]);
    this.#code.raw(bytes);
    return this.#pushed("v128");
  }

  /** Loads two lanes from the address on the stack plus `offset` bytes. */
  load(offset: number): this {
    return this.access("v128.load", offset);
  }

  /** Loads one number into both lanes. */
  loadSplat(offset: number): this {
    return this.access("v128.load64_splat", offset);
  }

  /** Loads one number into lane 1 of the vector on the stack, from the address below it. */
  loadHigh(offset: number): this {
    this.#stack.pop(["i32", "v128"], "v128.load64_lane");
    this.#code.raw([0xfd, 0x57, 3]);
    this.#code.unsigned(offset);
    this.#code.byte(1);
    return this.#pushed("v128");
  }

  /** Loads an integer of 32 bits. */
  loadIndex(offset: number): this {
    return this.access("i32.load", offset);
  }

  /** Loads one number. */
  loadNumber(offset: number): this {
    return this.access("f64.load", offset);
  }

  /** Stores both lanes of the value on the stack at the address below it plus `offset` bytes. */
  store(offset: number): this {
    return this.access("v128.store", offset);
  }

  /** Stores one number. */
  storeNumber(offset: number): this {
    return this.access("f64.store", offset);
  }

  /** Stores an integer of 32 bits. */
  storeIndex(offset: number): this {
    return this.access("i32.store", offset);
  }

  /**
   * Calls the function at a place in the table, which is on the stack above its arguments.
   *
   * @param number that of its type in the module.
   */
  callIndirect(number: number, type: FunctionType): this {
    this.#stack.pop([...type.parameters, "i32"], "call_indirect");
    this.#code.byte(0x11);
    this.#code.unsigned(number);
    this.#code.byte(0);
    return this.#results(type);
  }

  /** Calls a function; that it has this type is checked when a module is made of the bodies. */
  call(functionIndex: number, type: FunctionType = onLanes): this {
    this.#stack.pop(type.parameters, "call");
    this.#calls.set(functionIndex, type);
    this.#code.byte(0x10);
    this.#code.unsigned(functionIndex);
    return this.#results(type);
  }

  #results({ results }: FunctionType): this {
    for (const type of results) this.#stack.push(type);
    return this;
  }

  /** Zeros at `address`. */
  clear(address: number, bytes: number): this {
    return this.i32(address).i32(0).i32(bytes).fill();
  }

  /** Fills bytes: address, value and count are on the stack. */
  fill(): this {
    this.#stack.pop(["i32", "i32", "i32"], "memory.fill");
    this.#code.raw([0xfc, 0x0b, 0]);
    return this;
  }

  /** Copies bytes. */
  copy(to: number, from: number, bytes: number): this {
    this.i32(to).i32(from).i32(bytes);
    this.#stack.pop(["i32", "i32", "i32"], "memory.copy");
    this.#code.raw([0xfc, 0x0a, 0, 0]);
    return this;
  }

  /** Runs `body` at least once, while `local` < `limit`, adding `step` after each round. */
  countUp(local: Local, limit: number, step: number, body: () => void): this {
    this.i32(0).set(local);
    return this.repeat(() => {
      body();
      this.get(local).i32(step).op("i32.add").tee(local).i32(limit).op("i32.lt_u");
    });
  }

  /** Runs `body` at least once, as long as it pushes a number that is not zero. */
  repeat(body: () => void): this {
    this.#code.raw([0x03, typeCodes.none]);
    this.#stack.enter();
    body();
    this.#stack.pop(["i32"], "br_if");
    this.#code.raw([0x0d, 0, 0x0b]);
    this.#stack.leave([], "loop");
    return this;
  }

  /** Runs `body` as long as `condition` pushes a number that is not zero. */
  asLongAs(condition: () => void, body: () => void): this {
    this.#code.raw([0x02, typeCodes.none, 0x03, typeCodes.none]);
    this.#stack.enter();
    condition();
    this.op("i32.eqz");
    this.#stack.pop(["i32"], "br_if");
    this.#code.raw([0x0d, 1]);
    body();
    this.#code.raw([0x0c, 0, 0x0b, 0x0b]);
    this.#stack.leave([], "loop");
    return this;
  }

  /** Runs `body` if the number on the stack is not zero, otherwise `other`. */
  choose(body: () => void, other?: () => void): this {
    return this.#branch("none", body, other);
  }

  /** Runs `body` if the number on the stack is not zero. */
  when(body: () => void): this {
    return this.#branch("none", body);
  }

  /** Two lanes from one of two branches: the first if the number on the stack is not zero. */
  either(yes: () => void, no: () => void): this {
    return this.#branch("v128", yes, no);
  }

  #branch(result: Type, yes: () => void, no?: () => void): this {
    const results = result === "none" ? [] : [result];
    this.#stack.pop(["i32"], "if");
    this.#code.raw([0x04, typeCodes[result]]);
    this.#stack.enter();
    yes();
    this.#stack.leave(no ? results : [], "if");
    if (no) this.#else(results, no);
    this.#code.byte(0x0b);
    return this;
  }

  #else(results: readonly ValueType[], no: () => void): void {
    this.#stack.pop(results, "else");
    this.#code.byte(0x05);
    this.#stack.enter();
    no();
    this.#stack.leave(results, "else");
  }

  /** Reads or writes memory at the address on the stack plus `offset` bytes. */
  access(name: Access, offset: number): this {
    const { code, takes, gives } = accesses[name];
    this.#stack.pop(takes, name);
    this.#code.raw(code);
    this.#code.byte(alignments[name]);
    this.#code.unsigned(offset);
    return gives === "none" ? this : this.#pushed(gives);
  }

  /** Size, locals and code, as in the code section. */
  encode(to: ByteWriter): void {
    this.#encoded ??= this.#encode();
    to.raw(this.#encoded);
  }

  #encode(): Uint8Array {
    this.#stack.leave(this.results, "the function");
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
      head.byte(typeCodes[type]);
    }
    to.unsigned(head.length + this.#code.length + 1);
    to.raw(head.take());
    to.raw(this.#code.take());
    to.byte(0x0b);
    return to.take();
  }
}
