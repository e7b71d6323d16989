/** Facts and names of measures: one name per fact, the old names for what there was, no repeats. */
import assert from "node:assert/strict";
import { DuckDBInstance } from "@duckdb/node-api";
import type { Subject, SubjectKind } from "../../../src/base/measure_subject.ts";
import { completeEvaluation, evaluationName } from "../../../src/pipeline/store/evaluation_name.ts";
import { factsOfName, factsOfNameSql } from "../../../src/pipeline/store/older_evaluations.ts";
import { RunStore } from "../../../src/pipeline/store/run_store.ts";
import { ulid } from "../../../src/pipeline/store/ulid.ts";
import { measureNames } from "../../../stages/evaluation/measure.ts";
import { inFolder } from "./folder.ts";

/** Facts and the name that version 2 of the schema had for each. */
const names: readonly (readonly [string, SubjectKind, string, string])[] = [
  ["tv", "policy", "policy", "tv"],
  ["kl_target_policy", "policy", "policy", "kl_target_policy"],
  ["kl_policy_target", "policy", "policy", "kl_policy_target"],
  ["effective_programs", "policy", "policy", "effective_programs"],
  ["effective_programs_target", "policy", "policy", "effective_programs_target"],
  ["tv_sub_support", "policy", "policy", "tv_sub_support"],
  ["log_z_error", "policy", "policy", "log_z_error"],
  ["integrity_mass_error", "policy", "policy", "integrity_mass_error"],
  ["tv", "prior", "prior", "tv_prior"],
  ["elbo_gap", "uniform", "uniform", "elbo_gap_uniform"],
  ["kl_target_policy", "compared", "sft", "kl_target_policy_sft"],
  ["tv", "compared", "policy", "tv_policy"],
  ["effective_programs", "compared", "initial", "effective_programs_initial"],
  ["kl_policy_target", "baseline", "metropolis_hastings", "kl_policy_target_metropolis_hastings"],
  ["distinct", "baseline", "sequential_monte_carlo", "distinct_sequential_monte_carlo"],
  ["jsd", "rival", "reinforce", "jsd_reinforce"],
  ["jsd", "rival", "ppo", "jsd_ppo"],
  ["jsd", "rival", "grpo", "jsd_grpo"],
  ["distinct", "floor", "perfect_sampler", "distinct_floor"],
  ["lost_mass", "floor", "capacity", "lost_mass_capacity"],
  ["tv", "noise", "target", "tv_target_noise"],
  ["kl_target_policy", "noise", "target", "kl_target_noise"],
  ["log_reward_sd", "noise", "target", "log_reward_noise"],
];

Deno.test("what version 2 had a name for has that name, and the name stands for it", () => {
  for (const [measure, kind, subject, name] of names) {
    assert.equal(evaluationName(measure, { kind, name: subject }), name);
    assert.deepEqual(factsOfName(name), { measure, subject_kind: kind, subject });
  }
});

Deno.test("the SQL of the migration says of every name what the code says", async () => {
  const asked = [
    ...names.map(([, , , name]) => name),
    ...[
      "",
      "tv_",
      "tv__x",
      "kl_target",
      "kl_target_x",
      "my_own",
      "tv_it's",
      "log_reward_x",
      "jsd_é",
    ],
    ...measureNames,
    ...measureNames.map((measure) => `${measure}_toString`),
  ];
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const columns = Object.entries(factsOfNameSql()).map(([column, sql]) => `${sql} as "${column}"`);
  for (const name of asked) {
    const sql = `select ${columns.join(", ")} from (select $1::varchar as "name")`;
    const [row] = (await connection.runAndReadAll(sql, [name])).getRowObjectsJS();
    assert.deepEqual({ ...row }, factsOfName(name), name);
  }
  connection.closeSync();
  instance.closeSync();
});

/** What is measured of baselines, and names that a user might give a policy to confuse others. */
const ofBaselines = [
  ...["tv", "kl_target_policy", "kl_policy_target", "jsd", "lost_mass", "elbo_gap", "eubo_gap"],
  ...["effective_programs", "distinct"],
];
const trickyNames = [
  ...["prior", "uniform", "policy", "floor", "capacity", "target", "target_noise", "noise"],
  ...["metropolis_hastings", "sequential_monte_carlo", "reinforce", "ppo", "grpo", "sub_support"],
  ...["compared_prior", "compared_compared_prior", "rival_x", "rival_reinforce", "floor_capacity"],
  ...["perfect_sampler", "baseline_tabu", "x", "noise_seed"],
];

