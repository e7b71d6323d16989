/** Times to an event, watched for a while: a strong treatment, and one that does nothing. */
import type { Column } from "../../../../../src/base/dataset.ts";
import { exp, log } from "../../../../../src/numerics/math/elementary.ts";
import { withLimit } from "../../../../../src/data/censoring.ts";
import { midpoints } from "../quadrature.ts";
import { column, datasetOf, type FreshRows, type Simulation } from "../simulation.ts";
import { streamOf, uniforms } from "./rows.ts";

const [shape, watched, effect] = [1.6, 12, 1];
const scaleOf = (strong: number) => exp(1.8 + effect * strong);

/** Weibull times; who has no event after a year is censored. */
export const survival: Simulation = {
  spec: {
    space: "survival",
    formula: "time | event(died) ~ [strong] + [absent]",
    families: ["weibull", "log_normal"],
  },
  words: "80 rows, a third of them censored; effects of 1 and 0 on the logarithm of Weibull times",
  simulate(set, seed) {
    const random = streamOf("survival", seed, set);
    const rows = 80;
    const strong = Float64Array.from({ length: rows }, (_, i) => i % 2);
    const absent = Float64Array.from({ length: rows }, (_, i) => (i >> 1) % 2);
    const times = uniforms(random, rows).map((u, i) => timeOf(u, strong[i]));
    const seen = columnsOf(times, strong, absent);
    const longest = seen[0].values.reduce((a, b) => Math.max(a, b));
    return {
      dataset: datasetOf(seen),
      fresh: fresh(2 * longest),
      truth: { strong: "in", absent: "out", family: "weibull" },
      strong: [{ question: "strong", answers: ["in"] }],
      absent: [{ question: "absent", answers: ["in"] }],
    };
  },
};

/** By the inverse of S(t) = exp(−(t / scale)^shape). */
function timeOf(survivor: number, strong: number): number {
  return scaleOf(strong) * exp(log(-log(survivor)) / shape);
}

function columnsOf(
  times: Float64Array,
  strong: Float64Array,
  absent: Float64Array,
): readonly Column[] {
  const event = {
    ...{ name: "died", role: "event", type: "binary" } as const,
    values: times.map((time) => Number(time < watched)),
  };
  return withLimit("simulated", [
    column("time", "response", times.map((time) => Math.min(time, watched))),
    event,
    column("strong", "predictor", strong),
    column("absent", "predictor", absent),
  ]);
}

/** Events in 24 equally likely parts of the time watched, and one row that is censored, by group. */
function fresh(limit: number): FreshRows {
  const parts = 24;
  const rows = [0, 1].flatMap((strong) => [0, 1].map((absent) => ({ strong, absent })))
    .flatMap((group) => {
      const lasting = exp(-exp(shape * log(watched / scaleOf(group.strong))));
      const times = midpoints(lasting, 1, parts).map((u) => timeOf(u, group.strong));
      return [
        ...times.map((time) => ({ ...group, time, weight: (1 - lasting) / parts / 4 })),
        { ...group, time: watched, weight: lasting / 4 },
      ];
    });
  const of = (key: "time" | "strong" | "absent" | "weight") =>
    Float64Array.from(rows, (row) => row[key]);
  const columns = columnsOf(of("time"), of("strong"), of("absent")).map((one) =>
    one.role === "limit"
      ? { ...one, values: of("time").map((time) => time < watched ? limit : watched) }
      : one
  );
  return { columns, weights: of("weight") };
}
