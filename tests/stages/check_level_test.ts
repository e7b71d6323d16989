/** Findings of `sluice check` on the built-in kinds before a run: authors, and checks that stages bring. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { InputError, renderDiagnostics } from "../../src/base/diagnostic.ts";
import { withholdRows } from "../../src/data/holdout.ts";
import { resolvePipeline } from "../../src/pipeline/read/resolve.ts";
import type { ResolvedPipeline } from "../../src/pipeline/read/resolved.ts";
import { builtInKinds } from "../../stages/mod.ts";
import targetDeclaration from "../../stages/target/mod.ts";
import target from "../../stages/target/stage.ts";
import { dugongs } from "../engine/density/data.ts";
import { fakeContext, smallEnvironment } from "./fixtures.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

function dugongsWith(...sets: string[]): Promise<ResolvedPipeline> {
  const path = "pipelines/dugongs.toml";
  return resolvePipeline({ path, sets, kinds: builtInKinds, sluiceRoot: root, cwd: root });
}

async function refusal(trying: Promise<unknown>): Promise<string> {
  const error = await trying.then(() => assert.fail("nothing was refused"), (e) => e);
  assert.ok(error instanceof InputError, String(error));
  return renderDiagnostics(error.diagnostics, new Map());
}

Deno.test("check refuses to reward an informed author by rows that it may have read", async () => {
  const said = await refusal(dugongsWith('stages.target.author="informed"'));
  assert.match(said, /"target"/);
  assert.match(said, /author = "informed" is rewarded by rows that it never saw/);
  assert.match(said, /wanted \{ judge = "elpd_holdout" \}, and holdout = \{ share = 0\.2 \}/);
});

Deno.test("check lets an informed author be rewarded by withheld rows", async () => {
  const reward = 'stages.target.log_reward=[{ judge = "elpd_holdout" }]';
  const pipeline = await dugongsWith('stages.target.author="informed"', reward);
  assert.ok(pipeline.stages.some(({ name }) => name === "target"));
});

Deno.test("a run refuses what no check could see: an environment of one's own is informed", async () => {
  const context = fakeContext();
  const environment = { ...smallEnvironment(), kind: "custom" };
  const inputs = { environment, data: withholdRows(dugongs(0.01), { share: 0.2 }) };
  const params = { log_reward: [{ judge: "elpd_loo" }], schedule: {} };
  const instance = target.open(targetDeclaration.params.parse(params));
  const run = instance.run(context, inputs as unknown as Parameters<typeof instance.run>[1]);
  const said = await refusal(run);
  assert.match(said, /Cannot reward by elpd_loo: the author of the programs may have seen/);
  assert.match(said, /write \{ judge = "elpd_holdout" \} in log_reward; or author = "blind"/);
});

Deno.test("a stage that looks for violations brings the check that there are none", async () => {
  const checks = ['checks=[{ name = "of its own", sql = "select true" }]'];
  const pipeline = await dugongsWith(...checks);
  assert.deepEqual(pipeline.checks.map(({ name }) => name), [
    "of its own",
    "nothing against the best programs (integrity)",
  ]);
  assert.match(
    pipeline.checks[1].sql,
    /max\(value\), 1\) = 0 .*'integrity_violations'.*'integrity'/s,
  );
});

Deno.test("a check of the pipeline's own takes the place of the one that a stage brings", async () => {
  const pipeline = await dugongsWith();
  const reading = pipeline.checks.filter(({ sql }) => sql.includes("integrity_violations"));
  assert.equal(reading.length, 1);
  assert.ok(reading[0].span, "it stands in the file");
});
