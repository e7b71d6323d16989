/** Effects of likely programs whose posteriors could not be drawn are told to be missing. */
import assert from "node:assert/strict";
import { defaultSchedule, type Execution } from "../../src/engine/score/execution/execution.ts";
import type { GrammarMeaning } from "../../src/gfn/grammar/mod.ts";
import { describeEffects } from "../../stages/evaluation/effects.ts";
import type { ProgramTarget } from "../../stages/ports/values.ts";
import { fakeContext, scored, smallEnvironment, threeAnimals } from "./fixtures.ts";

const environment = smallEnvironment();
const meaning = { effects: { x: "b" }, against: {}, at: {}, ratios: {} };
const one = { mean: [2], sd: [1], q05: [0.4], q95: [3.6] };

/** Two programs of 73 and 27 % of the target, of which the first `drawn` have draws. */
async function told(drawn: readonly boolean[]) {
  const programs = [...environment.enumerate()].slice(0, 2)
    .map((object, index) => ({ index, object, logReward: -40 - index }));
  const executions = drawn.map((isDrawn): Execution => {
    const { score, ...rest } = scored(-40);
    const why = { code: "budget", severity: "warning", message: "No draws: too slow" } as const;
    const params = isDrawn ? { b: one } : {};
    const diagnostics = isDrawn ? [] : [why];
    return { ...rest, diagnostics, score: { ...score!, params } as unknown as Execution["score"] };
  });
  const context = fakeContext();
  const execute = <T>() => Promise.resolve(executions as unknown as T[]);
  const rule = { terms: [], failure: { logReward: -50 } };
  const own = { environment, dataset: threeAnimals(), executor: "native", rule, nullElpd: -45 };
  const target = { ...own, schedule: defaultSchedule, terms: [] } as ProgramTarget;
  await describeEffects(
    { ...context, execute },
    target,
    meaning as unknown as GrammarMeaning,
    programs,
  );
  return context.told;
}

Deno.test("a likely program without draws is missing from the effects, with its share and the reason", async () => {
  const { lines, tables: [[, rows]] } = await told([false, true]);
  assert.equal(rows.length, 1);
  assert.deepEqual(lines, [
    "effects leave out 1 of the 2 likeliest models, with 73 % of the target, for which no posterior " +
    "was drawn: No draws: too slow",
  ]);
});

Deno.test("nothing is told where all have draws", async () => {
  assert.deepEqual((await told([true, true])).lines, []);
});
