/** Predictive draws, new rows, latents of rows, and checks. */
import assert from "node:assert/strict";
import { InputError } from "../../../src/base/diagnostic.ts";
import { RandomStream } from "../../../src/base/random.ts";
import { looPit, predictiveChecks } from "../../../src/engine/inference/predict/checks.ts";
import { columnsOf, priorDraws, replicate } from "../../../src/engine/inference/predict/draws.ts";
import { graphForRows } from "../../../src/engine/inference/predict/new_rows.ts";
import { rowLatent } from "../../../src/engine/inference/predict/row_latent.ts";
import { makeDataset } from "../../../src/base/dataset.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { centredLine, lineData, rowEffects, sharedEffects } from "./programs.ts";

function moments(values: ArrayLike<number>): { mean: number; variance: number } {
  const n = values.length;
  let mean = 0;
  for (let i = 0; i < n; i++) mean += values[i] / n;
  let variance = 0;
  for (let i = 0; i < n; i++) variance += (values[i] - mean) * (values[i] - mean) / (n - 1);
  return { mean, variance };
}

/** Column i of `[draws, n]`. */
function column(values: Float64Array, n: number, i: number): Float64Array {
  return Float64Array.from({ length: values.length / n }, (_, s) => values[s * n + i]);
}

Deno.test("priorDraws() has the moments of the prior predictive distribution", () => {
  const draws = 20_000;
  const found = priorDraws(centredLine(), lineData, draws, ["prior"]);
  // x − mean = −2 … 3: variance 1 + (x − mean)² + 0.25.
  for (const [i, centred] of [-2, -1, 0, 3].entries()) {
    const { mean, variance } = moments(column(found.response, 4, i));
    const wanted = 1.25 + centred * centred;
    assert.ok(Math.abs(mean) < 4 * Math.sqrt(wanted / draws), `mean ${mean}`);
    assert.ok(Math.abs(variance / wanted - 1) < 4 * Math.sqrt(2 / draws), `variance ${variance}`);
  }
});

Deno.test("priorDraws() draws parents before children, the same for the same key", () => {
  const found = priorDraws(rowEffects(), lineData, 4000, ["tree"]);
  const { variance } = moments(column(found.response, 4, 2));
  // Var y = 1 + Var m + E s² = 3.
  assert.ok(Math.abs(variance - 3) < 0.35, `${variance}`);
  const again = priorDraws(rowEffects(), lineData, 4000, ["tree"]);
  assert.ok(found.response.every((value, i) => value === again.response[i]));
});

Deno.test("replicate() predicts rows of the data and new rows with the centring of the data", () => {
  const program = centredLine();
  const draws = 8000;
  const posterior = {
    draws,
    parameters: [new Float64Array(draws).fill(1), new Float64Array(draws).fill(2)],
  };
  const same = replicate(program, lineData, posterior, { key: ["same"] });
  assert.ok(Math.abs(moments(column(same, 4, 3)).mean - 7) < 4 * 0.5 / Math.sqrt(draws));
  const at = { columns: new Map([["x", Float64Array.of(3, 10)]]), rows: 2 };
  const found = replicate(program, lineData, posterior, { key: ["new"], at });
  assert.equal(found.length, 2 * draws);
  assert.ok(Math.abs(moments(column(found, 2, 0)).mean - 1) < 4 * 0.5 / Math.sqrt(draws));
  assert.ok(Math.abs(moments(column(found, 2, 1)).mean - 15) < 4 * 0.5 / Math.sqrt(draws));
});

Deno.test("replicate() refuses new rows without a column that the program reads", () => {
  const posterior = { draws: 1, parameters: [Float64Array.of(1), Float64Array.of(2)] };
  const at = { columns: new Map([["age", Float64Array.of(3, 10)]]), rows: 2 };
  assert.throws(
    () => replicate(centredLine(), lineData, posterior, { key: ["lacking"], at }),
    /Cannot predict: the new rows lack x, which the program reads/,
  );
});

