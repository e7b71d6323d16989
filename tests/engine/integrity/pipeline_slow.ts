/** Pipelines with withheld rows, with checks of integrity, and with an executor that is missing. */
import assert from "node:assert/strict";
import { withProject } from "../../cli/command_line.ts";
import { freshTable } from "../../cli/pipeline_parts.ts";

const files = ["data/dugongs.csv", "grammars/growth_curves_small.toml"];

const pipeline = (executor: string, holdout: string, judges: string) =>
  `format = 1
name = "honest"
seed = 3
[stages.data]
kind = "dataset"
path = "data/dugongs.csv"
${holdout}
[stages.data.columns]
age = { role = "predictor" }
length = { role = "response", resolution = 0.01 }
[stages.programs]
kind = "grammar"
path = "grammars/growth_curves_small.toml"
[stages.target]
kind = "target"
inputs = { environment = "programs", data = "data" }
executor = "${executor}"
log_reward = [${judges}]
${freshTable}[stages.integrity]
kind = "integrity"
inputs = { policy = "fresh.policy", target = "target" }
top = 3
`;

const share = "holdout = { share = 0.2 }";
const both = '{ judge = "elpd_holdout" }, { judge = "log_prior" }';

Deno.test("the best programs of a pipeline with withheld rows keep what honest ones keep", async () => {
  await withProject(files, async (project) => {
    project.write("honest.toml", pipeline("native", share, both));
    const { code, err } = await project.sluice("run", "honest.toml", "--quiet");
    assert.equal(code, 0, err);
    const sql = "select measure, value from evaluation where stage = 'integrity'";
    const rows = await project.query<{ measure: string; value: number }>(sql);
    const value = (name: string) => rows.find((row) => row.measure === `integrity_${name}`)!.value;
    assert.deepEqual([value("programs"), value("violations")], [3, 0]);
    assert.ok(value("mass_error") < 1e-6 && value("importance_z") < 4, JSON.stringify(rows));
    assert.ok(value("permutation_z") > 0 && value("permutation_z") <= 4, JSON.stringify(rows));
    const twice = "select program_sha256 from execution group by all having count(*) > 1";
    assert.deepEqual(
      await project.query(twice),
      [],
      "a program has one score of the target's data",
    );
  });
});

Deno.test("the judge of withheld rows asks for such rows", async () => {
  await withProject(files, async (project) => {
    project.write("honest.toml", pipeline("native", "", both));
    const { code, err } = await project.sluice("run", "honest.toml", "--quiet");
    assert.equal(code, 2, err);
    assert.match(err, /withholds no rows/);
  });
});

Deno.test("without a Python environment the executor pymc ends a run with 3, nothing executed", async () => {
  await withProject(files, async (project) => {
    project.write("honest.toml", pipeline("pymc", "", '{ judge = "elpd_loo" }'));
    const { code, err } = await project.sluice("run", "honest.toml", "--quiet");
    assert.equal(code, 3, err);
    assert.match(err, /sluice doctor --install-python/);
    assert.deepEqual(await project.query("select count(*) as n from execution"), [{ n: 0 }]);
  });
});
