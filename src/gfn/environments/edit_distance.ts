/** Levenshtein distances from one sequence of bits to many, by words of 32 cells at once. */

/** Cells of a column that one word holds. */
const word = 32;

/**
 * The fewest insertions, deletions and substitutions that lead from `pattern` to another sequence
 * (Levenshtein 1966). Differences between neighbouring cells of the table are −1, 0 or 1, so that a
 * column is two bit vectors (Myers 1999, section 4, for patterns of any length; Hyyrö 2003 for the
 * distance of wholes).
 *
 * @param pattern Of the characters 0 and 1, not empty.
 * @returns The distance of a sequence of 0 and 1 from it.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { editDistanceFrom } from "./edit_distance.ts";
 * assert.equal(editDistanceFrom("0101")("1010"), 2); // delete the first, append one
 * ```
 */
export function editDistanceFrom(pattern: string): (text: string) => number {
  const words = Math.ceil(pattern.length / word);
  const equal = ["0", "1"].map((bit) => bitsWhere(pattern, bit, words));
  const [plus, minus] = [new Int32Array(words), new Int32Array(words)];
  const lastCell = (pattern.length - 1) % word;
  return (text) => {
    plus.fill(-1);
    minus.fill(0);
    let score = pattern.length;
    for (let j = 0; j < text.length; j++) {
      const matches = equal[text.charCodeAt(j) & 1];
      let carry = 1; // The uppermost row counts up.
      for (let w = 0; w < words; w++) {
        const top = w === words - 1 ? lastCell : word - 1;
        carry = column(matches[w], plus, minus, w, carry, top);
      }
      score += carry;
    }
    return score;
  };
}

/** Bit i of word w is set where character 32 w + i is `bit`. */
function bitsWhere(pattern: string, bit: string, words: number): Int32Array {
  const bits = new Int32Array(words);
  for (let i = 0; i < pattern.length; i++) {
    if (pattern[i] === bit) bits[i >> 5] |= 1 << (i & 31);
  }
  return bits;
}

/** One word of one column; gives the difference that leaves it below, at the cell `top`. */
function column(
  matches: number,
  plus: Int32Array,
  minus: Int32Array,
  w: number,
  carry: number,
  top: number,
): number {
  const [pv, mv] = [plus[w], minus[w]];
  const xv = matches | mv;
  const eq = carry < 0 ? matches | 1 : matches;
  const xh = (((eq & pv) + pv) ^ pv) | eq;
  const [ph, mh] = [mv | ~(xh | pv), pv & xh];
  const phIn = (ph << 1) | (carry > 0 ? 1 : 0);
  const mhIn = (mh << 1) | (carry < 0 ? 1 : 0);
  plus[w] = mhIn | ~(xv | phIn);
  minus[w] = phIn & xv;
  return ((ph >>> top) & 1) - ((mh >>> top) & 1);
}
