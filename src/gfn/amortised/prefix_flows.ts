/** Log flows of partial answers: sums over the programs that they can become, and their gradient. */
import { exp, logAddExp } from "../../numerics/math/mod.ts";

/**
 * `[predictors + 1]`: at place t, `[2^t]`, the log flow after t answers, by their bits; the last are the
 * programs. So flow in is flow out at every state, and the first is log Z.
 *
 * @param flows `[2^predictors]`.
 */
export function prefixFlows(flows: Float64Array, predictors: number): Float64Array[] {
  const levels = [flows];
  for (let t = predictors - 1; t >= 0; t--) {
    const after = levels[0];
    const own = new Float64Array(2 ** t);
    for (let bits = 0; bits < own.length; bits++) {
      own[bits] = logAddExp(after[bits], after[bits + own.length]);
    }
    levels.unshift(own);
  }
  return levels;
}

/** Carries forces on partial answers to their programs, in place; the last of `forces` is then whole. */
export function pushForces(levels: readonly Float64Array[], forces: readonly Float64Array[]): void {
  for (let t = 0; t + 1 < levels.length; t++) {
    const [own, after] = [levels[t], levels[t + 1]];
    for (let bits = 0; bits < own.length; bits++) {
      const force = forces[t][bits];
      if (force === 0) continue;
      for (const next of [bits, bits + own.length]) {
        forces[t + 1][next] += force * exp(after[next] - own[bits]);
      }
    }
  }
}
