/** Reading and writing safetensors files: named arrays behind a JSON header. */

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

/** What a file holds. */
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
 * The bytes of a safetensors file. Same tensors and metadata, same bytes, whatever their order.
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
  const sorted = [...tensors].sort(byName);
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
  return assemble(new TextEncoder().encode(JSON.stringify(header)), sorted, offset);
}

function assemble(header: Uint8Array, tensors: readonly NamedTensor[], size: number): Uint8Array {
  const padded = Math.ceil(header.length / 8) * 8;
  const bytes = new Uint8Array(8 + padded + size).fill(0x20, 8, 8 + padded);
  new DataView(bytes.buffer).setUint32(0, padded, true);
  bytes.set(header, 8);
  let offset = 8 + padded;
  for (const { values } of tensors) {
    bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), offset);
    offset += values.byteLength;
  }
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
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = bytes.length < 8 ? NaN : view.getUint32(0, true);
  if (!(8 + length <= bytes.length)) throw new Error("Cannot read safetensors: no whole header");
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
  const { __metadata__: metadata = {}, ...entries } = header as Record<string, Entry>;
  const data = bytes.subarray(8 + length);
  const tensors = Object.entries(entries).map(([name, entry]) => decodeOne(name, entry, data));
  const strings = metadata as unknown as Record<string, string>;
  return { tensors: tensors.sort(byName), metadata: strings };
}

function decodeOne(name: string, entry: Entry, data: Uint8Array): NamedTensor {
  const type = arrayTypes[entry.dtype as ElementType];
  if (!type) throw new Error(`Cannot read tensor "${name}": element type ${entry.dtype}`);
  const [begin, end] = entry.data_offsets;
  const size = entry.shape.reduce((product, n) => product * n, 1) * type.BYTES_PER_ELEMENT;
  if (begin < 0 || end > data.length || end - begin !== size) {
    throw new Error(`Cannot read tensor "${name}": offsets ${begin}, ${end} do not fit its shape`);
  }
  const copy = new Uint8Array(data.subarray(begin, end)); // `slice` of a Node buffer copies nothing.
  return { name, shape: entry.shape, values: new type(copy.buffer) };
}
