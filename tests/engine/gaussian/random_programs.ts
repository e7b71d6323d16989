/** Random linear-Gaussian programs as text, with the covariance that their rows have. */
import { type Dataset, makeDataset } from "../../../src/base/dataset.ts";
import { fillNormal } from "../../../src/numerics/math/random_normal.ts";
import { RandomStream } from "../../../src/base/random.ts";
import type { NormalVector } from "./brute_force.ts";

/** A program, its data, and what they are in closed form. */
export interface RandomProgram {
  readonly name: string;
  readonly text: string;
  readonly data: Dataset;
  readonly y: readonly number[];
  readonly vector: NormalVector;
}

/** A scale: a number, or a parameter with a prior. */
interface Scale {
  /** Text in the program. */
  readonly text: string;
  /** The statement that declares it; none for a number. */
  readonly statement?: string;
  /** The number, or about where the prior is. */
  readonly value: number;
  readonly logPrior?: (u: number) => number;
}

/** A part of the rows' location. */
interface Field {
  /** Covariance of the rows, where they are observed as one vector; then there is no location. */
  readonly covariance?: string;
  /** The likelihood up to its noise, if it is neither of these. */
  readonly likelihood?: string;
  readonly statements: readonly string[];
  readonly expression: string;
  /** Covariance of rows i and j for this scale. */
  readonly between: (i: number, j: number, scale: number) => number;
}

/** Data, groups and scale from which a field is made. */
interface Setting {
  readonly n: number;
  readonly random: RandomStream;
  /** Name or value of the scale. */
  readonly scale: string;
  readonly x: Float64Array;
  readonly group: Float64Array;
  readonly groups: number;
}

const number = (x: number) => Number(x.toPrecision(4)).toString();

