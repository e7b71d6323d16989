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

const table = "np.array([1, -1, 2, 3, 1, 5, -2, 1, 4, 1, 3, 2])";

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
  "a loop over sites in their order": [
    'b = pm.Normal("b", 0, 1, shape=3)',
    "mu = 0",
    "for g in np.unique(site):",
    "    mu = mu + (site == g) * b[g] * x",
  ],
  "a loop with switches": [
    'b = pm.Normal("b", 0, 1, shape=3)',
    "mu = 0",
    "for g in range(3):",
    "    mu = mu + pm.math.switch(pm.math.eq(site, g), b[g] * x, 0)",
  ],
  "a switch on a column": ['b = pm.Normal("b", 0, 1)', "mu = pm.math.switch(site == 0, a, b)"],
  "scales of single rows": [
    'lam = pm.Gamma("lam", 2, 2, shape=n)',
    "s = s / pm.math.sqrt(lam)",
    "mu = a * x",
  ],
  "lines of sites by a factor, not centred": [
    'chol, corr, sd = pm.LKJCholeskyCov("chol", n=2, eta=2, sd_dist=pm.Exponential.dist(1, shape=2))',
    'zz = pm.Normal("zz", 0, 1, shape=(2, 3))',
    "ef = pm.math.dot(chol, zz)",
    "mu = ef[0, site] + ef[1, site] * x",
  ],
  "lines of sites by a factor": [
    'chol, corr, sd = pm.LKJCholeskyCov("chol", n=2, eta=2, sd_dist=pm.Exponential.dist(1, shape=2))',
    'ab = pm.MvNormal("ab", mu=np.zeros(2), chol=chol, shape=(3, 2))',
    "mu = ab[site, 0] + ab[site, 1] * x",
  ],
  "a class of each row": [
    'k = pm.Bernoulli("k", 0.4, shape=n)',
    'm = pm.Normal("m", [0, 2], 1, shape=2)',
    "mu = m[k]",
  ],
  "rows above a median": ["mu = a * x * (z > np.median(z)) + s"],
  "a polynomial in a comprehension": [
    'b = pm.Normal("b", 0, 1, shape=4)',
    "mu = sum(b[k] * x**k for k in range(4))",
  ],
  "powers in a matrix": [
    'b = pm.Normal("b", 0, 1, shape=3)',
    "mu = pm.math.dot(np.stack([x**k for k in range(3)], axis=1), b)",
  ],
  "products of indicators and columns": [
    "D = pd.get_dummies(site, drop_first=True).values",
    'b = pm.Normal("b", 0, 1, shape=(2, 2))',
    "mu = (D[:, :, None] * np.stack([x, z], axis=1)[:, None, :] * b[None, :, :]).sum(axis=(1, 2)) + a",
  ],
  "means over rows of the same site": [
    "W = (np.array(site)[:, None] == np.array(site)[None, :]) * 1.0",
    "W = W / W.sum(axis=1, keepdims=True)",
    "mu = a * pm.math.dot(W, x)",
  ],
  "a field over distances": [
    "D = np.abs(np.array(x)[:, None] - np.array(x)[None, :])",
    'phi = pm.MvNormal("phi", mu=np.zeros(n), cov=np.exp(-D) + 0.1 * np.eye(n))',
    "mu = phi",
  ],
  "a field of unknown range, by its factor": [
    "D = np.abs(np.array(x)[:, None] - np.array(x)[None, :])",
    'ell = pm.HalfNormal("ell", 1)',
    "L = pt.linalg.cholesky(pm.math.exp(-D / ell) + 0.01 * np.eye(n))",
    'w = pm.Normal("w", 0, 1, shape=n)',
    "mu = pm.math.dot(L, w)",
  ],
  "waves over a column": [
    "m = 5",
    "Lb = 1.5 * np.max(np.abs(x))",
    "j = np.arange(1, m + 1)",
    "phi = np.sqrt(1 / Lb) * np.sin(np.pi * j[None, :] * (np.array(x)[:, None] + Lb) / (2 * Lb))",
    'b = pm.Normal("b", 0, 1 / j, shape=m)',
    "mu = pm.math.dot(phi, b)",
  ],
  "shares of sites": ['w = pm.Dirichlet("w", np.ones(3))', "mu = w[site] * x"],
  "levels in order": [
    'm = pm.Normal("m", [0, 1, 2], 1, shape=3, transform=pm.distributions.transforms.ordered)',
    "mu = m[site]",
  ],
  "a walk over sites": [
    'm = pm.GaussianRandomWalk("m", sigma=1, init_dist=pm.Normal.dist(0, 1), shape=3)',
    "mu = m[site]",
  ],
  "running sums over sites": ['m = pm.math.cumsum(pm.Normal("m", 0, 1, shape=3))', "mu = m[site]"],
  "standardised columns": [
    "X = np.column_stack([x, z])",
    "X = (X - X.mean(axis=0)) / X.std(axis=0)",
    'b = pm.Normal("b", 0, 1, shape=2)',
    "mu = a + pm.math.dot(X, b)",
  ],
  "levels in a comprehension": [
    'b = pm.Normal("b", 0, 1, shape=3)',
    "mu = pm.math.stack([b[int(g)] for g in site])",
  ],
  "two effects of each row": [
    'u = pm.Normal("u", 0, 1, shape=n)',
    'v = pm.Normal("v", 0, 1, shape=n)',
    "mu = u * x + v * z",
  ],
  "a table of effects of each row": [
    'u = pm.Normal("u", 0, 1, shape=(n, 2))',
    "mu = (u * np.column_stack([x, z])).sum(axis=1)",
  ],
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

