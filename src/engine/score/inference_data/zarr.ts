/** InferenceData as the files of a Zarr store of format 2, which ArviZ and xarray read. */
import type { Group, InferenceData, Labels, Variable, VariableValues } from "./data.ts";

/** Contents of files by their paths within the store. */
export type ZarrFiles = ReadonlyMap<string, Uint8Array>;

interface ArrayMetadata {
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly dims: readonly string[];
  readonly bytes: Uint8Array;
}

/**
 * The files of a store: one uncompressed chunk per array, little-endian, C order, with the attribute
 * `_ARRAY_DIMENSIONS` by which xarray names axes (Zarr storage specification, version 2; xarray's
 * Zarr encoding). Format 2, because ArviZ 0.23 reads no other, while newer versions read both.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeGroup } from "./data.ts";
 * import { zarrFiles } from "./zarr.ts";
 * const mu = { name: "mu", dims: ["chain", "draw"], shape: [1, 2], values: Float64Array.of(1, 2) };
 * const files = zarrFiles({ groups: [makeGroup("posterior", [mu])], attributes: {} });
 * assert.equal(files.get("posterior/mu/0.0")!.length, 16);
 * ```
 */
export function zarrFiles(data: InferenceData): ZarrFiles {
  const files = new Map<string, Uint8Array>();
  writeGroup(files, "", data.attributes);
  for (const group of data.groups) addGroup(files, group, data.attributes);
  addConsolidated(files, "");
  for (const { name } of data.groups) addConsolidated(files, `${name}/`);
  return files;
}

function addGroup(
  files: Map<string, Uint8Array>,
  group: Group,
  attributes: InferenceData["attributes"],
): void {
  const path = `${group.name}/`;
  writeGroup(files, path, attributes);
  const dims = Object.keys(group.coords);
  const names = safeNames([...dims, ...group.variables.map(({ name }) => name)]);
  const add = (name: string, array: ArrayMetadata) => {
    const safe = array.dims.map((dim) => names.get(dim) ?? dim);
    addArray(files, `${path}${names.get(name)}/`, { ...array, dims: safe });
  };
  for (const dim of dims) add(dim, labelArray(dim, group.coords[dim]));
  for (const variable of group.variables) add(variable.name, variableArray(variable));
}

/**
 * Names of arrays and axes as single steps of a path: a column may have any name. Characters that
 * divide a path, lead out of a folder or belong to Zarr become `_`; names that then coincide are
 * numbered.
 */
function safeNames(names: readonly string[]): ReadonlyMap<string, string> {
  const safe = new Map<string, string>();
  const taken = new Set<string>();
  for (const name of new Set(names)) {
    const plain = name.replace(unsafe, "_").replace(/^\.+/, "_").slice(0, 200) || "_";
    let free = plain;
    for (let i = 2; taken.has(free); i++) free = `${plain}_${i}`;
    taken.add(free);
    safe.set(name, free);
  }
  return safe;
}

/** Characters that no step of a path may hold on some system. */
const unsafe = /[\/\\:*?"<>|]|\p{Cc}|\p{Bidi_Control}/gu;

function writeGroup(
  files: Map<string, Uint8Array>,
  path: string,
  attributes: Readonly<Record<string, unknown>>,
): void {
  files.set(`${path}.zgroup`, json({ zarr_format: 2 }));
  files.set(`${path}.zattrs`, json(attributes));
}

function addArray(files: Map<string, Uint8Array>, path: string, array: ArrayMetadata): void {
  const { shape, dtype, dims, bytes } = array;
  files.set(
    `${path}.zarray`,
    json({
      zarr_format: 2,
      shape,
      chunks: shape.map((extent) => Math.max(1, extent)),
      dtype,
      compressor: null,
      fill_value: null,
      filters: null,
      order: "C",
    }),
  );
  files.set(`${path}.zattrs`, json({ _ARRAY_DIMENSIONS: dims }));
  const chunk = shape.length === 0 ? "0" : shape.map(() => 0).join(".");
  if (bytes.length > 0) files.set(path + chunk, bytes);
}

function variableArray({ dims, shape, values }: Variable): ArrayMetadata {
  return { dims, shape, dtype: dtypeOf(values), bytes: littleEndian(values) };
}

function dtypeOf(values: VariableValues): string {
  if (values instanceof Float64Array) return "<f8";
  return values instanceof Int32Array ? "<i4" : "|b1";
}

function littleEndian(values: VariableValues): Uint8Array {
  const out = new Uint8Array(values.byteLength);
  const view = new DataView(out.buffer);
  if (values instanceof Uint8Array) out.set(values);
  else if (values instanceof Float64Array) {
    for (let i = 0; i < values.length; i++) view.setFloat64(8 * i, values[i], true);
  } else for (let i = 0; i < values.length; i++) view.setInt32(4 * i, values[i], true);
  return out;
}

function labelArray(dim: string, labels: Labels): ArrayMetadata {
  const common = { dims: [dim], shape: [labels.length] };
  if (labels.every((label) => typeof label === "number")) {
    const whole = labels.every((label) => Number.isSafeInteger(label));
    return whole
      ? { ...common, dtype: "<i8", bytes: integers(labels) }
      : { ...common, dtype: "<f8", bytes: littleEndian(Float64Array.from(labels)) };
  }
  return { ...common, ...texts(labels.map(String)) };
}

function integers(labels: readonly number[]): Uint8Array {
  const out = new Uint8Array(8 * labels.length);
  const view = new DataView(out.buffer);
  for (const [i, label] of labels.entries()) view.setBigInt64(8 * i, BigInt(label), true);
  return out;
}

/** NumPy's fixed width text: four bytes per code point, padded with zeros. */
function texts(labels: readonly string[]): { dtype: string; bytes: Uint8Array } {
  const points = labels.map((label) => [...label].map((char) => char.codePointAt(0)!));
  const width = Math.max(1, ...points.map((label) => label.length));
  const out = new Uint8Array(4 * width * labels.length);
  const view = new DataView(out.buffer);
  for (const [i, label] of points.entries()) {
    for (const [k, point] of label.entries()) view.setUint32(4 * (i * width + k), point, true);
  }
  return { dtype: `<U${width}`, bytes: out };
}

/** All metadata below a path in one file, so that readers need not look for each. */
function addConsolidated(files: Map<string, Uint8Array>, path: string): void {
  const metadata: Record<string, unknown> = {};
  for (const [name, bytes] of files) {
    const file = name.slice(name.lastIndexOf("/") + 1);
    if (!name.startsWith(path) || ![".zgroup", ".zattrs", ".zarray"].includes(file)) continue;
    metadata[name.slice(path.length)] = JSON.parse(new TextDecoder().decode(bytes));
  }
  files.set(`${path}.zmetadata`, json({ zarr_consolidated_format: 1, metadata }));
}

function json(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}
