/** The main job at full size: three seeds, each from an empty project; about ten minutes. */
import assert from "node:assert/strict";
import { withProject } from "../cli/command_line.ts";

const files = ["pipelines", "configs", "grammars", "data"];

const sql = `select name, value from evaluation where stage = 'evaluate'
  union all select 'distinct', count(distinct program_sha256) from trajectory where not replayed
  union all select 'fresh', count(*) from trajectory where not replayed
  union all select 'invalid', count(*) from trajectory t join execution x
    on x.program_sha256 = t.program_sha256 where x.status <> 'ok'`;

for (const seed of ["20", "21", "22"]) {
  Deno.test(`the main job reaches the target with seed ${seed}`, async () => {
    await withProject(files, async (project) => {
      const run = ["run", "pipelines/dugongs.toml", "--quiet", "--set", `seed=${seed}`];
      const { code, err } = await project.sluice(...run);
      assert.equal(code, 0, err);
      const { out } = await project.sluice("query", "--run", "last", "--format", "json", sql);
      const rows = JSON.parse(out) as { name: string; value: number }[];
      const values = new Map(rows.map(({ name, value }) => [name, value]));
      const value = (name: string) => values.get(name) ?? NaN;
      assert.ok(value("tv") <= 0.05, `tv ${value("tv")}`);
      assert.ok(value("kl_target_policy") <= 0.02, `kl ${value("kl_target_policy")}`);
      assert.ok(value("tv_sft") > 0.2, `tv_sft ${value("tv_sft")}`);
      assert.ok(value("tv_prior") >= 0.4 && value("tv_uniform") >= 0.4);
      assert.ok(value("effective_programs_target") >= 200);
      assert.ok(value("raised_share") <= 0.01);
      assert.deepEqual([value("fresh"), value("invalid")], [25600, 0]);
      assert.ok(value("distinct") > 2000 && value("distinct") < value("programs"));
    });
  });
}
