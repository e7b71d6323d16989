/** Typed expressions over the writer of functions: operands of a wrong type do not compile. */
import { FunctionBody } from "./function_body.ts";
import type { Access, Gives, Operation, Takes, Type, ValueType } from "./instructions.ts";
import { assembleModule } from "./module.ts";

/** Code that leaves one value of type `T` on the stack; nothing, if `T` is `none`. */
export interface Code<T extends Type> {
  /** Type of the value. */
  readonly type: T;
  /** Writes the instructions. */
  readonly write: (to: FunctionBody) => void;
}

/** Code that leaves nothing. */
export type Statement = Code<"none">;

type Codes<T extends readonly ValueType[]> = { readonly [K in keyof T]: Code<T[K]> };

/** An instruction as a function of the expressions that it takes. */
function operation<Name extends Operation>(name: Name, result: Gives<Name>) {
  return (...operands: Codes<Takes<Name>>): Code<Gives<Name>> => ({
    type: result,
    write(to) {
      for (const operand of operands) operand.write(to);
      to.op(name);
    },
  });
}

type Load = Extract<Access, `${string}.load${string}`>;
type Store = Extract<Access, `${string}.store`>;
/** Type of the stored value: the operand above the address. */
type Stored<Name extends Store> = Extract<Takes<Name>[1], ValueType>;

function loadOf<Name extends Load>(name: Name, result: Gives<Name>) {
  return (address: Code<"i32">, offset = 0): Code<Gives<Name>> => ({
    type: result,
    write(to) {
      address.write(to);
      to.access(name, offset);
    },
  });
}

function storeOf<Name extends Store>(name: Name) {
  return (address: Code<"i32">, value: Code<Stored<Name>>, offset = 0): Statement => ({
    type: "none",
    write(to) {
      address.write(to);
      value.write(to);
      to.access(name, offset);
    },
  });
}

function code<T extends Type>(type: T, write: (to: FunctionBody) => void): Code<T> {
  return { type, write };
}

/** 32-bit integers: counts, and addresses in bytes. */
export const i32 = {
  of: (value: number): Code<"i32"> => code("i32", (to) => to.i32(value)),
  add: operation("i32.add", "i32"),
  sub: operation("i32.sub", "i32"),
  mul: operation("i32.mul", "i32"),
  and: operation("i32.and", "i32"),
  shl: operation("i32.shl", "i32"),
  lt: operation("i32.lt_s", "i32"),
  ge: operation("i32.ge_s", "i32"),
  load: loadOf("i32.load", "i32"),
  /** The first where the condition, which is the third, is not 0, else the second. */
  select: operation("select", "i32"),
};

/** Single precision. */
export const f32 = {
  of: (value: number): Code<"f32"> => code("f32", (to) => to.single(value)),
  add: operation("f32.add", "f32"),
  mul: operation("f32.mul", "f32"),
  div: operation("f32.div", "f32"),
  max: operation("f32.max", "f32"),
  sqrt: operation("f32.sqrt", "f32"),
  convert: operation("f32.convert_i32_s", "f32"),
  load: loadOf("f32.load", "f32"),
  store: storeOf("f32.store"),
};

/** Double precision, for sums over all parameters. */
export const f64 = {
  of: (value: number): Code<"f64"> => code("f64", (to) => to.number(value)),
  add: operation("f64.add", "f64"),
  mul: operation("f64.mul", "f64"),
  promote: operation("f64.promote_f32", "f64"),
};

/** The same four bytes in all lanes. */
function fourTimes(bytes: Float32Array | Int32Array): Code<"v128"> {
  const one = [...new Uint8Array(bytes.buffer)];
  return code("v128", (to) => to.vector([...one, ...one, ...one, ...one]));
}

