/** Programs that may not, and that may, notice in which order rows stand. */
import { type Column, makeDataset } from "../../../src/base/dataset.ts";

const column = (name: string, values: readonly number[]): Column => {
  return { name, role: "predictor", type: "real", values: Float64Array.from(values) };
};
/** Twelve rows of three predictors. */
export const data = makeDataset("twelve", [
  column("x", [0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6]),
  column("z", [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8]),
  column("site", [2, 0, 1, 2, 0, 0, 1, 2, 1, 0, 2, 1]),
  {
    ...{ name: "y", role: "response", type: "real" },
    values: Float64Array.of(1.3, 1.6, 1.5, 2, 2.1, 2.2, 2.8, 2.7, 3.3, 3.1, 3.9, 3.7),
  },
]);

/** A program with statements before its likelihood, which is a normal one about `mu`. */
export function model(...lines: readonly string[]): string {
  const body = ['a = pm.Normal("a", 0, 1)', 's = pm.HalfNormal("s", 1)', ...lines];
  return "import numpy as np\nimport pandas as pd\nimport pymc as pm\nimport pytensor.tensor as pt\n" +
    'x, z, site = data["x"], data["z"], data["site"]\nn = len(data["y"])\n' +
    `with pm.Model() as model:\n${body.map((line) => `    ${line}\n`).join("")}` +
    '    pm.Normal("y", mu, s, observed=data["y"])\n';
}

/** Lines that do not tell rows apart. */
export const honest: Readonly<Record<string, readonly string[]>> = {
  "a line on a standardised column": ["mu = a * (x - np.mean(x)) / np.std(x)"],
  "an effect of each row": ['u = pm.Normal("u", 0, 1, shape=n)', "mu = a + s * u + x"],
  "an effect of each row, by its number": [
    'u = pm.Normal("u", 0, 1, shape=n)',
    "mu = u[np.arange(n)]",
  ],
  "an effect of each row that sums to zero": [
    'u = pm.ZeroSumNormal("u", 1, shape=n)',
    "mu = a + u",
  ],
  "a mean of effects of rows, and one of them": [
    'u = pm.Normal("u", x, 1, shape=n)',
    "mu = u + pm.math.sum(u) / n",
  ],
  "levels of sites": ['b = pm.Normal("b", a, 1, shape=3)', "mu = b[site] + x"],
  "levels of sites by their first row": [
    "code, names = pd.factorize(site)",
    'b = pm.Normal("b", a, 1, shape=3)',
    "mu = b[code] * x",
  ],
  "lines of sites by their first row, with a covariance": [
    "code, names = pd.factorize(site)",
    'b = pm.MvNormal("b", mu=np.zeros(2), cov=np.eye(2) + 0.5, shape=(3, 2))',
    "mu = b[code, 0] + b[code, 1] * x",
  ],
  "as many sites as rows": [
    "code, names = pd.factorize(x)",
    'b = pm.Normal("b", a, 1, shape=n)',
    "mu = b[code]",
  ],
  "indicators of sites": [
    'b = pm.Normal("b", 0, 1, shape=3)',
    "mu = pm.math.dot(pd.get_dummies(site).values, b)",
  ],
  "a design matrix": [
    "X = np.column_stack([np.ones(n), x, x**2])",
    'b = pm.Normal("b", 0, 1, shape=3)',
    "mu = X @ b",
  ],
  "a kernel over a column times weights of rows": [
    "K = np.exp(-((np.array(x)[:, None] - np.array(x)[None, :]) ** 2))",
    'w = pm.Normal("w", 0, 1, shape=n)',
    "mu = pm.math.dot(K, w)",
  ],
  "a field by a factor of its covariance": [
    "K = np.exp(-((np.array(x)[:, None] - np.array(x)[None, :]) ** 2)) + 1e-6 * np.eye(n)",
    "L = np.linalg.cholesky(K)",
    'w = pm.Normal("w", 0, 1, shape=n)',
    "mu = a + pm.math.dot(L, w)",
  ],
  "a field of unknown range": [
    'r = pm.HalfNormal("r", 1)',
    "D = (np.array(x)[:, None] - np.array(x)[None, :]) ** 2",
    "K = pm.math.exp(-D / r) + 1e-6 * np.eye(n)",
    'f = pm.MvNormal("f", mu=np.zeros(n), cov=K)',
    "mu = a + f",
  ],
  "knots at quantiles": [
    "k = np.quantile(x, [0.25, 0.5, 0.75])",
    'b = pm.Normal("b", 0, 1, shape=3)',
    "mu = pm.math.dot(np.maximum(np.array(x)[:, None] - k[None, :], 0), b)",
  ],
  "a walk over the values of a column": [
    "ages = np.unique(z)",
    'w = pm.GaussianRandomWalk("w", sigma=1, init_dist=pm.Normal.dist(0, 1), shape=len(ages))',
    "mu = w[np.searchsorted(ages, z)]",
  ],
  "ranks of a column": ["rank = np.argsort(np.argsort(x))", "mu = a * rank / n"],
  "a part of the rows on its own line": [
    "inside = np.where(site == 0)[0]",
    "mu = pt.zeros(n)",
    'b = pm.Normal("b", 0, 1)',
    "mu = pt.set_subtensor(mu[inside], a + b * np.array(x)[inside])",
  ],
  "columns row by row in a loop": ["mu = pt.stack([a * v for v in x])"],
  "a mixture of two lines": [
    'w = pm.Dirichlet("w", np.ones(2))',
    "mu = w[0] * x + w[1] * z",
  ],
  "an offset of its own for each row": ["mu = a + np.zeros(n)"],
  "a column written down again": [`mu = a * np.array([${[...data.columns[0].values].join(", ")}])`],
};

