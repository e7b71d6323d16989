/** Tests of calibration: a likelihood that lacks one of three sources is found out, and the whole one is not. */
import assert from "node:assert/strict";
import { calibrate, type Design } from "../../../src/engine/score/mod.ts";

const terms = (sources: number[]) =>
  sources.map((k) => `1 / (0.0001 + (x - x_${k})**2 + (y - y_${k})**2)`).join(" + ");
const theory = (sources: number[]) =>
  `import pymc as pm

with pm.Model() as model:
${
    sources.map((k) =>
      `    x_${k} = pm.Normal("x_${k}", 0, 1)\n    y_${k} = pm.Normal("y_${k}", 0, 1)`
    ).join("\n")
  }
    x = data["x"]
    y = data["y"]
    pm.Normal("signal", 0.1 + ${terms(sources)}, 0.5, observed=data["signal"])
`;
const design: Design = [
  { name: "x", role: "predictor", type: "real" },
  { name: "y", role: "predictor", type: "real" },
  { name: "signal", role: "response", type: "real" },
];
const at = {
  rows: 4,
  columns: new Map([["x", Float64Array.of(-1, 1, 0, 2)], ["y", Float64Array.of(-1, 1, 0, -1)]]),
};

function calibrated(simulator: string, density: string) {
  const steps = calibrate({ simulator, density }, design, at, { draws: 200, key: ["sources"] });
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

Deno.test("three sources are calibrated, and a density of two is found out in 200 draws", () => {
  const [three, two] = [theory([0, 1, 2]), theory([0, 1])];
  const right = calibrated(three, three);
  assert.ok(right.p > 0.01, `${right.worst} ${right.p}`);
  const wrong = calibrated(three, two);
  assert.ok(wrong.p < 1e-4, `${wrong.worst} ${wrong.p}`);
});
