/** Numbers long arrays, so that equal ones have equal numbers, without hashing them twice. */

/** Arrays seen so far. */
export class ArrayNumbers {
  readonly #byHash = new Map<number, { readonly values: Int32Array; readonly number: number }[]>();
  readonly #known = new WeakMap<Float64Array | Int32Array, number>();
  #count = 0;

  /** The number of an array: equal for arrays of equal bytes. The array must not change. */
  numberOf(array: Float64Array | Int32Array): number {
    const known = this.#known.get(array);
    if (known !== undefined) return known;
    const number = this.#find(bitsOf(array));
    this.#known.set(array, number);
    return number;
  }

  #find(values: Int32Array): number {
    const hash = hashOf(values);
    const bucket = this.#byHash.get(hash) ?? [];
    this.#byHash.set(hash, bucket);
    const same = bucket.find((one) => sameBits(one.values, values));
    if (same) return same.number;
    bucket.push({ values, number: this.#count });
    return this.#count++;
  }
}

function bitsOf(array: Float64Array | Int32Array): Int32Array {
  return array instanceof Int32Array
    ? array
    : new Int32Array(array.buffer, array.byteOffset, 2 * array.length);
}

/** Multiplicative hash of 32 bits (Knuth 1973, 6.4); collisions cost time only. */
function hashOf(values: Int32Array): number {
  let hash = values.length;
  for (let i = 0; i < values.length; i++) {
    hash = Math.imul(hash ^ values[i], -1640531535);
    hash ^= hash >>> 15;
  }
  return hash;
}

function sameBits(a: Int32Array, b: Int32Array): boolean {
  return a.length === b.length && a.every((bits, i) => bits === b[i]);
}
