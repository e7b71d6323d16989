/** Surrogates in pipelines: within their budget, marked in what learns from them, refused where they cannot be. */
import assert from "node:assert/strict";
import { runInProcess, valueOf } from "../../bench/pipeline_in_process.ts";
import { policySubject, searchSubject } from "../../stages/evaluation/subjects.ts";
import surrogateReward from "../../stages/surrogate_reward.ts";
import { builtInKinds } from "../../stages/mod.ts";
import { hypergridEnvironment } from "../../src/gfn/environments/built_in_environments.ts";
import {
  defaultRegressions,
  regressionsEnvironment,
} from "../../src/gfn/environments/regressions.ts";
import type { Subject } from "../../src/base/measure_subject.ts";
import { learnRewards } from "../../stages/surrogate/learn_rewards.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { fakeContext, smallEnvironment } from "./fixtures.ts";

const path = "pipelines/benchmarks/regressions_surrogate.toml";

const small = [
  ...["stages.regressions.terms=8", "stages.train.steps=60", "stages.surrogate.budget=40"],
  ...["stages.surrogate.held_out=8", "stages.surrogate.first=16"],
  "stages.evaluate.baseline_repetitions=0",
];

Deno.test("a policy learns from a surrogate, and both are held against what was never asked", async () => {
  const { evaluation: rows } = await runInProcess(path, small);
  const tv = (subject: Subject) => valueOf(rows, "tv", subject)!;
  assert.ok(tv(searchSubject("surrogate")) < 0.1, `${tv(searchSubject("surrogate"))}`);
  assert.ok(tv(policySubject) < 0.9);
  assert.equal(valueOf(rows, "distinct", searchSubject("surrogate")), 40);
  assert.equal(valueOf(rows, "distinct", searchSubject("known_rewards")), 40);
  assert.ok(rows.every(({ distinct_evaluations: n }) => n === 40), "the surrogate's are its own");
});

Deno.test("a surrogate stays within its budget and says how often it was right", async () => {
  const environment = regressionsEnvironment({ ...defaultRegressions, terms: 6 }) as Environment;
  const context = fakeContext({ step: 0 });
  const params = { budget: 40, held_out: 8, first: 16, growth: 0.2, points: 100, choosing: 100 };
  const { scored, surrogate } = await learnRewards(context, { environment }, {
    ...params,
    list_at_most: 1000,
  });
  assert.equal(scored.rows.length, 40);
  assert.equal(surrogate.surrogate.size, 40);
  const events = context.told.tables.filter(([table]) => table === "event").flatMap(([, rows]) =>
    rows
  );
  const calibration = events.find(({ kind }) => kind === "surrogate_calibration")!;
  assert.equal((calibration.detail as { count: number }).count, 8);
  assert.ok(events.filter(({ kind }) => kind === "surrogate_round").length > 2);
  const again = await learnRewards(fakeContext({ step: 0 }), { environment, scored }, {
    ...{ ...params, budget: 4, held_out: 0, list_at_most: 1000 },
  });
  assert.equal(again.scored.rows.length, 44, "what is known already costs nothing");
});

Deno.test("a budget smaller than one execution is refused", () => {
  const { params } = builtInKinds.get("surrogate")!;
  const found = params.safeParse({ budget: 0, held_out: 0 });
  assert.ok(!found.success);
  assert.match(found.error.message, /wanted one execution at least/);
  assert.ok(!params.safeParse({ budget: 50, held_out: 50 }).success, "all of it would be held out");
  assert.ok(params.safeParse({ budget: 8 }).success, "one of it is, where nothing else is said");
});

Deno.test("a surrogate of another environment rewards nothing", async () => {
  const spec = { ndim: 2, height: 4, r0: 0.1, r1: 0.5, r2: 2 };
  const grid = hypergridEnvironment(spec) as Environment;
  const trajectories = { environment: grid, trajectories: [], epsilon: 0 };
  const surrogate = { environment: smallEnvironment(), surrogate: undefined as never };
  const instance = surrogateReward.open({ states: "terminal" });
  await assert.rejects(
    () => instance.run(fakeContext(), { trajectories, surrogate }),
    /the surrogate is of another environment/,
  );
});
