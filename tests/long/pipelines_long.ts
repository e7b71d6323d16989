/** The pipelines on published data at full size, each from an empty project; some minutes each. */
import assert from "node:assert/strict";
import { withProject } from "../cli/command_line.ts";

const files = ["pipelines", "configs", "grammars", "data"];

const measures = `select measure, value from evaluation
  where stage = 'evaluate' and step = 0 and subject_kind = 'policy'`;
const references = "select message, detail from event where kind = 'reference'";

for (const name of ["peregrines", "eight_schools", "surgical"]) {
  Deno.test(`${name} learns its target, and ranks the published program`, async () => {
    await withProject(files, async (project) => {
      const { code, err } = await project.sluice("run", `pipelines/${name}.toml`, "--quiet");
      assert.equal(code, 0, err);
      const found = await project.query<{ measure: string; value: number }>(measures);
      const value = (name: string) => found.find((one) => one.measure === name)?.value ?? NaN;
      assert.ok(value("programs") >= 500);
      assert.ok(value("kl_target_policy") <= 0.05);
      assert.ok(value("failed_programs") <= 0.1 * value("programs"));
      assert.ok(value("raised_share") <= 0.01);
      const [published] = await project.query<{ detail: Record<string, number> }>(references);
      const { rank, programs, elpd_difference, elpd_difference_se } = published.detail;
      assert.ok(rank >= 1 && rank <= programs);
      assert.ok(Number.isFinite(elpd_difference) && elpd_difference_se >= 0);
    });
  });
}
