/** A pipeline whose best program has a likelihood that is not shown to be a distribution fails its check. */
import assert from "node:assert/strict";
import { withProject } from "../../cli/command_line.ts";
import { dugongsData, fitAndPrior, freshTable } from "../../cli/pipeline_parts.ts";

/** One program: a curve that falls on a comb of four hundred teeth, which pays no more than the curve. */
const grammar = `format = 1
name = "combs"
exit = 1.0
template = '''
import numpy as np
import pymc as pm

with pm.Model() as model:
    a = pm.Normal("a", 1.7, 0.5)
    b = pm.HalfNormal("b", 1)
    s = pm.Exponential("s", 10)
    mu = a + b * np.log(data["age"])
    {noise}
'''

[holes.noise]
type = "statements"

[[holes.noise.productions]]
name = "comb"
weight = 1.0
text = '''
g = 1.2 + 0.005 * np.arange(400)
w = pm.math.softmax(-0.5 * ((g[None, :] - mu[:, None]) / s) ** 2, axis=1)
pm.NormalMixture("length", w=w, mu=g, sigma=1e-6, observed=data["length"])
'''
`;

const pipeline = `format = 1
name = "fires"
seed = 3
${dugongsData}[stages.programs]
kind = "grammar"
path = "grammars/combs.toml"
${fitAndPrior()}${freshTable}[stages.integrity]
kind = "integrity"
inputs = { policy = "fresh.policy", target = "target" }
top = 1
parameter_draws = 1
[[checks]]
name = "likelihoods are distributions"
sql = """
select value = 0 from evaluation
where measure = 'integrity_violations' and subject_kind = 'policy' and stage = 'integrity'"""
`;

const integritySql = "select message from event where kind = 'integrity'";

Deno.test("the check of integrity fails, names the program, and the target stays what was learnt", async () => {
  await withProject(["data/dugongs.csv"], async (project) => {
    project.write("grammars/combs.toml", grammar);
    project.write("fires.toml", pipeline);
    const { code, err } = await project.sluice("run", "fires.toml", "--quiet");
    assert.equal(code, 1, err);
    assert.match(err, /likelihoods are distributions/);
    const [event] = await project.query<{ message: string }>(integritySql);
    assert.match(event.message, /mass is not shown to be 1[\s\S]*NormalMixture/);
    const [{ status }] = await project.query(
      "select status from execution where elpd_loo is not null limit 1",
    );
    assert.equal(status, "ok");
  });
});
