/** Chooses programs of a data set: half of them the best by a prediction, the others at random. */
import type { RandomStream } from "../../base/random.ts";

/** Places of `most` values, the larger half first; all places, as they stand, where there are no more. */
export function bestAndAny(
  values: ArrayLike<number>,
  most: number,
  random: RandomStream,
): number[] {
  const places = Array.from(values, (_, k) => k);
  if (places.length <= most) return places;
  places.sort((a, b) => values[b] - values[a] || a - b);
  for (let i = most >> 1; i < most; i++) {
    const j = i + random.below(places.length - i);
    [places[i], places[j]] = [places[j], places[i]];
  }
  return places.slice(0, most);
}
