/** An assembler for numerical WebAssembly kernels: typed expressions in, bytes of a module out. */

// Opcodes are those of the WebAssembly 2.0 specification, section 5 (binary format). Neither fused
// multiply-add nor relaxed SIMD is used: they may round differently from machine to machine.

const typeCodes = { i32: 0x7f, f32: 0x7d, f64: 0x7c, v128: 0x7b, none: 0x40 } as const;

/** A WebAssembly type; `none` is that of a statement. */
export type Type = keyof typeof typeCodes;

/** Code that leaves one value of type `T` on the stack; nothing, if `T` is `none`. */
export interface Code<T extends Type> {
  readonly type: T;
  readonly bytes: readonly number[];
}

/** Code that leaves nothing. */
export type Statement = Code<"none">;

function code<T extends Type>(type: T, ...parts: readonly (readonly number[])[]): Code<T> {
  return { type, bytes: parts.flat() };
}

/** Unsigned LEB128. */
function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)];
}

/** Signed LEB128 of a 32-bit integer. */
function signed(value: number): number[] {
  const isLast = value >= -64 && value < 64;
  return isLast ? [value & 127] : [(value & 127) | 128, ...signed(value >> 7)];
}

const f32Bytes = (value: number): number[] => [...new Uint8Array(Float32Array.of(value).buffer)];

/** An instruction that pops two values of one type and pushes one. */
function binary<A extends Type, R extends Type>(result: R, ...opcode: readonly number[]) {
  return (a: Code<A>, b: Code<A>): Code<R> => code(result, a.bytes, b.bytes, opcode);
}

function unary<A extends Type, R extends Type>(result: R, ...opcode: readonly number[]) {
  return (a: Code<A>): Code<R> => code(result, a.bytes, opcode);
}

function loadOf<R extends Type>(result: R, ...opcode: readonly number[]) {
  return (address: Code<"i32">, offset = 0): Code<R> =>
    code(result, address.bytes, opcode, [2], unsigned(offset));
}

function storeOf<A extends Type>(...opcode: readonly number[]) {
  return (address: Code<"i32">, value: Code<A>, offset = 0): Statement =>
    code("none", address.bytes, value.bytes, opcode, [2], unsigned(offset));
}

/** 32-bit integers: counts, and addresses in bytes. */
export const i32 = {
  of: (value: number): Code<"i32"> => code("i32", [0x41], signed(value)),
  add: binary<"i32", "i32">("i32", 0x6a),
  sub: binary<"i32", "i32">("i32", 0x6b),
  mul: binary<"i32", "i32">("i32", 0x6c),
  and: binary<"i32", "i32">("i32", 0x71),
  shl: binary<"i32", "i32">("i32", 0x74),
  lt: binary<"i32", "i32">("i32", 0x48),
  ge: binary<"i32", "i32">("i32", 0x4e),
  load: loadOf("i32", 0x28),
  /** The first where the condition is not 0, else the second. */
  select: (yes: Code<"i32">, no: Code<"i32">, condition: Code<"i32">): Code<"i32"> =>
    code("i32", yes.bytes, no.bytes, condition.bytes, [0x1b]),
};

/** Single precision. */
export const f32 = {
  of: (value: number): Code<"f32"> => code("f32", [0x43], f32Bytes(value)),
  add: binary<"f32", "f32">("f32", 0x92),
  mul: binary<"f32", "f32">("f32", 0x94),
  div: binary<"f32", "f32">("f32", 0x95),
  max: binary<"f32", "f32">("f32", 0x97),
  sqrt: unary<"f32", "f32">("f32", 0x91),
  convert: unary<"i32", "f32">("f32", 0xb2),
  load: loadOf("f32", 0x2a),
  store: storeOf<"f32">(0x38),
};

