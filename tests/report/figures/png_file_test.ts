/** PNG files read back: every chunk whole, every pixel as it was. */
import assert from "node:assert/strict";
import { inflateSync } from "node:zlib";
import { pngFile } from "../../../src/report/figures/png_file.ts";

/** Two rows of three: red, green, blue, white, black, grey. */
const colours = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255], [0, 0, 0], [
  128,
  128,
  128,
]];
const rgba = Uint8Array.from(colours.flatMap((colour) => [...colour, 255]));

/** Names and contents of the chunks behind the signature. */
function chunksOf(file: Uint8Array): [name: string, content: Uint8Array][] {
  const view = new DataView(file.buffer, file.byteOffset);
  const chunks: [string, Uint8Array][] = [];
  for (let at = 8; at < file.length;) {
    const size = view.getUint32(at);
    const name = String.fromCharCode(...file.subarray(at + 4, at + 8));
    chunks.push([name, file.subarray(at + 8, at + 8 + size)]);
    at += 12 + size;
  }
  return chunks;
}

Deno.test("pngFile() keeps size, colours and rows", () => {
  const file = pngFile({ width: 3, height: 2, rgba });
  const chunks = chunksOf(file);
  assert.deepEqual(chunks.map(([name]) => name), ["IHDR", "IDAT", "IEND"]);
  assert.deepEqual([...chunks[0][1]], [0, 0, 0, 3, 0, 0, 0, 2, 8, 2, 0, 0, 0]);
  const rows = [[0, ...colours.slice(0, 3).flat()], [0, ...colours.slice(3).flat()]];
  assert.deepEqual([...inflateSync(chunks[1][1])], rows.flat());
});

Deno.test("pngFile() ends as every PNG file does, its checksum included", () => {
  // The last twelve bytes of any PNG (W3C, 5.6): nothing, its name, and the checksum of that.
  const end = [0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82];
  assert.deepEqual([...pngFile({ width: 3, height: 2, rgba }).slice(-12)], end);
});
