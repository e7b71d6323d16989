/** One posterior however it is written: by every path, under priors of any width, in other units and orders. */
import assert from "node:assert/strict";
import { type Dataset, makeDataset } from "../../../src/base/dataset.ts";
import { RandomStream } from "../../../src/base/random.ts";
import { defaultSchedule, type Score } from "../../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../../src/engine/score/score.ts";

const rows = 48;
const random = new RandomStream("metamorphic paths");
const x = numbers(rows, normal);
const g = numbers(rows, (i) => i % 6);
const effects = numbers(6, () => 0.5 * normal());
const y = x.map((v, i) => 1 + 0.7 * v + effects[g[i]] + 0.4 * normal());
const counts = x.map((v, i) => poisson(Math.exp(1 + 0.4 * v + 0.5 * effects[g[i]])));
const choices = x.map((v, i) => Number(random.uniform() < 1 / (1 + Math.exp(-v - effects[g[i]]))));

function numbers(count: number, make: (i: number) => number): Float64Array {
  return Float64Array.from({ length: count }, (_, i) => make(i));
}

function normal(): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.uniform()));
  return radius * Math.cos(2 * Math.PI * random.uniform());
}

function poisson(mean: number): number {
  let [count, term] = [0, Math.exp(-mean)];
  for (let u = random.uniform() - term; u > 0; u -= term) term *= mean / ++count;
  return count;
}

/** One way to write a posterior and its data. */
interface Variant {
  /** Scale of the priors of intercept and slope. */
  readonly width: number;
  readonly shift: number;
  readonly scale: number;
  readonly permuted?: boolean;
  readonly renamed?: boolean;
  readonly centred?: boolean;
}

const plain: Variant = { width: 1e3, shift: 0, scale: 1 };
const others: readonly Variant[] = [
  { ...plain, width: 100 },
  { ...plain, width: 1e6 },
  { ...plain, width: 1e9 },
  { width: 1e6, shift: 2000, scale: 1 },
  { width: 1e9, shift: 2000, scale: 1 },
  { width: 1e6, shift: 0, scale: 1000 },
  { width: 1e6, shift: 0, scale: 1e-3 },
  { ...plain, permuted: true },
  { ...plain, renamed: true },
];

const priors = ({ width }: Variant) =>
  `    a = pm.Normal("a", 0, ${width})\n    b = pm.Normal("b", 0, ${width})\n`;

const groups = ({ centred }: Variant) =>
  centred
    ? `    t = pm.HalfNormal("t", 1)\n    u = pm.Normal("u", a, t, shape=6)\n`
    : `    t = pm.HalfNormal("t", 1)\n    u = a + t * pm.Normal("z", 0, 1, shape=6)\n`;

/** A model by the ways that score it, and how it is written. */
interface Path {
  readonly methods: readonly string[];
  readonly response: "y" | "c" | "k";
  readonly body: (variant: Variant) => string;
  /** Every so many of the variants alone: chains that mix slowly take five times as long. */
  readonly every?: number;
}

const noise = `    s = pm.HalfNormal("s", 1)\n`;
const paths: Readonly<Record<string, Path>> = {
  "a line": {
    methods: ["importance", "gaussian"],
    response: "y",
    body: () => `${noise}    pm.Normal("obs", a + b * data["x"], s, observed=data["y"])`,
  },
  "a line of Student errors": {
    methods: ["importance", "psis", "mixture"],
    response: "y",
    body: () =>
      `${noise}    pm.StudentT("obs", nu=4, mu=a + b * data["x"], sigma=s, observed=data["y"])`,
  },
  "groups, non-centred": {
    methods: ["gaussian"],
    response: "y",
    body: (v) =>
      `${
        groups(v)
      }${noise}    pm.Normal("obs", u[data["g"]] + b * data["x"], s, observed=data["y"])`,
  },
  "groups, centred": {
    methods: ["gaussian"],
    response: "y",
    body: (v) =>
      `${groups({ ...v, centred: true })}${noise}` +
      `    pm.Normal("obs", u[data["g"]] + b * data["x"], s, observed=data["y"])`,
  },
  "counts": {
    methods: ["importance", "mixture"],
    response: "c",
    body: () => `    pm.Poisson("obs", pm.math.exp(a + b * data["x"]), observed=data["c"])`,
  },
  "counts in groups, non-centred": {
    methods: ["importance", "integrated_importance", "integrated", "mixture"],
    response: "c",
    body: (v) =>
      `${
        groups(v)
      }    pm.Poisson("obs", pm.math.exp(u[data["g"]] + b * data["x"]), observed=data["c"])`,
  },
  "counts in groups, centred": {
    methods: ["importance", "integrated_importance", "integrated", "mixture"],
    response: "c",
    every: 3,
    body: (v) =>
      `${groups({ ...v, centred: true })}` +
      `    pm.Poisson("obs", pm.math.exp(u[data["g"]] + b * data["x"]), observed=data["c"])`,
  },
  "choices": {
    methods: ["importance", "mixture"],
    response: "k",
    body: () => `    pm.Bernoulli("obs", logit_p=a + b * data["x"], observed=data["k"])`,
  },
};