Deno.test("whatever a user calls a policy, no two facts have one name", () => {
  const built: Subject[] = names.map(([, kind, name]) => ({ kind, name }));
  const future: Subject[] = [{ kind: "rival", name: "x" }, { kind: "baseline", name: "tabu" }];
  const compared = trickyNames.map((name): Subject => ({ kind: "compared", name }));
  const owner = new Map<string, string>();
  const claim = (measure: string, subject: Subject) => {
    const name = evaluationName(measure, subject);
    const fact = `${measure} of ${subject.kind} ${subject.name}`;
    assert.equal(owner.get(name) ?? fact, fact, name);
    owner.set(name, fact);
  };
  for (const measure of measureNames) claim(measure, { kind: "policy", name: "policy" });
  for (const measure of ofBaselines) {
    for (const subject of [...built, ...future, ...compared]) claim(measure, subject);
  }
  claim("log_reward_sd", { kind: "noise", name: "target" });
});

const incomplete: readonly (readonly [Record<string, unknown>, RegExp])[] = [
  [{ measure: "tv" }, /wanted measure, subject and subject_kind \(policy, compared, prior, .*\)/],
  [{ measure: "tv", subject_kind: "priors", subject: "x" }, /found .*"subject_kind":"priors"/],
  [{ subject_kind: "prior", subject: "prior" }, /^internal: table "evaluation": wanted measure/],
  [
    { measure: "tv", subject_kind: "prior", subject: "prior", name: "tv" },
    /the name of this measure is "tv_prior", found "tv"; leave it out$/,
  ],
];

for (const [row, message] of incomplete) {
  Deno.test(`a measure of ${JSON.stringify(row)} is refused`, () => {
    assert.throws(() => completeEvaluation(row), { name: "TypeError", message });
  });
}

Deno.test("a row with a name alone, as other repositories write it, has the facts of its name", async () => {
  await inFolder(async (root) => {
    const store = await RunStore.create(root, ulid());
    store.append("evaluation", [{ name: "tv_prior", value: 1 }, { name: "my_measure", value: 2 }], {
      stage: "evaluate",
    });
    const sql = "select name, measure, subject_kind, subject from evaluation order by value";
    assert.deepEqual(await store.select(sql), [
      ["tv_prior", "tv", "prior", "prior"],
      ["my_measure", "my_measure", "policy", "policy"],
    ]);
    await store.close();
  });
});

const tv = { measure: "tv", subject_kind: "compared", subject: "prior", value: 0.5 };
const at = { stage: "train.progress", step: 4 };
const sameKey =
  /^internal: table "evaluation" has a row of stage = \w.*, measure = tv, .* already; /;

Deno.test("a second measure with the same key is refused, others are not", async () => {
  await inFolder(async (root) => {
    const store = await RunStore.create(root, ulid());
    const others = [{ seed: 1 }, { group: "first prompt" }, { seed: 1, group: "first prompt" }];
    const rows = [
      tv,
      { ...tv, subject_kind: "prior" },
      ...others.map((one) => ({ ...tv, ...one })),
    ];
    store.append("evaluation", rows, at);
    store.append("evaluation", [tv], { ...at, step: 8 });
    for (const row of rows) {
      assert.throws(() => store.append("evaluation", [{ ...row, value: 1 }], at), {
        name: "TypeError",
        message: sameKey,
      });
    }
    await store.close();
    const again = await RunStore.open(root, store.runId);
    assert.throws(() => again.append("evaluation", [tv], at), { message: sameKey });
    const values = "select count(*)::integer, min(value), max(value) from evaluation";
    assert.deepEqual(await again.select(values), [[6, 0.5, 0.5]]);
    await again.close();
    const { rows: kept } = await RunStore.rebuild(again.folder);
    assert.equal(kept, 6);
  });
});

Deno.test("a stage that is taken back to a checkpoint measures what came after it again", async () => {
  await inFolder(async (root) => {
    const store = await RunStore.create(root, ulid());
    store.append("evaluation", [tv], at);
    store.append("evaluation", [tv], { stage: "evaluate" });
    const segment = await store.cut("train");
    store.append("evaluation", [tv], { ...at, step: 8 });
    await store.deleteRows("train", 4, segment);
    store.append("evaluation", [{ ...tv, value: 0.25 }], { ...at, step: 8 });
    assert.throws(() => store.append("evaluation", [tv], at), { message: sameKey });
    assert.throws(() => store.append("evaluation", [tv], { stage: "evaluate" }), {
      message: sameKey,
    });
    const sql = "select step::integer, value from evaluation order by step";
    assert.deepEqual(await store.select(sql), [[0, 0.5], [4, 0.5], [8, 0.25]]);
    await store.close();
  });
});
