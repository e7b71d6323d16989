/** Prior mean of a surrogate: log rewards predicted from outside, by which productions are in. */
import { pieceBits } from "./production_sets.ts";

/** Predicted log rewards of every object of a space of sets. */
export interface PriorMean {
  /** Productions that distinguish objects: bit j of a place says whether the j-th is in. */
  readonly productions: readonly string[];
  /** Log rewards by such places, nats, up to a constant; absent places have no prediction. */
  readonly values: Readonly<Record<number, number>>;
}

/**
 * `[count]`: predicted log rewards of objects, at least `floor`, nats.
 *
 * @param codes Sets of productions, one behind the other, in `pieces` each.
 * @param names Of the bits of those sets.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { foretold } from "./prior_mean.ts";
 * const mean = { productions: ["a", "b"], values: [-1, -2, -3, -40] };
 * const found = foretold(mean, Uint8Array.of(0b10, 0b11), 2, ["b", "a"], -10);
 * assert.deepEqual([...found], [-2, -10]); // a alone; both
 * ```
 */
export function foretold(
  { productions, values }: PriorMean,
  codes: Uint8Array,
  count: number,
  names: readonly string[],
  floor: number,
): Float64Array {
  const pieces = codes.length / Math.max(1, count);
  const bits = productions.map((name) => names.indexOf(name));
  return Float64Array.from({ length: count }, (_, x) => {
    const place = bits.reduce((sum, bit, j) => {
      const piece = Math.floor(bit / pieceBits);
      const isIn = bit >= 0 && piece < pieces &&
        (codes[x * pieces + piece] >> (bit % pieceBits)) & 1;
      return isIn ? sum + 2 ** j : sum;
    }, 0);
    return Math.max(floor, values[place] ?? floor);
  });
}
