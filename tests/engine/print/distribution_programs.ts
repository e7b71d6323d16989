/** One program for each parametrisation of each distribution, as a prior and as the likelihood. */
import { type Column, type Dataset, makeDataset } from "../../../src/base/dataset.ts";
import type { Domain } from "../../../src/engine/language/distributions/family.ts";
import { families, familyNames } from "../../../src/engine/language/distributions/table.ts";

/** A program and its data. */
export interface DistributionProgram {
  readonly family: string;
  readonly program: string;
  readonly dataset: Dataset;
}

/** Arguments in terms of variables that every program begins with. */
const byDomain: Readonly<Partial<Record<Domain, string>>> = {
  real: "m",
  positive: "s",
  non_negative: "s",
  unit: "u",
  open_unit: "u",
  count: "9",
  simplex: "w",
  ordered: "c",
  matrix: "np.array([[2.0, 0.5], [0.5, 1.0]])",
};

const start = `import pytensor.tensor as pt
with pm.Model() as model:
    m = pm.Normal("m", 0, 1)
    s = pm.HalfNormal("s", 1)
    u = pm.Beta("u", 2, 2)
    w = pm.Dirichlet("w", np.ones(3))
    c = pm.Normal("c", 0, 2, shape=2, transform=pm.distributions.transforms.ordered)
`;

/** Calls that no rule makes: those of distributions that are made of others, and of bounds. */
const written: Readonly<Record<string, readonly string[]>> = {
  categorical: ["pm.Categorical(NAME, w)", "pm.Categorical(NAME, logit_p=m * np.arange(3.0))"],
  truncated_normal: [
    "pm.TruncatedNormal(NAME, m, s, lower=0)",
    "pm.TruncatedNormal(NAME, m, s, lower=-1, upper=3)",
  ],
  uniform: ["pm.Uniform(NAME, 0, 4)", "pm.Uniform(NAME, -s, 5 + s)"],
  triangular: ["pm.Triangular(NAME, 0, 4, 1.5)"],
  pareto: ["pm.Pareto(NAME, s, 0.1)"],
  hypergeometric: ["pm.HyperGeometric(NAME, 20, 12, 9)"],
  discrete_uniform: ["pm.DiscreteUniform(NAME, 0, 9)"],
  lkj_cholesky_cov: [
    "pm.LKJCholeskyCov(NAME, 2.5, 3, sd_dist=pm.Exponential.dist(s), compute_corr=False)",
  ],
  zero_sum_normal: ["pm.ZeroSumNormal(NAME, s, shape=4)"],
  gaussian_random_walk: [
    "pm.GaussianRandomWalk(NAME, m, s, init_dist=pm.Normal.dist(1, 2), shape=4)",
  ],
  ar: [
    "pm.AR(NAME, [0.5, 0.2], s, init_dist=pm.Normal.dist(0, 3), shape=6)",
    "pm.AR(NAME, [0.5, 0.2], s, constant=True, init_dist=pm.Normal.dist(0, 3), shape=6)",
  ],
  mixture: [
    "pm.Mixture(NAME, w, [pm.Normal.dist(m, 1), pm.Normal.dist(0, s), pm.Cauchy.dist(m, s)])",
    "pm.Mixture(NAME, w, pm.Normal.dist(c[0] + np.arange(3), s))",
  ],
  normal_mixture: ["pm.NormalMixture(NAME, w, np.arange(3) * m, s)"],
  truncated: ["pm.Truncated(NAME, pm.Gamma.dist(2, s), lower=0.05, upper=30)"],
  censored: ["pm.Censored(NAME, pm.Normal.dist(m, s), lower=0, upper=4)"],
  multinomial: ["pm.Multinomial(NAME, 9, w)"],
  dirichlet_multinomial: ["pm.DirichletMultinomial(NAME, 9, 3 * w)"],
  dirichlet: [
    "pm.Dirichlet(NAME, np.array([1.5, 2.5]))",
    "pm.Dirichlet(NAME, 1 + w, shape=(2, 3))",
  ],
};

function callsOf(family: string): readonly string[] {
  const own = written[family];
  if (own) return own;
  const { signature } = families[family];
  return signature.forms.map(({ names }) => {
    const args = names.map((name) => `, ${name}=${byDomain[signature.domains[name]]}`);
    return `pm.${signature.names[0]}(NAME${args.join("")})`;
  });
}

function response(family: string): Omit<Column, "name" | "role"> {
  const { support, discrete } = families[family];
  switch (support) {
    case "unit":
    case "open_unit":
      return { type: "real", values: Float64Array.of(0.25, 0.5, 0.875) };
    case "binary":
      return { type: "binary", values: Float64Array.of(0, 1, 1) };
    case "code":
      return { type: "category", values: Float64Array.of(0, 2, 1), categories: ["a", "b", "c"] };
    case "vector":
      return { type: "real", shape: [3, 2], values: Float64Array.of(1, 2, 0.5, 3, -1, 0.25) };
    case "simplex": {
      const values = Float64Array.of(0.25, 0.75, 0.5, 0.5, 0.125, 0.875);
      return { type: "real", shape: [3, 2], values };
    }
    case "count_vector":
      return { type: "count", shape: [2, 3], values: Float64Array.of(2, 3, 4, 5, 4, 0) };
    default:
      return { type: discrete ? "count" : "real", values: Float64Array.of(1, 2, 3) };
  }
}

/** All of them; those that the checker refuses (an improper prior …) are among them. */
export function distributionPrograms(): DistributionProgram[] {
  return familyNames.flatMap((family) => {
    const plain = { type: "real", values: Float64Array.of(0.5, 1.5, 2.5) } as const;
    const y = (column: Omit<Column, "name" | "role">) =>
      makeDataset("d", [{ name: "y", role: "response", ...column }]);
    return callsOf(family).flatMap((call) => [
      {
        family,
        program: `${start}    a = ${call.replace("NAME", '"a"')}\n` +
          `    pm.Normal("y", m + pt.sum(a), s, observed=data["y"])\n`,
        dataset: y(plain),
      },
      {
        family,
        program:
          `${start}    ${call.replace("NAME", '"y"').replace(/, shape=.*\)$/, ")").slice(0, -1)}` +
          `, observed=data["y"])\n`,
        dataset: y(response(family)),
      },
    ]);
  });
}
