/** The prior of environments without weights: every legal action is equally likely. */
import { log } from "../../numerics/math/mod.ts";

const known = new WeakMap<Uint8Array, Float64Array>();

/** `[actions]`: −log(number of legal actions) where legal; the same array for the same mask. */
export function uniformLogPrior(mask: Uint8Array): Float64Array {
  const before = known.get(mask);
  if (before) return before;
  const share = 0 - log(mask.reduce((sum, legal) => sum + legal, 0));
  const prior = Float64Array.from(mask, (legal) => legal === 1 ? share : -Infinity);
  known.set(mask, prior);
  return prior;
}
