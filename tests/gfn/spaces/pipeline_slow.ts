/** A pipeline whose models come from a formula: counted, and answered in the formula's words. */
import assert from "node:assert/strict";
import { withProject } from "../../cli/command_line.ts";
import { fitAndPrior, freshTable } from "../../cli/pipeline_parts.ts";

const csv = ["x,site,seen"];
for (let i = 0; i < 40; i++) {
  const x = (i * 7) % 11;
  csv.push(`${x},${"abcd"[i % 4]},${Math.round(Math.exp(0.4 * x) / 6) + (i % 3)}`);
}

const pipeline = (formula: string) =>
  `format = 1
name = "seen"
[stages.data]
kind = "dataset"
path = "seen.csv"
[stages.data.columns]
x = { role = "predictor" }
site = { role = "group", type = "category" }
seen = { role = "response", type = "count" }
[stages.programs]
kind = "model_space"
inputs = { data = "data" }
formula = "${formula}"
families = ["poisson", "negative_binomial"]
${fitAndPrior()}${freshTable}[stages.evaluate]
kind = "evaluate_kl"
inputs = { policy = "fresh.policy", target = "target" }
`;

Deno.test("a formula is counted: the slope is in, and sites that do not differ are not needed", () =>
  withProject([], async (project) => {
    project.write("seen.csv", csv.join("\n") + "\n");
    project.write("seen.toml", pipeline("seen ~ [x] + [(1 | site)]"));
    const { code, err } = await project.sluice("run", "seen.toml", "--quiet");
    assert.equal(code, 0, err);
    const sql = "select production, prior, target from inclusion where production in ('x', 'no_x')";
    const rows = await project.query<{ production: string; target: number }>(sql);
    const target = new Map(rows.map((row) => [row.production, row.target]));
    assert.ok(target.get("x")! > 0.999 && target.get("no_x")! < 0.001, JSON.stringify(rows));
    const said = await project.query("select message from event where stage = 'programs'");
    assert.match(JSON.stringify(said), /8 programs over 3 questions/);
  }));

Deno.test("a formula that does not suit the data ends the run with 2 and what to do", () =>
  withProject([], async (project) => {
    project.write("seen.csv", csv.join("\n") + "\n");
    project.write("seen.toml", pipeline("seen ~ [xx]"));
    const { code, err } = await project.sluice("run", "seen.toml", "--quiet");
    assert.equal(code, 2, err);
    assert.match(err, /no such column/);
    assert.match(err, /did you mean "x"\?/);
  }));
