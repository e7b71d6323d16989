/** Programs that differ in the constants of their priors, or in their families, and their data. */
import { type Column, type Dataset, makeDataset } from "../src/base/dataset.ts";
import { RandomStream } from "../src/base/random.ts";

/** Spells priors. */
export interface Priors {
  /** Of a number, or of `shape` of them, around `mean`, as wide as `width`. */
  location(name: string, mean: number, width: number, shape?: number): string;
  /** Of a number above 0 that is about `width` at most. */
  scale(name: string, family: ScaleFamily, width: number): string;
}

/** A program on its data, with priors to be spelled. */
export interface Case {
  readonly name: string;
  readonly response: string;
  readonly type: "real" | "count" | "binary";
  readonly data: Readonly<Record<string, readonly number[]>>;
  readonly body: (priors: Priors) => readonly string[];
  /** How many texts of different families there are. */
  readonly structures: number;
}

const locations: readonly ((mean: number, width: number) => string)[] = [
  (mean, width) => `Normal(NAME, ${mean}, ${width}SHAPE)`,
  (mean, width) => `StudentT(NAME, 5, ${mean}, sigma=${width}SHAPE)`,
  (mean, width) => `Laplace(NAME, ${mean}, ${width}SHAPE)`,
  (mean, width) => `Logistic(NAME, ${mean}, ${width}SHAPE)`,
  (mean, width) => `Gumbel(NAME, ${mean}, ${width}SHAPE)`,
  (mean, width) => `SkewNormal(NAME, 1, ${mean}, ${width}SHAPE)`,
  (mean, width) => `Cauchy(NAME, ${mean}, ${width}SHAPE)`,
  (mean, width) => `Uniform(NAME, ${mean - 3 * width}, ${mean + 3 * width}SHAPE)`,
  (mean, width) => `TruncatedNormal(NAME, ${mean}, ${width}, lower=${mean - 4 * width}SHAPE)`,
  (mean, width) => `AsymmetricLaplace(NAME, kappa=1.2, mu=${mean}, b=${width}SHAPE)`,
];

const scales = {
  HalfNormal: (width: number) => `HalfNormal(NAME, ${width})`,
  HalfCauchy: (width: number) => `HalfCauchy(NAME, ${width})`,
  Exponential: (width: number) => `Exponential(NAME, ${1 / width})`,
  Gamma: (width: number) => `Gamma(NAME, 2, ${2 / width})`,
  HalfStudentT: (width: number) => `HalfStudentT(NAME, 4, ${width})`,
  LogNormal: (width: number) => `LogNormal(NAME, ${Math.log(width)}, 1)`,
  InverseGamma: (width: number) => `InverseGamma(NAME, 3, ${3 * width})`,
  Weibull: (width: number) => `Weibull(NAME, 1.5, ${width})`,
} satisfies Readonly<Record<string, (width: number) => string>>;

type ScaleFamily = keyof typeof scales;

const scaleCount = Object.keys(scales).length;

const spelled = (name: string, distribution: string, shape?: number): string =>
  `${name} = pm.${
    distribution.replace("NAME", `"${name}"`).replace("SHAPE", shape ? `, shape=${shape}` : "")
  }`;

/** The usual families, `factor` times as wide. */
export function withConstants(factor: number): Priors {
  return {
    location: (name, mean, width, shape) =>
      spelled(name, locations[0](mean, factor * width), shape),
    scale: (name, family, width) => spelled(name, scales[family](factor * width)),
  };
}

/** The n-th choice of families: each prior takes another digit of n. */
export function withFamilies(n: number): Priors {
  const take = <T>(all: readonly T[]): T => {
    const digit = n % all.length;
    n = Math.floor(n / all.length);
    return all[digit];
  };
  return {
    location: (name, mean, width, shape) => spelled(name, take(locations)(mean, width), shape),
    scale: (name, _family, width) => spelled(name, take(Object.values(scales))(width)),
  };
}

