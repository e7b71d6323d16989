/** Connected coordinates of a posterior: those that share a factor, directly or through others. */
import { type AssembledProgram, priorByElement } from "./assemble.ts";
import { dependence } from "./dependence.ts";

/**
 * The coordinates that an observation binds together, ascending: given the data they are independent of all others. All
 * coordinates where the likelihood is no product.
 */
export function boundCoordinates(assembled: AssembledProgram, observation: number): Int32Array {
  const { g, dimension, likelihood, parameters } = assembled;
  let own = (1n << BigInt(dimension)) - 1n;
  if (likelihood.factorises) {
    const priors = parameters.flatMap(({ drawn, prior, logJacobian }) => [
      priorByElement(g, drawn, prior),
      logJacobian,
    ]);
    const [rows, ...others] = dependence(g.nodes, [likelihood.ofEach, ...priors]);
    own = joined(rows[observation], [rows, ...others].flat());
  }
  return Int32Array.from(
    Array.from({ length: dimension }, (_, k) => k).filter((k) => (own >> BigInt(k) & 1n) === 1n),
  );
}

/** With all that shares a factor. */
function joined(from: bigint, factors: readonly bigint[]): bigint {
  let own = from;
  for (let before = -1n; before !== own;) {
    before = own;
    for (const one of factors) if ((one & own) !== 0n) own |= one;
  }
  return own;
}
