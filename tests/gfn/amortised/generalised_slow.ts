/** Rewards of Poisson, binomial and Student's regressions beside the engine's own scores. */
import assert from "node:assert/strict";
import { executedRegression } from "../../../bench/amortised/executed_regressions.ts";
import { RandomStream } from "../../../src/base/random.ts";
import {
  drawRows,
  measureAnswer,
  members,
  scoreProgram,
  simulation,
  standardRows,
} from "../../../src/gfn/train/mod.ts";

for (const family of ["poisson", "binomial", "student_t"] as const) {
  Deno.test(`rewards of ${family} are the engine's, but for its error and where sites stay`, () => {
    const given = simulation.parse({
      ...{ family, rows: [40, 60], predictors: [3, 3], missing: [0, 0], tails: 0.3 },
    });
    for (const seed of ["one", "two"]) {
      const raw = drawRows(given, new RandomStream(seed));
      const engine = executedRegression("drawn", raw);
      const rows = standardRows(raw);
      const own = Float64Array.from(engine.programs, (bits) => {
        return scoreProgram(rows, members(bits)).elpd;
      });
      const { tv } = measureAnswer(engine.programs, own, engine.logRewards, 3);
      assert.ok(tv < 0.06, `${family} ${seed}: ${tv}`);
    }
  });
}
