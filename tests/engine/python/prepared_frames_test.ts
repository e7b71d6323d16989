/** Data prepared as scripts prepare them: the numbers of pandas 2.3, and ways to the response that stay closed. */
import assert from "node:assert/strict";
import { makeDataset } from "../../../src/base/dataset.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";

const x = [4.1, 4.9, 5.0, 5.5, 5.8, 6.3, 6.6, 7.2];
const data = makeDataset("frame", [
  {
    ...{ name: "g", role: "predictor", type: "category", categories: ["a", "b", "c"] },
    values: Float64Array.of(2, 0, 1, 1, 0, 2, 0, 1),
  },
  { name: "x", role: "predictor", type: "real", values: Float64Array.from(x) },
  { name: "z", role: "predictor", type: "count", values: Float64Array.of(1, 0, 3, 2, 5, 1, 0, 4) },
  { name: "y", role: "response", type: "count", values: Float64Array.of(1, 0, 2, 1, 0, 3, 0, 2) },
]);

const head = `import numpy as np
import pandas as pd
import pymc as pm
`;

function check(lines: string, observed = 'df["y"].values', settled = false) {
  const text = `${head}${lines.includes("read_csv") ? "" : 'df = pd.read_csv("f.csv")\n'}${lines}
with pm.Model():
    b = pm.Normal("b", 0, 1)
    pm.Poisson("obs", mu=pm.math.exp(b * np.asarray(v)), observed=${observed})
`;
  const judged = { rows: "judged", time: { first: data.rows } } as const;
  return checkProgram(text, data, undefined, settled ? judged : {});
}

/** The graph's hash; equal expressions of data alone have equal hashes. */
function hashOf(lines: string, observed?: string): string {
  const checked = check(lines, observed, true);
  assert.ok(checked.ok, `${lines}: ${JSON.stringify(checked)}`);
  return checked.program.hash;
}

const codes = (...values: number[]) => `v = np.array([${values}])`;

/** Lines that give numbers, and pandas' own numbers or lines without pandas' word for it. */
const same: readonly (readonly [string, string])[] = [
  ['v = pd.cut(df["x"], 3, labels=False).values', codes(0, 0, 0, 1, 1, 2, 2, 2)],
  ['v = pd.cut(df["x"], [4, 5, 6.3, 8], labels=False).values', codes(0, 0, 0, 1, 1, 1, 2, 2)],
  ['v = pd.cut(df["x"], [4, 5, 6.3, 8]).cat.codes.values', codes(0, 0, 0, 1, 1, 1, 2, 2)],
  [
    'v = pd.cut(df["x"], [4.1, 5, 6.3, 8], right=False, labels=False).values',
    codes(0, 0, 1, 1, 1, 2, 2, 2),
  ],
  ['v = pd.qcut(df["x"], 4, labels=False).values', codes(0, 0, 1, 1, 2, 2, 3, 3)],
  [
    'v = pd.cut(df["x"], 3, right=False, labels=False).values',
    codes(0, 0, 0, 1, 1, 2, 2, 2),
  ],
  [
    'v = pd.cut(df["x"], [4, 5, 5, 8], duplicates="drop", labels=False).values',
    codes(0, 0, 0, 1, 1, 1, 1, 1),
  ],
  [
    'v = pd.qcut(df["z"], 5, duplicates="drop", labels=False).values',
    codes(1, 0, 3, 2, 4, 1, 0, 4),
  ],
  [
    'v = pd.cut(df["x"], 3, labels=[10, 20, 40]).astype(int).values',
    codes(10, 10, 10, 20, 20, 40, 40, 40),
  ],
  [
    'v = df["x"].values[df["x"].apply(lambda q: q > 5).values].sum() * df["x"].values',
    'v = 31.4 * df["x"].values',
  ],
  ['v = df["x"].pipe(lambda s, k=1: s * k, k=3).values', 'v = df["x"].values * 3'],
  ['v = df.filter(items=["z", "x"]).values[:, 0]', 'v = df[["z"]].values[:, 0]'],
  ['v = df.assign(w=2)["w"].values', "v = 2 * np.ones(8, dtype=int)"],
  ['v = df.set_index("z")[["x"]].index.values', 'v = df["z"].values'],
  [
    'd = df.set_index("z").drop(columns=["g", "y"])\nv = d.values[:, 0]',
    'v = df[["x"]].values[:, 0]',
  ],
  [
    'd = df.set_index("z").reset_index().drop(columns=["g", "y"])\nv = d.values[:, 0]',
    'v = df[["z"]].values[:, 0]',
  ],
  [
    'v = pd.cut(df["x"], [4.1, 5, 8], include_lowest=True, labels=False).values',
    codes(0, 0, 0, 1, 1, 1, 1, 1),
  ],
  ['v = df["g"].isin(["a", "c"]).astype(int).values', codes(1, 1, 0, 0, 1, 1, 1, 0)],
  ['v = df["x"].between(5, 6.3).astype(int).values', codes(0, 0, 1, 1, 1, 1, 0, 0)],
  ['v = df["g"].map(lambda q: 1 if q == "a" else 0).values', codes(0, 1, 0, 0, 1, 0, 1, 0)],
  ['v = df["z"].apply(lambda q: q % 2).values', codes(1, 0, 1, 0, 1, 1, 0, 0)],
  ['v = pd.Categorical(df["g"], categories=["c", "b", "a"]).codes', codes(0, 2, 1, 1, 2, 0, 2, 1)],
  ['df = df.rename(columns={"x": "w"})\nv = df["w"].values', 'v = df["x"].values'],
  ['df = df.assign(w=lambda d: 2 * d["x"])\nv = df["w"].values', 'v = 2 * df["x"].values'],
  ['df["x"] = df["x"] * 2\nv = df["x"].values', 'v = df["x"].values * 2'],
  ['df["w"] = [2 * q for q in df["x"]]\nv = df["w"].values', 'v = 2 * df["x"].values'],
  ['v = df.loc[:, "x"].to_numpy()', 'v = df["x"].values'],
  ["v = df.iloc[:, 1].to_numpy()", 'v = df["x"].values'],
  ['v = df.filter(like="x").values[:, 0]', 'v = df[["x"]].values[:, 0]'],
  ['v, yy = df[["x", "y"]].to_numpy().T', 'v = df["x"].values'],
  ['v = df["x"].pipe(lambda s: s - s.mean()).values', 'v = (df["x"] - df["x"].mean()).values'],
  [
    'df.rename(columns={"x": "z", "z": "x"}, inplace=True)\nv = df["x"].values',
    'v = df["z"].values',
  ],
  ['df.set_index("z", inplace=True)\nv = df["x"].values', 'v = df["x"].values'],
  ['df = df.set_index("g")\nv = df["x"].values', 'v = df["x"].values'],
  ['n = len(set(df["g"]))\nv = df["x"].values * n', 'v = df["x"].values * 3'],
  [
    'try:\n    df = pd.read_csv("a.csv")\nexcept FileNotFoundError:\n    df = pd.read_csv("b.csv")\n' +
    'v = df["x"].values',
    'v = df["x"].values',
  ],
];

