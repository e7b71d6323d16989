/** Reading and writing safetensors files: named arrays behind a JSON header. */
import { joinParts } from "./join_parts.ts";

// Format: https://github.com/huggingface/safetensors, README "Format": a little-endian u64 N, N bytes
// of JSON, then the data. The writer sorts names and pads the header to 8 bytes with spaces, so that
// equal contents give equal bytes.

/** The element types that are needed here. */
export type TensorValues = Float32Array | Float64Array | Int32Array;

/** An array with a name and a shape. */
export interface NamedTensor {
  /** Unique within a file. */
  readonly name: string;
  /** Its product is the length of `values`. */
  readonly shape: readonly number[];
  /** Row-major. */
  readonly values: TensorValues;
}

/** Contents of a file. */
export interface TensorFile {
  /** Sorted by name. */
  readonly tensors: readonly NamedTensor[];
  /** Strings by name. */
  readonly metadata: Readonly<Record<string, string>>;
}

type ElementType = "F32" | "F64" | "I32";

const arrayTypes = { F32: Float32Array, F64: Float64Array, I32: Int32Array } as const;

function elementType(values: TensorValues): ElementType {
  if (values instanceof Float32Array) return "F32";
  return values instanceof Float64Array ? "F64" : "I32";
}

const byName = (a: { name: string }, b: { name: string }) => a.name < b.name ? -1 : 1;

/**
 * The bytes of a safetensors file. Same tensors and metadata, same bytes, in any order.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { decodeTensors, encodeTensors } from "./safetensors.ts";
 * const file = encodeTensors([{ name: "w", shape: [2], values: Float32Array.of(1, 2) }], { a: "b" });
 * assert.deepEqual(decodeTensors(file).metadata, { a: "b" });
 * ```
 */
export function encodeTensors(
  tensors: readonly NamedTensor[],
  metadata: Readonly<Record<string, string>>,
): Uint8Array {
  return joinParts([...tensorParts(tensors, metadata)]);
}

/** Most bytes of a part, unless the header is longer. */
const partBytes = 1 << 22;

/**
 * The same bytes in parts of at most 4 MiB after the header, so that a large file is never in
 * memory as a whole. Parts are views of the tensors: copy those that you keep.
 */
export function* tensorParts(
  tensors: readonly NamedTensor[],
  metadata: Readonly<Record<string, string>>,
): Generator<Uint8Array> {
  const sorted = [...tensors].sort(byName);
  yield headerOf(sorted, metadata);
  for (const { values } of sorted) {
    for (let begin = 0; begin < values.byteLength; begin += partBytes) {
      const size = Math.min(partBytes, values.byteLength - begin);
      yield new Uint8Array(values.buffer, values.byteOffset + begin, size);
    }
  }
}

/** Length and JSON, padded with spaces. */
function headerOf(
  sorted: readonly NamedTensor[],
  metadata: Readonly<Record<string, string>>,
): Uint8Array {
  const keys = Object.keys(metadata).sort();
  const header: Record<string, unknown> = {
    __metadata__: Object.fromEntries(keys.map((key) => [key, metadata[key]])),
  };
  let offset = 0;
  for (const { name, shape, values } of sorted) {
    const end = offset + values.byteLength;
    header[name] = { dtype: elementType(values), shape, data_offsets: [offset, end] };
    offset = end;
  }
  const text = new TextEncoder().encode(JSON.stringify(header));
  const padded = Math.ceil(text.length / 8) * 8;
  const bytes = new Uint8Array(8 + padded).fill(0x20, 8);
  new DataView(bytes.buffer).setUint32(0, padded, true);
  bytes.set(text, 8);
  return bytes;
}

interface Entry {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data_offsets: readonly [number, number];
}

/**
 * The tensors and metadata of a safetensors file. Arrays are copies.
 *
 * @throws Error if the bytes are not such a file, or hold an element type other than F32, F64, I32.
 */
export function decodeTensors(bytes: Uint8Array): TensorFile {
  const { tensors, metadata } = readTensors({
    size: bytes.length,
    // A copy: `slice` of a Node buffer copies nothing.
    read: (begin, end) => new Uint8Array(bytes.subarray(begin, end)),
  });
  return { tensors: tensors.map(({ name, shape, values }) => ({ name, shape, values })), metadata };
}

/** Bytes that can be read in stretches: a file on disk, or an array. */
export interface ByteSource {
  /** Number of bytes. */
  readonly size: number;
  /** Fresh copies of [begin, end). */
  read(begin: number, end: number): Uint8Array<ArrayBuffer>;
}

/**
 * As {@linkcode decodeTensors}, but the values of a tensor are read whenever they are asked for, so
 * that no more than one needs to be in memory.
 */
export function readTensors(source: ByteSource): TensorFile {
  const length = source.size < 8 ? NaN : new DataView(source.read(0, 8).buffer).getUint32(0, true);
  const begin = 8 + length;
  if (!(begin <= source.size)) throw new Error("Cannot read safetensors: no whole header");
  const header = JSON.parse(new TextDecoder().decode(source.read(8, begin)));
  const { __metadata__: metadata = {}, ...entries } = header as Record<string, Entry>;
  const tensors = Object.entries(entries).map(([name, entry]) => lazy(name, entry, begin, source));
  const strings = metadata as unknown as Record<string, string>;
  return { tensors: tensors.sort(byName), metadata: strings };
}

function lazy(name: string, entry: Entry, data: number, source: ByteSource): NamedTensor {
  const type = arrayTypes[entry.dtype as ElementType];
  if (!type) throw new Error(`Cannot read tensor "${name}": element type ${entry.dtype}`);
  const [begin, end] = entry.data_offsets;
  const size = entry.shape.reduce((product, n) => product * n, 1) * type.BYTES_PER_ELEMENT;
  if (begin < 0 || data + end > source.size || end - begin !== size) {
    throw new Error(`Cannot read tensor "${name}": offsets ${begin}, ${end} do not fit its shape`);
  }
  return {
    name,
    shape: entry.shape,
    get values() {
      return new type(source.read(data + begin, data + end).buffer);
    },
  };
}
