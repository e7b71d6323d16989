/** Groups, variables, axes and coordinates are those that ArviZ 1 gives the same fit. */
import assert from "node:assert/strict";
import { makeDataset } from "../../../src/base/dataset.ts";
import type { InferenceData } from "../../../src/engine/score/inference_data/data.ts";
import { sampleProgram } from "../../../src/engine/score/sample_program.ts";
import golden from "../../golden/arviz1_layout.json" with { type: "json" };

const column = (name: string, role: "predictor" | "response", values: number[]) => ({
  ...{ name, role, type: "real" as const, values: Float64Array.from(values) },
});

const schools = makeDataset("schools", [
  column("y", "response", [28, 8, -3, 7, -1, 1, 18, 12]),
  column("sigma", "predictor", [15, 10, 16, 11, 9, 11, 10, 18]),
]);

const program = `import pymc as pm

with pm.Model(coords={"school": ["A", "B", "C", "D", "E", "F", "G", "H"]}) as model:
    mu = pm.Normal("mu", 0, 5)
    tau = pm.HalfCauchy("tau", 5)
    raw = pm.Normal("raw", 0, 1, dims="school")
    theta = pm.Deterministic("theta", mu + tau * raw, dims="school")
    pm.Normal("obs", mu=theta, sigma=data["sigma"], observed=data["y"])
`;

/** Variables, dimensions and coordinates of each group, as the golden file has them. */
function layout({ groups }: InferenceData) {
  return Object.fromEntries(groups.map(({ name, variables, coords }) => [name, {
    variables: Object.fromEntries(variables.map((one) => [one.name, [...one.dims]])),
    coordinates: Object.keys(coords).sort(),
  }]));
}

Deno.test("a fit is laid out as ArviZ 1 lays it out", () => {
  assert.match(golden.versions.arviz, /^1\./);
  const { data } = sampleProgram(program, schools, { priorDraws: 5 });
  assert.deepEqual(layout(data!), golden.groups);
  for (const { variables } of data!.groups.filter(({ name }) => name === "posterior")) {
    for (const { dims } of variables) assert.deepEqual(dims.slice(0, 2), golden.sample_dims);
  }
});
