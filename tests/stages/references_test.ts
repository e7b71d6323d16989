/** Published programs among all: their rank, how much worse than the best they are, and bad names. */
import assert from "node:assert/strict";
import { InputError } from "../../src/base/diagnostic.ts";
import { createPolicy } from "../../src/gfn/policies/create_policy.ts";
import { defaultSchedule, type Execution } from "../../src/engine/score/execution/execution.ts";
import { elpdLooJudge } from "../../src/engine/score/judges/reward.ts";
import { Evaluator } from "../../stages/evaluate_kl/evaluator.ts";
import type { Target } from "../../stages/ports/values.ts";
import {
  fakeContext,
  quickEvaluation,
  scored,
  smallEnvironment,
  threeAnimals,
} from "./fixtures.ts";

const environment = smallEnvironment();
const objects = [...environment.enumerate()];

const target: Target = {
  environment,
  dataset: threeAnimals(),
  executor: "native",
  schedule: { ...defaultSchedule, unit: "row" },
  terms: [],
  rule: { terms: [{ judge: elpdLooJudge, weight: 1 }], failure: { logReward: -50 } },
  nullElpd: -45,
};

/** Two observations, of which only the second is predicted worse by later programs. */
function execution(program: string): Execution {
  const place = objects.findIndex(({ text }) => text === program);
  if (place === 5) return { ...scored(0), status: "error", score: undefined };
  const own = scored(-place / 8);
  return { ...own, score: { ...own.score!, elpdPointwise: [0, -place / 8], mcse: 0.03 } };
}

async function referencesOf(references: readonly { name: string; derivation: string[] }[]) {
  const context = fakeContext({ step: 0, answer: execution });
  const policy = await createPolicy({ kind: "table" }, environment, "fresh");
  const params = { ...quickEvaluation, worst_prefixes: 0 };
  const trained = { policy, trajectories: 1, distinctEvaluations: 1 };
  await new Evaluator({ ...params, references }).run(context, { policy: trained, target });
  const events = context.told.tables.filter(([table]) => table === "event");
  return events.flatMap(([, rows]) => rows).filter(({ kind }) => kind === "reference")
    .map(({ detail }) => detail as Record<string, number>);
}

const named = (place: number) => ({
  name: `program ${place}`,
  derivation: objects[place].actions.slice(0, -1).map((action) => environment.actionNames[action]),
});

Deno.test("a reference has its rank, and its difference to the likeliest program with its errors", async () => {
  const [best, fourth] = await referencesOf([named(0), named(4)]);
  assert.deepEqual([best.rank, best.elpd_difference, best.elpd_difference_mcse], [1, 0, 0]);
  assert.deepEqual([fourth.rank, fourth.programs, fourth.elpd_difference], [5, 88, -0.5]);
  assert.ok(Math.abs(fourth.elpd_difference_se - 0.5 / Math.SQRT2) < 1e-12);
  assert.ok(Math.abs(fourth.elpd_difference_mcse - 0.03 * Math.SQRT2) < 1e-12);
  assert.ok(Math.abs(Math.log(best.target / fourth.target) - 0.5) < 1e-9);
});

Deno.test("a reference that failed keeps its rank and has no difference", async () => {
  const [failed] = await referencesOf([named(5)]);
  assert.deepEqual([failed.rank, failed.elpd_difference], [88, undefined]);
});

Deno.test("a reference that cannot be derived is refused by name", async () => {
  const wrong = { name: "Nobody 1900", derivation: ["no_such_curve"] };
  await assert.rejects(referencesOf([wrong]), (error) => {
    assert.ok(error instanceof InputError);
    assert.match(error.diagnostics[0].message, /derivation "Nobody 1900"/);
    return true;
  });
});
