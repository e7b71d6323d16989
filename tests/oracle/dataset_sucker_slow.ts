/** The pipeline that ships, on a model of random weights: its calls add up to its rewards. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { executorService } from "../../src/executor/service.ts";
import { addModel } from "../../src/models/store/add_model.ts";
import { ModelStore } from "../../src/models/store/model_store.ts";
import { writeRandomCheckpoint } from "../../src/models/store/random_checkpoint.ts";
import { oracleService } from "../../src/oracle/service.ts";
import { findSluiceHome } from "../../src/pipeline/contract/project.ts";
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

Deno.test("dataset_sucker.toml runs on a model of random weights, asked as an assistant", async () => {
  await withProject(async (project) => {
    const { root } = project;
    writeRandomCheckpoint(project.path("tiny"), "seed 19");
    const config = project.path("tiny", "tokenizer_config.json");
    const settings = JSON.parse(Deno.readTextFileSync(config));
    Deno.writeTextFileSync(config, JSON.stringify({ ...settings, chat_template: template }));
    await addModel(new ModelStore(root), project.path("tiny"));
    const overlays = [file("configs/dataset_sucker_assistant.toml")];
    const pipeline = await resolvePipeline({
      ...{ path: file("pipelines/dataset_sucker.toml"), overlays, sets: small },
      ...{ kinds: builtInKinds, sluiceRoot: findSluiceHome().root },
    });
    const { runId, stages, status } = await runPipeline(pipeline, {
      ...{ projectRoot: root, keepLock: true, models: new ModelStore(root) },
      builtInKindFile: (kind) => fileURLToPath(builtInKindFile(kind)),
      services: [executorService({ root }), oracleService({ root })],
    });
    assert.deepEqual(stages.flatMap(({ fault }) => fault ?? []), []);
    assert.equal(status, "failed"); // two steps are no training: the first checks do not hold
    const [[count, difference]] = await project.query(
      runId,
      `select count(*), max(abs(e.log_reward - s.log_reward))
       from enumeration e join (${sums}) s using (program)`,
    );
    assert.equal(count, 2 * 432); // of either policy
    assert(Number(difference) < 1e-9);
    const ends = "select distinct ids[len(ids)] from oracle_call where \"of\" = 'y|x'";
    const end = "select end_id from oracle";
    assert.deepEqual(await project.query(runId, ends), await project.query(runId, end));
  });
});
