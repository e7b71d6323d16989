/** Nodes and weights by which expectations over a true law are taken. */
import { exp } from "../../../../src/numerics/math/elementary.ts";

/** Points of a real variable and the probability of each. */
export interface Nodes {
  readonly at: readonly number[];
  readonly weights: readonly number[];
}

/**
 * Of a standard normal variable: the trapezoidal rule at whole numbers, whose error for smooth
 * functions is of the order of exp(−2 π²) (Trefethen and Weideman 2014, SIAM Review 56:385-458).
 */
export function normalNodes(most = 4): Nodes {
  const at = Array.from({ length: 2 * most + 1 }, (_, k) => k - most);
  const heights = at.map((z) => exp(-z * z / 2));
  const total = heights.reduce((sum, one) => sum + one, 0);
  return { at, weights: heights.map((one) => one / total) };
}

/** The middles of `count` equal parts of an interval. */
export function midpoints(from: number, to: number, count: number): number[] {
  return Array.from({ length: count }, (_, k) => from + (to - from) * (k + 0.5) / count);
}

/** Three nodes of a standard normal variable, exact for polynomials up to the fifth degree. */
export const threeNodes: Nodes = {
  at: [-Math.sqrt(3), 0, Math.sqrt(3)],
  weights: [1 / 6, 2 / 3, 1 / 6],
};

/** Independent variables with the same nodes: each place and its probability. */
export function gridOf(nodes: Nodes, dimensions: number) {
  let places: { readonly at: readonly number[]; readonly weight: number }[] = [
    { at: [], weight: 1 },
  ];
  for (let d = 0; d < dimensions; d++) {
    places = places.flatMap(({ at, weight }) =>
      nodes.at.map((one, k) => ({ at: [...at, one], weight: weight * nodes.weights[k] }))
    );
  }
  return places;
}
