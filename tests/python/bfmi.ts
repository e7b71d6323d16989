/** The energy diagnostic of Hamiltonian Monte Carlo. */

/**
 * Bayesian fraction of missing information of each chain: mean squared step of the energy over its
 * variance (Betancourt, arXiv:1604.00695, equation 5). Below about 0.3 the momenta do not reach
 * the tails; NaN with a single draw.
 *
 * @param energies `[chains, draws]`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { bfmi } from "./bfmi.ts";
 * assert.deepEqual([...bfmi(Float64Array.of(1, 3, 1, 3), 1)], [3]);
 * ```
 */
export function bfmi(energies: Float64Array, chains: number): Float64Array {
  const draws = energies.length / chains;
  return Float64Array.from({ length: chains }, (_, c) => {
    const own = energies.subarray(c * draws, (c + 1) * draws);
    const mean = own.reduce((sum, e) => sum + e, 0) / draws;
    let steps = 0;
    let square = 0;
    for (let s = 0; s < draws; s++) {
      if (s > 0) steps += (own[s] - own[s - 1]) * (own[s] - own[s - 1]);
      square += (own[s] - mean) * (own[s] - mean);
    }
    return (steps / draws) / (square / draws);
  });
}
