/** A graph printed as a program: the native reader reads the same canonical hash. */
import assert from "node:assert/strict";
import { type Dataset, makeDataset } from "../../../src/base/dataset.ts";
import { familyNames } from "../../../src/engine/language/distributions/table.ts";
import type { CheckedProgram } from "../../../src/engine/language/ir/program.ts";
import {
  commentText,
  numberText,
  stringText,
} from "../../../src/engine/language/print/literals.ts";
import { printModel } from "../../../src/engine/language/print/print_model.ts";
import { printProgram, prove } from "../../../src/engine/score/print_program.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { sharedPrograms } from "../graph_import/programs.ts";
import { readCases } from "../python/catalogue.ts";
import { distributionPrograms } from "./distribution_programs.ts";

function checked(program: string, dataset: Dataset): CheckedProgram {
  const result = checkProgram(program, dataset, undefined, { rows: "judged" });
  assert.ok(result.ok, result.ok ? "" : result.diagnostics.map((d) => d.message).join("; "));
  return result.program;
}

/** Why a program is not printed as itself; an empty text if it is. */
function failure(program: string, dataset: Dataset): string {
  const printed = printProgram(checked(program, dataset), dataset);
  if (!printed.ok) return printed.what;
  return printed.proof.kind === "same" ? "" : `${JSON.stringify(printed.proof)}\n${printed.text}`;
}

/** Six rows with a predictor, a category and a response. */
const six = makeDataset("six", [
  { name: "x", role: "predictor", type: "real", values: Float64Array.of(0.5, 1, 2, 3, 3.5, 5) },
  {
    ...{ name: "site", role: "group", type: "category", categories: ["bay", "reef"] },
    values: Float64Array.of(0, 1, 1, 0, 1, 0),
  },
  { name: "y", role: "response", type: "real", values: Float64Array.of(1.5, 2.25, 2, 3, 4.5, 4) },
]);

const line = `import pymc as pm
with pm.Model() as model:
    m = pm.Normal("m", 0, 1)
    pm.Normal("y", m + 0.3 * data["x"], 1, observed=data["y"])
`;

Deno.test("every program of the corpus is printed as a program with the same hash", () => {
  const programs = sharedPrograms();
  assert.ok(programs.length >= 240);
  const failed = programs.map(({ program, dataset }) => failure(program, dataset));
  assert.deepEqual(failed.filter((text) => text !== ""), []);
});

Deno.test("every parametrisation of every distribution is printed, with the same hash", () => {
  const accepted = distributionPrograms().filter(({ program, dataset }) =>
    checkProgram(program, dataset, undefined, { rows: "judged" }).ok
  );
  const failed = accepted.map(({ program, dataset }) => failure(program, dataset));
  assert.deepEqual(failed.filter((text) => text !== ""), []);
  const met = new Set(accepted.map(({ family }) => family));
  // Priors that are improper, and a likelihood of tests/gfn/spaces/interval_censored_test.ts.
  const elsewhere = ["flat", "half_flat", "windowed"];
  assert.deepEqual(familyNames.filter((name) => !met.has(name)), elsewhere);
  assert.ok(accepted.length >= 150, `${accepted.length}`);
});

const spellings = readCases(Deno.readTextFileSync(new URL("./spellings.txt", import.meta.url)));
for (const { title, program } of spellings) {
  Deno.test(`printed as itself: ${title}`, () => assert.equal(failure(program, six), ""));
}

Deno.test("what cannot be printed is named, and nothing is printed", () => {
  const program = checked(line, six);
  const nodes = program.nodes.map((node) =>
    node.kind === "map" && node.op === "mul" ? { ...node, op: "bessel_ratio" as const } : node
  );
  const odd = { ...program, nodes };
  assert.deepEqual(printModel(odd, six), { ok: false, what: "the function bessel_ratio" });
  const transformed = { ...program, likelihood: { ...program.likelihood, log: true } };
  assert.deepEqual(printModel(transformed, six), { ok: false, what: "a likelihood with log" });
  const distribution = { ...program.likelihood.distribution, family: "kernel" };
  const unknown = { ...program, likelihood: { ...program.likelihood, distribution } };
  assert.deepEqual(printModel(unknown, six), { ok: false, what: "a distribution with kernel" });
});

Deno.test("a text that is another program is not passed off as the one that was scored", () => {
  const program = checked(line, six);
  assert.deepEqual(prove(program, line, six), { kind: "same" });
  const unlike = prove(program, line.replace("0.3", "0.4"), six);
  assert.ok(unlike.kind === "unproven");
  assert.match(unlike.why, /differs: log densities/);
  const alike = line.replace('m + 0.3 * data["x"]', '0.3 * data["x"] - (-1 * m)');
  assert.deepEqual(prove(program, alike, six), { kind: "equal", points: 64 });
  const broken = prove(program, "import pymc as pm", six);
  assert.ok(broken.kind === "unproven");
  assert.match(broken.why, /cannot be read back/);
});

Deno.test("the whole file of a program with a category stands as it is printed", () => {
  const printed = printProgram(checked(spellings[0].program, six), six);
  assert.ok(printed.ok);
  assert.equal(
    printed.text,
    `from pathlib import Path

import pandas as pd
import pymc as pm

categories = {
    "site": ["bay", "reef"],
}
data = pd.read_csv(
    Path(__file__).with_name("data.csv"),
    engine="python",
    converters={name: labels.index for name, labels in categories.items()},
)

site = data["site"].to_numpy()
x = data["x"].to_numpy()

with pm.Model(coords={"site": categories["site"]}) as model:
    mean = pm.Normal("mean", mu=2.5, sigma=1)
    level = pm.Normal("level", mu=mean, sigma=1, dims="site")
    pm.Normal("y", mu=level[site] + x, sigma=1, observed=data["y"].to_numpy())
`,
  );
});

Deno.test("numbers and strings of Python read back as what they were", () => {
  const numbers = [0, -0, 1 / 3, 5e-324, 1.7976931348623157e308, -1e21, 123456789012345680000];
  for (const value of numbers) assert.ok(Object.is(Number(numberText(value)), value), `${value}`);
  assert.equal(stringText('a"\\\n'), '"a\\"\\\\\\u000a"');
});

Deno.test("no text of an author's breaks out of its comment, moves a cursor or hides", () => {
  const hostile =
    'x = 1\r\nimport os\rimport os\x0cimport os\u2028import os\x85"""\x1b[2J\u202e\ud800';
  const lines = commentText(hostile).split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/);
  assert.equal(lines.length, 2);
  for (const one of lines) assert.match(one, /^# /);
  assert.ok(!/[\p{Cc}\p{Bidi_Control}\ud800]/u.test(lines.join("")));
});