/** Further lines that tell rows apart. */
export const tables: Readonly<Record<string, readonly string[]>> = {
  "a table by the first row of each value": [
    "code, names = pd.factorize(x)",
    `mu = a * ${table}[code]`,
  ],
  "prior means by the first row of each value": [
    "code, names = pd.factorize(x)",
    `b = pm.Normal("b", ${table}, 0.001, shape=n)`,
    "mu = b[code]",
  ],
  "a branch on the first row": [
    "if np.array(x)[0] == 0.5:",
    `    mu = a * ${table}`,
    "else:",
    "    mu = a * x",
  ],
  "bounds of a prior by row number": [
    `b = pm.Uniform("b", ${table} - 0.01, ${table} + 0.01, shape=n)`,
    "mu = b",
  ],
  "scales by row number": [`s = s * np.exp(${table})`, "mu = a"],
  "classes whose chances go by row number": [
    `k = pm.Bernoulli("k", 0.5 + 0.1 * np.sign(${table}), shape=n)`,
    "mu = a * k",
  ],
  "weights by row number": [
    `b = pm.Normal("b", 0, 1, shape=(n, 2))`,
    `mu = (b * np.stack([${table}, ${table}], axis=1)).sum(axis=1)`,
  ],
  "rows in a table of three by four": [
    "mu = (a * np.array(x).reshape((3, 4)) + np.arange(4)).reshape((n,))",
  ],
  "a product of tables by row number": [
    `w = pm.Normal("w", 0, 1, shape=n)`,
    `mu = pm.math.dot(np.outer(${table}, ${table}), w)`,
  ],
  "a ramp": ["mu = a * np.linspace(0, 1, n)"],
  "running sums of ones": ["mu = a * np.cumsum(np.ones(n))"],
  "a table beside 10^13": [`mu = a * 1e-9 + (${table} + 1e13) - 1e13`],
  "a walk in a loop": [
    "mu = 0",
    "w = pm.Normal('w', 0, 1, shape=n)",
    "out = []",
    "for i in range(n):",
    "    mu = 0.9 * mu + w[i]",
    "    out.append(mu)",
    "mu = pt.stack(out)",
  ],
  "a scalar variable for each row": ["mu = pt.stack([pm.Normal(f'u{i}', 0, 1) for i in range(n)])"],
};
