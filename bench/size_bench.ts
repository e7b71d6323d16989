/** Programs of many rows or many latents: how long one takes, and how sure its score is. */
import { type ColumnType, type Dataset, makeDataset } from "../src/base/dataset.ts";
import { RandomStream } from "../src/base/random.ts";
import { fillNormal } from "../src/numerics/math/random_normal.ts";
import { defaultSchedule } from "../src/engine/score/execution/execution.ts";
import { scoreNow } from "../src/engine/score/score.ts";
import { withName } from "./with_name.ts";

/** A program and its data. */
interface LargeCase {
  readonly name: string;
  readonly body: readonly string[];
  readonly data: Dataset;
  /** Whether rows may change places; they may if this is missing. */
  readonly rows?: "ordered";
}

type Columns = Readonly<Record<string, Float64Array>>;

const random = new RandomStream("bench", "size");

function normals(count: number): Float64Array {
  const out = new Float64Array(count);
  fillNormal(random, out);
  return out;
}

function table(type: ColumnType, predictors: Columns, y: Float64Array): Dataset {
  const columns = Object.entries(predictors).map(([name, values]) => ({
    ...{ name, values },
    ...{ role: "predictor", type: "real" } as const,
  }));
  return makeDataset("large", [...columns, { name: "y", role: "response", type, values: y }]);
}

/** Rows in turns over groups, and an effect of each group. */
function grouped(groups: number, rows: number) {
  const g = Float64Array.from({ length: rows }, (_, i) => i % groups);
  const effects = normals(groups);
  return { g, effect: g.map((group) => effects[group]) };
}

const logistic = (eta: number) => 1 / (1 + Math.exp(-eta));
const yes = (p: number) => random.uniform() < p ? 1 : 0;

/** A count by multiplying uniform numbers (Knuth 1969). */
function count(rate: number): number {
  let k = 0;
  for (let left = random.uniform(); left > Math.exp(-rate); k++) left *= random.uniform();
  return k;
}

const spread = [`mu = pm.Normal("mu", 0, 2)`, `tau = pm.HalfNormal("tau", 2)`];
const index = `idx = data["g"].astype(int)`;
const noise = `sigma = pm.HalfNormal("sigma", 2)`;

function regression(rows: number): LargeCase {
  const x = Object.fromEntries(Array.from({ length: 10 }, (_, k) => [`x${k}`, normals(rows)]));
  const eta = (i: number) => 0.2 + x.x0[i] - x.x1[i] + 0.5 * x.x2[i];
  const terms = Object.keys(x).map((name, k) => `b[${k}] * data["${name}"]`).join(" + ");
  return {
    name: `logistic, ${rows} × 10`,
    body: [
      `a = pm.Normal("a", 0, 2)`,
      `b = pm.Normal("b", 0, 2, shape=10)`,
      `pm.Bernoulli("obs", logit_p=a + ${terms}, observed=data["y"])`,
    ],
    data: table("binary", x, Float64Array.from({ length: rows }, (_, i) => yes(logistic(eta(i))))),
  };
}

function effects(groups: number, spelling: "centred" | "not centred"): LargeCase {
  const { g, effect } = grouped(groups, 5 * groups);
  const z = normals(g.length);
  const own = spelling === "centred"
    ? [`a = pm.Normal("a", mu, tau, shape=${groups})`, "eta = a[idx]"]
    : [`z = pm.Normal("z", 0, 1, shape=${groups})`, "eta = mu + tau * z[idx]"];
  return {
    name: `${groups} groups of 5, ${spelling}`,
    body: [index, ...spread, noise, ...own, `pm.Normal("obs", eta, sigma, observed=data["y"])`],
    data: table("real", { g }, effect.map((one, i) => one + z[i])),
  };
}

function counts(groups: number): LargeCase {
  const { g, effect } = grouped(groups, 5 * groups);
  return {
    name: `${groups} groups of 5 counts`,
    body: [
      ...[index, ...spread, `a = pm.Normal("a", mu, tau, shape=${groups})`],
      `pm.Poisson("obs", pm.math.exp(a[idx]), observed=data["y"])`,
    ],
    data: table("count", { g }, effect.map((one) => count(Math.exp(1 + 0.5 * one)))),
  };
}

