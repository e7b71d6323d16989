/** Tests of what is known of a space's size before any stage runs. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { countableNote, countPrograms } from "../../src/cli/rank/space_size.ts";
import { localFiles } from "../../src/pipeline/toml/files.ts";
import { resolvePipeline } from "../../src/pipeline/read/resolve.ts";
import type { ResolvedPipeline } from "../../src/pipeline/read/resolved.ts";
import { builtInKinds } from "../../stages/mod.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** A ranking of a formula on the lengths of dugongs. */
function spaceOf(formula: string, path = "data/dugongs.csv"): Promise<ResolvedPipeline> {
  const text = `format = 1
[stages.data]
kind = "dataset"
path = "${path}"
[stages.data.columns]
age = { role = "predictor" }
length = { role = "response", resolution = 0.01 }
[stages.programs]
kind = "model_space"
inputs = { data = "data" }
formula = "${formula}"
families = ["normal", "student_t"]
[stages.target]
kind = "target"
inputs = { environment = "programs", data = "data" }
log_reward = [{ judge = "elpd_loo" }]
[stages.rank]
kind = "rank"
inputs = { target = "target" }
`;
  const own = join(root, "space.toml");
  const readText = (at: string) => at === own ? Promise.resolve(text) : localFiles.readText(at);
  const files = { ...localFiles, readText };
  return resolvePipeline({
    path: "space.toml",
    kinds: builtInKinds,
    sluiceRoot: root,
    cwd: root,
    files,
  });
}

Deno.test("programs of a model space are counted before anything runs", async () => {
  const pipeline = await spaceOf("length ~ [age | log(age) | poly(age, 2)]");
  assert.equal(await countPrograms(pipeline), 6);
  assert.equal(await countableNote(pipeline), "6 programs: counted, nothing to learn");
});

Deno.test("programs of a grammar are counted before anything runs", async () => {
  const path = "pipelines/dugongs.toml";
  const kinds = builtInKinds;
  const pipeline = await resolvePipeline({ path, kinds, sluiceRoot: root, cwd: root });
  assert.equal(await countPrograms(pipeline), 5216);
  assert.match((await countableNote(pipeline))!, /^5,216 programs are few enough .* sluice rank/);
  const words = [path, "@configs/fast.toml", "--set", "stages.train.steps=5"]; // the same pipeline
  assert.ok((await countableNote(pipeline, words))!.endsWith(` sluice rank ${words.join(" ")}`));
});

Deno.test("a formula that its stage will refuse has no number, nor have data elsewhere", async () => {
  assert.equal(await countPrograms(await spaceOf("length ~ [weight]")), undefined);
  const elsewhere = await Deno.makeTempFile({ suffix: ".csv" });
  await Deno.copyFile(join(root, "data/dugongs.csv"), elsewhere);
  try {
    assert.equal(await countPrograms(await spaceOf("length ~ [age]", elsewhere)), undefined);
  } finally {
    await Deno.remove(elsewhere);
  }
});
