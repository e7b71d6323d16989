/** Tests of texts that would exhaust their reader: each ends at a counted limit, as its own failure. */
import assert from "node:assert/strict";
import { makeDataset } from "../../../src/base/dataset.ts";
import { defaultSchedule } from "../../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../../src/engine/score/score.ts";

const values = Float64Array.from({ length: 27 }, (_, i) => 1 + i / 10);
const data = makeDataset("growth", [
  { name: "age", role: "predictor", type: "real", values },
  { name: "length", role: "response", type: "real", values: values.map(Math.sqrt) },
]);

/** A program with lines before its model, and a location for its response. */
const program = (lines: string, location = "0") =>
  `import numpy as np
import pymc as pm
${lines}
with pm.Model() as model:
    s = pm.HalfNormal("s", 1)
    pm.Normal("length", ${location}, s, observed=data["length"])
`;

const hostile: Readonly<Record<string, string>> = {
  "a list that doubles": program(`a = [1]\n${"a = a + a\n".repeat(60)}`),
  "an array that doubles": program(`a = data["age"]\n${"a = np.concatenate([a, a])\n".repeat(60)}`),
  "a string that doubles": program(`a = "x"\n${"a = a + a\n".repeat(60)}`),
  "a billion zeros in a list": program("t = [0] * 10**9"),
  "an array of ten billion": program("z = np.zeros((100000, 100000))"),
  "a variable of ten billion": program("", 'pm.Normal("x", 0, 1, shape=(100000, 100000)).sum()'),
  "a loop of a billion turns": program("t = 0\nfor i in range(10**9):\n    t = t + 1"),
  "a comprehension of a hundred million": program("t = [i for i in range(10**8)]"),
  "five thousand literals": program(`z = np.array([${"1.5, ".repeat(5000)}])`),
  "twenty thousand brackets": program("", "[".repeat(20_000) + "]".repeat(20_000)),
  "64 KiB of nested calls": program("", "np.exp(".repeat(8000) + "1" + ")".repeat(8000)),
  "sixty thousand signs": program("", `${"-".repeat(60_000)}1`),
};

for (const [name, text] of Object.entries(hostile)) {
  Deno.test(`${name} is refused at a counted limit`, () => {
    const started = performance.now();
    const { status, failureClass } = scoreNow(text, data, defaultSchedule);
    assert.equal(status, "rejected");
    assert.match(failureClass!, /^(budget|syntax)$/);
    assert.ok(performance.now() - started < 5000, "not within five seconds");
  });
}

Deno.test("a hundred thousand arrays joined, and lists of lists, cost no more than they say", () => {
  for (
    const lines of [
      `q = np.concatenate([data["age"]] * 100000)`,
      "a = [1]\n" + "a = [a, a]\n".repeat(60),
    ]
  ) {
    assert.match(scoreNow(program(lines), data, defaultSchedule).status, /^(ok|rejected)$/);
  }
});
