/** Writes the weights of a GGUF file dequantised, so that another program computes with the same numbers. */
import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { openGguf } from "../../src/models/files/gguf_file.ts";

const [alignment, f32] = [32, 0];
const aligned = (bytes: number) => Math.ceil(bytes / alignment) * alignment;

/** The same metadata and tensors, in single precision. */
export function writePlainGguf(from: string, to: string): void {
  const source = openGguf(from);
  try {
    const tensors = [...source.tensors.values()];
    const bytes = readFileSync(from);
    const metadata = bytes.subarray(0, bytes.indexOf(infoOf(tensors[0].name)));
    let offset = 0;
    const infos = tensors.map(({ name, shape }) => {
      const info = infoOf(name, shape, offset);
      offset += aligned(4 * shape.reduce((a, b) => a * b, 1));
      return info;
    });
    const head = Buffer.concat([metadata, ...infos]);
    using file = Deno.openSync(to, { write: true, create: true, truncate: true });
    writeAligned(file, head);
    for (const { name } of tensors) {
      const { buffer, byteOffset, byteLength } = source.read(name);
      writeAligned(file, new Uint8Array(buffer, byteOffset, byteLength));
    }
  } finally {
    source.close();
  }
}

/** How a header names a tensor; its name alone if that is all that is given. */
function infoOf(name: string, shape?: readonly number[], offset = 0): Buffer {
  const letters = Buffer.from(name);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(letters.length));
  if (!shape) return Buffer.concat([length, letters]);
  const rest = Buffer.alloc(4 + 8 * shape.length + 12);
  rest.writeUInt32LE(shape.length);
  shape.toReversed().forEach((size, k) => rest.writeBigUInt64LE(BigInt(size), 4 + 8 * k));
  rest.writeUInt32LE(f32, 4 + 8 * shape.length);
  rest.writeBigUInt64LE(BigInt(offset), 8 + 8 * shape.length);
  return Buffer.concat([length, letters, rest]);
}

function writeAligned(file: Deno.FsFile, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) done += file.writeSync(bytes.subarray(done));
  file.writeSync(new Uint8Array(aligned(bytes.length) - bytes.length));
}
