/** Did-you-mean: the known name that is closest to a mistyped one. */

/** Optimal string alignment distance (Damerau 1964, restricted to adjacent transpositions). */
function editDistance(a: string, b: string): number {
  const start = sharedStart(a, b);
  const end = sharedEnd(a.slice(start), b.slice(start));
  return wholeDistance(a.slice(start, a.length - end), b.slice(start, b.length - end));
}

function sharedStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

function sharedEnd(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a[a.length - 1 - length] === b[b.length - 1 - length]) length++;
  return length;
}

function wholeDistance(a: string, b: string): number {
  let older: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + same);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) best = Math.min(best, older[j - 2] + 1);
      current.push(best);
    }
    older = previous;
    previous = current;
  }
  return previous[b.length];
}

/**
 * The nearest of `known` to `word`, or undefined if none is near enough to be meant.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { nearest } from "./nearest.ts";
 * assert.equal(nearest("leraning_rate", ["learning_rate", "batch_size"]), "learning_rate");
 * ```
 */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
  const meant = word.toLowerCase();
  for (const name of known) {
    if (Math.abs(name.length - word.length) >= bestDistance) continue; // at least so many edits
    const distance = editDistance(meant, name.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [name, distance];
  }
  return best;
}
