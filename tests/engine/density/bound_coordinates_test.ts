/** Tests of coordinates that an observation binds together: by factors, however the program is written. */
import assert from "node:assert/strict";
import { makeDataset } from "../../../src/base/dataset.ts";
import { compileLogDensity } from "../../../src/engine/inference/density/compile.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";

const data = makeDataset("groups", [
  {
    name: "g",
    role: "predictor",
    type: "category",
    categories: ["a", "b", "c"],
    values: Float64Array.of(0, 1, 2, 1),
  },
  { name: "x", role: "predictor", type: "real", values: Float64Array.of(1, 2, 3, 4) },
  { name: "y", role: "response", type: "real", values: Float64Array.of(0.1, 0.2, 0.3, 0.5) },
]);

/** Names and elements of the coordinates that a row binds. */
function boundBy(row: number, lines: string): string[] {
  const text = `import pymc as pm\n\nwith pm.Model() as model:\n${
    lines.trim().split("\n").map((line) => `    ${line.trim()}\n`).join("")
  }`;
  const checked = checkProgram(text, data);
  assert.ok(checked.ok, JSON.stringify(checked));
  const density = compileLogDensity(checked.program, data);
  return [...density.boundTo!(row)].map((k) => density.quantities[k]).sort();
}

const separate = `
  base = pm.Normal("base", 0, 1, shape=3)
  slope = pm.Normal("slope", 0, 1, shape=3)
  sigma = pm.HalfNormal("sigma", 1, shape=3)
  pm.Normal("y", base[data["g"]] + slope[data["g"]] * data["x"], sigma[data["g"]], observed=data["y"])`;

const cases: readonly (readonly [string, string, number, string[]])[] = [
  ["groups with all of their own", separate, 1, ["base[1]", "sigma[1]", "slope[1]"]],
  [
    "one noise for all groups",
    separate.replace(", shape=3)\n  pm.", ")\n  pm.").replace('sigma[data["g"]]', "sigma"),
    2,
    ["base[0]", "base[1]", "base[2]", "sigma", "slope[0]", "slope[1]", "slope[2]"],
  ],
  [
    "a common prior",
    `mu = pm.Normal("mu", 0, 1)
     base = pm.Normal("base", mu, 1, shape=3)
     pm.Normal("y", base[data["g"]], 1, observed=data["y"])`,
    0,
    ["base[0]", "base[1]", "base[2]", "mu"],
  ],
  [
    "a total of all groups",
    `base = pm.Normal("base", 0, 1, shape=3)
     pm.Normal("y", base[data["g"]] + base.sum(), 1, observed=data["y"])`,
    0,
    ["base[0]", "base[1]", "base[2]"],
  ],
  [
    "groups by zeros and ones",
    `a = pm.Normal("a", 0, 1)
     b = pm.Normal("b", 0, 1)
     pm.Normal("y", pm.math.switch(pm.math.eq(data["g"], 1), a, b), 1, observed=data["y"])`,
    1,
    ["a", "b"],
  ],
];

for (const [what, lines, row, bound] of cases) {
  Deno.test(`${what}: row ${row} binds ${bound.join(", ")}`, () => {
    assert.deepEqual(boundBy(row, lines), bound);
  });
}
