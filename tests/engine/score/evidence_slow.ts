/** log p(y) by every method that tells it, compared with closed forms and quadrature. */
import assert from "node:assert/strict";
import { type Column, makeDataset } from "../../../src/base/dataset.ts";
import { defaultSchedule } from "../../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../../src/engine/score/score.ts";

function rowsOf(columns: Readonly<Record<string, readonly number[]>>, resolution?: number) {
  return makeDataset(
    "rows",
    Object.entries(columns).map(([name, values]): Column => ({
      name,
      role: name === "y" ? "response" : "predictor",
      type: name === "g" || name === "k" ? "count" : "real",
      values: Float64Array.from(values),
      ...(name === "y" && resolution !== undefined && { resolution }),
    })),
  );
}

const x = [-1.4, -0.9, -0.5, -0.1, 0.2, 0.6, 0.9, 1.3, 1.8, 2.1];
const line = rowsOf({ x, y: [-2.0, -1.5, -0.6, -0.4, 0.5, 0.7, 1.6, 1.8, 2.9, 3.0] });
const choice = rowsOf({ x, y: [0, 0, 0, 1, 0, 1, 1, 1, 1, 1] });
const schools = rowsOf({
  y: [28, 8, -3, 7, -1, 1, 18, 12],
  sd: [15, 10, 16, 11, 9, 11, 10, 18],
});
const components = rowsOf({
  y: [
    ...[-2.7, -1.2, -2.1, -1.9, -3.0, -0.6, -2.4, 1.1, 2.6, 1.8],
    ...[2.2, 0.9, 3.1, 1.5, 2.9, 2.0, 1.2, 2.4, 3.4, 1.7],
  ],
});
const rounded = rowsOf({ y: [0.5, 1.0, -0.5, 0.0, 1.5, 0.5] }, 0.5);

const pairs = Array.from(
  { length: 14 },
  (_, k) => [Math.sin(3 * k), Math.sin(3 * k) + 0.5 * Math.cos(5 * k)],
);
const groups = rowsOf({ g: pairs.flatMap((_, k) => [k, k]), y: pairs.flat() });

const ofCrossed = Array.from({ length: 21 }, (_, i) => i);
const crossed = rowsOf({
  g: ofCrossed.map((i) => i % 7),
  k: ofCrossed.map((i) => Math.floor(i / 3)),
  y: ofCrossed.map((i) => Math.round(1000 * Math.sin(1.7 * i)) / 1000),
});

/** log p(y) of pairs with a common standard normal effect and this spread: sums and differences are independent. */
function ofGroups(spread: number): number {
  const logNormal = (z: number, variance: number) =>
    -0.5 * (z * z / variance + Math.log(2 * Math.PI * variance));
  const v = spread * spread;
  return pairs.reduce(
    (sum, [a, b]) =>
      sum + logNormal((a + b) / Math.SQRT2, 2 + v) + logNormal((a - b) / Math.SQRT2, v),
    0,
  );
}

/** The same averaged over a half-normal spread, by the trapezoidal rule. */
function overSpreads(): number {
  const top = ofGroups(0.4);
  let sum = 0;
  for (let s = 0.005; s < 6; s += 0.0005) {
    sum += 0.0005 * Math.sqrt(2 / Math.PI) * Math.exp(-0.5 * s * s + ofGroups(s) - top);
  }
  return top + Math.log(sum);
}

