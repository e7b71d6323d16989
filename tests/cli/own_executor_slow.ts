/** The executor of docs/examples in a pipeline, run by the real command line. */
import assert from "node:assert/strict";
import { withProject } from "./command_line.ts";
import { smallFiles, smallRun, tinyOverlay } from "./small_project.ts";

const path = "docs/examples/robust_executor.ts";
const own = `
[stages.target]
executor = "./${path}"
`;

/** Programs with normal likelihoods have the scores of Student-t ones, under their own texts. */
const scores = `select program, elpd_loo, sandbox_level from execution order by program`;

Deno.test("a target's executor may be a module of the user's", async (test) => {
  await withProject(smallFiles, async (project) => {
    project.write("tiny.toml", tinyOverlay());
    assert.equal((await project.sluice(...smallRun)).code, 0);
    const native = new Map((await project.query(scores)).map((row) => [row.program, row.elpd_loo]));
    project.write("tiny.toml", tinyOverlay(own));

    await test.step("the pipeline runs, and programs keep their texts", async () => {
      const { code, err } = await project.sluice(...smallRun);
      assert.equal(code, 0, err);
      const rows = await project.query(scores);
      assert(rows.some(({ program, elpd_loo }) => native.get(program) !== elpd_loo));
      assert(rows.every(({ program }) => native.has(program)));
      assert.deepEqual([...new Set(rows.map((row) => row.sandbox_level))].sort().at(0), "L1");
    });

    await test.step("another executor is another target: what hangs on it runs again", async () => {
      project.edit(path, 'digest: "1"', 'digest: "2"');
      const { code, err } = await project.sluice(...smallRun);
      assert.equal(code, 0, err);
      const sql =
        "select stage, cached from stage_run where stage in ('data', 'target') order by 1";
      assert.deepEqual(await project.query(sql), [
        { stage: "data", cached: true },
        { stage: "target", cached: false },
      ]);
    });

    await test.step("a module that is no executor ends the run with status 2", async () => {
      project.write(path, "export default { reward: () => 100 };\n");
      const { code, err } = await project.sluice(...smallRun);
      assert.equal(code, 2);
      assert.match(err, /default export is not an executor/);
    });
  });
});
