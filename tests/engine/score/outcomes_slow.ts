/** Densities of outcomes at new rows, compared with closed forms, and with draws of the predictive distribution. */
import assert from "node:assert/strict";
import { makeDataset } from "../../../src/base/dataset.ts";
import { finish } from "../../../src/engine/inference/mcmc/sample_chains.ts";
import { defaultSchedule } from "../../../src/engine/score/execution/execution.ts";
import { outcomesAt } from "../../../src/engine/score/outcomes.ts";
import { predictRows } from "../../../src/engine/score/predictions.ts";

const x = [0, 1, 2, 3, 4, 5];
const y = [0.1, 1.3, 1.8, 3.2, 3.9, 5.1];
const line = makeDataset("line", [
  { name: "x", role: "predictor", type: "real", values: Float64Array.from(x) },
  { name: "y", role: "response", type: "real", values: Float64Array.from(y) },
]);
const schedule = { ...defaultSchedule, draws: 500 };

/** Densities averaged over draws `[rows][points]`. */
function predictive(
  text: string,
  data: typeof line,
  columns: Record<string, number[]>,
  points: number[],
) {
  const rows = Object.values(columns)[0].length;
  const at = {
    rows,
    columns: new Map(Object.entries(columns).map(([k, v]) => [k, Float64Array.from(v)])),
  };
  const values = Float64Array.from(Array.from({ length: rows }, () => points).flat());
  const wanted = { points: points.length, values, draws: 2000 };
  const { densities, execution } = finish(outcomesAt(text, data, schedule, at, wanted));
  assert.ok(densities, JSON.stringify(execution.diagnostics));
  const draws = densities.length / rows / points.length;
  return Array.from({ length: rows }, (_, r) =>
    points.map((_, k) => {
      let sum = 0;
      for (let s = 0; s < draws; s++) sum += densities[(r * draws + s) * points.length + k];
      return sum / draws;
    }));
}

Deno.test("a normal line predicts the normal densities of its closed form", () => {
  const text = `with pm.Model() as model:
    b = pm.Normal("b", 0, 2)
    pm.Normal("obs", b * data["x"], 0.5, observed=data["y"])
`;
  const precision = 1 / 4 + x.reduce((sum, one) => sum + one * one, 0) / 0.25;
  const mean = x.reduce((sum, one, i) => sum + one * y[i], 0) / 0.25 / precision;
  const points = [-1, 2, 5, 8, 10.2, 12];
  const found = predictive(text, line, { x: [2, 10] }, points);
  [2, 10].forEach((at, r) => {
    const sd = Math.sqrt(0.25 + at * at / precision);
    points.forEach((point, k) => {
      const z = (point - at * mean) / sd;
      const exact = Math.exp(-0.5 * z * z) / (sd * Math.sqrt(2 * Math.PI));
      assert.ok(
        Math.abs(found[r][k] - exact) < 0.03 * exact + 0.004,
        `${at}, ${point}: ${found[r][k]}, ${exact}`,
      );
    });
  });
});

Deno.test("a transformed response has densities on its own scale", () => {
  const grown = makeDataset("grown", [
    { name: "x", role: "predictor", type: "real", values: Float64Array.from(x) },
    {
      name: "y",
      role: "response",
      type: "real",
      values: Float64Array.from(y, (one) => Math.exp(one)),
    },
  ]);
  const text = `with pm.Model() as model:
    b = pm.Normal("b", 0, 2)
    pm.Normal("obs", b * data["x"], 0.5, observed=np.log(data["y"]))
`;
  const points = Array.from({ length: 4000 }, (_, k) => 0.005 + 0.01 * k);
  const [own] = predictive(text, grown, { x: [1] }, points);
  const mass = own.reduce((sum, density) => sum + 0.01 * density, 0);
  assert.ok(Math.abs(mass - 1) < 0.01, `${mass}`);
});

Deno.test("a vector of probabilities is read point by point", () => {
  const codes = Float64Array.of(0, 1, 2, 0, 0, 1, 0, 2, 0, 1);
  const votes = makeDataset("votes", [{
    name: "k",
    role: "response",
    type: "count",
    values: codes,
  }]);
  const text = `with pm.Model() as model:
    p = pm.Dirichlet("p", a=[1.0, 1.0, 1.0])
    pm.Categorical("obs", p=p, observed=data["k"])
`;
  const [found] = predictive(text, votes, { none: [0] }, [0, 1, 2, 3]);
  [6 / 13, 4 / 13, 3 / 13, 0].forEach((exact, k) => {
    assert.ok(Math.abs(found[k] - exact) < 0.02, `${k}: ${found[k]}, ${exact}`);
  });
});

Deno.test("densities are those that predictive draws have", () => {
  const counts = makeDataset("counts", [
    { name: "x", role: "predictor", type: "real", values: Float64Array.from(x) },
    { name: "c", role: "response", type: "count", values: Float64Array.of(3, 5, 4, 9, 12, 20) },
  ]);
  const text = `with pm.Model() as model:
    a = pm.Normal("a", 1, 1)
    b = pm.Normal("b", 0, 1)
    pm.Poisson("obs", pm.math.exp(a + b * data["x"]), observed=data["c"])
`;
  const points = Array.from({ length: 60 }, (_, k) => k);
  const [own] = predictive(text, counts, { x: [3.5] }, points);
  const at = { rows: 1, columns: new Map([["x", Float64Array.of(3.5)]]) };
  const { draws } = finish(predictRows(text, counts, { ...schedule, draws: 2000 }, at));
  for (const point of [6, 9, 12, 16]) {
    const share = draws!.filter((one) => one <= point).length / draws!.length;
    const below = own.slice(0, point + 1).reduce((a, b) => a + b, 0);
    assert.ok(Math.abs(share - below) < 0.025, `${point}: ${below}, ${share}`);
  }
});
