/** The generalised U-turn criterion (Betancourt 2017, appendix A.4.2), with three checks. */
import type { Space } from "./leapfrog.ts";

/** Whether the tree of slots left … right, of which the left half ends at `middle`, turns. */
export function turns(space: Space, left: number, middle: number, right: number): boolean {
  if (turnsBetween(space, left, right)) return true;
  if (right - left === 1) return false;
  return turnsBetween(space, left, middle + 1) || turnsBetween(space, middle, right);
}

/** Whether the momenta of the first and the last slot turn against the sum over all between. */
function turnsBetween({ buffers, stride }: Space, first: number, last: number): boolean {
  const { momenta, sums } = buffers;
  const [atFirst, atLast] = [first * stride, last * stride];
  const before = atFirst - stride;
  let evenA = 0;
  let oddA = 0;
  let evenB = 0;
  let oddB = 0;
  for (let k = 0; k < stride; k += 2) {
    const even = sums[atLast + k] - sums[before + k];
    const odd = sums[atLast + k + 1] - sums[before + k + 1];
    evenA += momenta[atFirst + k] * even;
    oddA += momenta[atFirst + k + 1] * odd;
    evenB += momenta[atLast + k] * even;
    oddB += momenta[atLast + k + 1] * odd;
  }
  return !(evenA + oddA > 0 && evenB + oddB > 0);
}
