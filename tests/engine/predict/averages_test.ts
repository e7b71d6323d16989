/** Averages of expected responses: means of families, blocks of rows, and no noise of responses. */
import assert from "node:assert/strict";
import { RandomStream } from "../../../src/base/random.ts";
import { averagesAtDraws } from "../../../src/engine/inference/predict/averages.ts";
import { drawDistribution } from "../../../src/engine/inference/predict/draw_distribution.ts";
import { rowsAtDraws } from "../../../src/engine/inference/predict/draws.ts";
import { families, type FamilyName } from "../../../src/engine/language/distributions/table.ts";
import { GraphBuilder } from "../../../src/engine/language/ir/builder.ts";
import { centredLine, lineData } from "./programs.ts";

/** Canonical parameters, and the mean by SciPy 1.17.1: `scipy.stats.gamma(2.5, scale=1/1.5).mean()`. */
const means:
  readonly (readonly [family: FamilyName, parameters: readonly number[], mean: number])[] = [
    ["normal", [1, 2], 1],
    ["student_t", [6, 1, 0.7], 1],
    ["laplace", [1, 0.6], 1],
    ["logistic", [1, 0.5], 1],
    ["log_normal", [0.3, 0.5], 1.5295904196633787],
    ["exponential", [0.7], 1.4285714285714286],
    ["gamma", [2.5, 1.5], 1.6666666666666665],
    ["weibull", [1.7, 2], 1.7844890049986482],
    ["beta", [2.5, 3.5], 0.4166666666666667],
    ["bernoulli", [0.3], 0.3],
    ["binomial", [12, 0.3], 3.5999999999999996],
    ["beta_binomial", [20, 2, 3], 8],
    ["poisson", [3.2], 3.2],
    ["negative_binomial", [5, 2], 5],
    ["zero_inflated_poisson", [0.6, 3], 1.8],
    ["zero_inflated_binomial", [0.6, 12, 0.3], 2.16],
    ["zero_inflated_negative_binomial", [0.6, 5, 2], 3],
    ["hurdle_poisson", [0.6, 0.8], 0.8716637860397253],
    ["hurdle_negative_binomial", [0.6, 5, 2], 3.2666666666666666],
    ["hurdle_gamma", [0.6, 2.5, 1.5], 1],
    ["hurdle_log_normal", [0.6, 0.3, 0.5], 0.9177542517980272],
  ];

Deno.test("means of families are SciPy's, and those of their draws", () => {
  const n = 20_000;
  for (const [family, parameters, mean] of means) {
    const found = families[family].mean!(...parameters);
    assert.ok(Math.abs(found - mean) < 1e-12 * Math.abs(mean), `${family}: ${found}, ${mean}`);
    const g = new GraphBuilder();
    const args = parameters.map((one) => g.scalar(one));
    const draws = new Float64Array(n);
    const valueOf = (id: number) => ({
      shape: [],
      values: Float64Array.of(parameters[args.indexOf(id)]),
    });
    const random = new RandomStream("averages", family);
    drawDistribution(random, { family, args, shape: [n] }, valueOf, draws);
    const drawn = draws.reduce((sum, one) => sum + one, 0) / n;
    const square = draws.reduce((sum, one) => sum + (one - drawn) * (one - drawn), 0) / n;
    assert.ok(Math.abs(drawn - mean) < 4 * Math.sqrt(square / n), `${family}: ${drawn}, ${mean}`);
  }
});

Deno.test("the exponential of Student's t has its median in the place of a mean", () => {
  assert.equal(families.student_t.meanOfExponential!(1.2, 0.7, 3), Math.exp(0.7));
});

/** Two draws of a + b (x − 3) at x = 1, 5, 6, 8. */
const posterior = { draws: 2, parameters: [Float64Array.of(1, 2), Float64Array.of(2, 0.5)] };
const at = { columns: new Map([["x", Float64Array.of(1, 5, 6, 8)]]), rows: 4 };

Deno.test("each block has the average of its expected responses, without their noise", () => {
  const rows = rowsAtDraws(centredLine(), lineData, posterior, { key: ["averages"], at });
  const found = averagesAtDraws(rows, 2, { each: 2 });
  assert.deepEqual([...found], [1, 9, 2, 4]);
});

Deno.test("a transformed response is averaged on its own scale", () => {
  const rows = rowsAtDraws(centredLine(), lineData, posterior, { key: ["averages"], at });
  const [first] = averagesAtDraws(rows, 2, { each: 1, transform: [{ kind: "log" }] });
  assert.ok(Math.abs(first - Math.exp(-3 + 0.125)) < 1e-15);
  const drawn = averagesAtDraws(rows, 2, { each: 1, transform: [{ kind: "reciprocal" }] });
  assert.ok(drawn.every((one) => Number.isFinite(one) && one !== 1 / -3));
});
