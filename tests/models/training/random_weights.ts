/** Random numbers that a script in another language makes alike: by names and integers alone. */

/** Numbers on ±height that depend on name and place alone, as `published_shapes.py` has them. */
export function noise(name: string, count: number, height: number): Float32Array<ArrayBuffer> {
  const begin = checksum(new TextEncoder().encode(name));
  const values = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    let h = Math.imul(i + begin, 2654435761);
    h = Math.imul(h ^ (h >>> 15), 2246822519);
    h ^= h >>> 13;
    values[i] = height * ((h >>> 0) / 2 ** 31 - 1);
  }
  return values;
}

/** CRC-32, as zlib has it. */
function checksum(bytes: Uint8Array): number {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let k = 0; k < 8; k++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}
