/** The instructions of generated code, in one table: their codes, operand types and result types. */

// Codes and types are those of the WebAssembly 2.0 specification, sections 5.4 and 7.3. Neither fused
// multiply-add nor relaxed SIMD is used: they may round differently from machine to machine.

/** Codes of the types of values; `none` is that of a statement. */
export const typeCodes = { i32: 0x7f, f32: 0x7d, f64: 0x7c, v128: 0x7b, none: 0x40 } as const;

/** A type of values, or `none`. */
export type Type = keyof typeof typeCodes;

/** A type of values. */
export type ValueType = Exclude<Type, "none">;

/** Instructions on single numbers: code, and types as `taken -> given`. */
const onNumbers = {
  select: [0x1b, "i32 i32 i32 -> i32"],
  "i32.eqz": [0x45, "i32 -> i32"],
  "i32.eq": [0x46, "i32 i32 -> i32"],
  "i32.lt_s": [0x48, "i32 i32 -> i32"],
  "i32.lt_u": [0x49, "i32 i32 -> i32"],
  "i32.le_s": [0x4c, "i32 i32 -> i32"],
  "i32.ge_s": [0x4e, "i32 i32 -> i32"],
  "f64.eq": [0x61, "f64 f64 -> i32"],
  "f64.lt": [0x63, "f64 f64 -> i32"],
  "f64.gt": [0x64, "f64 f64 -> i32"],
  "f64.le": [0x65, "f64 f64 -> i32"],
  "f64.ge": [0x66, "f64 f64 -> i32"],
  "i32.add": [0x6a, "i32 i32 -> i32"],
  "i32.sub": [0x6b, "i32 i32 -> i32"],
  "i32.mul": [0x6c, "i32 i32 -> i32"],
  "i32.and": [0x71, "i32 i32 -> i32"],
  "i32.or": [0x72, "i32 i32 -> i32"],
  "i32.xor": [0x73, "i32 i32 -> i32"],
  "i32.shl": [0x74, "i32 i32 -> i32"],
  "i32.shr_u": [0x76, "i32 i32 -> i32"],
  "i32.rotl": [0x77, "i32 i32 -> i32"],
  "f32.sqrt": [0x91, "f32 -> f32"],
  "f32.add": [0x92, "f32 f32 -> f32"],
  "f32.mul": [0x94, "f32 f32 -> f32"],
  "f32.div": [0x95, "f32 f32 -> f32"],
  "f32.max": [0x97, "f32 f32 -> f32"],
  "f64.neg": [0x9a, "f64 -> f64"],
  "f64.sqrt": [0x9f, "f64 -> f64"],
  "f64.add": [0xa0, "f64 f64 -> f64"],
  "f64.sub": [0xa1, "f64 f64 -> f64"],
  "f64.mul": [0xa2, "f64 f64 -> f64"],
  "f64.div": [0xa3, "f64 f64 -> f64"],
  "f64.min": [0xa4, "f64 f64 -> f64"],
  "f32.convert_i32_s": [0xb2, "i32 -> f32"],
  "f64.convert_i32_s": [0xb7, "i32 -> f64"],
  "f64.convert_i32_u": [0xb8, "i32 -> f64"],
  "f64.promote_f32": [0xbb, "f32 -> f64"],
} as const;

/** Instructions on vectors. */
const onVectors = {
  "f32x4.splat": [0x13, "f32 -> v128"],
  "f64x2.splat": [0x14, "f64 -> v128"],
  "f32x4.gt": [0x44, "v128 v128 -> v128"],
  "f32x4.ge": [0x46, "v128 v128 -> v128"],
  "f64x2.eq": [0x47, "v128 v128 -> v128"],
  "f64x2.ne": [0x48, "v128 v128 -> v128"],
  "f64x2.lt": [0x49, "v128 v128 -> v128"],
  "f64x2.gt": [0x4a, "v128 v128 -> v128"],
  "f64x2.le": [0x4b, "v128 v128 -> v128"],
  "f64x2.ge": [0x4c, "v128 v128 -> v128"],
  "v128.not": [0x4d, "v128 -> v128"],
  "v128.and": [0x4e, "v128 v128 -> v128"],
  "v128.or": [0x50, "v128 v128 -> v128"],
  "v128.bitselect": [0x52, "v128 v128 v128 -> v128"],
  "f32x4.nearest": [0x6a, "v128 -> v128"],
  "f64x2.ceil": [0x74, "v128 -> v128"],
  "f64x2.floor": [0x75, "v128 -> v128"],
  "i32x4.shl": [0xab, "v128 i32 -> v128"],
  "i32x4.add": [0xae, "v128 v128 -> v128"],
  "i64x2.all_true": [0xc3, "v128 -> i32"],
  "i64x2.shl": [0xcb, "v128 i32 -> v128"],
  "i64x2.shr_u": [0xcd, "v128 i32 -> v128"],
  "i64x2.add": [0xce, "v128 v128 -> v128"],
  "f32x4.sqrt": [0xe3, "v128 -> v128"],
  "f32x4.add": [0xe4, "v128 v128 -> v128"],
  "f32x4.sub": [0xe5, "v128 v128 -> v128"],
  "f32x4.mul": [0xe6, "v128 v128 -> v128"],
  "f32x4.div": [0xe7, "v128 v128 -> v128"],
  "f32x4.min": [0xe8, "v128 v128 -> v128"],
  "f32x4.max": [0xe9, "v128 v128 -> v128"],
  "f64x2.abs": [0xec, "v128 -> v128"],
  "f64x2.neg": [0xed, "v128 -> v128"],
  "f64x2.sqrt": [0xef, "v128 -> v128"],
  "f64x2.add": [0xf0, "v128 v128 -> v128"],
  "f64x2.sub": [0xf1, "v128 v128 -> v128"],
  "f64x2.mul": [0xf2, "v128 v128 -> v128"],
  "f64x2.div": [0xf3, "v128 v128 -> v128"],
  "f64x2.min": [0xf4, "v128 v128 -> v128"],
  "f64x2.max": [0xf5, "v128 v128 -> v128"],
  "i32x4.trunc_sat_f32x4_s": [0xf8, "v128 -> v128"],
} as const;