for (const [lines, wanted] of same) {
  Deno.test(`${lines.split("\n").at(-1)}: pandas' numbers`, () => {
    assert.equal(hashOf(lines), hashOf(wanted));
    assert.ok(check(lines).ok, "rows may change places");
  });
}

Deno.test("the response comes out of a matrix, under another name or by its own as itself", () => {
  const plain = hashOf('v = df["x"].values');
  assert.equal(hashOf('v, yy = df[["x", "y"]].to_numpy().T', "yy"), plain);
  assert.equal(hashOf('m = df[["x", "y"]].values\nv = m[:, 0]', "m[:, 1]"), plain);
  assert.equal(hashOf('df = df.rename(columns={"y": "count"})\nv = df.x', 'df["count"]'), plain);
});

/** Ways to the response that stay closed. */
const closed: readonly string[] = [
  'v = df.loc[:, "y"].values',
  'v = df.rename(columns={"y": "q"})["q"].values',
  'v = df.assign(q=lambda d: d["y"])["q"].values',
  'df["x"] = df["y"]\nv = df["x"].values',
  'df["y"] = df["x"]\nv = df["x"].values',
  'v, w = df[["y", "x"]].to_numpy().T',
  'v = df[["x", "y"]].values.sum(axis=1)',
  'v = df[["x", "y"]].to_numpy() @ np.ones(2)',
  'v = df["y"].apply(lambda q: q)',
  'v = df["y"].pipe(lambda q: q).values',
  'v = pd.cut(df["y"], 3, labels=False)',
  'v = df["y"].isin([1]).astype(int)',
  'v = pd.factorize(df["y"], sort=True)[0]',
  'v = df.filter(items=["y"]).values[:, 0]',
  "v = df.iloc[:, 3].values",
];

for (const lines of closed) {
  Deno.test(`${lines.split("\n")[0]}: refused`, () => {
    const checked = check(lines);
    assert.ok(!checked.ok, lines);
  });
}

/** Arguments that change the numbers, and are not read. */
const unread: readonly string[] = [
  'v = pd.cut(df["x"], [4, 5, 5, 8], labels=False)',
  'v = pd.cut(df["x"], [8, 5, 4], labels=False)',
  'v = pd.cut(df["x"], 3, labels=["low", "high"]).cat.codes',
  'v = pd.cut(df["x"], 3, labels=False, retbins=True)[0]',
  'v = pd.cut(df["x"], 1000000000, labels=False)',
  'v = df["x"].between(5, 6.3, inclusive="neither")',
  'v = df["g"].isin(np.array([0, 1]))',
  'v = df["x"].apply(lambda q, k=1: q * k, k=3)',
  'v = df.rename(columns={"x": "z"})["z"]',
  'v = df.filter(like="x", axis=0)["x"]',
  "v = df.iloc[:, 9]",
];

for (const lines of unread) {
  Deno.test(`${lines.split("\n")[0]}: refused, since it would be another number`, () => {
    assert.ok(!check(lines).ok, lines);
  });
}

Deno.test("`try` around anything else is refused, and so is a handler that does something", () => {
  const both = (body: string, handler: string) =>
    check(
      `df = pd.read_csv("f.csv")\ntry:\n    ${body}\nexcept ValueError:\n    ${handler}\nv = df.x`,
    ).ok;
  assert.deepEqual(
    [both('df = pd.read_csv("a.csv")', "pass"), both("v = 1", "pass"), both("pass", "v = 2")],
    [true, false, false],
  );
});
