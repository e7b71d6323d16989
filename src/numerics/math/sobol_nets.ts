/** Sobol' points in nets that are scrambled at random: more even than independent points. */
import type { RandomStream } from "../../base/random.ts";

/** Dimensions that there are direction numbers for. */
export const mostDimensions = 16;
/** Points that a net may have: 2 to this power. */
const mostBits = 16;

/**
 * Primitive polynomials over the field of two elements, their coefficients as bits, highest first;
 * and the direction numbers m_1, m_2 … that belong to each (Joe and Kuo 2008, new-joe-kuo-6). The
 * first dimension has none.
 */
const recurrences: readonly (readonly [number, ...number[]])[] = [
  [0b11, 1],
  [0b111, 1, 3],
  [0b1011, 1, 3, 1],
  [0b1101, 1, 1, 1],
  [0b10011, 1, 1, 3, 3],
  [0b11001, 1, 3, 5, 13],
  [0b100101, 1, 1, 5, 5, 17],
  [0b101001, 1, 1, 5, 5, 5],
  [0b101111, 1, 1, 7, 11, 19],
  [0b110111, 1, 1, 5, 1, 1],
  [0b111011, 1, 1, 1, 3, 11],
  [0b111101, 1, 3, 5, 5, 31],
  [0b1000011, 1, 3, 3, 9, 7, 49],
  [0b1011011, 1, 1, 1, 15, 21, 21],
  [0b1100001, 1, 3, 1, 13, 27, 49],
];

/** Direction numbers as 32-bit fractions `[mostDimensions, mostBits]` (Bratley and Fox 1988). */
const directions = directionNumbers();

function directionNumbers(): Int32Array {
  const out = new Int32Array(mostDimensions * mostBits);
  for (let c = 0; c < mostBits; c++) out[c] = 1 << (31 - c);
  recurrences.forEach(([polynomial, ...m], k) => {
    const degree = m.length;
    for (let c = degree; c < mostBits; c++) {
      m[c] = m[c - degree] ^ (m[c - degree] << degree);
      for (let a = 1; a < degree; a++) {
        if ((polynomial >> (degree - a)) & 1) m[c] ^= m[c - a] << a;
      }
    }
    for (let c = 0; c < mostBits; c++) out[(k + 1) * mostBits + c] = m[c] << (31 - c);
  });
  return out;
}

/**
 * One net after another. Each is the beginning of the Sobol' sequence (Sobol' 1967), multiplied by
 * random matrices and shifted by random digits (Matoušek 1998): its points are uniform, each for
 * itself, and nets are independent, so that the spread of their averages estimates the error.
 * For smooth functions the mean over a net has a variance of nearly n⁻³ (Owen 1997), and for no
 * function more than a constant times that of independent points.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { RandomStream } from "../../base/random.ts";
 * import { SobolNets } from "./sobol_nets.ts";
 * const nets = new SobolNets(new RandomStream("nets"), 2);
 * nets.begin(8);
 * const eighths = Array.from({ length: 8 }, () => (nets.next(), Math.floor(8 * nets.point[1])));
 * assert.deepEqual(eighths.sort(), [0, 1, 2, 3, 4, 5, 6, 7]);
 * ```
 */
export class SobolNets {
  /** Coordinates of the present point `[dimension]`, in (0, 1). */
  readonly point: Float64Array;
  readonly #stream: RandomStream;
  /** Scrambled direction numbers `[dimension, mostBits]`. */
  readonly #directions: Int32Array;
  /** The next point, as 32-bit fractions `[dimension]`. */
  readonly #next: Int32Array;
  /** Columns of a scrambling matrix. */
  readonly #columns = new Int32Array(mostBits);
  /** Which point of its net the next one is. */
  #index = 0;

  /**
   * `begin` makes the first net.
   *
   * @param stream that no other code draws from.
   * @param dimension at most 16.
   * @throws RangeError if it is more.
   */
  constructor(stream: RandomStream, dimension: number) {
    if (dimension > mostDimensions) throw new RangeError(`no net of ${dimension} dimensions`);
    this.#stream = stream;
    this.point = new Float64Array(dimension);
    this.#next = new Int32Array(dimension);
    this.#directions = new Int32Array(dimension * mostBits);
  }

  /** Begins a net of `size` points, 1 to 2¹⁶; most even where that is a power of two. */
  begin(size: number): void {
    const bits = 32 - Math.clz32(size - 1);
    for (let j = 0; j < this.point.length; j++) {
      this.#next[j] = this.#stream.uint32();
      this.#scramble(j, bits);
    }
    this.#index = 0;
  }

  /** Advances to the next point of the net, in the order of a Gray code (Antonov and Saleev 1979). */
  next(): void {
    for (let j = 0; j < this.point.length; j++) {
      this.point[j] = ((this.#next[j] >>> 0) + 0.5) / 4294967296;
    }
    const bit = 31 - Math.clz32(++this.#index & -this.#index);
    if (bit >= mostBits) return;
    for (let j = 0, at = bit; j < this.point.length; j++, at += mostBits) {
      this.#next[j] ^= this.#directions[at];
    }
  }

  /** Multiplies direction numbers by a random lower triangular matrix of bits, its diagonal 1. */
  #scramble(j: number, bits: number): void {
    for (let b = 0; b < bits; b++) {
      this.#columns[b] = (1 << (31 - b)) | (this.#stream.uint32() >>> (b + 1));
    }
    for (let c = 0, at = j * mostBits; c < bits; c++, at++) {
      let scrambled = 0;
      for (let b = 0; b <= c; b++) {
        if (directions[at] << b < 0) scrambled ^= this.#columns[b];
      }
      this.#directions[at] = scrambled;
    }
  }
}
