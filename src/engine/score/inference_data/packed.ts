/** InferenceData as bytes and back: how one process hands it to another that does not trust it. */
import { isRecord } from "../../../base/record.ts";
import type { Group, InferenceData, Labels, Variable, VariableValues } from "./data.ts";

/** Types of numbers by the names that they have in the head. */
const arrays = { f8: Float64Array, i4: Int32Array, u1: Uint8Array } as const;
type TypeName = keyof typeof arrays;

/** Every array starts at a multiple of this. */
const alignment = 8;

/**
 * Bytes that {@link unpackInferenceData} reads: the length of a head in eight bytes, the head in JSON,
 * then the numbers of all variables, each from a multiple of eight bytes on, little-endian.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeGroup } from "./data.ts";
 * import { packInferenceData, unpackInferenceData } from "./packed.ts";
 * const mu = { name: "mu", dims: ["chain", "draw"], shape: [1, 2], values: Float64Array.of(1, 2) };
 * const data = { groups: [makeGroup("posterior", [mu])], attributes: { by: "me" } };
 * assert.deepEqual(unpackInferenceData(packInferenceData(data)), data);
 * assert.equal(unpackInferenceData(new Uint8Array(8)), undefined);
 * ```
 */
export function packInferenceData({ groups, attributes }: InferenceData): Uint8Array {
  const head = new TextEncoder().encode(JSON.stringify({
    attributes,
    groups: groups.map(({ name, coords, variables }) => ({
      name,
      coords,
      variables: variables.map(({ values, ...rest }) => ({ ...rest, type: typeOf(values) })),
    })),
  }));
  const values = groups.flatMap(({ variables }) => variables.map((one) => one.values));
  const size = values.reduce((sum, one) => sum + aligned(one.byteLength), 0);
  const out = new Uint8Array(alignment + aligned(head.length) + size);
  new DataView(out.buffer).setUint32(0, head.length, true);
  out.set(head, alignment);
  let at = alignment + aligned(head.length);
  for (const one of values) {
    out.set(new Uint8Array(one.buffer, one.byteOffset, one.byteLength), at);
    at += aligned(one.byteLength);
  }
  return out;
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / alignment) * alignment;
}

function typeOf(values: VariableValues): TypeName {
  if (values instanceof Float64Array) return "f8";
  return values instanceof Int32Array ? "i4" : "u1";
}

/**
 * The InferenceData in bytes, or undefined if any part is missing, of another type or too long.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { unpackInferenceData } from "./packed.ts";
 * assert.equal(unpackInferenceData(Uint8Array.of(1, 2, 3)), undefined);
 * ```
 */
export function unpackInferenceData(bytes: Uint8Array): InferenceData | undefined {
  try {
    return new Reader(bytes).read();
  } catch (error) {
    if (error instanceof Malformed || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

class Malformed extends Error {}

class Reader {
  readonly #bytes: Uint8Array;
  #at: number;

  constructor(bytes: Uint8Array) {
    require(bytes.length >= alignment);
    this.#bytes = bytes.slice(); // whole and aligned, whatever it was a part of
    this.#at = alignment;
  }

  read(): InferenceData {
    const length = new DataView(this.#bytes.buffer).getUint32(0, true);
    const head: unknown = JSON.parse(new TextDecoder().decode(this.#take(length)));
    require(isRecord(head) && Array.isArray(head.groups) && isRecord(head.attributes));
    require(Object.values(head.attributes).every(isLabel));
    const groups = head.groups.map((group) => this.#group(group));
    require(this.#at === this.#bytes.length);
    return { groups, attributes: head.attributes as InferenceData["attributes"] };
  }

  #group(group: unknown): Group {
    require(isRecord(group) && typeof group.name === "string" && isRecord(group.coords));
    require(Object.values(group.coords).every((one) => Array.isArray(one) && one.every(isLabel)));
    require(Array.isArray(group.variables));
    const coords = group.coords as Record<string, Labels>;
    return {
      name: group.name,
      variables: group.variables.map((one) => this.#variable(one)),
      coords,
    };
  }

  #variable(one: unknown): Variable {
    require(isRecord(one) && typeof one.name === "string");
    const { name, dims, shape, type } = one;
    require(Array.isArray(dims) && dims.every((dim) => typeof dim === "string"));
    require(Array.isArray(shape) && shape.length === dims.length && shape.every(isExtent));
    const kind = arrays[type as TypeName];
    require(Object.hasOwn(arrays, String(type)));
    const count = shape.reduce((product: number, extent: number) => product * extent, 1);
    const raw = this.#take(count * kind.BYTES_PER_ELEMENT);
    const values = new kind(raw.buffer as ArrayBuffer, raw.byteOffset, count);
    return { name, dims, shape, values };
  }

  #take(length: number): Uint8Array {
    require(length <= this.#bytes.length - this.#at);
    const part = this.#bytes.subarray(this.#at, this.#at + length);
    this.#at += aligned(length);
    return part;
  }
}

function require(condition: boolean): asserts condition {
  if (!condition) throw new Malformed();
}

function isLabel(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

function isExtent(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
