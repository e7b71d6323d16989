/** Ratings on four levels: a strong term, and one that is absent. */
import type { Column } from "../../../../../src/base/dataset.ts";
import { exp } from "../../../../../src/numerics/math/elementary.ts";
import { gridOf, normalNodes } from "../quadrature.ts";
import { column, datasetOf, type Simulation } from "../simulation.ts";
import { normals, streamOf, uniforms } from "./rows.ts";

const [effect, cuts] = [1.2, [-1.2, 0, 1.2]];

/** Chances of the levels. */
function chancesOf(strong: number): number[] {
  const below = [...cuts.map((cut) => 1 / (1 + exp(effect * strong - cut))), 1];
  return below.map((one, k) => one - (below[k - 1] ?? 0));
}

/** Ordered logistic ratings. */
export const ordinal: Simulation = {
  spec: {
    space: "ordinal",
    formula: "rating ~ [strong] + [absent]",
    families: ["ordered_logistic", "ordered_probit"],
  },
  words: "80 rows of four levels; log odds of 1.2 and 0 per standard deviation",
  simulate(set, seed) {
    const random = streamOf("ordinal", seed, set);
    const rows = 80;
    const [strong, absent] = [normals(random, rows), normals(random, rows)];
    const rating = uniforms(random, rows).map((u, i) => levelAt(u, chancesOf(strong[i])));
    const places = gridOf(normalNodes(), 2);
    const [x, z] = [0, 1].map((k) =>
      places.flatMap((place) => [0, 1, 2, 3].map(() => place.at[k]))
    );
    return {
      dataset: datasetOf(columnsOf(rating, strong, absent)),
      fresh: {
        columns: columnsOf(places.flatMap(() => [0, 1, 2, 3]), x, z),
        weights: Float64Array.from(
          places.flatMap(({ at, weight }) => chancesOf(at[0]).map((chance) => weight * chance)),
        ),
      },
      truth: { strong: "in", absent: "out", family: "ordered_logistic" },
      strong: [{ question: "strong", answers: ["in"] }],
      absent: [{ question: "absent", answers: ["in"] }],
    };
  },
};

function levelAt(u: number, chances: readonly number[]): number {
  let left = u;
  const found = chances.findIndex((chance) => (left -= chance) < 0);
  return found < 0 ? chances.length - 1 : found;
}

function columnsOf(
  rating: ArrayLike<number>,
  strong: ArrayLike<number>,
  absent: ArrayLike<number>,
): readonly Column[] {
  const levels = {
    ...{ name: "rating", role: "response", type: "category" } as const,
    categories: ["0", "1", "2", "3"],
    values: Float64Array.from(rating),
  };
  return [levels, column("strong", "predictor", strong), column("absent", "predictor", absent)];
}
