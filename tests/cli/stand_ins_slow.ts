/** A grammar without data runs where it checks, whichever family its programs observe a response by. */
import assert from "node:assert/strict";
import { withProject } from "./command_line.ts";

/** Likelihoods of `y`, one for each kind of support. */
const likelihoods = {
  normal: "pm.Normal(NAME, mu=a, sigma=1, OBSERVED)",
  log_normal: "pm.LogNormal(NAME, mu=a, sigma=1, OBSERVED)",
  bernoulli: "pm.Bernoulli(NAME, logit_p=a, OBSERVED)",
  beta: "pm.Beta(NAME, alpha=pm.math.exp(a), beta=2, OBSERVED)",
  uniform: "pm.Uniform(NAME, lower=0, upper=pm.math.exp(a) + 4, OBSERVED)",
  poisson: "pm.Poisson(NAME, mu=pm.math.exp(a), OBSERVED)",
  geometric: "pm.Geometric(NAME, p=pm.math.sigmoid(a), OBSERVED)",
  truncated: "pm.Truncated(NAME, pm.Poisson.dist(mu=pm.math.exp(a)), lower=1, OBSERVED)",
  inflated: "pm.ZeroInflatedPoisson(NAME, psi=pm.math.sigmoid(a), mu=2, OBSERVED)",
  hurdle: "pm.HurdleGamma(NAME, psi=0.5, alpha=pm.math.exp(a), beta=1, OBSERVED)",
  binomial: 'pm.Binomial(NAME, n=data["n"], p=pm.math.sigmoid(a), OBSERVED)',
  binomial_of_one: "pm.Binomial(NAME, n=1, p=pm.math.sigmoid(a), OBSERVED)",
  ordered: "pm.OrderedLogistic(NAME, eta=a, cutpoints=[-1.0, 1.0], compute_p=False, OBSERVED)",
  two_levels: "pm.OrderedLogistic(NAME, eta=a, cutpoints=[0.5], compute_p=False, OBSERVED)",
  categorical: "pm.Categorical(NAME, logit_p=pm.math.stack([0, a, -a]), OBSERVED)",
} as const;

function grammarOf(texts: Readonly<Record<string, string>>): string {
  const productions = Object.entries(texts).map(([name, text]) => {
    const own = text.replace("NAME", '"y"').replace("OBSERVED", 'observed=data["y"]');
    return `\n[[holes.noise.productions]]\nname = "${name}"\nweight = 1\ntext = '${own}'\n`;
  });
  return `format = 1\nname = "made"\ntemplate = '''\nimport pymc as pm\n\n` +
    `with pm.Model() as model:\n    a = pm.Normal("a", 0, 1)\n    {noise}\n'''\n\n` +
    `[holes.noise]\ntype = "statements"\n${productions.join("")}`;
}

const pipeline = 'format = 1\nname = "made"\n\n[stages.programs]\nkind = "grammar"\n' +
  'path = "grammar.toml"\n';

Deno.test("likelihoods of every support check and run without data", async () => {
  await withProject([], async (project) => {
    project.write("made.toml", pipeline);
    project.write("grammar.toml", grammarOf(likelihoods));
    for (const command of ["check", "run"]) {
      const { code, err } = await project.sluice(command, "made.toml");
      assert.equal(code, 0, `${command}: ${err}`);
    }
    project.write(
      "grammar.toml",
      grammarOf({ ...likelihoods, wrong: "pm.Nromal(NAME, OBSERVED)" }),
    );
    const { code, err } = await project.sluice("run", "made.toml");
    assert.equal(code, 2);
    assert.match(err, /grammar\.toml:\d+:\d+: .*Nromal/);
  });
});
