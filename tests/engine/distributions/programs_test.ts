/** Every distribution from text to gradient: as the prior of a parameter, and as the distribution of a response. */
import assert from "node:assert/strict";
import { type Column, type Dataset, makeDataset } from "../../../src/base/dataset.ts";
import { compileLogDensity } from "../../../src/engine/inference/density/compile.ts";
import { families, familyOf } from "../../../src/engine/language/distributions/table.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { agree } from "./evaluate.ts";

const rows = 12;
/** Responses of each kind. */
const responses: Readonly<Record<string, readonly [Column["type"], (i: number) => number]>> = {
  real: ["real", (i) => Math.sin(i)],
  positive: ["real", (i) => 0.2 + i / 7],
  unit: ["real", (i) => (i + 0.5) / rows],
  count: ["count", (i) => i % 5],
  fromOne: ["count", (i) => i % 5 + 1],
  binary: ["binary", (i) => i % 2],
  code: ["category", (i) => i % 3],
};

function datasetOf(kind: string): Dataset {
  const [type, value] = responses[kind];
  const column = (f: (i: number) => number) => Float64Array.from({ length: rows }, (_, i) => f(i));
  return makeDataset("distributions", [
    { name: "x", role: "predictor", type: "real", values: column((i) => i / 6 - 1) },
    {
      name: "y",
      role: "response",
      type,
      values: column(value),
      ...(type === "category" && { categories: ["a", "b", "c"] }),
    },
  ]);
}

/** That a program has a finite log density with a true gradient near 0. */
function assertScored(text: string, dataset: Dataset): void {
  const result = checkProgram(text, dataset, undefined, { rows: "ordered" });
  assert.ok(result.ok, result.ok ? "" : result.diagnostics.map((one) => one.message).join("; "));
  const density = compileLogDensity(result.program, dataset);
  const scratch = new Float64Array(density.dimension);
  const at = (shift: number, by: number) => {
    const position = new Float64Array(density.dimension).map((_, i) => 0.1 + 0.01 * i);
    if (shift >= 0) position[shift] += by;
    return density.logDensity(position, scratch, 0);
  };
  assert.ok(Number.isFinite(at(-1, 0)));
  const gradient = scratch.slice();
  gradient.forEach((slope, i) => {
    const difference = (at(i, 1e-5) - at(i, -1e-5)) / 2e-5;
    assert.ok(agree(slope, difference, 1e-5, 1e-5), `by ${i}: ${slope}, not ${difference}`);
  });
}

const head =
  "import pymc as pm\nimport numpy as np\nwith pm.Model():\n    x = pm.Data('x', data['x'])\n";

const priors: readonly string[] = [
  'Normal("a",0,1)',
  'HalfNormal("a",1)',
  'LogNormal("a",0,1)',
  'TruncatedNormal("a",0,1,lower=-1,upper=2)',
  'StudentT("a",3,0,sigma=1)',
  'HalfStudentT("a",3,1)',
  'Cauchy("a",0,1)',
  'HalfCauchy("a",1)',
  'Exponential("a",1)',
  'Gamma("a",2,1)',
  'InverseGamma("a",3,1)',
  'ChiSquared("a",3)',
  'Weibull("a",2,1)',
  'Beta("a",2,2)',
  'Uniform("a",0,3)',
  'Triangular("a",0,1,0.3)',
  'Laplace("a",0,1)',
  'AsymmetricLaplace("a",kappa=1.5,mu=0,b=1)',
  'Logistic("a",0,1)',
  'LogitNormal("a",0,1)',
  'Gumbel("a",0,1)',
  'Moyal("a",0,1)',
  'SkewNormal("a",2,0,1)',
  'ExGaussian("a",0,1,nu=1)',
  'Wald("a",1,2)',
  'Pareto("a",2,1)',
  'Rice("a",1,1)',
  'Kumaraswamy("a",2,2)',
  'VonMises("a",0,1)',
  'ZeroSumNormal("a",1,shape=12)',
  'Dirichlet("a",np.ones(12))',
  'MvNormal("a",np.zeros(12),np.eye(12))',
  'MvStudentT("a",4,mu=np.zeros(12),scale=np.eye(12))',
  'GaussianRandomWalk("a",0,0.3,init_dist=pm.Normal.dist(0,1),shape=12)',
  'AR("a",[0.4,0.1],0.3,init_dist=pm.Normal.dist(0,1),shape=12)',
  'Mixture("a",[0.3,0.7],[pm.Normal.dist(0,1),pm.Normal.dist(2,1)])',
  'NormalMixture("a",[0.3,0.7],[0,2],[1,1])',
  'Truncated("a",pm.Gamma.dist(2,1),lower=0.1,upper=4)',
  'Truncated("a",pm.StudentT.dist(4,0,sigma=1),lower=-1)',
  'Normal("a",0,1,shape=12,transform=pm.distributions.transforms.ordered)',
];
for (const prior of priors) {
  Deno.test(`pm.${prior} is a prior`, () => {
    const body = [
      `a = pm.${prior}`,
      "s = pm.HalfNormal('s', 1)",
      "pm.Normal('y', a + 0.1 * x, s, observed=data['y'])",
    ];
    assertScored(head + body.map((line) => `    ${line}\n`).join(""), datasetOf("real"));
  });
}

