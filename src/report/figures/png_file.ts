/** Writes pixels as a PNG file without transparency, packed by the zlib that the runtime brings. */
import { crc32, deflateSync } from "node:zlib";
import { joinParts } from "../../base/join_parts.ts";

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
/** Eight bits for each of red, green and blue; the only packing, filtering and order that there is. */
const format = [8, 2, 0, 0, 0];
/** Zlib's level: higher ones take longer, and drawings get hardly smaller. */
const level = 4;

/** Pixels of an image whose background is opaque. */
interface Pixels {
  readonly width: number;
  readonly height: number;
  /** `[height, width, 4]`: red, green, blue and an opacity that is ignored. */
  readonly rgba: Uint8Array;
}

/**
 * The file (PNG, third edition, W3C 2025). Rows are packed as they are, without a filter: flat drawings
 * repeat themselves, and filters would hide it.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { pngFile } from "./png_file.ts";
 *
 * const red = pngFile({ width: 1, height: 1, rgba: Uint8Array.of(255, 0, 0, 255) });
 * assert.deepEqual([...red.subarray(1, 4)], [..."PNG"].map((letter) => letter.charCodeAt(0)));
 * ```
 */
export function pngFile({ width, height, rgba }: Pixels): Uint8Array {
  const head = new Uint8Array(13);
  const view = new DataView(head.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  head.set(format, 8);
  const packed = new Uint8Array(deflateSync(unfilteredRows(width, height, rgba), { level }));
  return joinParts([signature, chunk("IHDR", head), chunk("IDAT", packed), chunk("IEND")]);
}

/** Rows of colours, each behind a 0, which means no filter. */
function unfilteredRows(width: number, height: number, rgba: Uint8Array): Uint8Array {
  const rows = new Uint8Array(height * (1 + 3 * width));
  let to = 0;
  for (let y = 0; y < height; y++) {
    to++;
    for (let from = 4 * y * width; from < 4 * (y + 1) * width; from += 4) {
      rows[to++] = rgba[from];
      rows[to++] = rgba[from + 1];
      rows[to++] = rgba[from + 2];
    }
  }
  return rows;
}

/** A part of the file: length, name, content, checksum of both. */
function chunk(name: string, content = new Uint8Array()): Uint8Array {
  const named = joinParts([new TextEncoder().encode(name), content]);
  const numbers = new DataView(new ArrayBuffer(8));
  numbers.setUint32(0, content.length);
  numbers.setUint32(4, crc32(named));
  const bytes = new Uint8Array(numbers.buffer);
  return joinParts([bytes.subarray(0, 4), named, bytes.subarray(4)]);
}