/** Instructions on memory, at an offset in bytes. */
const onMemory = {
  "i32.load": [0x28, "i32 -> i32"],
  "f32.load": [0x2a, "i32 -> f32"],
  "f64.load": [0x2b, "i32 -> f64"],
  "i32.store": [0x36, "i32 i32 -> none"],
  "f32.store": [0x38, "i32 f32 -> none"],
  "f64.store": [0x39, "i32 f64 -> none"],
} as const;

/** The same on vectors. */
const vectorsOnMemory = {
  "v128.load": [0x00, "i32 -> v128"],
  "v128.load32_splat": [0x09, "i32 -> v128"],
  "v128.load64_splat": [0x0a, "i32 -> v128"],
  "v128.store": [0x0b, "i32 v128 -> none"],
} as const;

type Entry = readonly [code: number, types: string];

/** An instruction as it is written: its code, and the types of its operands and result. */
interface Instruction {
  readonly code: readonly number[];
  readonly takes: readonly ValueType[];
  readonly gives: Type;
}

function plain([code, types]: Entry): Instruction {
  return { code: [code], ...typesOf(types) };
}

/** Codes of vector instructions are LEB128 behind a prefix. */
function vector([code, types]: Entry): Instruction {
  return {
    code: code < 128 ? [0xfd, code] : [0xfd, code & 127 | 128, code >> 7],
    ...typesOf(types),
  };
}

function typesOf(text: string): Pick<Instruction, "takes" | "gives"> {
  const [takes, gives] = text.split(" -> ");
  return { takes: takes.split(" ") as ValueType[], gives: gives as Type };
}

function each<Name extends string>(
  table: Readonly<Record<Name, Entry>>,
  make: (entry: Entry) => Instruction,
): Readonly<Record<Name, Instruction>> {
  const all = Object.entries<Entry>(table).map(([name, entry]) => [name, make(entry)]);
  return Object.fromEntries(all);
}

/** Instructions without anything but operands from the stack. */
export const operations: Readonly<Record<Operation, Instruction>> = {
  ...each(onNumbers, plain),
  ...each(onVectors, vector),
};

/** Instructions with an offset. */
export const accesses: Readonly<Record<Access, Instruction>> = {
  ...each(onMemory, plain),
  ...each(vectorsOnMemory, vector),
};

/** An instruction on two lanes or four. */
export type SimdOp = keyof typeof onVectors;
/** An instruction on single numbers. */
export type PlainOp = keyof typeof onNumbers;
/** An instruction without anything but operands. */
export type Operation = PlainOp | SimdOp;
/** An instruction with an offset. */
export type Access = keyof typeof onMemory | keyof typeof vectorsOnMemory;

type Tables = typeof onNumbers & typeof onVectors & typeof onMemory & typeof vectorsOnMemory;

/** Types of operands, as a tuple. */
export type Takes<Name extends keyof Tables> = Tables[Name][1] extends `${infer In} -> ${string}`
  ? Words<In>
  : never;

/** Type of the result. */
export type Gives<Name extends keyof Tables> = Tables[Name][1] extends `${string} -> ${infer Out}`
  ? Extract<Out, Type>
  : never;

type Words<Text extends string> = Text extends `${infer First} ${infer Rest}`
  ? [Extract<First, ValueType>, ...Words<Rest>]
  : [Extract<Text, ValueType>];