/** Lines that do, and are right where rows have an order. */
export const ordered: Readonly<Record<string, readonly string[]>> = {
  "the row number": ["mu = a * np.arange(n)"],
  "the row number by a loop": ["mu = pt.stack([a * i for i in range(n)])"],
  "the row number, hidden where it is multiplied by almost nothing": [
    'k = pm.Normal("k", -40, 1)',
    "mu = a + pm.math.sigmoid(k) * np.arange(n)",
  ],
  "the row number beside a number that dwarfs it": ["mu = a - (np.arange(n) + 1e9)"],
  "the row number in a matrix beside a column that dwarfs it": [
    'b = pm.Normal("b", 0, 1, shape=2)',
    "mu = np.column_stack([np.arange(n), 1e12 * np.ones(n)]) @ b",
  ],
  "running sums of effects": ['u = pm.Normal("u", 0, 1, shape=n)', "mu = pm.math.cumsum(u)"],
  "a walk over the rows": [
    'u = pm.GaussianRandomWalk("u", sigma=1, init_dist=pm.Normal.dist(0, 1), shape=n)',
    "mu = u",
  ],
  "a walk by a triangular matrix": [
    'u = pm.Normal("u", 0, 1, shape=n)',
    "mu = pm.math.dot(np.tril(np.ones((n, n))), u)",
  ],
  "an autoregression of effects": [
    'u = pm.AR("u", [0.5], 1, init_dist=pm.Normal.dist(0, 1), shape=n)',
    "mu = u",
  ],
  "the row before": ["mu = a * np.concatenate([[0], np.array(x)[:-1]])"],
  "the row after, by a slice": ["mu = a * np.concatenate([np.array(x)[1:], [0]])"],
  "rows from the end": ["mu = a * np.array(z)[::-1]"],
  "the first row": ["mu = a * (x - np.array(z)[0])"],
  "the number of the largest": ["mu = a * x + np.argmax(z)"],
  "running sums of a column": ["mu = a * np.cumsum(z)"],
  "a kernel over the row number": [
    "i = np.arange(n)",
    "K = np.exp(-0.1 * (i[:, None] - i[None, :]) ** 2)",
    'w = pm.Normal("w", 0, 1, shape=n)',
    "mu = pm.math.dot(K, w)",
  ],
  "a prior of its own for each row": [
    'u = pm.Normal("u", np.arange(n) / n, 0.1, shape=n)',
    "mu = a + u",
  ],
  "effects in order": [
    'u = pm.Normal("u", 0, 1, shape=n, transform=pm.distributions.transforms.ordered)',
    "mu = u",
  ],
  "a site for every two rows": ['b = pm.Normal("b", 0, 1, shape=6)', "mu = b[np.arange(n) // 2]"],
};
