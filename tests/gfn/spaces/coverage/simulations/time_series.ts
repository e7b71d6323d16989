/** A series about a trend, without memory and without a walk. */
import { column, datasetOf, type Simulation } from "../simulation.ts";
import { normals, streamOf } from "./rows.ts";

/**
 * Rows are judged by those before them: expectations are known over sets alone. A random walk and memory
 * follow a trend as well, so that any of the three finds a change.
 */
export const timeSeries: Simulation = {
  spec: { space: "time_series", formula: "y ~ 1", families: ["normal"] },
  words:
    "36 rows, each given those before it; a trend of 3 from first to last beside noise of 1; does it change?",
  simulate(set, seed) {
    const random = streamOf("time_series", seed, set);
    const time = Float64Array.from({ length: 36 }, (_, i) => i);
    const y = normals(random, 36).map((e, i) => e + 3 * i / 35);
    return {
      dataset: datasetOf([column("y", "response", y), column("month", "time", time)]),
      truth: { level: "constant", trend: "in", memory: "out", family: "normal" },
      strong: [
        { question: "trend", answers: ["in"] },
        { question: "level", answers: ["walk"] },
        { question: "memory", answers: ["in"] },
      ],
      absent: [{ question: "memory", answers: ["in"] }],
    };
  },
};
