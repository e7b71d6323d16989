/** Safetensors in one file or in shards: tensors as single precision, read one by one. */
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isRecord } from "../../base/record.ts";
import { readRegularText } from "../../base/regular_file.ts";
import { ByteFile } from "./byte_file.ts";
import { fromBrainFloats, fromHalves } from "./half_floats.ts";
import { loadAgain, modelError } from "./model_error.ts";
import { countOf, type TensorEntry, type WeightFile } from "./weight_file.ts";

// Format: https://github.com/huggingface/safetensors, README "Format"; shards are listed by
// `model.safetensors.index.json` as transformers writes it.

interface ElementType {
  readonly bytes: number;
  readonly decode: (bytes: Uint8Array, out: Float32Array) => void;
}

const elementTypes: Readonly<Record<string, ElementType>> = {
  F32: { bytes: 4, decode: (bytes, out) => new Uint8Array(out.buffer).set(bytes) },
  F16: { bytes: 2, decode: fromHalves },
  BF16: { bytes: 2, decode: fromBrainFloats },
};

/** Most bytes of a header; the format's own library believes no more. */
const mostHeader = 100_000_000;

interface Place extends TensorEntry {
  readonly file: ByteFile;
  readonly begin: number;
  readonly bytes: number;
}

const indexName = "model.safetensors.index.json";
const singleName = "model.safetensors";

/** Files of the weights in a folder, by name: shards of an index, or the one file. */
export function safetensorsNames(folder: string): string[] | undefined {
  if (existsSync(join(folder, indexName))) {
    return [...new Set(Object.values(weightMap(join(folder, indexName))))].sort();
  }
  return existsSync(join(folder, singleName)) ? [singleName] : undefined;
}

/** Which shard has a tensor; all stand in the folder of the index, and nowhere else. */
function weightMap(path: string): Readonly<Record<string, string>> {
  const fault = (problem: string) => modelError({ kind: "index", path, problem, mend: loadAgain });
  const map = weightMapOf(readRegularText(path, mostHeader));
  if (!map) throw fault("it is not the index of shards: wanted JSON with a weight_map");
  const strange = Object.values(map).find((name) => !isNameOfFile(name));
  if (strange === undefined) return map as Record<string, string>;
  throw fault(`it names the shard ${JSON.stringify(strange)}, wanted a file of its own folder`);
}

function weightMapOf(text: string): Record<string, unknown> | undefined {
  try {
    const { weight_map: map } = JSON.parse(text);
    return isRecord(map) ? map : undefined;
  } catch {
    return undefined;
  }
}

function isNameOfFile(name: unknown): boolean {
  return typeof name === "string" && basename(name) === name && name.endsWith(".safetensors");
}

/**
 * Opens a `.safetensors` file, or the shards of a folder: F32, F16 and BF16.
 *
 * @throws InputError if a file is missing, truncated or damaged, or an element type is another.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { openSafetensors, writeRandomCheckpoint } from "sluice/models";
 * const folder = await Deno.makeTempDir();
 * writeRandomCheckpoint(folder, "seed 1");
 * const file = openSafetensors(folder);
 * assert.deepEqual(file.tensors.get("model.norm.weight")?.shape, [16]);
 * assert.equal(file.read("model.norm.weight").length, 16);
 * file.close();
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export function openSafetensors(path: string): WeightFile {
  const isFile = path.endsWith(".safetensors");
  const folder = isFile ? dirname(path) : path;
  const names = isFile ? [path.slice(folder.length + 1)] : safetensorsNames(folder) ?? [singleName];
  const files: ByteFile[] = [];
  const close = () => files.forEach((file) => file.close());
  try {
    const places = new Map<string, Place>();
    for (const name of names) {
      const file = openShard(join(folder, name));
      files.push(file);
      for (const place of placesOf(file)) places.set(place.name, place);
    }
    if (!isFile) checkIndex(folder, places);
    const read = (name: string) => readTensor(path, places.get(name), name);
    return { path, format: "safetensors", tensors: places, read, close };
  } catch (error) {
    close();
    throw error;
  }
}

function openShard(path: string): ByteFile {
  if (existsSync(path)) return new ByteFile(path);
  const problem = "there is no such file";
  throw modelError({
    kind: "file",
    path,
    problem,
    mend: "put all shards of the model beside its index",
  });
}

/** Every tensor of the index is in a shard. */
function checkIndex(folder: string, places: ReadonlyMap<string, Place>): void {
  const path = join(folder, indexName);
  if (!existsSync(path)) return;
  const missing = Object.keys(weightMap(path)).find((name) => !places.has(name));
  if (missing === undefined) return;
  const problem = `it lists tensor "${missing}", which no shard has`;
  throw modelError({ kind: "tensor", path, problem, mend: loadAgain });
}

