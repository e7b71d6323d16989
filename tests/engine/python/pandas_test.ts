/** Programs that read their data with pandas: the host's data stand for the file. */
import assert from "node:assert/strict";
import { type Dataset, makeDataset } from "../../../src/base/dataset.ts";
import { printGraph } from "../../../src/engine/score/printed_graph.ts";
import { standaloneProgram } from "../../../src/cli/standalone_program.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";

const data: Dataset = makeDataset("plots", [
  { name: "x", role: "predictor", type: "real", values: Float64Array.of(3, 1, 2, 6) },
  { name: "county", role: "predictor", type: "real", values: Float64Array.of(7, 5, 7, 9) },
  {
    name: "site",
    role: "predictor",
    type: "category",
    values: Float64Array.of(1, 0, 1, 2),
    categories: ["bay", "reef", "sand"],
  },
  { name: "y", role: "response", type: "real", values: Float64Array.of(1, 2, 3, 5) },
]);

function check(...lines: readonly string[]) {
  const text = ["import pandas as pd", "import pymc as pm", ...lines].join("\n") + "\n";
  const result = checkProgram(text, data, undefined, { rows: "ordered" });
  assert.ok(result.ok, JSON.stringify(result));
  return result.program;
}

/** The hash of a regression on columns that these lines name `x`, `group` and `y`, with `k` groups. */
function hashOf(...lines: readonly string[]): string {
  return check(
    ...lines,
    "with pm.Model() as model:",
    '    a = pm.Normal("a", 0, 1, shape=3)',
    '    b = pm.Normal("b", 0, 1)',
    '    pm.Normal("out", a[group] + b * x, 1, observed=y)',
  ).hash;
}

const plain = hashOf('x, group, y = data["x"], [0, 1, 0, 2], data["y"]');

Deno.test("a file that is read is the host's data, with a note", () => {
  const program = check(
    'frame = pd.read_csv("anything.csv", sep=";")',
    "with pm.Model():",
    '    pm.Normal("y", pm.Normal("m", 0, 1) + frame["x"], 1, observed=frame.y)',
  );
  assert.deepEqual(program.diagnostics.map(({ code, severity }) => [code, severity]), [
    ["notes/data-of-the-host", "note"],
  ]);
});

Deno.test("a file that Sluice wrote can be read again", () => {
  const bare = check(
    "with pm.Model() as model:",
    '    x = data["x"]',
    '    pm.Normal("y", mu=pm.Normal("m", 0, 1) * x, sigma=1, observed=data["y"])',
  );
  const facts = { features: ["a line"], target: 0.5, elpd_loo: -3, se: 1 };
  const text = "import pymc as pm\n\nwith pm.Model() as model:\n" +
    '    x = data["x"]\n' +
    '    pm.Normal("y", mu=pm.Normal("m", 0, 1) * x, sigma=1, observed=data["y"])\n';
  const written = standaloneProgram({ ...facts, text }, data, printGraph(bare, data));
  const result = checkProgram(written, data);
  assert.ok(result.ok, JSON.stringify(result));
  assert.equal(result.program.hash, bare.hash);
});

Deno.test("factorize gives codes in the order of first appearance, of numbers and of names", () => {
  const frame = 'frame = pd.read_csv("plots.csv")';
  const rest = "x, y = frame.x, frame.y";
  for (
    const group of [
      "group, labels = pd.factorize(frame.county)",
      "group, labels = frame.county.factorize()",
      "group = pd.factorize(frame.site)[0]",
      'group, labels = frame["site"].factorize()',
    ]
  ) {
    assert.equal(hashOf(frame, rest, group), plain, group);
  }
  const sorted = hashOf(frame, rest, "group, labels = pd.factorize(frame.county, sort=True)");
  assert.equal(sorted, hashOf('x, group, y = data["x"], [1, 0, 1, 2], data["y"]'));
});

Deno.test("labels of factorize are coords: names of categories, or the values", () => {
  const coords = (column: string) =>
    check(
      'frame = pd.read_csv("plots.csv")',
      `codes, labels = frame.${column}.factorize()`,
      'with pm.Model(coords={"group": labels}):',
      '    a = pm.Normal("a", 0, 1, dims="group")',
      '    pm.Normal("out", a[codes], 1, observed=frame.y)',
    ).coords?.group;
  assert.deepEqual(coords("site"), ["reef", "bay", "sand"]);
  assert.deepEqual(coords("county"), [7, 5, 9]);
});

Deno.test("codes of the response are the response's", () => {
  const text = `import pandas as pd
import pymc as pm
codes, labels = pd.factorize(data["y"])
with pm.Model():
    a = pm.Normal("a", 0, 1, shape=4)
    pm.Normal("out", a[codes], 1, observed=data["y"])
`;
  const result = checkProgram(text, data, undefined, { rows: "ordered" });
  assert.ok(!result.ok);
  assert.ok(result.diagnostics.some(({ code }) => code === "lh/protected-use-before-score"));
});

