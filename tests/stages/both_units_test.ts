/** Tests that an undecided unit is told with both figures, and a decided one is not. */
import assert from "node:assert/strict";
import {
  defaultSchedule,
  type Execution,
  type Schedule,
} from "../../src/engine/score/execution/execution.ts";
import type { ExecutionRequest } from "../../src/pipeline/contract/stage.ts";
import { describeUnits } from "../../stages/evaluation/both_units.ts";
import type { ScoredProgram } from "../../stages/evaluation/effects.ts";
import type { ProgramTarget } from "../../stages/ports/values.ts";
import { fakeContext, scored, smallEnvironment, threeAnimals } from "./fixtures.ts";

const environment = smallEnvironment();

/** A space of one question: both programs have x. */
const meaning = {
  formula: "weight ~ 1",
  questions: [{ question: "x", answers: ["in", "out"] }],
  of: () => ({ answers: ["in"], model: "x" }),
};

function target(schedule: Schedule): ProgramTarget {
  const rule = { terms: [], failure: { logReward: -50 } };
  const dataset = threeAnimals();
  return { environment, dataset, executor: "native", schedule, terms: [], rule, nullElpd: -45 };
}

/** Two programs: by rows the first is better, by groups the second. */
async function told(schedule: Schedule, byGroup: readonly number[] = [-60, -50]) {
  const objects = [...environment.enumerate()].slice(0, byGroup.length);
  const programs: ScoredProgram[] = objects.map((object, i) => {
    return { index: i, object, logReward: -40 - i };
  });
  const context = fakeContext();
  const asked: ExecutionRequest[] = [];
  const execute = <T>(request: ExecutionRequest) => {
    asked.push(request);
    const isGroup = (request.schedule as Schedule).unit === "group";
    const values = isGroup ? byGroup : [-40, -41].slice(0, byGroup.length);
    const executions = values.map((elpd): Execution => {
      const one = scored(elpd);
      return { ...one, score: { ...one.score!, se: 4 } };
    });
    return Promise.resolve(executions as unknown as T[]);
  };
  await describeUnits({ ...context, execute }, target(schedule), meaning, programs);
  return { asked, ...context.told };
}

Deno.test("both figures are told, with whether they agree and what to write", async () => {
  const { tables: [[table, [row]]], lines } = await told(defaultSchedule);
  assert.deepEqual([table, row.kind, row.level, row.message], [
    ...["event", "unit", "warning", lines[0]],
  ]);
  assert.match(
    lines[0],
    /ELPD -40\.0 ± 4\.0 with single rows left out and -60\.0 ± 4\.0 with whole/,
  );
  assert.match(lines[0], /^the likeliest model \(weight ~ 1 \+ x\) has/);
  assert.match(lines[0], /the first 2 models rank differently \(groups by "herd"\)/);
  assert.match(lines[0], /unit = "row" .* unit = "group" to predict rows of a new herd/);
  const { models } = row.detail as { models: { group: { elpd: number } }[] };
  assert.deepEqual(models.map(({ group }) => group.elpd), [-60, -50]);
  const same = await told(defaultSchedule, [-50, -60]);
  assert.match(same.lines[0], /the first 2 models rank alike/);
  const one = await told(defaultSchedule, [-50]);
  assert.match(one.lines[0], /whole groups left out \(groups by "herd"\): write unit/);
});

Deno.test("nothing is asked where the unit is chosen, and no row of executions is kept", async () => {
  const chosen = await told({ ...defaultSchedule, unit: "row" });
  assert.deepEqual([chosen.asked, chosen.lines], [[], []]);
  const { asked } = await told(defaultSchedule);
  assert.deepEqual(asked.map(({ purpose }) => purpose), ["check", "check"]);
});
