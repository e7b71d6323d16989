/** A tiny assembler of WebAssembly modules: the few instructions that gradients are made of. */

// Opcodes are those of the WebAssembly 2.0 specification, section 5 (binary format). Neither fused
// multiply-add nor relaxed SIMD is used: they may round differently from machine to machine.

/** Types of values. */
export const valueTypes = { i32: 0x7f, i64: 0x7e, f64: 0x7c, v128: 0x7b } as const;
export type ValueType = keyof typeof valueTypes;

const plainOps = {
  return: [0x0f],
  end: [0x0b],
  else: [0x05],
  "i32.eqz": [0x45],
  "i32.lt_u": [0x49],
  "i32.add": [0x6a],
  "i32.and": [0x71],
  "i64.or": [0x84],
  "i64.shl": [0x86],
  "i64.shr_u": [0x88],
  "f64.lt": [0x63],
  "f64.gt": [0x64],
  "f64.le": [0x65],
  "f64.abs": [0x99],
  "f64.neg": [0x9a],
  "f64.sqrt": [0x9f],
  "f64.add": [0xa0],
  "f64.sub": [0xa1],
  "f64.mul": [0xa2],
  "f64.div": [0xa3],
  "f64.copysign": [0xa6],
  "f64.convert_i64_s": [0xb9],
  "i64.reinterpret_f64": [0xbd],
  "f64.reinterpret_i64": [0xbf],
  "v128.and": [0xfd, 0x4e],
  "v128.or": [0xfd, 0x50],
  "f64x2.splat": [0xfd, 0x14],
  "f64x2.extract_lane 0": [0xfd, 0x21, 0],
  "f64x2.extract_lane 1": [0xfd, 0x21, 1],
  "f64x2.replace_lane 1": [0xfd, 0x22, 1],
  "f64x2.le": [0xfd, 0x4b],
  "i64x2.all_true": [0xfd, 0xc3, 0x01],
  "i64x2.shl": [0xfd, 0xcb, 0x01],
  "i64x2.add": [0xfd, 0xce, 0x01],
  "f64x2.abs": [0xfd, 0xec, 0x01],
  "f64x2.neg": [0xfd, 0xed, 0x01],
  "f64x2.sqrt": [0xfd, 0xef, 0x01],
  "f64x2.add": [0xfd, 0xf0, 0x01],
  "f64x2.sub": [0xfd, 0xf1, 0x01],
  "f64x2.mul": [0xfd, 0xf2, 0x01],
  "f64x2.div": [0xfd, 0xf3, 0x01],
} as const;

/** An instruction without immediates. */
export type PlainOp = keyof typeof plainOps;

/** Unsigned LEB128. */
export function unsigned(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value;; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) | 128);
  }
}

/** Signed LEB128 of a 32-bit integer. */
function signed(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value;; rest >>= 7) {
    const last = rest >= -64 && rest < 64;
    bytes.push(last ? rest & 127 : (rest & 127) | 128);
    if (last) return bytes;
  }
}

const bytesOf = (value: number): number[] => [...new Uint8Array(Float64Array.of(value).buffer)];

/** An index of a local variable. */
export type Local = number;

/** The body of one function, written instruction by instruction. */
export class FunctionBody {
  readonly #bytes: number[] = [];
  readonly #locals: ValueType[] = [];

  constructor(readonly parameters: readonly ValueType[], readonly result: ValueType) {}

  /** A new local variable, zero at first. */
  local(type: ValueType): Local {
    return this.parameters.length + this.#locals.push(type) - 1;
  }

  op(...ops: readonly PlainOp[]): this {
    for (const op of ops) this.#bytes.push(...plainOps[op]);
    return this;
  }

  get(...locals: readonly Local[]): this {
    for (const local of locals) this.#bytes.push(0x20, ...unsigned(local));
    return this;
  }

  set(local: Local): this {
    this.#bytes.push(0x21, ...unsigned(local));
    return this;
  }

  f64(value: number): this {
    this.#bytes.push(0x44, ...bytesOf(value));
    return this;
  }