/** Four numbers of single precision. */
export const f32x4 = {
  of: (value: number): Code<"v128"> => fourTimes(Float32Array.of(value)),
  splat: operation("f32x4.splat", "v128"),
  add: operation("f32x4.add", "v128"),
  sub: operation("f32x4.sub", "v128"),
  mul: operation("f32x4.mul", "v128"),
  div: operation("f32x4.div", "v128"),
  min: operation("f32x4.min", "v128"),
  max: operation("f32x4.max", "v128"),
  sqrt: operation("f32x4.sqrt", "v128"),
  nearest: operation("f32x4.nearest", "v128"),
  gt: operation("f32x4.gt", "v128"),
  ge: operation("f32x4.ge", "v128"),
  /** Lanes as integers, rounded towards 0. */
  truncate: operation("i32x4.trunc_sat_f32x4_s", "v128"),
  load: loadOf("v128.load", "v128"),
  /** One number in all lanes. */
  loadSplat: loadOf("v128.load32_splat", "v128"),
  store: storeOf("v128.store"),
  lane: (vector: Code<"v128">, lane: number): Code<"f32"> =>
    code("f32", (to) => {
      vector.write(to);
      to.extractSingle(lane);
    }),
};

/** Bits of a vector. */
export const v128 = {
  and: operation("v128.and", "v128"),
  /** The first where the bits of the third are 1, else the second. */
  select: operation("v128.bitselect", "v128"),
  /** Four of the eight 32-bit lanes of `a` and `b`. */
  shuffle: (a: Code<"v128">, b: Code<"v128">, lanes: readonly number[]): Code<"v128"> =>
    code("v128", (to) => {
      a.write(to);
      b.write(to);
      to.shuffleBytes(lanes.flatMap((lane) => [0, 1, 2, 3].map((byte) => 4 * lane + byte)));
    }),
};

/** Four 32-bit integers. */
export const i32x4 = {
  add: operation("i32x4.add", "v128"),
  shiftLeft: (vector: Code<"v128">, bits: number): Code<"v128"> => shiftLeft(vector, i32.of(bits)),
  of: (value: number): Code<"v128"> => fourTimes(Int32Array.of(value)),
};

const shiftLeft = operation("i32x4.shl", "v128");

/** A parameter or local variable. */
export class Local<T extends ValueType> {
  /** Code that reads it. */
  readonly get: Code<T>;

  /** `index` counts parameters first. */
  constructor(readonly type: T, readonly index: number) {
    this.get = code(type, (to) => to.get(index));
  }

  /** Code that writes it. */
  set(value: Code<T>): Statement {
    return code("none", (to) => {
      value.write(to);
      to.set(this.index);
    });
  }
}

/**
 * Adds to an integer variable.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { assemble, i32, increase, Kernel } from "./assembler.ts";
 * const kernel = new Kernel("twoMore", "i32");
 * const [n] = kernel.integers(1);
 * kernel.define([increase(n, i32.of(2))], n.get);
 * const host = { memory: new WebAssembly.Memory({ initial: 1 }) };
 * const made = new WebAssembly.Instance(new WebAssembly.Module(assemble([kernel])), { host });
 * const { twoMore } = made.exports as Record<string, (...of: number[]) => number>;
 * assert.equal(twoMore(5), 7);
 * ```
 */
export function increase(variable: Local<"i32">, by: Code<"i32">): Statement {
  return variable.set(i32.add(variable.get, by));
}

/**
 * One after the other.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { assemble, i32, increase, Kernel, sequence } from "./assembler.ts";
 * const kernel = new Kernel("threeMore", "i32");
 * const [n] = kernel.integers(1);
 * kernel.define([sequence(increase(n, i32.of(1)), increase(n, i32.of(2)))], n.get);
 * const host = { memory: new WebAssembly.Memory({ initial: 1 }) };
 * const made = new WebAssembly.Instance(new WebAssembly.Module(assemble([kernel])), { host });
 * const { threeMore } = made.exports as Record<string, (...of: number[]) => number>;
 * assert.equal(threeMore(5), 8);
 * ```
 */
export function sequence(...statements: readonly Statement[]): Statement {
  return code("none", (to) => {
    for (const one of statements) one.write(to);
  });
}

/**
 * Runs `yes` if the condition is not 0, else `no`.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { assemble, i32, Kernel, when } from "./assembler.ts";
 * const kernel = new Kernel("atMostNine", "i32");
 * const [n] = kernel.integers(1);
 * kernel.define([when(i32.lt(i32.of(9), n.get), n.set(i32.of(9)))], n.get);
 * const host = { memory: new WebAssembly.Memory({ initial: 1 }) };
 * const made = new WebAssembly.Instance(new WebAssembly.Module(assemble([kernel])), { host });
 * const { atMostNine } = made.exports as Record<string, (...of: number[]) => number>;
 * assert.deepEqual([atMostNine(5), atMostNine(50)], [5, 9]);
 * ```
 */