Deno.test("names of variables may hold blanks and brackets, and nothing that a path could", () => {
  const named = (name: string) =>
    checkProgram(
      `with pm.Model():
    a = pm.Normal("a", 0, 1)
    pm.Deterministic("${name}", a * 2)
    pm.Normal("out", a, 1, observed=data["y"])
`,
      data,
    ).ok;
  assert.deepEqual(["difference of means", "p(a, b)", "x-y"].map(named), [true, true, true]);
  assert.deepEqual(["../a", "a/b", ".a", "a ", "a\\\\b", "a."].map(named), Array(6).fill(false));
});

Deno.test("a program may add columns under new names, and change none", () => {
  const added = hashOf(
    'frame = pd.read_csv("plots.csv").dropna()',
    'frame["twice"] = frame["x"] * 2',
    'x, group, y = frame["twice"], [0, 1, 0, 2], frame["y"]',
  );
  assert.equal(added, hashOf('x, group, y = data["x"] * 2, [0, 1, 0, 2], data["y"]'));
  const refused = (lines: string) => {
    const text = `with pm.Model():
${lines}
    pm.Normal("out", pm.Normal("a", 0, 1), 1, observed=data["y"])
`;
    const result = checkProgram(text, data, undefined, { rows: "ordered" });
    return result.ok ? [] : result.diagnostics.map(({ code }) => code);
  };
  assert.deepEqual(refused('    data["x"] = data["x"] * 2'), ["lh/changed-data"]);
  assert.deepEqual(refused('    data["y"] = data["x"]'), ["lh/changed-data"]);
  assert.deepEqual(
    refused('    data["z"] = data["y"] * 2\n    pm.Deterministic("d", data["z"])'),
    ["lh/protected-use-before-score"],
  );
});

Deno.test("categoricals have codes in the order of their categories", () => {
  const frame = 'frame = pd.read_csv("plots.csv")';
  const rest = "x, y = frame.x, frame.y";
  const sorted = hashOf('x, group, y = data["x"], [1, 0, 1, 2], data["y"]');
  for (
    const group of [
      "group = pd.Categorical(frame.county).codes",
      'group = frame.county.astype("category").cat.codes.values',
      'group = pd.Categorical(frame["site"]).codes',
      'group = frame.site.astype("category").cat.codes',
      'group = frame.site.map({"bay": 0, "reef": 1, "sand": 2}).to_numpy()',
      "group = frame.county.replace({5: 0, 7: 1, 9: 2}).values",
      "group = frame.county.map({v: i for i, v in enumerate(np.sort(frame.county.unique()))})",
    ]
  ) {
    assert.equal(hashOf(frame, rest, group), sorted, group);
  }
  const lookup = "group = frame.site.replace(dict(zip(frame.site.unique(), range(3)))).values";
  assert.equal(hashOf(frame, rest, lookup), plain);
});

Deno.test("categories are coords; dummies a column for each, distinct values counted", () => {
  const program = check(
    'frame = pd.read_csv("plots.csv")',
    "D = pd.get_dummies(frame.site).values",
    "rest = pd.get_dummies(frame.county, drop_first=True, dtype=int)",
    'with pm.Model(coords={"site": frame.site.astype("category").cat.categories}):',
    '    a = pm.Normal("a", 0, 1, dims="site")',
    '    b = pm.Normal("b", 0, 1, shape=frame.county.nunique() - 1)',
    '    pm.Normal("out", D @ a + rest @ b, 1, observed=frame.y)',
  );
  assert.deepEqual(program.coords, { site: ["bay", "reef", "sand"] });
  const matrices = program.nodes.flatMap((node) =>
    node.kind === "constant" && node.shape.length === 2 ? [[...node.values]] : []
  );
  assert.deepEqual(matrices.sort((a, b) => b.length - a.length), [
    [0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1],
    [1, 0, 0, 0, 1, 0, 0, 1],
  ]);
});

Deno.test("starts may be random, or look at the response: nothing is made of them", () => {
  const plain = check(
    "with pm.Model():",
    '    a = pm.Normal("a", 0, 1, shape=3)',
    '    pm.Normal("out", a[0], 1, observed=data["y"])',
  );
  const started = check(
    "rng = np.random.default_rng(3)",
    "with pm.Model():",
    '    a = pm.Normal("a", 0, 1, shape=3, initval=0.1 * np.random.randn(3) + rng.normal(size=3))',
    '    pm.Normal("out", a[0], 1, observed=data["y"], initval=data["y"].mean())',
  );
  assert.equal(started.hash, plain.hash);
});

Deno.test("a written program says where az.loo estimates another number than its score", () => {
  const bare = check(
    "with pm.Model() as model:",
    '    pm.Normal("y", mu=pm.Normal("m", 0, 1), sigma=1, observed=data["y"])',
  );
  const facts = { features: ["mean"], target: 0.5, elpd_loo: -3, se: 1, text: "" };
  const written = (unit: string | null) =>
    standaloneProgram({ ...facts, unit }, data, printGraph(bare, data));
  assert.match(written("group"), /# That leaves out a whole group at a time; az\.loo below/);
  assert.match(written("future"), /# That predicts each row from those before it; az\.loo below/);
  for (const unit of ["row", null]) assert.doesNotMatch(written(unit), /another number/);
});
