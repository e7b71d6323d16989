/** How many hidden sequences were found, and how near the nearest object came to each. */
import { editDistanceFrom } from "../../src/gfn/environments/edit_distance.ts";
import type { Modes } from "./tasks.ts";

/**
 * Modes found among objects. Published code does not agree on what near is: Malkin et al. (2022)
 * reward by the edit distance; that of Tiapkin et al. (2024) counts by the Hamming distance, of at most
 * 30. Both stand here.
 */
export interface FoundModes {
  /** Modes with an object within the edit distance. */
  readonly found: number;
  /** Modes with one within the Hamming distance. */
  readonly hamming: number;
  /** Modes that were met themselves. */
  readonly met: number;
  /** Objects until as many were found, by edits, as were found at all. */
  readonly after: number;
}

/** Counts over objects in the order in which they were met. */
export function foundModes(
  objects: Iterable<string>,
  { texts, within, withinHamming }: Modes,
): FoundModes {
  const from = texts.map(editDistanceFrom);
  const nearest = texts.map(() => Infinity);
  const isNear = texts.map(() => false);
  let [seen, found, after] = [0, 0, 0];
  for (const text of objects) {
    seen++;
    from.forEach((distance, m) => {
      if (nearest[m] > 0) nearest[m] = Math.min(nearest[m], distance(text));
      isNear[m] ||= hammingDistance(text, texts[m]) <= withinHamming;
    });
    const now = nearest.filter((one) => one <= within).length;
    if (now > found) [found, after] = [now, seen];
  }
  const hamming = isNear.filter(Boolean).length;
  return { found, hamming, met: nearest.filter((one) => one === 0).length, after };
}

/** Places in which two texts of one length differ. */
function hammingDistance(a: string, b: string): number {
  let count = 0;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) count++;
  return count;
}
