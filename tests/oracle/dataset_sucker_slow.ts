/** The pipelines that ship, on a model of random weights: calls add up to rewards. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { executorService } from "../../src/executor/service.ts";
import { addModel } from "../../src/models/store/add_model.ts";
import { ModelStore } from "../../src/models/store/model_store.ts";
import { writeRandomCheckpoint } from "../../src/models/store/random_checkpoint.ts";
import { oracleService } from "../../src/oracle/service.ts";
import { findSluiceHome } from "../../src/pipeline/project/project.ts";
import { resolvePipeline } from "../../src/pipeline/read/resolve.ts";
import { runPipeline } from "../../src/pipeline/run/run.ts";
import { builtInKindFile, builtInKinds } from "../../stages/mod.ts";
import { withProject } from "../pipeline/run/project.ts";

const file = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Two steps of each policy, and none of the baselines that take their time. */
const small = [
  ...["stages.p.oracle.model=tiny", "stages.p.oracle.backend=fused", "stages.texts.model=tiny"],
  ...["stages.start.policy.model=tiny", "stages.start.policy.backend=fused"],
  ...["stages.train.steps=2", "stages.train_small.steps=2", "stages.start_small.policy.width=8"],
  ...["stages.evaluate.baseline_repetitions=0", "stages.evaluate.floor_repetitions=0"],
  ...['stages.evaluate_small.rivals.objectives=["grpo"]', "stages.evaluate_small.budget=64"],
];

/** A conversation as such models have it, in tokens that the tiny one knows. */
const template = "{% for m in messages %}{{ m.role }} {{ m.content }}<|im_end|>{% endfor %}" +
  "{% if add_generation_prompt %}assistant {% endif %}";

const sums = `select program, sum(weight * list_sum(log_probs)) as log_reward
  from oracle_call group by program, target`;

const summed = "every log reward is the sum of its calls";
const learnt = "the language model: KL both ways of at most 0.02";

/** Runs the pipeline with overlays on the tiny model, and passes a query of the run's database on. */
async function withRun(
  { path = "pipelines/dataset_sucker.toml", overlays, sets }: {
    readonly path?: string;
    readonly overlays: readonly string[];
    readonly sets: readonly string[];
  },
  use: (
    query: (sql: string) => Promise<readonly (readonly unknown[])[]>,
    checks: Readonly<Record<string, boolean>>,
  ) => Promise<void>,
) {
  await withProject(async (project) => {
    const { root } = project;
    writeRandomCheckpoint(project.path("tiny"), "seed 19");
    const config = project.path("tiny", "tokenizer_config.json");
    const settings = JSON.parse(Deno.readTextFileSync(config));
    Deno.writeTextFileSync(config, JSON.stringify({ ...settings, chat_template: template }));
    await addModel(new ModelStore(root), project.path("tiny"));
    const pipeline = await resolvePipeline({
      ...{ path: file(path), overlays: overlays.map(file), sets },
      ...{ kinds: builtInKinds, sluiceRoot: findSluiceHome().root },
    });
    const { runId, stages, checks } = await runPipeline(pipeline, {
      ...{ projectRoot: root, keepLock: true, models: new ModelStore(root) },
      builtInKindFile: (kind) => fileURLToPath(builtInKindFile(kind)),
      services: [executorService({ root }), oracleService({ root })],
    });
    assert.deepEqual(stages.flatMap(({ fault }) => fault ?? []), []);
    const found = Object.fromEntries(checks.map(({ name, passed }) => [name, passed]));
    await use((sql) => project.query(runId, sql), found);
  });
}

Deno.test("dataset_sucker.toml runs on a model of random weights, asked as an assistant", async () => {
  const overlays = ["configs/dataset_sucker_assistant.toml"];
  await withRun({ overlays, sets: small }, async (query, checks) => {
    assert.deepEqual(checks, { ...checks, [summed]: true, [learnt]: false });
    const [[count, difference]] = await query(
      `select count(*), max(abs(e.log_reward - s.log_reward))
       from enumeration e join (${sums}) s using (program)`,
    );
    assert.equal(count, 2 * 432); // of either policy
    assert(Number(difference) < 1e-9);
    const ends = "select distinct ids[len(ids)] from oracle_call where \"of\" = 'y|x'";
    assert.deepEqual(await query(ends), await query("select end_id from oracle"));
  });
});

/** Prompts of each of the other tasks: raw text, or a conversation that begins with a system text. */
const tasks = [[], ["configs/dataset_sucker_code.toml"], ["configs/dataset_sucker_creative.toml"]];

for (const task of tasks) {
  const name = task[0] ?? "raw text, as the pipeline has it";
  Deno.test(`every log reward is a sum of calls, of 24 questions: ${name}`, async () => {
    const overlays = [...task, "configs/dataset_sucker_ci.toml"];
    await withRun({ overlays, sets: small }, async (query, checks) => {
      assert.equal(checks[summed], true);
      const calls = 'select count(distinct program), count(distinct "of") from oracle_call';
      assert.deepEqual(await query(calls), [[24, 2]]);
    });
  });
}

Deno.test("answers that the oracle writes are one for each question, whoever asks", async () => {
  const overlays = ["configs/dataset_sucker_generated.toml", "configs/dataset_sucker_ci.toml"];
  await withRun({ overlays, sets: small }, async (query, checks) => {
    assert.equal(checks[summed], true);
    const answers =
      `select program, count(distinct ids), max(len(ids)) <= 32, any_value(temperature)
      from oracle_call where "of" = 'y|x' group by program`;
    const rows = await query(answers);
    assert.equal(rows.length, 24);
    for (const [program, ...rest] of rows) assert.deepEqual(rest, [1, true, 1], `${program}`);
    const [[written]] = await query(
      `select count(distinct ids) from oracle_call where "of" = 'y|x'`,
    );
    assert.ok(Number(written) > 12, "questions have answers of their own");
  });
});

Deno.test("prompt_learning.toml rewards instructions by right answers, and judges them on other rows", async () => {
  const sets = [
    ...["stages.p.oracle.model=tiny", "stages.p.oracle.backend=fused", "stages.train.steps=60"],
    ...["stages.start.policy.width=8", "stages.evaluate.floor_repetitions=0"],
    "stages.evaluate.baseline_repetitions=0",
  ];
  const path = "pipelines/prompt_learning.toml";
  await withRun({ path, overlays: [], sets }, async (query) => {
    const rows = await query(
      `select stage, count(*), max(difference) from (
         select e.stage, program, min(abs(e.log_reward - s.log_reward)) as difference
         from enumeration e join (${sums}) s using (program) group by all
       ) group by stage order by stage`,
    );
    for (const [stage, count, difference] of rows) {
      assert.equal(count, 48, `${stage}`);
      assert.ok(Number(difference) < 1e-9, `${stage}`);
    }
    assert.deepEqual(rows.map(([stage]) => stage), ["evaluate", "judged"]);
    const [[before, after]] = await query(
      `select any_value(value) filter (subject = 'initial'), any_value(value) filter (subject_kind = 'policy')
       from evaluation where stage = 'evaluate' and measure = 'kl_target_policy'`,
    );
    assert.ok(Number(after) < Number(before), `${after} is no nearer than ${before}`);
  });
});