const likelihoods: readonly (readonly [string, string])[] = [
  ['Normal("y",m,s)', "real"],
  ['StudentT("y",4,m,sigma=s)', "real"],
  ['Laplace("y",m,s)', "real"],
  ['Logistic("y",m,s)', "real"],
  ['Gumbel("y",m,s)', "real"],
  ['SkewNormal("y",2,m,s)', "real"],
  ['AsymmetricLaplace("y",kappa=s,mu=m,b=1)', "real"],
  ['Moyal("y",m,s)', "real"],
  ['ExGaussian("y",m,s,nu=1)', "real"],
  ['Cauchy("y",m,s)', "real"],
  ['LogNormal("y",m,s)', "positive"],
  ['Gamma("y",alpha=s,beta=s/pm.math.exp(m))', "positive"],
  ['Exponential("y",pm.math.exp(m))', "positive"],
  ['Weibull("y",s,pm.math.exp(m))', "positive"],
  ['InverseGamma("y",2+s,pm.math.exp(m))', "positive"],
  ['Wald("y",pm.math.exp(m),s)', "positive"],
  ['Rice("y",pm.math.exp(m),s)', "positive"],
  ['HalfNormal("y",pm.math.exp(m))', "positive"],
  ['Censored("y",pm.Weibull.dist(s,pm.math.exp(m)),lower=None,upper=2.0)', "positive"],
  ['Truncated("y",pm.Normal.dist(m,s),lower=0)', "positive"],
  ['HurdleGamma("y",0.9,2,s)', "positive"],
  ['HurdleLogNormal("y",0.9,m,s)', "positive"],
  ['HyperGeometric("y",50,20,4)', "count"],
  ['DiscreteUniform("y",0,4)', "count"],
  ['Beta("y",mu=pm.math.sigmoid(m),nu=s)', "unit"],
  ['Kumaraswamy("y",s,pm.math.exp(m))', "unit"],
  ['LogitNormal("y",m,s)', "unit"],
  ['Poisson("y",pm.math.exp(m))', "count"],
  ['NegativeBinomial("y",mu=pm.math.exp(m),alpha=s)', "count"],
  ['Binomial("y",5,pm.math.sigmoid(m))', "count"],
  ['BetaBinomial("y",s,pm.math.exp(m),6)', "count"],
  ['ZeroInflatedPoisson("y",pm.math.sigmoid(m),s)', "count"],
  ['ZeroInflatedBinomial("y",0.7,6,pm.math.sigmoid(m))', "count"],
  ['ZeroInflatedNegativeBinomial("y",psi=0.7,mu=pm.math.exp(m),alpha=s)', "count"],
  ['HurdlePoisson("y",0.6,pm.math.exp(m))', "count"],
  ['HurdleNegativeBinomial("y",psi=0.6,mu=pm.math.exp(m),alpha=s)', "count"],
  ['DiscreteWeibull("y",pm.math.sigmoid(m),s)', "count"],
  ['Mixture("y",[0.3,0.7],[pm.Poisson.dist(pm.math.exp(m)),pm.Poisson.dist(s)])', "count"],
  ['Censored("y",pm.Poisson.dist(pm.math.exp(m)),lower=None,upper=4)', "count"],
  ['Truncated("y",pm.NegativeBinomial.dist(mu=pm.math.exp(m),alpha=s),upper=9)', "count"],
  ['Geometric("y",pm.math.sigmoid(m))', "fromOne"],
  ['Bernoulli("y",pm.math.sigmoid(m))', "binary"],
  ['Bernoulli("y",logit_p=m)', "binary"],
  ['Bernoulli("y",pm.math.invprobit(m))', "binary"],
  ['Bernoulli("y",1-pm.math.exp(-s))', "binary"],
  ['OrderedLogistic("y",eta=m,cutpoints=np.array([-1.0,1.0]))', "code"],
  ['OrderedProbit("y",eta=m,cutpoints=np.array([-1.0,1.0]))', "code"],
  ['Categorical("y",logit_p=pm.math.stack([m,0*m,2*m],axis=1))', "code"],
  ['Categorical("y",p=pm.math.softmax(pm.math.stack([m,0*m,2*m],axis=1),axis=1))', "code"],
];
for (const [likelihood, kind] of likelihoods) {
  Deno.test(`pm.${likelihood} is a likelihood`, () => {
    const body = [
      "b = pm.Normal('b', 0, 1)",
      "s = pm.HalfNormal('s', 1)",
      "m = b * x + 0.1",
      `pm.${likelihood.slice(0, -1)}, observed=data['y'])`,
    ];
    assertScored(head + body.map((line) => `    ${line}\n`).join(""), datasetOf(kind));
  });
}

Deno.test("every distribution is a prior or a likelihood of a program above", () => {
  const tried = new Set(
    [...priors, ...likelihoods.map(([text]) => text)].map((text) => familyOf(text.split("(")[0])),
  );
  // Improper distributions are refused; the others take responses of several columns or give several values.
  const elsewhere = [
    "flat",
    "half_flat",
    "multinomial",
    "dirichlet_multinomial",
    "lkj_cholesky_cov",
    // Of programs in tests/gfn/spaces/interval_censored_test.ts.
    "windowed",
  ];
  const missing = Object.keys(families).filter((name) =>
    !tried.has(name as never) && !elsewhere.includes(name)
  );
  assert.deepEqual(missing, []);
});
