/** Likelihoods of the engine are distributions, and one that is not is found out. */
import assert from "node:assert/strict";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import {
  checkDistributions,
  checkLikelihoodMass,
} from "../../../src/engine/score/integrity/check.ts";
import {
  distributionsAtPrior,
  type RowDistributions,
} from "../../../src/engine/score/integrity/distribution_at.ts";
import { permutedRows } from "../../../src/engine/score/integrity/permuted.ts";
import { totalMass } from "../../../src/engine/score/integrity/total_mass.ts";
import { datasets } from "./lh_catalogue.ts";

/** A program with this likelihood, on measurements or on counts. */
function checkedProgram(likelihood: string, data: "measured" | "counted") {
  const text = `import pymc as pm
with pm.Model() as model:
    x = data["x"]
    a = pm.Normal("a", 1, 0.5)
    s = pm.Gamma("s", 4, 4)
    ${likelihood.replace(/\)$/, ', observed=data["y"])')}
`;
  const checked = checkProgram(text, datasets[data]);
  assert.ok(checked.ok, JSON.stringify(checked));
  return checked.program;
}

const densities = [
  'pm.Normal("y", a + x, s)',
  'pm.StudentT("y", nu=2 + s, mu=a, sigma=s)',
  'pm.Cauchy("y", a, s)',
  'pm.Laplace("y", a * x, s)',
  'pm.AsymmetricLaplace("y", b=s, kappa=0.7, mu=a)',
  'pm.Logistic("y", a, s)',
  'pm.Gumbel("y", a, s)',
  'pm.SkewNormal("y", mu=a, sigma=s, alpha=3)',
  'pm.ExGaussian("y", mu=a, sigma=s, nu=0.5 + s)',
  'pm.LogNormal("y", a, s)',
  'pm.Gamma("y", alpha=0.5 + s, beta=s)',
  'pm.InverseGamma("y", alpha=1 + s, beta=s)',
  'pm.Weibull("y", alpha=1 + s, beta=s)',
  'pm.Exponential("y", s)',
  'pm.HalfNormal("y", s)',
  'pm.HalfCauchy("y", s)',
  'pm.Wald("y", mu=1 + s, lam=s)',
  'pm.NormalMixture("y", w=[0.3, 0.7], mu=[0, 2], sigma=s)',
  'pm.Truncated("y", pm.Normal.dist(a, s), lower=0, upper=5)',
  'pm.Censored("y", pm.Normal.dist(a, s), lower=1, upper=4)',
  'pm.HurdleGamma("y", psi=0.8, alpha=1 + s, beta=s)',
];

const masses = [
  'pm.Poisson("y", pm.math.exp(a))',
  'pm.NegativeBinomial("y", mu=1 + s, alpha=1 + s)',
  'pm.ZeroInflatedPoisson("y", psi=0.7, mu=1 + s)',
  'pm.HurdlePoisson("y", psi=0.7, mu=1 + s)',
  'pm.Binomial("y", n=6, p=pm.math.sigmoid(a))',
  'pm.BetaBinomial("y", n=6, alpha=1 + s, beta=s)',
  'pm.DiscreteUniform("y", lower=0, upper=6)',
];

Deno.test("densities integrate to 1 and keep the importance identity", () => {
  for (const text of densities) {
    const check = checkLikelihoodMass(checkedProgram(text, "measured"), datasets.measured, 3);
    assert.ok(check?.holds, `${text}: ${JSON.stringify(check)}`);
  }
});

Deno.test("masses of whole numbers add up to 1", () => {
  for (const text of masses) {
    const check = checkLikelihoodMass(checkedProgram(text, "counted"), datasets.counted, 3);
    assert.ok(check?.holds && check.importanceZ === undefined, `${text}: ${JSON.stringify(check)}`);
  }
});

