/** Leave-future-out from the command line: `sluice score --time`, and a pipeline whose target has time. */
import assert from "node:assert/strict";
import { withProject } from "./command_line.ts";
import { freshTable } from "./pipeline_parts.ts";

const peregrines = "data/peregrines_french_jura_real.csv";
const program = "docs/examples/peregrines.py";
const files = [peregrines, program];
const score = ["score", program, "--data", peregrines, "--response", "pairs"];

Deno.test("--time predicts every row from those before it, lags and all", async () => {
  await withProject(files, async (project) => {
    const { code, out, err } = await project.sluice(...score, "--time", "year");
    assert.equal(code, 0, err);
    assert.match(out, /^ELPD-LFO -\d+\.\d\d, standard error/);
    assert.match(out, /30 rows predicted from those before them/);
    const json = await project.sluice(...score, "--time", "year", "--time-first", "20", "--json");
    const report = JSON.parse(json.out);
    assert.deepEqual([report.unit, report.elpd_pointwise.length], ["future", 20]);
    assert.equal(report.elpd_lfo, report.elpd_loo);
  });
});

Deno.test("lags without --time, times that cannot be, and flags without it are refused", async () => {
  await withProject(files, async (project) => {
    const plain = await project.sluice(...score);
    assert.equal(plain.code, 2);
    assert.match(plain.err, /--time column\) lets earlier rows of it predict later ones/);
    const unknown = await project.sluice(...score, "--time", "yaer");
    assert.match(unknown.err, /there is no column "yaer"[\s\S]*did you mean "year"/);
    const first = await project.sluice(...score, "--time-first", "5");
    assert.match(first.err, /no future is left out/);
    const many = await project.sluice(...score, "--time", "year", "--time-first", "40");
    assert.match(many.err, /the data have 40 rows/);
    project.write("tied.csv", "year,pairs\n1,30\n2,31\n2,33\n3,36\n");
    const tied = await project.sluice(...score.with(3, "tied.csv"), "--time", "year");
    assert.match(tied.err, /rows 2, 3 have the same time, 2/);
    project.write("gaps.csv", "year,pairs\n1,30\n,31\n3,33\n");
    const gaps = await project.sluice(...score.with(3, "gaps.csv"), "--time", "year");
    assert.match(gaps.err, /column "year", row 2: found nothing/);
    project.write("words.csv", "year,pairs\nmay,30\njune,31\njuly,33\n");
    const words = await project.sluice(...score.with(3, "words.csv"), "--time", "year");
    assert.match(words.err, /it holds text such as "july"/);
    project.write("turned.csv", "year,pairs\n3,30\n2,31\n1,33\n0,35\n");
    const turned = ["--time", "year", "--rows", "ordered"];
    const ordered = await project.sluice(...score.with(3, "turned.csv"), ...turned);
    assert.match(ordered.err, /rows = "ordered", but row 4 \(0\) belongs before row 1 \(3\)/);
  });
});

const grammar = `format = 1
name = "pairs"
template = '''
import numpy as np
import pymc as pm

with pm.Model() as model:
    a = pm.Normal("a", 0, 1)
    s = pm.HalfNormal("s", 0.3)
    {mean}
    pm.LogNormal("pairs", mu=mu, sigma=s, observed=data["pairs"][1:])
'''
[holes.mean]
type = "statements"
[[holes.mean.productions]]
name = "alone"
weight = 1
text = "mu = 4 + a"
[[holes.mean.productions]]
name = "lagged"
weight = 1
text = 'mu = a + np.log(data["pairs"])[:-1]'
`;

const pipeline = `format = 1
name = "time"
seed = 3
[stages.data]
kind = "dataset"
path = "${peregrines}"
[stages.data.columns]
year = { role = "time" }
pairs = { role = "response", resolution = 1 }
[stages.programs]
kind = "grammar"
path = "pairs.toml"
[stages.target]
kind = "target"
inputs = { environment = "programs", data = "data" }
time = "year"
log_reward = [{ judge = "elpd_lfo" }, { judge = "log_prior" }]
${freshTable}[stages.integrity]
kind = "integrity"
inputs = { policy = "fresh.policy", target = "target" }
top = 2
[stages.proof]
kind = "evaluate_kl"
inputs = { policy = "fresh.policy", target = "target" }
`;

Deno.test("a target with time rewards by elpd_lfo, and a program with a lag is worth more", async () => {
  await withProject([peregrines], async (project) => {
    project.write("pairs.toml", grammar);
    project.write("time.toml", pipeline);
    const { code, err } = await project.sluice("run", "time.toml", "--quiet");
    assert.equal(code, 0, err);
    const sql = "select distinct unit, len(elpd_pointwise) as n from execution where status = 'ok'";
    assert.deepEqual(await project.query(sql), [{ unit: "future", n: 30 }]);
    const listed = await project.sluice("programs", "last", "--json");
    assert.deepEqual(JSON.parse(listed.out)[0].features, ["lagged"]);
    const printed = await project.sluice("programs", "last", "--out", "best");
    assert.equal(printed.code, 0, printed.err);
    const text = project.read("best/program-01.py");
    assert.match(text, /ELPD-LFO/);
    assert.match(text, /Read back, it has the canonical hash of the graph/);
    assert.doesNotMatch(text, /NOT PROVEN/);
    const report = await project.sluice("report", "last", "--out", "report");
    assert.equal(report.code, 0, report.err);
    assert.match(project.read("report/report.md"), /ELPD-LFO/);
  });
});

Deno.test("a target with time and a judge that leaves rows out is refused", async () => {
  await withProject([peregrines], async (project) => {
    project.write("pairs.toml", grammar);
    project.write("time.toml", pipeline.replace("elpd_lfo", "elpd_loo"));
    const { code, err } = await project.sluice("run", "time.toml", "--quiet");
    assert.equal(code, 2, err);
    assert.match(err, /write \{ judge = "elpd_lfo" \} in log_reward/);
  });
});