const fields: Readonly<Record<string, (setting: Setting) => Field>> = {
  "walk by steps": ({ n, scale }) => ({
    statements: [`u = pm.Normal("u", 0, ${scale}, shape=${n})`],
    expression: "pm.math.cumsum(u)",
    between: (i, j, s) => s * s * (Math.min(i, j) + 1),
  }),
  "random walk": ({ n, scale }) => ({
    statements: [
      `u = pm.GaussianRandomWalk("u", sigma=${scale}, init_dist=pm.Normal.dist(0, 3), shape=${n})`,
    ],
    expression: "u",
    between: (i, j, s) => 9 + s * s * Math.min(i, j),
  }),
  "walk with drift": ({ n, scale }) => ({
    statements: [
      `drift = pm.Normal("drift", 0, 0.5)`,
      `u = pm.GaussianRandomWalk("u", mu=drift, sigma=${scale}, ` +
      `init_dist=pm.Normal.dist(0, 3), shape=${n})`,
    ],
    expression: "u",
    between: (i, j, s) => 9 + s * s * Math.min(i, j) + 0.25 * i * j,
  }),
  "Gaussian process": ({ n, random, scale }) => {
    const length = number(1 + 4 * random.uniform());
    return {
      statements: [
        `i = np.arange(${n})`,
        `K = np.exp(-0.5 * ((i[:, None] - i[None, :]) / ${length})**2)`,
        `u = pm.MvNormal("u", mu=np.zeros(${n}), cov=${scale}**2 * (K + 1e-6 * np.eye(${n})))`,
      ],
      expression: "u",
      between: (i, j, s) =>
        s * s * (Math.exp(-0.5 * ((i - j) / Number(length)) ** 2) + (i === j ? 1e-6 : 0)),
    };
  },
  "joint Gaussian process": ({ n, random, scale }) => {
    const length = number(1 + 4 * random.uniform());
    return {
      statements: [
        `i = np.arange(${n})`,
        `K = np.exp(-np.abs(i[:, None] - i[None, :]) / ${length})`,
        `mu = pm.Normal("mu", 0, 2)`,
      ],
      expression: `mu * np.ones(${n})`,
      covariance: `${scale}**2 * K`,
      between: (i, j, s) => 4 + s * s * Math.exp(-Math.abs(i - j) / Number(length)),
    };
  },
  "kernel times weights": ({ n, random, scale }) => {
    const length = number(0.5 + 2 * random.uniform());
    const rows = Array.from({ length: n }, (_, i) => i);
    const kernel = (i: number, j: number) => 1 / (1 + Math.abs(i - j) / Number(length));
    const squares = rows.map((i) =>
      rows.map((j) => rows.reduce((sum, k) => sum + kernel(i, k) * kernel(j, k), 0))
    );
    return {
      statements: [
        `i = np.arange(${n})`,
        `K = 1 / (1 + np.abs(i[:, None] - i[None, :]) / ${length})`,
        `w = pm.Normal("w", 0, ${scale}, shape=${n})`,
      ],
      expression: "pm.math.dot(K, w)",
      between: (i, j, s) => s * s * squares[i][j],
    };
  },
  "centred hierarchy": ({ scale, group, groups }) => ({
    statements: [
      `mu = pm.Normal("mu", 0, 5)`,
      `a = pm.Normal("a", mu, ${scale}, shape=${groups})`,
    ],
    expression: `a[data["g"]]`,
    between: (i, j, s) => 25 + (group[i] === group[j] ? s * s : 0),
  }),
  "non-centred hierarchy": ({ scale, group, groups }) => ({
    statements: [
      `mu = pm.Normal("mu", 0, 5)`,
      `raw = pm.Normal("raw", 0, 1, shape=${groups})`,
    ],
    expression: `mu + ${scale} * raw[data["g"]]`,
    between: (i, j, s) => 25 + (group[i] === group[j] ? s * s : 0),
  }),
  "zero-sum effects": ({ scale, group, groups }) => ({
    statements: [
      `a = pm.ZeroSumNormal("a", sigma=${scale}, shape=${groups})`,
      `mu = pm.Normal("mu", 0, 5)`,
    ],
    expression: `mu + a[data["g"]]`,
    between: (i, j, s) => 25 + s * s * ((group[i] === group[j] ? 1 : 0) - 1 / groups),
  }),
  "pm.gp.Latent": ({ random, scale, x }) => {
    const length = number(0.2 + random.uniform());
    const centred = random.uniform() < 0.5 ? ", reparameterize=False" : "";
    return {
      statements: [
        `cov = ${scale}**2 * pm.gp.cov.Matern52(1, ls=${length})`,
        `f = pm.gp.Latent(cov_func=cov).prior("f", X=data["x"][:, None]${centred})`,
      ],
      expression: "f",
      between: (i, j, s) => {
        const r = Math.sqrt(5 * (((x[i] - x[j]) / Number(length)) ** 2 + 1e-12));
        return s * s * (1 + r + r * r / 3) * Math.exp(-r) + (i === j ? 1e-6 : 0);
      },
    };
  },
  "pm.gp.Marginal": ({ random, scale, x }) => {
    const length = number(0.2 + random.uniform());
    return {
      statements: [
        `cov = ${scale}**2 * pm.gp.cov.Exponential(1, ls=${length})`,
        `gp = pm.gp.Marginal(mean_func=pm.gp.mean.Constant(0), cov_func=cov)`,
      ],
      expression: "",
      likelihood: `gp.marginal_likelihood("y", X=data["x"][:, None], y=data["y"], sigma=`,
      between: (i, j, s) => {
        const r = Math.sqrt(((x[i] - x[j]) / Number(length)) ** 2 + 1e-12);
        return s * s * Math.exp(-0.5 * r) + (i === j ? 1e-6 : 0);
      },
    };
  },
  "pm.gp.HSGP": ({ random, scale, x }) => {
    const length = Number(number(0.3 + random.uniform()));
    const count = 3 + Math.floor(8 * random.uniform());
    const box = 2.5;
    const middle = (Math.max(...x) + Math.min(...x)) / 2;
    const wave = (k: number, at: number) =>
      Math.sin(Math.PI * k / (2 * box) * (at - middle + box)) / Math.sqrt(box);
    const density = (k: number) =>
      Math.sqrt(2 * Math.PI) * length * Math.exp(-0.5 * (length * Math.PI * k / (2 * box)) ** 2);
    return {
      statements: [
        `cov = ${scale}**2 * pm.gp.cov.ExpQuad(1, ls=${length})`,
        `gp = pm.gp.HSGP(m=[${count}], L=[${box}], cov_func=cov)`,
        `f = gp.prior("f", X=data["x"][:, None])`,
      ],
      expression: "f",
      between: (i, j, s) => {
        let sum = 0;
        for (let k = 1; k <= count; k++) sum += density(k) * wave(k, x[i]) * wave(k, x[j]);
        return s * s * sum;
      },
    };
  },
  "spline": ({ random, scale, x }) => {
    const knots = Array.from(
      { length: 3 + Math.floor(6 * random.uniform()) },
      (_, k) => number(-0.9 + 0.2 * k),
    );
    return {
      statements: [
        `k = np.array([${knots.join(", ")}])`,
        `B = np.maximum(data["x"][:, None] - k[None, :], 0)`,
        `b = pm.Normal("b", 0, ${scale}, shape=${knots.length})`,
      ],
      expression: "pm.math.dot(B, b)",
      between: (i, j, s) =>
        s * s * knots.reduce(
          (sum, k) => sum + Math.max(x[i] - Number(k), 0) * Math.max(x[j] - Number(k), 0),
          0,
        ),
    };
  },
  "correlated slopes": ({ scale, group, groups, x }) => ({
    statements: [
      `ab = pm.MvNormal("ab", mu=np.zeros(2), cov=${scale}**2 * np.array([[1, 0.3], [0.3, 0.5]]), ` +
      `shape=(${groups}, 2))`,
    ],
    expression: `ab[data["g"], 0] + ab[data["g"], 1] * data["x"]`,
    between: (i, j, s) =>
      group[i] === group[j] ? s * s * (1 + 0.3 * (x[i] + x[j]) + 0.5 * x[i] * x[j]) : 0,
  }),
  "hierarchy with slopes": ({ scale, group, groups, x }) => ({
    statements: [
      `mu = pm.Normal("mu", 0, 5)`,
      `slope = pm.Normal("slope", 0, 2)`,
      `a = pm.Normal("a", mu, ${scale}, shape=${groups})`,
      `raw = pm.Normal("raw", 0, 1, shape=${groups})`,
      `b = slope + 0.5 * ${scale} * raw`,
    ],
    expression: `a[data["g"]] + b[data["g"]] * data["x"]`,
    between: (i, j, s) =>
      25 + 4 * x[i] * x[j] +
      (group[i] === group[j] ? s * s * (1 + 0.25 * x[i] * x[j]) : 0),
  }),
  "polynomial": ({ random, scale, x }) => {
    const degree = 2 + Math.floor(4 * random.uniform());
    const powers = Array.from({ length: degree }, (_, k) => `b[${k}] * data["x"]**${k}`);
    return {
      statements: [`b = pm.Normal("b", 0, ${scale}, shape=${degree})`],
      expression: powers.join(" + "),
      between: (i, j, s) => {
        let sum = 0;
        for (let k = 0; k < degree; k++) sum += (x[i] * x[j]) ** k;
        return s * s * sum;
      },
    };
  },
  "line and walk": ({ n, scale, x }) => ({
    statements: [
      `slope = pm.Normal("slope", 0, 2)`,
      `u = pm.GaussianRandomWalk("u", sigma=${scale}, init_dist=pm.Normal.dist(0, 1), shape=${n})`,
    ],
    expression: `slope * data["x"] + u`,
    between: (i, j, s) => 4 * x[i] * x[j] + 1 + s * s * Math.min(i, j),
  }),
};

