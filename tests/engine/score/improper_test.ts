/** A posterior that only rounding ends has no score, under no seed; a prior away from zero noise gives one. */
import assert from "node:assert/strict";
import { makeDataset } from "../../../src/base/dataset.ts";
import { defaultSchedule } from "../../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../../src/engine/score/score.ts";

const x = [-2, 0, 2, -1, 1, -2];
const line = x.map((one) => 1 + one / 2);
const allButOne = [1, 1, 1, 1, 1, 3];
const level = `z = pm.Normal("z", a, t, shape=6)`;

function execution(likelihood: string, spread: string, y: readonly number[], seed: number) {
  const text = `with pm.Model():
    a = pm.Normal("a", 0, 5)
    b = pm.Normal("b", 0, 1)
    t = pm.HalfNormal("t", 1)
    s = ${spread}
    ${likelihood}
`;
  const values = { y: Float64Array.from(y), x: Float64Array.from(x) };
  const data = makeDataset("six", [
    { name: "y", role: "response", type: "real", resolution: "continuous", values: values.y },
    { name: "x", role: "predictor", type: "real", values: values.x },
  ]);
  return scoreNow(text, data, { ...defaultSchedule, rows: "ordered", seed });
}

const onLine = `pm.Normal("y", a + b * data["x"], s, observed=data["y"])`;
const constant = `pm.Normal("y", a, s, observed=data["y"])`;
const own = `${level}\n    pm.Normal("y", z[np.arange(6)], s, observed=data["y"])`;

for (
  const [name, likelihood, y] of [
    ["all rows lie on the line", onLine, line],
    ["all rows are equal", constant, x.map(() => 1)],
    ["all rows are equal and have effects of their own", own, x.map(() => 1)],
    ["all rows but one are equal", constant, allButOne],
  ] as const
) {
  for (const spread of [`pm.HalfCauchy("s", 1)`, `pm.Gamma("s", 2, 1)`]) {
    Deno.test(`no score where ${name}: ${spread}`, () => {
      for (const seed of [0, 1, 2]) {
        const { status, score, diagnostics } = execution(likelihood, spread, y, seed);
        assert.equal(score, undefined, `${seed}: ${score?.elpdLoo} ± ${score?.mcse}`);
        if (y !== allButOne) assert.equal(status, "error");
        if (status === "error") assert.match(diagnostics.at(-1)!.message, /improper/);
      }
    });
  }
}

Deno.test("equal rows have the score of quadrature where the prior of the noise excludes 0", () => {
  // Dense covariance and a grid of log s: numpy 2.4.6, SciPy 1.17.1.
  for (const seed of [0, 1, 2]) {
    const { score } = execution(constant, `pm.InverseGamma("s", 2, 1)`, allButOne, seed);
    const away = score!.elpdLoo - -13.2354;
    assert.ok(Math.abs(away) < 4 * score!.mcse + 0.001, `${away} ± ${score!.mcse}`);
  }
});
