/** Columns of few whole numbers are remarked on where a program has a slope for them, and nowhere else. */
import assert from "node:assert/strict";
import { makeDataset } from "../../../src/base/dataset.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";

const rows = Array.from({ length: 18 }, (_, i) => i);
const of = (name: string, value: (i: number) => number) => ({
  name,
  role: "predictor" as const,
  type: "real" as const,
  values: Float64Array.from(rows, value),
});
const data = makeDataset("codes", [
  of("race", (i) => 1 + i % 3),
  of("site", (i) => i % 4),
  of("age", (i) => 20 + i),
  {
    name: "y",
    role: "response",
    type: "real",
    values: Float64Array.from(rows, (i) => Math.sin(9 * i)),
  },
]);

function remarked(mu: string): readonly string[] {
  const text = `with pm.Model():
    a = pm.Normal("a", 0, 1, shape=4)
    b = pm.Normal("b", 0, 1)
    pm.Normal("y", ${mu}, 1, observed=data["y"])
`;
  const checked = checkProgram(text, data);
  assert.ok(checked.ok, JSON.stringify(checked));
  return checked.program.diagnostics.filter(({ code }) => code === "notes/codes-as-amounts")
    .map(({ message }) => message);
}

const ofRace = ['The values 1, 2, 3 of "race" are amounts here, with a slope'];

for (
  const [mu, wanted] of [
    ['b * data["race"]', ofRace],
    ['a[0] + (data["race"] - np.mean(data["race"])) * b', ofRace],
    ['a[0] + b * data["age"] * 0.1 + a[1] * data["race"] / 3', ofRace],
    ['a[data["site"].astype(int)] + b * data["age"]', []],
    ['a[0] + b * (data["race"] == 2)', []],
    ['b * data["age"]', []],
  ] as const
) {
  Deno.test(`${mu}: ${wanted.length} remarks`, () => assert.deepEqual(remarked(mu), wanted));
}
