/** Reads the header of a GGUF file: metadata of the model, and places of its tensors. */
import type { ByteFile } from "./byte_file.ts";
import { loadAgain, modelError } from "./model_error.ts";

// Format: ggml's docs/gguf.md, versions 2 and 3, little-endian.

/** A value of the metadata. */
export type MetadataValue = number | boolean | string | readonly MetadataValue[];

/** One tensor: sizes as the file has them, that of neighbours first. */
export interface GgufTensor {
  readonly name: string;
  readonly sizes: readonly number[];
  /** The number of its block type. */
  readonly type: number;
  /** Offset from the beginning of the data, in bytes. */
  readonly offset: number;
}

/** Contents of a header. */
interface GgufHeader {
  readonly metadata: ReadonlyMap<string, MetadataValue>;
  readonly tensors: readonly GgufTensor[];
  /** Where the data begin. */
  readonly data: number;
}

const magic = "GGUF";
/** Bytes that are read at a time. */
const windowBytes = 1 << 20;
/** More tensors or entries than this are a sign of a damaged file. */
const mostEntries = 1 << 20;
/** No string of a header is longer: chat templates have some kilobytes. */
const mostLetters = 1 << 24;

/** Lists in lists; models have lists of numbers and texts. */
const mostDepth = 8;

/** Reads forwards through a file. */
class Cursor {
  #window = new Uint8Array(0);
  #view = new DataView(this.#window.buffer);
  #begin = 0;
  at = 0;

  constructor(readonly file: ByteFile) {}

  /** Makes sure that the next bytes are in the window; gives their place in it. */
  #need(bytes: number): number {
    const inside = this.at - this.#begin;
    this.at += bytes;
    if (inside + bytes <= this.#window.length) return inside;
    this.#begin = this.at - bytes;
    const least = Math.max(bytes, Math.min(windowBytes, this.file.size - this.#begin));
    this.#window = this.file.read(this.#begin, this.#begin + least);
    this.#view = new DataView(this.#window.buffer);
    return 0;
  }

  bytes(count: number): Uint8Array {
    const at = this.#need(count);
    return this.#window.subarray(at, at + count);
  }

  scalar(type: number): number | boolean {
    const size = scalarBytes[type];
    const at = this.#need(size);
    return readScalar(this.#view, type, at);
  }

  u32(): number {
    return this.scalar(4) as number;
  }

  u64(): number {
    return this.scalar(10) as number;
  }
}

/** Bytes of scalars by the numbers of their types; 8 is a string and 9 an array. */
const scalarBytes = [1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8];
const [stringType, arrayType] = [8, 9];

function readScalar(view: DataView, type: number, at: number): number | boolean {
  switch (type) {
    case 0:
      return view.getUint8(at);
    case 1:
      return view.getInt8(at);
    case 2:
      return view.getUint16(at, true);
    case 3:
      return view.getInt16(at, true);
    case 4:
      return view.getUint32(at, true);
    case 5:
      return view.getInt32(at, true);
    case 6:
      return view.getFloat32(at, true);
    case 7:
      return view.getUint8(at) !== 0;
    case 10:
      return Number(view.getBigUint64(at, true));
    case 11:
      return Number(view.getBigInt64(at, true));
    default:
      return view.getFloat64(at, true);
  }
}

/** Reads the header of an open file. @throws InputError if it is none, or damaged. */
export function readGgufHeader(file: ByteFile): GgufHeader {
  const fault = (kind: string, problem: string, mend = loadAgain) =>
    modelError({ kind, path: file.path, problem, mend });
  const cursor = new Cursor(file);
  const decoder = new TextDecoder();
  const bounded = (count: number, most: number, what: string): number => {
    if (count <= most) return count;
    throw fault("header", `its header says ${count} ${what}, at most ${most} are believed`);
  };
  const text = () => decoder.decode(cursor.bytes(bounded(cursor.u64(), mostLetters, "letters")));
  const value = (type: number, depth = 0): MetadataValue => {
    if (type === stringType) return text();
    if (type === arrayType) {
      bounded(depth, mostDepth, "lists in one another");
      const inner = cursor.u32();
      const count = bounded(cursor.u64(), mostEntries, "values of a list");
      return Array.from({ length: count }, () => value(inner, depth + 1));
    }
    if (scalarBytes[type]) return cursor.scalar(type);
    throw fault("header", `its header has a value of type ${type} at byte ${cursor.at}`);
  };

  const found = decoder.decode(cursor.bytes(4));
  if (found !== magic) {
    const problem = `it begins with ${JSON.stringify(found)}, a GGUF file with "${magic}"`;
    throw fault("format", problem, "name a GGUF file, a safetensors file, or a folder with one");
  }
  checkVersion(cursor.u32(), fault);
  const tensorCount = bounded(cursor.u64(), mostEntries, "tensors");
  const entryCount = bounded(cursor.u64(), mostEntries, "entries");
  const metadata = new Map<string, MetadataValue>();
  for (let i = 0; i < entryCount; i++) {
    const key = text();
    metadata.set(key, value(cursor.u32()));
  }
  const tensors = Array.from({ length: tensorCount }, () => {
    const name = text();
    const sizes = Array.from({ length: bounded(cursor.u32(), 4, "sizes") }, () => cursor.u64());
    return { name, sizes, type: cursor.u32(), offset: cursor.u64() };
  });
  const alignment = Number(metadata.get("general.alignment") ?? 32);
  if (!(Number.isInteger(alignment) && alignment > 0)) {
    throw fault("header", `its header aligns tensors by ${alignment} bytes`);
  }
  return { metadata, tensors, data: Math.ceil(cursor.at / alignment) * alignment };
}

function checkVersion(
  version: number,
  fault: (kind: string, problem: string, mend?: string) => Error,
): void {
  if (version === 2 || version === 3) return;
  const isBig = (version & 0xffff) === 0 && version !== 0;
  const problem = isBig
    ? "it is big-endian, little-endian files are read"
    : `it is GGUF version ${version}, versions 2 and 3 are read`;
  throw fault("version", problem, "convert the model again with a present llama.cpp");
}