  i32(value: number): this {
    this.#bytes.push(0x41, ...signed(value));
    return this;
  }

  i64(value: number): this {
    this.#bytes.push(0x42, ...signed(value));
    return this;
  }

  /** A 64-bit integer constant, given as the bits of a double. */
  i64Bits(value: number): this {
    return this.f64(value).op("i64.reinterpret_f64");
  }

  /** Both lanes of a vector constant. */
  pair(value: number): this {
    this.#bytes.push(0xfd, 0x0c, ...bytesOf(value), ...bytesOf(value));
    return this;
  }

  /** Loads from the address on the stack plus `offset` bytes. */
  load(type: "f64" | "v128", offset: number): this {
    this.#bytes.push(...(type === "f64" ? [0x2b] : [0xfd, 0]), 3, ...unsigned(offset));
    return this;
  }

  /** Stores the value on the stack at the address below it plus `offset` bytes. */
  store(type: "f64" | "v128", offset: number): this {
    this.#bytes.push(...(type === "f64" ? [0x39] : [0xfd, 11]), 3, ...unsigned(offset));
    return this;
  }

  call(functionIndex: number): this {
    this.#bytes.push(0x10, ...unsigned(functionIndex));
    return this;
  }

  /** Fills (address, byte, length) from the stack. */
  fill(): this {
    this.#bytes.push(0xfc, 0x0b, 0);
    return this;
  }

  /** Runs `body` while `local` < `limit`, adding `step` after each round. */
  countUp(local: Local, limit: number, step: number, body: () => void): this {
    this.#bytes.push(0x03, 0x40);
    body();
    this.get(local).i32(step).op("i32.add").set(local);
    this.get(local).i32(limit).op("i32.lt_u");
    this.#bytes.push(0x0d, 0);
    return this.op("end");
  }

  /** Runs `body` if the number on the stack is not zero. */
  when(body: () => void): this {
    this.#bytes.push(0x04, 0x40);
    body();
    return this.op("end");
  }

  /** Size, locals and code, as the code section wants them. */
  encode(): number[] {
    const locals = this.#locals.flatMap((type) => [1, valueTypes[type]]);
    const content = [...unsigned(this.#locals.length), ...locals, ...this.#bytes, 0x0b];
    return [...unsigned(content.length), ...content];
  }

  /** Parameter and result types, as the type section wants them. */
  encodeType(): number[] {
    const parameters = this.parameters.map((type) => valueTypes[type]);
    return [0x60, ...unsigned(parameters.length), ...parameters, 1, valueTypes[this.result]];
  }
}

/** A function that the module imports from `host`. */
export interface ImportedFunction {
  readonly name: string;
  readonly parameters: readonly ValueType[];
  readonly result: ValueType;
}

/** A module with one imported memory `host.memory`; imports are numbered before own functions. */
export function assembleModule(
  imports: readonly ImportedFunction[],
  functions: readonly FunctionBody[],
  exported: { readonly name: string; readonly index: number },
): Uint8Array<ArrayBuffer> {
  const importedTypes = imports.map((one) =>
    new FunctionBody(one.parameters, one.result).encodeType()
  );
  const types = [...importedTypes, ...functions.map((one) => one.encodeType())];
  const importEntries = [
    [...text("host"), ...text("memory"), 2, 0, 1],
    ...imports.map(({ name }, k) => [...text("host"), ...text(name), 0, ...unsigned(k)]),
  ];
  const indices = functions.map((_, k) => unsigned(imports.length + k));
  const exports = [[...text(exported.name), 0, ...unsigned(exported.index)]];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, types),
    ...section(2, importEntries),
    ...section(3, indices),
    ...section(7, exports),
    ...section(10, functions.map((one) => one.encode())),
  ]);
}

function section(id: number, entries: readonly (readonly number[])[]): number[] {
  const content = [...unsigned(entries.length), ...entries.flat()];
  return [id, ...unsigned(content.length), ...content];
}

function text(name: string): number[] {
  const bytes = [...new TextEncoder().encode(name)];
  return [...unsigned(bytes.length), ...bytes];
}
