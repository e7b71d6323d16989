/** Predictors that lack values: programs with them as parameters score as their marginal models do. */
import assert from "node:assert/strict";
import { type Dataset, makeDataset } from "../../../src/base/dataset.ts";
import { RandomStream } from "../../../src/base/random.ts";
import { fillNormal } from "../../../src/numerics/math/random_normal.ts";
import { defaultSchedule } from "../../../src/engine/score/execution/execution.ts";
import { scoreProgram } from "../../../src/engine/score/score.ts";
import { typedDataset } from "../../../src/data/typed_dataset.ts";
import { parseTable } from "../../../src/data/raw_table.ts";
import { grammarEnvironment } from "../../../src/gfn/grammar/environment.ts";
import { spaceGrammar } from "../../../src/gfn/spaces/space.ts";
import type { SpaceSpec } from "../../../src/gfn/spaces/space_spec.ts";

/** Forty rows; x is missing in every sixth, z in one, and a word in another, which is left out. */
async function lacking(): Promise<Dataset> {
  const stream = new RandomStream("gaps", 1);
  const lines = Array.from({ length: 40 }, (_, i) => {
    const normal = new Float64Array(3);
    fillNormal(stream, normal);
    const [x, z, e] = normal;
    const word = i === 7 ? "" : "ab"[i % 2];
    const cells = [i % 6 === 2 ? "" : x.toFixed(2), i === 5 ? "NA" : z.toFixed(2), word];
    return [...cells, (1 + 0.8 * x + 0.5 * e).toFixed(2)].join(",");
  });
  const text = `x,z,word,y\n${lines.join("\n")}\n`;
  const table = await parseTable(new TextEncoder().encode(text), "made.csv");
  const columns = {
    x: { role: "predictor" },
    z: { role: "predictor" },
    word: { role: "predictor", type: "category" },
    y: { role: "response", resolution: 0.01 },
  } as const;
  return typedDataset("made", table, columns, "model");
}

const dataset = await lacking();
const asked = { space: "regression", families: ["normal"] } as const;

function programOf(formula: string): string {
  const grammar = spaceGrammar(dataset, { ...asked, formula });
  return [...grammarEnvironment(grammar).enumerate()].at(-1)!.text;
}

function scoreOf(text: string) {
  const steps = scoreProgram(text, dataset, { ...defaultSchedule, targetMcse: 0.02 }, {});
  let step = steps.next();
  while (!step.done) step = steps.next();
  assert.ok(step.value.score, JSON.stringify(step.value.diagnostics));
  return step.value.score;
}

Deno.test("measured predictors keep their rows and say what is missing; words do not", () => {
  assert.deepEqual([dataset.rows, dataset.dropped], [39, 1]);
  const columns = new Map(dataset.columns.map((one) => [one.name, one]));
  assert.deepEqual([...columns.keys()], ["x", "z", "word", "y", "x_missing", "z_missing"]);
  const { values, gapsOf } = columns.get("x_missing")!;
  assert.equal(gapsOf, "x");
  assert.deepEqual([...values.filter((which) => which > 0)], [1, 2, 3, 4, 5, 6, 7]);
  const held = columns.get("x")!.values.filter((_, row) => values[row] === 0);
  const mean = held.reduce((a, b) => a + b, 0) / held.length;
  assert.ok(Math.abs(columns.get("x")!.values[2] - mean) < 1e-12, "where they lack one, the mean");
});

Deno.test("a missing value as a parameter gives the score of the model with it integrated out", () => {
  const text = programOf("y ~ x");
  const [, sigma, size] = /missing_x = pm.Normal\("missing_x", mu=0, sigma=([\d.]+), shape=(\d+)\)/
    .exec(text)!;
  assert.equal(size, "8");
  // y given a missing x is normal about the line at its mean, wider by what x may be.
  const marginal = text.replace(/ {4}missing_x = .*\n/, "").replaceAll("whole_x", "x")
    .replace(/ {4}x = .*\n/, '    x = data["x"]\n')
    .replace(
      "sigma=sigma,",
      `sigma=pm.math.sqrt(sigma ** 2 + (data["x_missing"] > 0) * (${sigma} * b_x) ** 2),`,
    );
  assert.ok(!marginal.includes("missing_x") && marginal.includes("x_missing"), marginal);
  const [own, other] = [scoreOf(text), scoreOf(marginal)];
  const error = Math.hypot(own.mcse!, other.mcse!, 0.002);
  assert.ok(
    Math.abs(own.elpdLoo - other.elpdLoo) < 4 * error,
    `${own.elpdLoo}, ${other.elpdLoo} ± ${error}`,
  );
});

Deno.test("every program says a missing value once; terms that cannot have one are refused", () => {
  const text = programOf("y ~ [x | poly(x, 2)] + [z] + [x:z]");
  assert.equal(text.match(/missing_x = /g)!.length, 1);
  assert.equal(text.match(/data\["x"\]/g)!.length, 1);
  assert.doesNotMatch(programOf("y ~ [word]"), /missing_/);
  for (const term of ["log(x)", "spline(x, 4)", "offset(x)"]) {
    assert.throws(() => programOf(`y ~ ${term}`), /x lacks values/, term);
  }
  const spec: SpaceSpec = { space: "growth", formula: "y ~ x" };
  const positive = makeDataset(
    "positive",
    dataset.columns.map((one) => ({ ...one, values: one.values.map((v) => Math.abs(v) + 1) })),
  );
  assert.throws(() => spaceGrammar(positive, spec), /missing values of "x" in a space of kind/);
});
