/** Numbers of 16 bits as single precision: IEEE halves, and bfloat16. */

const [word, float] = [new Uint32Array(1), new Float32Array(1)];
const bits = new Uint32Array(float.buffer);

/** The bits of single precision of an IEEE half (IEEE 754-2019, binary16). */
function bitsOfHalf(half: number): number {
  const sign = (half & 0x8000) << 16;
  const exponent = half >> 10 & 31;
  const fraction = half & 1023;
  if (exponent === 31) return sign | 0x7f800000 | fraction << 13;
  if (exponent > 0) return sign | exponent + 112 << 23 | fraction << 13;
  float[0] = fraction * 2 ** -24; // Subnormal: exact in single precision.
  word[0] = bits[0];
  return sign | word[0];
}

let table: Float32Array | undefined;

/** The value of every half, by its bits. */
export function halves(): Float32Array {
  if (table) return table;
  table = new Float32Array(1 << 16);
  const raw = new Uint32Array(table.buffer);
  for (let half = 0; half < raw.length; half++) raw[half] = bitsOfHalf(half);
  return table;
}

/** Writes little-endian halves as single precision. */
export function fromHalves(bytes: Uint8Array, out: Float32Array): void {
  const value = halves();
  for (let i = 0; i < out.length; i++) out[i] = value[bytes[2 * i] | bytes[2 * i + 1] << 8];
}

/** Writes little-endian bfloat16, the upper halves of single precision, as such. */
export function fromBrainFloats(bytes: Uint8Array, out: Float32Array): void {
  const raw = new Uint32Array(out.buffer, out.byteOffset, out.length);
  for (let i = 0; i < out.length; i++) raw[i] = bytes[2 * i] << 16 | bytes[2 * i + 1] << 24;
}