Deno.test("replicate() predicts levels at new rows: cutpoints are no rows", () => {
  const values = (...own: number[]) => Float64Array.from(own);
  const data = makeDataset("ratings", [
    { name: "y", role: "response", type: "count", values: values(0, 1, 2, 1, 2) },
    { name: "x", role: "predictor", type: "real", values: values(0, 2, 7, 3, 5) },
  ]);
  const checked = checkProgram(
    `with pm.Model():
  cuts = pm.Normal("cuts", [-1, 1], 1, shape=2, transform=pm.distributions.transforms.ordered)
  b = pm.Normal("b", 0, 1)
  pm.OrderedLogistic("y", eta=b * data["x"], cutpoints=cuts, observed=data["y"])`,
    data,
  );
  assert.ok(checked.ok);
  const draws = 4000;
  const fixed = { cuts: values(-1, 1), b: values(0.5) };
  const parameters = checked.program.parameters.map(({ name }) => {
    const own = fixed[name as keyof typeof fixed];
    return Float64Array.from({ length: draws * own.length }, (_, i) => own[i % own.length]);
  });
  const at = { columns: new Map([["x", values(4)]]), rows: 1 };
  const found = replicate(checked.program, data, { draws, parameters }, { key: ["levels"], at });
  const share = found.filter((level) => level === 2).length / draws;
  const wanted = 1 / (1 + Math.exp(1 - 0.5 * 4)); // P(level 2) = 1 − σ(c_2 − b x)
  assert.ok(Math.abs(share - wanted) < 4 * Math.sqrt(wanted * (1 - wanted) / draws), `${share}`);
});

Deno.test("replicate() predicts categories at new rows: a reference of zeros is one for new rows, too", () => {
  const values = (...own: number[]) => Float64Array.from(own);
  const categories = ["bread", "cheese", "wine"];
  const data = makeDataset("meals", [
    { name: "y", role: "response", type: "category", categories, values: values(0, 1, 2, 1, 2) },
    { name: "x", role: "predictor", type: "real", values: values(0, 2, 7, 3, 5) },
  ]);
  const checked = checkProgram(
    `import numpy as np
with pm.Model():
  b = pm.Normal("b", 0, 1)
  c = pm.Normal("c", 0, 1)
  first, second = b + np.zeros(len(data)), c * data["x"]
  eta = pm.math.stack([np.zeros(len(data)), first, second], axis=1)
  pm.Categorical("y", logit_p=eta, observed=data["y"])`,
    data,
  );
  assert.ok(checked.ok);
  const draws = 4000;
  const parameters = [1, 0.5].map((one) => new Float64Array(draws).fill(one));
  const at = { columns: new Map([["x", values(4, -2)]]), rows: 2 };
  const found = replicate(checked.program, data, { draws, parameters }, { key: ["meals"], at });
  for (const [row, x] of [4, -2].entries()) {
    const odds = [1, Math.exp(1), Math.exp(0.5 * x)];
    const total = odds.reduce((sum, one) => sum + one, 0);
    for (const [level, one] of odds.entries()) {
      const [share, p] = [
        column(found, 2, row).filter((y) => y === level).length / draws,
        one / total,
      ];
      assert.ok(Math.abs(share - p) < 4 * Math.sqrt(p * (1 - p) / draws), `${x} ${level} ${share}`);
    }
  }
});

Deno.test("graphForRows() refuses what is tied to the rows of the data", () => {
  const columns = columnsOf(lineData);
  assert.throws(() => graphForRows(rowEffects(), columns, 4, 2), InputError);
  const grown = graphForRows(rowEffects(), columns, 4, 2, 2);
  assert.deepEqual(grown.distribution.shape, [2]);
});

Deno.test("rowLatent() finds the latent of each row, in whatever order the rows see it", () => {
  const columns = columnsOf(lineData);
  assert.deepEqual([...rowLatent(rowEffects(), columns)!.elementOfRow], [0, 1, 2, 3]);
  const reversed = rowLatent(rowEffects("reversed"), columns)!;
  assert.equal(reversed.parameter, 2);
  assert.deepEqual([...reversed.elementOfRow], [3, 2, 1, 0]);
  assert.equal(rowLatent(sharedEffects(), columns), undefined);
  assert.equal(rowLatent(centredLine(), columns), undefined);
});

Deno.test("looPit() of data from the predictive distribution is uniform", () => {
  const random = new RandomStream("pit");
  const [n, draws] = [200, 300];
  const observed = Float64Array.from({ length: n }, () => random.uniform());
  const replicated = Float64Array.from({ length: n * draws }, () => random.uniform());
  const weights = new Float64Array(draws).fill(1 / draws);
  const { mean, variance } = moments(looPit(observed, replicated, () => weights));
  assert.ok(Math.abs(mean - 0.5) < 4 * Math.sqrt(1 / 12 / n));
  assert.ok(Math.abs(variance * 12 - 1) < 0.5);
});

Deno.test("predictiveChecks() finds counts with too many zeros", () => {
  const observed = Float64Array.of(0, 0, 0, 4);
  const replicated = Float64Array.of(1, 1, 1, 2, 2, 0, 1, 1);
  const { zeros, mean, max } = predictiveChecks(observed, replicated, true);
  assert.deepEqual(zeros, { observed: 0.75, predicted: 0.125, p: 0 });
  assert.deepEqual(mean, { observed: 1, predicted: 1.125, p: 0.75 });
  assert.equal(max.p, 0);
});