/** Double precision, for sums over all parameters. */
export const f64 = {
  of: (value: number): Code<"f64"> =>
    code("f64", [0x44], [...new Uint8Array(Float64Array.of(value).buffer)]),
  add: binary<"f64", "f64">("f64", 0xa0),
  mul: binary<"f64", "f64">("f64", 0xa2),
  promote: unary<"f32", "f64">("f64", 0xbb),
};

/** Four numbers of single precision. */
export const f32x4 = {
  of: (value: number): Code<"v128"> => {
    const bytes = f32Bytes(value);
    return code("v128", [0xfd, 0x0c], bytes, bytes, bytes, bytes);
  },
  splat: unary<"f32", "v128">("v128", 0xfd, 0x13),
  add: binary<"v128", "v128">("v128", 0xfd, 0xe4, 1),
  sub: binary<"v128", "v128">("v128", 0xfd, 0xe5, 1),
  mul: binary<"v128", "v128">("v128", 0xfd, 0xe6, 1),
  div: binary<"v128", "v128">("v128", 0xfd, 0xe7, 1),
  min: binary<"v128", "v128">("v128", 0xfd, 0xe8, 1),
  max: binary<"v128", "v128">("v128", 0xfd, 0xe9, 1),
  sqrt: unary<"v128", "v128">("v128", 0xfd, 0xe3, 1),
  nearest: unary<"v128", "v128">("v128", 0xfd, 0x6a),
  gt: binary<"v128", "v128">("v128", 0xfd, 0x44),
  ge: binary<"v128", "v128">("v128", 0xfd, 0x46),
  /** Lanes as integers, rounded towards 0. */
  truncate: unary<"v128", "v128">("v128", 0xfd, 0xf8, 1),
  load: loadOf("v128", 0xfd, 0x00),
  /** One number in all lanes. */
  loadSplat: loadOf("v128", 0xfd, 0x09),
  store: storeOf<"v128">(0xfd, 0x0b),
  lane: (vector: Code<"v128">, lane: number): Code<"f32"> =>
    code("f32", vector.bytes, [0xfd, 0x1f, lane]),
};

/** Bits of a vector. */
export const v128 = {
  and: binary<"v128", "v128">("v128", 0xfd, 0x4e),
  /** `yes` where the bits of `mask` are 1, else `no`. */
  select: (yes: Code<"v128">, no: Code<"v128">, mask: Code<"v128">): Code<"v128"> =>
    code("v128", yes.bytes, no.bytes, mask.bytes, [0xfd, 0x52]),
  /** Four of the eight 32-bit lanes of `a` and `b`. */
  shuffle: (a: Code<"v128">, b: Code<"v128">, lanes: readonly number[]): Code<"v128"> => {
    const bytes = lanes.flatMap((lane) => [0, 1, 2, 3].map((byte) => 4 * lane + byte));
    return code("v128", a.bytes, b.bytes, [0xfd, 0x0d], bytes);
  },
};

/** Four 32-bit integers. */
export const i32x4 = {
  add: binary<"v128", "v128">("v128", 0xfd, 0xae, 1),
  shiftLeft: (vector: Code<"v128">, bits: number): Code<"v128"> =>
    code("v128", vector.bytes, [0x41], signed(bits), [0xfd, 0xab, 1]),
  of: (value: number): Code<"v128"> => {
    const bytes = [...new Uint8Array(Int32Array.of(value).buffer)];
    return code("v128", [0xfd, 0x0c], bytes, bytes, bytes, bytes);
  },
};

/** A parameter or local variable. */
export class Local<T extends Type> {
  readonly get: Code<T>;

  constructor(readonly type: T, readonly index: number) {
    this.get = code(type, [0x20], unsigned(index));
  }

  set(value: Code<T>): Statement {
    return code("none", value.bytes, [0x21], unsigned(this.index));
  }
}

/** Adds to an integer variable. */
export function increase(variable: Local<"i32">, by: Code<"i32">): Statement {
  return variable.set(i32.add(variable.get, by));
}