/** Exact values: NumPy 2.4.6, SciPy 1.17.1: multivariate normal densities, quad and dblquad, sums over grids of the mixture and the square. */
const cases = [
  {
    name: "a slope, the spread known",
    data: line,
    body: `b = pm.Normal("b", 0, 2)
    pm.Normal("obs", b * data["x"], 0.5, observed=data["y"])`,
    exact: -5.918587,
    method: /gaussian/,
  },
  {
    name: "a slope and a spread",
    data: line,
    body: `b = pm.Normal("b", 0, 2)
    s = pm.HalfNormal("s", 1)
    pm.Normal("obs", b * data["x"], s, observed=data["y"])`,
    exact: -3.589858,
    method: /gaussian/,
  },
  {
    name: "a logistic line: importance draws",
    data: choice,
    body: `a = pm.Normal("a", 0, 2)
    b = pm.Normal("b", 0, 2)
    pm.Bernoulli("obs", logit_p=a + b * data["x"], observed=data["y"])`,
    exact: -4.705789,
    method: /importance/,
  },
  {
    name: "a square: two images",
    data: line,
    body: `u = pm.Normal("u", 0, 2)
    s = pm.HalfNormal("s", 1)
    pm.Normal("obs", u ** 2 * data["x"], s, observed=data["y"])`,
    exact: -3.697326,
    method: /importance/,
  },
  {
    name: "labels of two components",
    data: components,
    body: `w = pm.Dirichlet("w", a=[1.0, 1.0])
    mu = pm.Normal("mu", 0, 3, shape=2)
    s = pm.HalfNormal("s", 2)
    pm.NormalMixture("obs", w=w, mu=mu, sigma=s, observed=data["y"])`,
    exact: -43.85736,
    method: /importance/,
  },
  {
    name: "eight schools: effects integrated out",
    data: schools,
    body: `mu = pm.Normal("mu", 0, 5)
    tau = pm.HalfNormal("tau", 5)
    z = pm.Normal("z", mu, tau, shape=8)
    pm.Normal("obs", z, data["sd"], observed=data["y"])`,
    exact: -31.036239,
    method: /gaussian|integrated/,
  },
  {
    name: "values recorded to a half: the mass of their cells",
    data: rounded,
    body: `mu = pm.Normal("mu", 0, 2)
    pm.Normal("obs", mu, 0.4, observed=data["y"])`,
    exact: -9.781349,
    method: /./,
  },
  {
    name: "fourteen effects, the spread known: in closed form",
    data: groups,
    body: `z = pm.Normal("z", 0, 1, shape=14)
    pm.Normal("obs", z[data["g"]], 0.5, observed=data["y"])`,
    exact: ofGroups(0.5),
    method: /gaussian/,
  },
  {
    name: "fourteen effects and a spread: effects integrated out",
    data: groups,
    body: `s = pm.HalfNormal("s", 1)
    z = pm.Normal("z", 0, 1, shape=14)
    pm.Normal("obs", z[data["g"]], s, observed=data["y"])`,
    exact: overSpreads(),
    method: /integrated_importance/,
  },
  {
    name: "crossed effects and a spread: by quadrature",
    data: crossed,
    body: `s = pm.HalfNormal("s", 1)
    z = pm.Normal("z", 0, 1, shape=7)
    u = pm.Normal("u", 0, 1, shape=7)
    pm.Normal("obs", z[data["g"]] + u[data["k"]], s, observed=data["y"])`,
    exact: -28.833658,
    method: /gaussian/,
  },
] as const;

for (const { name, data, body, exact, method } of cases) {
  Deno.test(`evidence of ${name}`, () => {
    const text = `with pm.Model() as model:\n    ${body}\n`;
    for (const seed of [0, 1, 2]) {
      const schedule = { ...defaultSchedule, seed, evidence: true } as const;
      const { score, diagnostics } = scoreNow(text, data, schedule);
      assert.ok(score, JSON.stringify(diagnostics));
      assert.match(score.looMethod, method);
      const { logMarginalLikelihood: found, evidenceMcse: error } = score;
      assert.ok(Math.abs(found! - exact) < 4 * error! + 0.003, `${found} ± ${error}, ${exact}`);
      assert.ok(error! < 0.2, `${error}`);
    }
  });
}

Deno.test("scores without evidence are as before", () => {
  const text = `with pm.Model() as model:
    b = pm.Normal("b", 0, 2)
    pm.Normal("obs", b * data["x"], 0.5, observed=data["y"])
`;
  const plain = scoreNow(text, line, defaultSchedule).score!;
  assert.ok(!("logMarginalLikelihood" in plain));
  const asked = scoreNow(text, line, { ...defaultSchedule, evidence: true }).score!;
  assert.equal(asked.elpdLoo, plain.elpdLoo);
});

Deno.test("the evidence sees the width of a prior that ELPD hardly sees (Lindley 1957)", () => {
  const scoreOf = (width: number) => {
    const text = `with pm.Model() as model:
    b = pm.Normal("b", 0, ${width})
    pm.Normal("obs", b * data["x"], 0.5, observed=data["y"])
`;
    return scoreNow(text, line, { ...defaultSchedule, evidence: true }).score!;
  };
  const [narrow, wide] = [scoreOf(10), scoreOf(1000)];
  const lost = narrow.logMarginalLikelihood! - wide.logMarginalLikelihood!;
  assert.ok(Math.abs(lost - Math.log(100)) < 0.02, `${lost}`);
  assert.ok(Math.abs(narrow.elpdLoo - wide.elpdLoo) < 0.02);
});
