/** An answer says what a wider prior of a dispersion does to it, and that one rests on such a prior. */
import assert from "node:assert/strict";
import { type Answer, answerSchema } from "../../src/answers/answer_schema.ts";
import { familyPairs } from "../gfn/spaces/family_pairs.ts";
import { type CommandLine, withProject } from "./command_line.ts";

/** Sixty counts whose rates vary by 10 %: maximum likelihood −248.9 and −242.2 (statsmodels). */
const { y, x } = familyPairs.find(({ at }) => at === "alpha 100")!;
const csv = `birds,temp\n${y.map((one, i) => `${one},${x[i]}`).join("\n")}\n`;

/** The negative binomial by an absolute prior, beside the Poisson distribution. */
const grammar = `format = 1
name = "counts"
template = '''
import pymc as pm

with pm.Model() as model:
    eta = pm.Normal("intercept", mu=0.1, sigma=2.5) + 0.1 * data["temp"]
    {noise}
'''

[holes.noise]
type = "statements"
question = "family"

[[holes.noise.productions]]
name = "poisson"
weight = 1
text = 'pm.Poisson("birds", mu=pm.math.exp(eta), observed=data["birds"])'

[[holes.noise.productions]]
name = "negative_binomial"
weight = 1
text = '''
alpha = pm.Exponential("alpha", lam=1)
pm.NegativeBinomial("birds", mu=pm.math.exp(eta), alpha=alpha, observed=data["birds"])
'''
`;

const pipeline = `format = 1
name = "counts"

[stages.data]
kind = "dataset"
path = "birds.csv"
[stages.data.columns]
temp = { role = "predictor" }
birds = { role = "response", type = "count" }

[stages.programs]
kind = "grammar"
path = "counts.toml"

[stages.target]
kind = "target"
inputs = { environment = "programs", data = "data" }
executor = "native"
log_reward = [{ judge = "elpd_loo", weight = 1.0 }, { judge = "log_prior", weight = 1.0 }]
`;

async function rank(project: CommandLine, ...args: readonly string[]): Promise<Answer> {
  const { code, out, err } = await project.sluice("rank", ...args, "--json");
  assert.equal(code, 0, err);
  return answerSchema.parse(JSON.parse(out));
}

Deno.test("families by their distance rest on no prior, and one by an absolute prior does", async () => {
  await withProject([], async (project) => {
    project.write("birds.csv", csv);
    const families = "poisson,negative_binomial";
    const formula = "birds ~ [temp]";
    const answer = await rank(project, "birds.csv", "--formula", formula, "--families", families);
    const [family] = answer.prior_sensitivity.filter(({ question }) => question === "family");
    assert.deepEqual([family.answer, family.parameters], ["negative_binomial", ["dispersion"]]);
    assert.ok(Math.abs(family.moves) < 0.1 && !family.rests);
    assert.match(
      answer.sentences.join("\n"),
      /Doubling the prior width of .* moves log odds of (temp|family) by/,
    );

    project.write("counts.toml", grammar);
    project.write("counts_pipeline.toml", pipeline);
    const absolute = await rank(project, "counts_pipeline.toml");
    const [one] = absolute.prior_sensitivity;
    assert.deepEqual([one.answer, one.parameters, one.rests], ["poisson", ["alpha"], true]);
    assert.ok(one.moves < -2, `${one.moves}`);
    assert.match(
      absolute.sentences.join("\n"),
      /family rests on the prior of alpha: doubling its width/,
    );
  });
});