/** One after the other. */
export function sequence(...statements: readonly Statement[]): Statement {
  return code("none", ...statements.map((one) => one.bytes));
}

/** Runs `yes` if the condition is not 0, else `no`. */
export function when(condition: Code<"i32">, yes: Statement, no?: Statement): Statement {
  const otherwise = no ? [0x05, ...no.bytes] : [];
  return code("none", condition.bytes, [0x04, typeCodes.none], yes.bytes, otherwise, [0x0b]);
}

/** Counts `variable` from `begin` by `step` while it is below `end`, which must not change. */
export function range(
  variable: Local<"i32">,
  begin: Code<"i32">,
  end: Code<"i32">,
  step: number,
  ...body: readonly Statement[]
): Statement {
  const below = i32.lt(variable.get, end);
  const loop = code(
    "none",
    [0x03, typeCodes.none],
    ...body.map((one) => one.bytes),
    increase(variable, i32.of(step)).bytes,
    below.bytes,
    [0x0d, 0, 0x0b],
  );
  return sequence(variable.set(begin), when(below, loop));
}

/** One exported function under construction. */
export class Kernel<R extends Type = Type> {
  readonly #parameters: Type[] = [];
  readonly #locals: Type[] = [];
  #body: readonly number[] = [];

  constructor(readonly name: string, readonly result: R) {}

  /** The next parameter. All of them come before the first local. */
  parameter<T extends Type>(type: T): Local<T> {
    return new Local(type, this.#parameters.push(type) - 1);
  }

  /** Several integer parameters at once. */
  integers<N extends number>(count: N): Local<"i32">[] & { length: N } {
    const all = Array.from({ length: count }, () => this.parameter("i32"));
    return all as Local<"i32">[] & { length: N };
  }

  /** A local variable. */
  local<T extends Type>(type: T): Local<T> {
    return new Local(type, this.#parameters.length + this.#locals.push(type) - 1);
  }

  /** Several local variables at once. */
  locals<T extends Type>(type: T, count: number): Local<T>[] {
    return Array.from({ length: count }, () => this.local(type));
  }

  /** What the function does; `value` is what it returns, if it returns anything. */
  define(statements: readonly Statement[], value?: Code<R>): this {
    this.#body = [...sequence(...statements).bytes, ...(value?.bytes ?? [])];
    return this;
  }

  /** As the type section wants it. */
  signature(): number[] {
    const codes = this.#parameters.map((type) => typeCodes[type]);
    const results = this.result === "none" ? [] : [typeCodes[this.result as Type]];
    return [0x60, ...vector(codes.map((one) => [one])), ...vector(results.map((one) => [one]))];
  }

  /** As the code section wants it. */
  encode(): number[] {
    const locals = vector(this.#locals.map((type) => [1, typeCodes[type]]));
    return [...unsigned(locals.length + this.#body.length + 1), ...locals, ...this.#body, 0x0b];
  }
}

/** A module of these kernels, with the imported memory `host.memory`. */
export function assemble(kernels: readonly Kernel[]): Uint8Array<ArrayBuffer> {
  const memory = [...text("host"), ...text("memory"), 2, 0, 1];
  const exports = kernels.map(({ name }, index) => [...text(name), 0, ...unsigned(index)]);
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, kernels.map((one) => one.signature())),
    ...section(2, [memory]),
    ...section(3, kernels.map((_, index) => unsigned(index))),
    ...section(7, exports),
    ...section(10, kernels.map((one) => one.encode())),
  ]);
}

function vector(entries: readonly (readonly number[])[]): number[] {
  return [...unsigned(entries.length), ...entries.flat()];
}

function section(id: number, entries: readonly (readonly number[])[]): number[] {
  const content = vector(entries);
  return [id, ...unsigned(content.length), ...content];
}

function text(name: string): number[] {
  const bytes = [...new TextEncoder().encode(name)];
  return [...unsigned(bytes.length), ...bytes];
}
