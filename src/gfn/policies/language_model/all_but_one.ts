/** Rows in which all tokens are legal but one: computed over the vocabulary, less that one. */
import { exp, log1p } from "../../../numerics/math/mod.ts";
import type { LegalActions } from "../../environments/environment.ts";

/** The token that alone is not legal; −1 where none or more than one are not. */
export function missingOf(legal: LegalActions, vocabulary: number): number {
  if (legal === "all" || legal.length !== vocabulary - 1) return -1;
  // In rising order the ids are their places up to the gap.
  let [low, high] = [0, legal.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (legal[middle] === middle) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** log(1 − p) of the missing token, to be subtracted from log probabilities over the vocabulary. */
export function logRest(logMissing: number): number {
  return log1p(0 - exp(logMissing));
}

/** `[vocabulary − 1]`: log probabilities without the missing token, from those of all. */
export function withoutMissing(logP: Float64Array, missing: number): Float64Array {
  const rest = logRest(logP[missing]);
  return Float64Array.from({ length: logP.length - 1 }, (_, i) => {
    return logP[i < missing ? i : i + 1] - rest;
  });
}
