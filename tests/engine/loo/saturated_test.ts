/** Counts with a parameter for each row: leave-one-out is about the prior alone. */
import assert from "node:assert/strict";
import { makeDataset } from "../../../src/base/dataset.ts";
import { fieldChoice } from "../../../src/engine/inference/gaussian/field_choice.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { fieldLoo } from "../../../src/engine/loo/field.ts";
import { exp, lgamma, log, logSumExp } from "../../../src/numerics/math/mod.ts";

const counts = [48, 3, 110, 17];
const priorSd = 30;

const logNormal = (x: number, sd: number) =>
  -0.5 * (x / sd) ** 2 - log(sd * Math.sqrt(2 * Math.PI));
const logPoisson = (y: number, eta: number) => y * eta - exp(eta) - lgamma(y + 1);

/** Sums over grids that are finer than any row's likelihood: log ∫ exp f. */
function logIntegral(f: (x: number) => number, ends: readonly [number, number]): number {
  const [from, step] = [ends[0], 0.05];
  const points = Array.from(
    { length: Math.round((ends[1] - from) / step) },
    (_, k) => f(from + k * step),
  );
  return logSumExp(points) + log(step);
}

/** Row 0 has the intercept alone, each other a parameter of its own beside it. */
function exactElpd(): number {
  const own = counts.map((y) => {
    const known = new Map<number, number>();
    return (c: number) => {
      const key = Math.round(c * 20);
      if (!known.has(key)) {
        known.set(
          key,
          logIntegral((eta) => logPoisson(y, eta) + logNormal(eta - c, priorSd), [-6, 8]),
        );
      }
      return known.get(key)!;
    };
  });
  const evidence = (left?: number) =>
    logIntegral((c) => {
      const rows = counts.map((y, i) => i === left ? 0 : i === 0 ? logPoisson(y, c) : own[i](c));
      return logNormal(c, 2.5) + rows.reduce((a, b) => a + b, 0);
    }, [-16, 16]);
  const whole = evidence();
  return counts.reduce((sum, _, i) => sum + whole - evidence(i), 0);
}

Deno.test("rows with a parameter each have the ELPD of quadrature, also where predictors overflow", () => {
  const group = Float64Array.from(counts, (_, i) => i);
  const data = makeDataset("rows", [
    { name: "g", role: "predictor", type: "real", values: group },
    { name: "y", role: "response", type: "count", values: Float64Array.from(counts) },
  ]);
  const lines = [
    `c = pm.Normal("c", 0, 2.5)`,
    "eta = c",
    ...[1, 2, 3].flatMap((k) => [
      `u${k} = pm.Normal("u${k}", 0, ${priorSd})`,
      `eta = eta + u${k} * (data["g"] == ${k})`,
    ]),
    `pm.Poisson("y", mu=pm.math.exp(eta), observed=data["y"])`,
  ];
  const text = `import pymc as pm\n\nwith pm.Model() as model:\n${
    lines.map((l) => `    ${l}\n`).join("")
  }`;
  const checked = checkProgram(text, data);
  assert.ok(checked.ok, JSON.stringify(checked));
  const choice = fieldChoice(checked.program, data, undefined)!;
  const found = fieldLoo(choice, { targetMcse: 0.05, seedKey: ["saturated"] }, {
    used: 0,
    limit: 1e6,
  });
  let next = found.next();
  while (!next.done) next = found.next();
  const { pointwise, mcse } = next.value!;
  const elpd = pointwise.reduce((a, b) => a + b, 0);
  assert.ok(
    Math.abs(elpd - exactElpd()) < 4 * mcse && mcse < 0.11,
    `${elpd} ± ${mcse}, ${exactElpd()}`,
  );
});