interface Entry {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data_offsets: readonly [number, number];
}

function placesOf(file: ByteFile): Place[] {
  const fault = (kind: string, problem: string, mend = loadAgain) =>
    modelError({ kind, path: file.path, problem, mend });
  if (file.size < 8) throw fault("truncated", `it has ${file.size} bytes, a header wants 8`);
  const length = Number(new DataView(file.read(0, 8).buffer).getBigUint64(0, true));
  if (length > mostHeader || 8 + length > file.size) {
    throw fault("header", `its header would have ${length} bytes, the file has ${file.size}`);
  }
  const header = headerOf(new TextDecoder().decode(file.read(8, 8 + length)));
  if (!header) throw fault("header", "its header is no JSON of tensors");
  const entries = Object.entries(header).filter(([name]) => name !== "__metadata__");
  return entries.map(([name, entry]) => {
    if (!isEntry(entry)) throw fault("header", `its header does not say what "${name}" is`);
    const { dtype, shape, data_offsets: [begin, end] } = entry;
    const type = Object.hasOwn(elementTypes, dtype) && elementTypes[dtype];
    if (!type) {
      const known = Object.keys(elementTypes).join(", ");
      const mend = `save the model as one of ${known}`;
      throw fault("element-type", `tensor "${name}" is of type ${dtype}, read are ${known}`, mend);
    }
    const bytes = countOf(shape) * type.bytes;
    if (end - begin !== bytes) {
      const wanted = `its shape [${shape}] of ${dtype} wants ${bytes}`;
      throw fault("shape", `tensor "${name}" has ${end - begin} bytes, ${wanted}`);
    }
    const place = { name, shape, type: dtype, file, begin: 8 + length + begin, bytes };
    if (place.begin + bytes <= file.size) return place;
    const problem = `wants bytes ${place.begin} to ${
      place.begin + bytes
    }, the file has ${file.size}`;
    throw fault("truncated", `tensor "${name}" ${problem}`);
  });
}

function headerOf(text: string): Record<string, unknown> | undefined {
  try {
    const header = JSON.parse(text);
    return isRecord(header) ? header : undefined;
  } catch {
    return undefined;
  }
}

function isEntry(value: unknown): value is Entry {
  if (!isRecord(value) || typeof value.dtype !== "string") return false;
  const areCounts = (list: unknown) =>
    Array.isArray(list) && list.every((size) => Number.isSafeInteger(size) && size >= 0);
  return areCounts(value.shape) && areCounts(value.data_offsets) &&
    (value.data_offsets as readonly unknown[]).length === 2;
}

/** Bytes that are read at a time. */
const stretchBytes = 1 << 22;

function readTensor(path: string, place: Place | undefined, name: string) {
  if (!place) {
    throw modelError({
      kind: "tensor",
      path,
      problem: `there is no tensor "${name}"`,
      mend: loadAgain,
    });
  }
  const { file, begin, bytes, shape, type } = place;
  const element = elementTypes[type];
  const values = new Float32Array(countOf(shape));
  for (let at = 0; at < bytes; at += stretchBytes) {
    const end = Math.min(bytes, at + stretchBytes);
    const out = new Float32Array((end - at) / element.bytes);
    element.decode(file.read(begin + at, begin + end), out);
    values.set(out, at / element.bytes);
  }
  return values;
}