/** The text of a case. */
export function textOf({ body }: Case, priors: Priors): string {
  const lines = body(priors).map((line) => `    ${line}\n`);
  return `import pymc as pm\n\nwith pm.Model() as model:\n${lines.join("")}`;
}

/** The data of a case, as programs see them. */
export function datasetOf({ name, data, response, type }: Case): Dataset {
  const columns = Object.entries(data).map(([key, values]): Column => ({
    ...{ name: key, role: key === response ? "response" : "predictor" },
    type: key === response ? type : "real",
    values: Float64Array.from(values),
  }));
  return makeDataset(name, columns);
}

function csv(file: string): Record<string, number[]> {
  const text = Deno.readTextFileSync(new URL(`../data/${file}`, import.meta.url));
  const [head, ...rows] = text.trim().split("\n").map((line) => line.split(","));
  return Object.fromEntries(head.map((name, k) => [name, rows.map((row) => Number(row[k]))]));
}

function dugongs(): Case {
  return {
    ...{ name: "dugongs", response: "length", type: "real", data: csv("dugongs.csv") },
    structures: locations.length ** 2 * scaleCount,
    body: ({ location, scale }) => [
      location("alpha", 2.5, 4),
      location("beta", 1, 1),
      'lam = pm.Uniform("lam", 0.5, 1.0)',
      scale("sigma", "HalfNormal", 0.5),
      'mu = alpha - beta * lam ** data["age"]',
      'pm.Normal("obs", mu=mu, sigma=sigma, observed=data["length"])',
    ],
  };
}

function schools(): Case {
  const { y, sigma } = csv("eight_schools.csv");
  return {
    ...{ name: "eight schools", response: "y", type: "real", data: { y, sigma } },
    structures: locations.length * scaleCount,
    body: ({ location, scale }) => [
      location("mu", 0, 4),
      scale("tau", "HalfCauchy", 5),
      'raw = pm.Normal("raw", 0, 1, shape=8)',
      'pm.Normal("obs", mu=mu + tau * raw, sigma=data["sigma"], observed=data["y"])',
    ],
  };
}

function poisson(): Case {
  const { year, pairs } = csv("peregrines_french_jura_real.csv");
  return {
    ...{ name: "Poisson cubic, 40 years", response: "pairs", type: "count" },
    data: { t: year.map((one) => (one - 1983.5) / 20), pairs },
    structures: locations.length ** 2,
    body: ({ location }) => [
      location("a", 4, 4),
      location("b", 0, 2, 3),
      't = data["t"]',
      "eta = a + b[0] * t + b[1] * t ** 2 + b[2] * t ** 3",
      'pm.Poisson("obs", mu=pm.math.exp(eta), observed=data["pairs"])',
    ],
  };
}

function logistic(rows: number, columns: number): Case {
  const random = new RandomStream("bench", "logistic");
  const normal = () => random.uniform() + random.uniform() + random.uniform() - 1.5;
  const names = Array.from({ length: columns }, (_, k) => `x${k}`);
  const x = names.map(() => Array.from({ length: rows }, normal));
  const y = Array.from({ length: rows }, (_, i) => {
    const eta = x.reduce((sum, column, k) => sum + column[i] * (k % 3 - 1), 0);
    return random.uniform() < 1 / (1 + Math.exp(-eta)) ? 1 : 0;
  });
  const terms = names.map((name, k) => `b[${k}] * data["${name}"]`).join(" + ");
  return {
    ...{ name: `logistic ${rows} × ${columns}`, response: "y", type: "binary" },
    data: { ...Object.fromEntries(names.map((name, k) => [name, x[k]])), y },
    structures: locations.length ** 2,
    body: ({ location }) => [
      location("a", 0, 4),
      location("b", 0, 2, columns),
      `pm.Bernoulli("obs", logit_p=a + ${terms}, observed=data["y"])`,
    ],
  };
}

/** All cases. */
export const cases = (): readonly Case[] => [
  dugongs(),
  schools(),
  poisson(),
  logistic(200, 10),
  logistic(1000, 10),
];