function single(rows: number): LargeCase {
  const [x, z] = [normals(rows), normals(rows)];
  const y = x.map((one, i) => count(Math.exp(1 + 0.5 * one + 0.4 * z[i])));
  return {
    name: `${rows} rows with a latent each`,
    body: [
      ...[...spread, `b = pm.Normal("b", 0, 2)`, `e = pm.Normal("e", 0, tau, shape=${rows})`],
      `pm.Poisson("obs", pm.math.exp(mu + b * data["x"] + e), observed=data["y"])`,
    ],
    data: table("count", { x }, y),
  };
}

function answers(persons: number, items: number): LargeCase {
  const { g, effect } = grouped(persons, 10 * persons);
  const hard = normals(items);
  const item = g.map(() => Math.floor(items * random.uniform()));
  return {
    name: `${persons} persons, ${items} items, 10 answers each`,
    body: [
      ...[index, `item = data["item"].astype(int)`],
      `ability = pm.Normal("ability", 0, 1, shape=${persons})`,
      `hard = pm.Normal("hard", 0, 1, shape=${items})`,
      `pm.Bernoulli("obs", logit_p=ability[idx] - hard[item], observed=data["y"])`,
    ],
    data: table("binary", { g, item }, effect.map((one, i) => yes(logistic(one - hard[item[i]])))),
  };
}

function slopes(groups: number): LargeCase {
  const { g, effect } = grouped(groups, 10 * groups);
  const [x, z, slope] = [normals(g.length), normals(g.length), normals(groups)];
  return {
    name: `${groups} groups of 10 with slopes`,
    body: [
      ...[index, ...spread, noise, `a = pm.Normal("a", mu, tau, shape=${groups})`],
      ...[`mb = pm.Normal("mb", 0, 2)`, `tb = pm.HalfNormal("tb", 2)`],
      `b = pm.Normal("b", mb, tb, shape=${groups})`,
      `pm.Normal("obs", a[idx] + b[idx] * data["x"], sigma, observed=data["y"])`,
    ],
    data: table("real", { g, x }, effect.map((one, i) => one + 0.5 * slope[g[i]] * x[i] + z[i])),
  };
}

function walk(steps: number): LargeCase {
  const [step, noise] = [normals(steps), normals(steps)];
  let level = 0;
  const y = step.map((one, i) => (level += 0.1 * one) + 0.5 * noise[i]);
  return {
    name: `random walk of ${steps} steps`,
    body: [
      `sigma = pm.HalfNormal("sigma", 1)`,
      `step = pm.HalfNormal("step", 1)`,
      `start = pm.Normal.dist(0, 1)`,
      `level = pm.GaussianRandomWalk("level", sigma=step, init_dist=start, shape=${steps})`,
      `pm.Normal("obs", level, sigma, observed=data["y"])`,
    ],
    data: table("real", {}, y),
    rows: "ordered",
  };
}

const cases = (): readonly LargeCase[] => [
  ...[1000, 3000, 10_000].map(regression),
  ...[250, 500, 1000].map((groups) => effects(groups, "centred")),
  effects(1000, "not centred"),
  counts(1000),
  single(1000),
  answers(980, 20),
  slopes(500),
  walk(1000),
];

/** `size [seeds] [name]`: seconds, method and Monte Carlo error of each seed; three by default. */
export function benchSize([seeds = "3", name = ""]: readonly string[]): Promise<void> {
  const chosen = withName(cases(), name);
  console.log("program | seed | seconds | method | ELPD-LOO | its error | status");
  for (const one of chosen) {
    for (let seed = 0; seed < Number(seeds); seed++) console.log(line(one, seed));
  }
  return Promise.resolve();
}

function line({ name, body, data, rows }: LargeCase, seed: number): string {
  const head = ["import pymc as pm", "", "with pm.Model() as model:"];
  const text = [...head, ...body.map((statement) => `    ${statement}`), ""].join("\n");
  const started = performance.now();
  const { status, score } = scoreNow(text, data, {
    ...defaultSchedule,
    seed,
    ...(rows && { rows }),
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const found = [score?.looMethod, score?.elpdLoo.toFixed(2), score?.mcse.toFixed(3)];
  return [name, seed, seconds, ...found, status].join(" | ");
}