const halfLog2Pi = 0.5 * Math.log(2 * Math.PI);

/** A scale of this size, fixed or with one of three priors. */
function scaleOf(name: string, value: number, free: boolean, random: RandomStream): Scale {
  const s = Number(number(value));
  if (!free) return { text: number(s), value: s };
  const kind = Math.floor(3 * random.uniform());
  const given = { text: name, value: s };
  if (kind === 0) {
    const logPrior = (u: number) =>
      Math.LN2 - halfLog2Pi - Math.log(s) - 0.5 * (Math.exp(u) / s) ** 2 + u;
    return { ...given, statement: `${name} = pm.HalfNormal("${name}", ${number(s)})`, logPrior };
  }
  if (kind === 1) {
    const logPrior = (u: number) => -Math.log(s) - Math.exp(u) / s + u;
    const statement = `${name} = pm.Exponential("${name}", scale=${number(s)})`;
    return { ...given, statement, logPrior };
  }
  const centre = Number(number(Math.log(s)));
  const logPrior = (u: number) => -halfLog2Pi - 0.5 * (u - centre) ** 2;
  return { ...given, statement: `${name} = pm.LogNormal("${name}", ${centre}, 1)`, logPrior };
}

/** Rows at most beside five: brute force has to do with a grid. */
const mostRows = [195, 195, 35];