export function when(condition: Code<"i32">, yes: Statement, no?: Statement): Statement {
  return code("none", (to) => {
    condition.write(to);
    to.choose(() => yes.write(to), no && (() => no.write(to)));
  });
}

/**
 * Counts `variable` from `begin` by `step` while it is below `end`, which must not change.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { assemble, i32, increase, Kernel, range } from "./assembler.ts";
 * const kernel = new Kernel("triangle", "i32");
 * const [n] = kernel.integers(1);
 * const [i, total] = kernel.locals("i32", 2);
 * kernel.define([range(i, i32.of(0), n.get, 1, increase(total, i.get))], total.get);
 * const host = { memory: new WebAssembly.Memory({ initial: 1 }) };
 * const made = new WebAssembly.Instance(new WebAssembly.Module(assemble([kernel])), { host });
 * const { triangle } = made.exports as Record<string, (...of: number[]) => number>;
 * assert.equal(triangle(5), 0 + 1 + 2 + 3 + 4);
 * ```
 */
export function range(
  variable: Local<"i32">,
  begin: Code<"i32">,
  end: Code<"i32">,
  step: number,
  ...body: readonly Statement[]
): Statement {
  const below = i32.lt(variable.get, end);
  const round = sequence(...body, increase(variable, i32.of(step)));
  const loop = code("none", (to) =>
    to.repeat(() => {
      round.write(to);
      below.write(to);
    }));
  return sequence(variable.set(begin), when(below, loop));
}

/** One exported function under construction. */
export class Kernel<R extends Type = Type> {
  readonly #parameters: ValueType[] = [];
  readonly #locals: ValueType[] = [];
  #write: (to: FunctionBody) => void = () => {};

  /** `name` is that of the export. */
  constructor(readonly name: string, readonly result: R) {}

  /** The next parameter. All of them come before the first local. */
  parameter<T extends ValueType>(type: T): Local<T> {
    return new Local(type, this.#parameters.push(type) - 1);
  }

  /** Several integer parameters at once. */
  integers<N extends number>(count: N): Local<"i32">[] & { length: N } {
    const all = Array.from({ length: count }, () => this.parameter("i32"));
    return all as Local<"i32">[] & { length: N };
  }

  /** A local variable. */
  local<T extends ValueType>(type: T): Local<T> {
    return new Local(type, this.#parameters.length + this.#locals.push(type) - 1);
  }

  /** Several local variables at once. */
  locals<T extends ValueType>(type: T, count: number): Local<T>[] {
    return Array.from({ length: count }, () => this.local(type));
  }

  /** Defines the body of the function; `value` is its result, if it has one. */
  define(statements: readonly Statement[], value?: Code<R>): this {
    this.#write = (to) => {
      for (const one of statements) one.write(to);
      value?.write(to);
    };
    return this;
  }

  /** The function as it is written. */
  body(): FunctionBody {
    const results: ValueType[] = this.result === "none" ? [] : [this.result as ValueType];
    const body = new FunctionBody(this.#parameters, results);
    for (const type of this.#locals) body.local(type);
    this.#write(body);
    return body;
  }
}

/**
 * A module of these kernels, with the imported memory `host.memory`.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { assemble, i32, Kernel } from "./assembler.ts";
 * const kernel = new Kernel("sum", "i32");
 * const [a, b] = kernel.integers(2);
 * kernel.define([], i32.add(a.get, b.get));
 * const host = { memory: new WebAssembly.Memory({ initial: 1 }) };
 * const made = new WebAssembly.Instance(new WebAssembly.Module(assemble([kernel])), { host });
 * const { sum } = made.exports as Record<string, (...of: number[]) => number>;
 * assert.equal(sum(2, 3), 5);
 * ```
 */
export function assemble(kernels: readonly Kernel[]): Uint8Array<ArrayBuffer> {
  const exports = kernels.map(({ name }, index) => ({ name, index }));
  return assembleModule([], kernels.map((one) => one.body()), exports);
}
