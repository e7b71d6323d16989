/** Fresh programs from text to result, one after another in a warm process, beside PyMC and ArviZ. */
import { cpuUsage } from "node:process";
import { fileURLToPath } from "node:url";
import { type Column, type Dataset, makeDataset } from "../src/base/dataset.ts";
import { RandomStream } from "../src/base/random.ts";
import { defaultSchedule } from "../src/score/execution.ts";
import { scoreNow } from "../src/score/score.ts";

/** A program whose text `SEED` makes another one each time, and its data. */
interface Case {
  readonly name: string;
  readonly response: string;
  readonly type: "real" | "count" | "binary";
  readonly data: Readonly<Record<string, readonly number[]>>;
  readonly body: readonly string[];
}

function csv(file: string): Record<string, number[]> {
  const text = Deno.readTextFileSync(new URL(`../data/${file}`, import.meta.url));
  const [head, ...rows] = text.trim().split("\n").map((line) => line.split(","));
  return Object.fromEntries(head.map((name, k) => [name, rows.map((row) => Number(row[k]))]));
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
    body: [
      'a = pm.Normal("a", 0, SEED)',
      `b = pm.Normal("b", 0, 2, shape=${columns})`,
      `pm.Bernoulli("obs", logit_p=a + ${terms}, observed=data["y"])`,
    ],
  };
}

function cases(): Case[] {
  const schools = csv("eight_schools.csv");
  const peregrines = csv("peregrines_french_jura_real.csv");
  return [
    {
      ...{ name: "dugongs", response: "length", type: "real", data: csv("dugongs.csv") },
      body: [
        'alpha = pm.Normal("alpha", 2.5, SEED)',
        'beta = pm.Normal("beta", 1, 1)',
        'lam = pm.Uniform("lam", 0.5, 1.0)',
        'sigma = pm.HalfNormal("sigma", 0.5)',
        'mu = alpha - beta * lam ** data["age"]',
        'pm.Normal("obs", mu=mu, sigma=sigma, observed=data["length"])',
      ],
    },
    {
      ...{ name: "eight schools", response: "y", type: "real" },
      data: { y: schools.y, sigma: schools.sigma },
      body: [
        'mu = pm.Normal("mu", 0, SEED)',
        'tau = pm.HalfCauchy("tau", 5)',
        'raw = pm.Normal("raw", 0, 1, shape=8)',
        'pm.Normal("obs", mu=mu + tau * raw, sigma=data["sigma"], observed=data["y"])',
      ],
    },
    {
      ...{ name: "Poisson cubic, 40 years", response: "pairs", type: "count" },
      data: { t: peregrines.year.map((year) => (year - 1983.5) / 20), pairs: peregrines.pairs },
      body: [
        'a = pm.Normal("a", 4, SEED)',
        'b = pm.Normal("b", 0, 2, shape=3)',
        't = data["t"]',
        "eta = a + b[0] * t + b[1] * t ** 2 + b[2] * t ** 3",
        'pm.Poisson("obs", mu=pm.math.exp(eta), observed=data["pairs"])',
      ],
    },
    logistic(200, 10),
    logistic(1000, 10),
  ];
}

const textOf = ({ body }: Case, seed: number): string =>
  `import pymc as pm\n\nwith pm.Model() as model:\n${
    body.map((line) => `    ${line.replace("SEED", seed.toFixed(3))}\n`).join("")
  }`;

function datasetOf({ name, data, response, type }: Case): Dataset {
  const columns = Object.entries(data).map(([key, values]): Column => ({
    ...{ name: key, role: key === response ? "response" : "predictor" },
    type: key === response ? type : "real",
    values: Float64Array.from(values),
  }));
  return makeDataset(name, columns);
}

/** The samplers beside which programs are scored; the faster of them counts. */
const samplers = ["pymc", "nutpie"] as const;