/** The program of this seed; every seventeenth has the same kind of field. */
export function randomProgram(seed: number): RandomProgram {
  const random = new RandomStream("linear-Gaussian programs", seed);
  const kinds = Object.keys(fields);
  const kind = kinds[seed % kinds.length];
  const free = [random.uniform() < 0.6, random.uniform() < 0.6];
  const scales = free.filter((one) => one).length;
  const n = 5 + Math.floor((mostRows[scales] + 1) * random.uniform() ** 2);
  const noise = scaleOf("sigma", 10 ** (5 * random.uniform() - 4), free[0], random);
  const size = scaleOf("tau", 10 ** (2 * random.uniform() - 1), free[1], random);
  const groups = 2 + Math.floor(random.uniform() * Math.min(8, n / 2 - 1));
  const x = Float64Array.from({ length: n }, () => Number((2 * random.uniform() - 1).toFixed(3)));
  const group = Float64Array.from({ length: n }, (_, i) => i % groups);
  const field = fields[kind]({ n, random, scale: size.text, x, group, groups });
  const vector = vectorOf(n, field, noise, size);
  const y = drawn(vector, [noise, size].filter(({ logPrior }) => logPrior), random);
  const statements = [noise.statement, size.statement, ...field.statements].filter((one) => one);
  const observed = field.likelihood
    ? `${field.likelihood}${noise.text})`
    : field.covariance
    ? `pm.MvNormal("y", ${field.expression}, cov=${field.covariance} + ${noise.text}**2 * np.eye(${n}), `
    : `pm.Normal("y", ${field.expression}, ${noise.text}, `;
  const end = field.likelihood ? "" : `observed=data["y"])`;
  const text = `import numpy as np
import pymc as pm

with pm.Model() as model:
${statements.map((one) => `    ${one}\n`).join("")}    ${observed}${end}
`;
  const data = makeDataset("random", [
    { name: "x", role: "predictor", type: "real", values: x },
    {
      name: "g",
      role: "predictor",
      type: "category",
      values: group,
      categories: Array.from({ length: groups }, (_, k) => `g${k}`),
    },
    { name: "y", role: "response", type: "real", values: Float64Array.from(y) },
  ]);
  const name = `${kind}, ${n} rows, noise ${noise.statement ? "~" : ""}${noise.value}, ` +
    `scale ${size.statement ? "~" : ""}${size.value}`;
  return { name, text, data, y, vector };
}

function vectorOf(n: number, field: Field, noise: Scale, size: Scale): NormalVector {
  const free = [noise, size].filter(({ logPrior }) => logPrior);
  return {
    scales: free.length,
    ranges: free.map(({ value }) => [Math.log(value) - 12, Math.log(value) + 4]),
    logPrior: (u) => free.reduce((sum, { logPrior }, k) => sum + logPrior!(u[k]), 0),
    covariance(u) {
      let used = 0;
      const [sigma, s] = [noise, size].map((one) => one.logPrior ? Math.exp(u[used++]) : one.value);
      const rows = Array.from({ length: n }, (_, i) => i);
      return rows.map((i) =>
        rows.map((j) => field.between(i, j, s) + (i === j ? sigma * sigma : 0))
      );
    },
  };
}

/** Rows drawn from the vector at scales about where their priors are. */
function drawn(vector: NormalVector, free: readonly Scale[], random: RandomStream): number[] {
  const s = vector.covariance(free.map(({ value }) => Math.log(value) + random.uniform() - 0.5));
  const n = s.length;
  const white = new Float64Array(n);
  fillNormal(random, white);
  const l: number[][] = [];
  return s.map((row, i) => {
    l.push(new Array(n).fill(0));
    let y = 0;
    for (let j = 0; j <= i; j++) {
      let rest = row[j];
      for (let k = 0; k < j; k++) rest -= l[i][k] * l[j][k];
      l[i][j] = i === j ? Math.sqrt(rest) : rest / l[j][j];
      y += l[i][j] * white[j];
    }
    return y;
  });
}