function datasetOf({ response }: Path, { shift, scale, permuted }: Variant): Dataset {
  const order = Array.from({ length: rows }, (_, i) => permuted ? (i * 7 + 3) % rows : i);
  const moved = (values: Float64Array) => Float64Array.from(order, (i) => values[i]);
  const role = (name: string) => name === response ? "response" : "predictor";
  return makeDataset("metamorphic", [
    { name: "x", role: "predictor", type: "real", values: moved(x.map((v) => shift + scale * v)) },
    { name: "g", role: "predictor", type: "category", values: moved(g), categories: [..."abcdef"] },
    { name: "y", role: role("y"), type: "real", values: moved(y) },
    { name: "c", role: role("c"), type: "count", values: moved(counts) },
    { name: "k", role: role("k"), type: "binary", values: moved(choices) },
  ]);
}

function scoreOf(path: Path, variant: Variant): Score {
  const text = `import pymc as pm\nwith pm.Model():\n${priors(variant)}${path.body(variant)}\n`;
  const renamed = variant.renamed ? text.replaceAll(/"([abstuz])"/g, '"the $1"') : text;
  const { score, diagnostics } = scoreNow(renamed, datasetOf(path, variant), defaultSchedule, {
    summaries: true,
  });
  assert.ok(score, `${JSON.stringify(variant)}: ${JSON.stringify(diagnostics)}`);
  assert.ok(
    path.methods.includes(score.looMethod),
    `${JSON.stringify(variant)}: ${score.looMethod}`,
  );
  return score;
}

/** Mean, spread and quantiles of the slope per unit of the unscaled predictor. */
function slopeOf(score: Score, { scale, renamed }: Variant) {
  const { mean, sd, q05, q95, essBulk } = score.params[renamed ? "the b" : "b"];
  return {
    mean: mean[0] * scale,
    sd: sd[0] * scale,
    q05: q05[0] * scale,
    q95: q95[0] * scale,
    ess: essBulk[0],
  };
}

for (const [name, path] of Object.entries(paths)) {
  Deno.test(`${name}: score and slope are the same however they are written`, () => {
    const base = scoreOf(path, plain);
    const expected = slopeOf(base, plain);
    for (const variant of others.filter((_, i) => i % (path.every ?? 1) === 0)) {
      const score = scoreOf(path, variant);
      const what = `${JSON.stringify(variant)}`;
      const most = 4 * Math.sqrt(score.mcse ** 2 + base.mcse ** 2) + 0.02;
      assert.ok(Math.abs(score.elpdLoo - base.elpdLoo) < most, `${what}: ${score.elpdLoo}`);
      const found = slopeOf(score, variant);
      const unit = expected.sd * Math.sqrt(1 / found.ess + 1 / expected.ess);
      // Standard errors in units of sd / √n: 1 of the mean, 0.7 of the spread, 2.1 of 5 and 95 % quantiles.
      for (
        const [key, factor] of [["mean", 1], ["sd", 0.75], ["q05", 2.2], ["q95", 2.2]] as const
      ) {
        const far = Math.abs(found[key] - expected[key]);
        assert.ok(far < 4.5 * factor * unit, `${what}: ${key} ${found[key]}, not ${expected[key]}`);
      }
    }
  });
}
