/** A GGUF file: header, and tensors as single precision, dequantised stretch by stretch. */
import { ByteFile } from "./byte_file.ts";
import { type BlockType, blockTypeNames, blockTypes } from "./gguf_blocks.ts";
import { type GgufTensor, type MetadataValue, readGgufHeader } from "./gguf_header.ts";
import { loadAgain, modelError } from "./model_error.ts";
import { countOf, type TensorEntry, type WeightFile } from "./weight_file.ts";

/** Bytes that are read at a time. */
const stretchBytes = 1 << 22;

/** An open GGUF file with its metadata. */
export interface GgufFile extends WeightFile {
  /** Keys of the header, such as `general.architecture`. */
  readonly metadata: ReadonlyMap<string, MetadataValue>;
}

interface Place extends TensorEntry {
  readonly block: BlockType;
  readonly begin: number;
  readonly bytes: number;
}

/**
 * Opens a GGUF file: F32, F16, BF16, Q8_0, Q4_0, Q4_1, Q4_K and Q6_K.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { openGguf } from "./gguf_file.ts";
 * assert.throws(() => openGguf("/nowhere.gguf"));
 * ```
 *
 * @throws InputError if it is none, is truncated, or has a tensor of another block type.
 */
export function openGguf(path: string): GgufFile {
  const file = new ByteFile(path);
  try {
    const { metadata, tensors, data } = readGgufHeader(file);
    const places = new Map(tensors.map((one) => [one.name, placeOf(file, one, data)]));
    const read = (name: string) => readTensor(file, places.get(name), name);
    return { path, format: "gguf", metadata, tensors: places, read, close: () => file.close() };
  } catch (error) {
    file.close();
    throw error;
  }
}

function placeOf(file: ByteFile, tensor: GgufTensor, data: number): Place {
  const { name, sizes, type, offset } = tensor;
  const block = blockTypes.get(type);
  const shape = sizes.toReversed();
  const fault = (kind: string, problem: string, mend: string) =>
    modelError({ kind, path: file.path, problem: `tensor "${name}" ${problem}`, mend });
  if (!block) {
    const mend = `quantise the model to one of ${blockTypeNames}`;
    throw fault("block-type", `is of block type ${type}, read are ${blockTypeNames}`, mend);
  }
  const blocks = countOf(shape) / block.count;
  if (!Number.isInteger(blocks) || (sizes[0] ?? 1) % block.count !== 0) {
    throw fault(
      "shape",
      `has rows of ${sizes[0]}, ${block.name} wants whole ${block.count}s`,
      loadAgain,
    );
  }
  const [begin, bytes] = [data + offset, blocks * block.bytes];
  if (begin + bytes > file.size) {
    const problem = `wants bytes ${begin} to ${begin + bytes}, the file has ${file.size}`;
    throw fault("truncated", problem, loadAgain);
  }
  return { name, shape, type: block.name, block, begin, bytes };
}

function readTensor(file: ByteFile, place: Place | undefined, name: string) {
  if (!place) {
    const problem = `there is no tensor "${name}"`;
    throw modelError({ kind: "tensor", path: file.path, problem, mend: loadAgain });
  }
  const { block, begin, bytes, shape } = place;
  const values = new Float32Array(countOf(shape));
  const step = Math.floor(stretchBytes / block.bytes) * block.bytes;
  for (let at = 0; at < bytes; at += step) {
    const end = Math.min(bytes, at + step);
    const [first, last] = [at, end].map((byte) => byte / block.bytes * block.count);
    block.decode(file.read(begin + at, begin + end), values.subarray(first, last));
  }
  return values;
}