/**
 * `fresh [programs] [pattern]`: 4 × (200 + 125) as it is, and with draws until the error is 0.05, of
 * the cases whose name has the pattern in it. With a Python in SLUICE_PYTHON that has PyMC 5, ArviZ
 * and nutpie, beside `pm.sample` at 4 × (200 + 125) and `az.loo` on the same programs.
 */
export async function benchFresh(
  [programs = "200", pattern = ""]: readonly string[],
): Promise<void> {
  const python = Deno.env.get("SLUICE_PYTHON");
  if (!python) {
    console.log("set SLUICE_PYTHON to a Python with PyMC 5 and nutpie for their columns");
  }
  const heads = ["program", "CPU ms, 4 × (200 + 125)", "until 0.05", "its gradients"];
  const peers = samplers.map((sampler) => `${sampler}, CPU s`);
  console.log([...heads, ...peers, "ratio to the faster"].join(" | "));
  for (const one of cases().filter(({ name }) => name.includes(pattern))) {
    const short = measure(one, Number(programs), 1e9);
    const long = measure(one, Number(programs), defaultSchedule.targetMcse);
    const seconds: number[] = [];
    for (const sampler of samplers) {
      seconds.push(python ? await peerSeconds(python, sampler, one) : NaN);
    }
    const ratio = 1000 * Math.min(...seconds) / short.ms;
    const numbers = [short.ms, long.ms, long.gradients, ...seconds, ratio];
    console.log([one.name, ...numbers.map((value) => value.toPrecision(3))].join(" | "));
  }
}

/** Median CPU time of fresh programs, after as many to warm up. */
function measure(one: Case, programs: number, targetMcse: number) {
  const dataset = datasetOf(one);
  const schedule = { ...defaultSchedule, tune: 200, targetMcse };
  const times: number[] = [];
  let gradients = 0;
  for (let n = 0; n < 2 * programs; n++) {
    const before = cpuUsage();
    const { score, diagnostics } = scoreNow(textOf(one, 4 + n / 1000), dataset, schedule);
    const { user, system } = cpuUsage(before);
    if (!score) throw new Error(diagnostics.map(({ message }) => message).join("; "));
    if (n < programs) continue;
    times.push((user + system) / 1000);
    gradients += score.gradients / programs;
  }
  times.sort((a, b) => a - b);
  return { ms: times[times.length >> 1], gradients };
}

/** Another program on the same data, by which a process of the peer warms up. */
function warmText({ data, response }: Case): string {
  const predictor = Object.keys(data).find((name) => name !== response);
  return `import pymc as pm

with pm.Model() as model:
    a = pm.Normal("a", 0, 1)
    s = pm.HalfNormal("s", 1)
    pm.Normal("obs", a + 0.1 * data["${predictor}"], s, observed=data["${response}"])
`;
}

/**
 * CPU seconds of a sampler of PyMC and `az.loo` for a fresh program in a warm process: the median of
 * three that differ in a constant, as ours do, after another program. PyTensor and Numba keep what
 * they have compiled in a folder; here that is a new one, so that nothing has been compiled in
 * earlier runs.
 */
async function peerSeconds(python: string, sampler: string, one: Case): Promise<number> {
  const folder = await Deno.makeTempDir();
  const script = fileURLToPath(new URL("fresh_peer.py", import.meta.url));
  const texts = [warmText(one), ...[3, 3.5, 4].map((constant) => textOf(one, constant))];
  const child = new Deno.Command(python, {
    args: [script, sampler],
    env: { PYTENSOR_FLAGS: `base_compiledir=${folder}`, NUMBA_CACHE_DIR: `${folder}/numba` },
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(JSON.stringify({ data: one.data, texts })));
  await writer.close();
  const { stdout, success } = await child.output();
  await Deno.remove(folder, { recursive: true });
  if (!success) return NaN;
  const seconds: number[] = JSON.parse(new TextDecoder().decode(stdout)).seconds;
  return seconds.slice(1).sort((a, b) => a - b)[1];
}
