/** Eight groups of six rows: they differ in even sets, and do not in odd ones. */
import type { Column } from "../../../../../src/base/dataset.ts";
import { normalNodes } from "../quadrature.ts";
import { column, datasetOf, type Simulation } from "../simulation.ts";
import { normals, streamOf } from "./rows.ts";

const [groups, members] = [8, 6];

/** Groups are drawn again in each set; fresh rows are of the same groups. */
export const pooling: Simulation = {
  spec: { space: "pooling", formula: "y ~ (1 | group)", families: ["normal", "student_t"] },
  words: "8 groups of 6 rows; spread of groups 1 beside noise of 1, or 0; do they differ?",
  simulate(set, seed) {
    const random = streamOf("pooling", seed, set);
    const spread = set % 2 === 0 ? 1 : 0;
    const means = normals(random, groups).map((one) => spread * one);
    const group = Array.from({ length: groups * members }, (_, i) => i % groups);
    const noise = normals(random, groups * members);
    const { at, weights } = normalNodes();
    const places = [...means.keys()].flatMap((g) => at.map(() => g));
    const fresh = [...means].flatMap((mean) => at.map((z) => mean + z));
    const claim = [{ question: "pooling", answers: ["partial", "none"] }];
    return {
      dataset: datasetOf(columnsOf(group.map((g, i) => means[g] + noise[i]), group)),
      fresh: {
        columns: columnsOf(fresh, places),
        weights: Float64Array.from([...means].flatMap(() => weights.map((one) => one / groups))),
      },
      truth: { pooling: spread ? "partial" : "complete", family: "normal" },
      ...(spread ? { strong: claim } : { absent: claim }),
    };
  },
};

function columnsOf(y: ArrayLike<number>, group: ArrayLike<number>): readonly Column[] {
  const categories = Array.from({ length: groups }, (_, g) => `g${g}`);
  const own = { name: "group", role: "group", type: "category", categories } as const;
  return [column("y", "response", y), { ...own, values: Float64Array.from(group) }];
}