/** A distribution whose density claims more than it has. */
function inflated(distribution: RowDistributions, by: number): RowDistributions {
  return {
    ...{
      rows: distribution.rows,
      discrete: distribution.discrete,
      support: distribution.support,
      atoms: distribution.atoms,
      work: distribution.work,
    },
    breaks: distribution.breaks,
    logDensity: (response) => distribution.logDensity(response).map((one) => one + by),
    draw: (random, out) => distribution.draw(random, out),
  };
}

Deno.test("a density with a bonus fails both checks, by as much as it claims", () => {
  const program = checkedProgram('pm.Normal("y", a + x, s)', "measured");
  const [distribution] = distributionsAtPrior(program, datasets.measured, 1, ["bonus"])!;
  const honest = checkDistributions([distribution], ["bonus"]);
  const forged = checkDistributions([inflated(distribution, 0.1)], ["bonus"]);
  assert.ok(honest.holds && honest.massError < 1e-7, JSON.stringify(honest));
  assert.ok(!forged.holds && forged.importanceZ! > 4, JSON.stringify(forged));
  for (const mass of totalMass(inflated(distribution, Math.LN2), ["bonus"]).masses) {
    assert.ok(Math.abs(mass - 2) < 1e-6, `${mass}`);
  }
});

Deno.test("a mass of whole numbers with a bonus fails", () => {
  const program = checkedProgram('pm.Poisson("y", pm.math.exp(a))', "counted");
  const [distribution] = distributionsAtPrior(program, datasets.counted, 1, ["bonus"])!;
  assert.ok(!checkDistributions([inflated(distribution, 1e-5)], ["bonus"]).holds);
});

Deno.test("counts too many to sum have their mass by strata: honest ones 1, others what they claim", () => {
  for (const mean of [9e6, 1e9, 1e11]) {
    for (
      const call of [
        `pm.Poisson("y", ${mean} * pm.math.exp(a))`,
        `pm.NegativeBinomial("y", mu=${mean} * pm.math.exp(a), alpha=0.3)`,
      ]
    ) {
      const program = checkedProgram(call, "counted");
      const distributions = distributionsAtPrior(program, datasets.counted, 2, ["wide"])!;
      const honest = checkDistributions(distributions, ["wide"]);
      assert.ok(honest.holds && honest.notShown === 0, `${call} ${JSON.stringify(honest)}`);
      const forged = distributions.map((one) => inflated(one, 0.05));
      assert.ok(!checkDistributions(forged, ["wide"]).holds, call);
    }
  }
});

Deno.test("a comb's mass is not shown within the work that there is, and that is said", () => {
  const text = `import numpy as np
import pymc as pm
with pm.Model() as model:
    a = pm.Normal("a", 1, 0.5)
    g = 0.01 * np.arange(400)
    w = pm.math.softmax(-0.5 * ((g[None, :] - a - data["x"][:, None]) / 0.5) ** 2, axis=1)
    pm.NormalMixture("y", w=w, mu=g, sigma=1e-5, observed=data["y"])
`;
  const checked = checkProgram(text, datasets.measured);
  assert.ok(checked.ok);
  const distributions = distributionsAtPrior(checked.program, datasets.measured, 4, ["comb"])!;
  const check = checkDistributions(distributions, ["comb"], 1e7);
  assert.ok(!check.holds && check.notShown === check.distributions, JSON.stringify(check));
  const honest = checkedProgram('pm.Normal("y", a + x, s)', "measured");
  assert.equal(checkLikelihoodMass(honest, datasets.measured, 3)!.notShown, 0);
});

Deno.test("permuted rows are the same rows", () => {
  const other = permutedRows(datasets.measured, ["a key"]);
  const rowsOf = ({ columns }: typeof other) =>
    [...columns[0].values.keys()].map((i) => columns.map(({ values }) => values[i]).join());
  assert.notDeepEqual(rowsOf(other), rowsOf(datasets.measured));
  assert.deepEqual(rowsOf(other).sort(), rowsOf(datasets.measured).sort());
});
