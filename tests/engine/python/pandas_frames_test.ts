/** Frames joined, grouped, filled, dated and coded: the numbers of pandas, patsy and scikit-learn, and rows that may change places. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { readScoreData } from "../../../src/cli/score_data.ts";

interface Golden {
  readonly csv: string;
  readonly cases: readonly {
    readonly lines: string;
    readonly shape: readonly number[];
    readonly values: readonly number[];
  }[];
}

const golden: Golden = JSON.parse(
  Deno.readTextFileSync(new URL("../../golden/pandas_frames.json", import.meta.url)),
);

/** Whose numbers depend on rows before them, or on the order in which levels come. */
const byPlace = /shift|diff|rolling|sort=False|first\(\)|"first"|unique\(\)|drop_duplicates\("g"\)/;

function programOf(lines: string): string {
  return `import numpy as np
import pandas as pd
import patsy
import pymc as pm
from scipy import stats
from sklearn.preprocessing import LabelEncoder, MinMaxScaler, StandardScaler
df = pd.read_csv("frame.csv")
obs = df["y"]
${lines}
v = np.concatenate([np.asarray(v)])
with pm.Model():
    b = pm.Normal("b", 0, 1, shape=v.shape[1:])
    pm.Normal("obs", pm.math.dot(v, b), 1, observed=obs)
`;
}

async function dataOf(text: string) {
  const folder = Deno.makeTempDirSync();
  try {
    const file = join(folder, "frame.csv");
    Deno.writeTextFileSync(file, golden.csv);
    return await readScoreData(file, text, { response: "y" }, () => Promise.resolve(0));
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

for (const { lines, shape, values } of golden.cases) {
  Deno.test(`${lines.split("\n").at(-1)}: the numbers of pandas`, async () => {
    const text = programOf(lines);
    const data = await dataOf(text);
    const checked = checkProgram(text, data, undefined, { rows: "ordered" });
    assert.ok(checked.ok, JSON.stringify(checked));
    const close = (found: ArrayLike<number>) =>
      found.length === values.length &&
      values.every((one, i) => Math.abs(one - found[i]) < 1e-12 * Math.max(1, Math.abs(one)));
    const arrays = checked.program.nodes.flatMap((node) => {
      if (node.kind === "constant") return [node.values];
      return node.kind === "column"
        ? [data.columns.find(({ name }) => name === node.column)!.values]
        : [];
    });
    assert.ok(
      arrays.some(close),
      `${shape}: ${values}; found ${arrays.map((one) => [...one]).join(" | ")}`,
    );
    if (byPlace.test(lines)) return;
    const free = checkProgram(text, data);
    assert.ok(free.ok, `rows may change places: ${JSON.stringify(free)}`);
  });
}

/** Ways to the response, and to fewer rows, that stay closed: each is refused with an error of its own. */
const closed: readonly (readonly [string, RegExp])[] = [
  ['m = df.groupby("g", as_index=False)["y"].mean()\nv = df.merge(m, on="g")["y_y"].values', /^lh/],
  ['v = df["g"].map(df.groupby("g")["y"].mean()).values', /^lh/],
  ['m = df.groupby("g")["y"].mean()\nprint(m)\nv = m.loc[df["g"]].values', /^lh/],
  [
    'm = df.groupby("g").agg(q=("y", "mean"))\nv = df.merge(m, left_on="g", right_index=True)["q"]',
    /^lh/,
  ],
  ['v = df.sort_values("y")["x"].values', /^lh/],
  ['v = df.drop_duplicates("y")["x"].values', /^lh/],
  ['v = df.groupby("y")["x"].transform("mean").values', /^lh/],
  ['v = StandardScaler().fit_transform(df[["y"]])', /^lh/],
  ['v = StandardScaler().fit_transform(df[["x", "y"]])', /^lh/],
  ['v = LabelEncoder().fit_transform(df["y"])', /^lh/],
  ['v = stats.zscore(df["y"])', /^lh/],
  ['v = df["y"].shift(1).fillna(0).values', /^lh/],
  ['v = df["y"].rolling(2).mean().fillna(0).values', /^lh/],
  ['v = np.select([df["y"] > 1], [1], default=0)', /^lh/],
  ['v = pd.factorize(np.where(df["y"] > 1, "a", "b"))[0]', /^lh/],
  ['df.loc[df["y"] > 1, "x"] = 5\nv = df["x"].values', /^lh/],
  ['v = np.asarray(patsy.dmatrix("y", df))', /^lh/],
  ['v = np.asarray(patsy.dmatrix("x + center(y)", df))', /^lh/],
  ['v = pd.concat([df[["x"]], df[["y"]]], axis=1)["y"].values', /^lh/],
  ['v = pd.DataFrame({"q": df["y"]})["q"].values', /^lh/],
  ['v = pd.Series(df["y"]).values', /^lh/],
  ['v = df["y"].astype(str).astype(float).values', /^lh/],
  ['v = np.loadtxt("frame.csv", delimiter=",")[:, -1]', /^lh/],
  ['df["y"].mean()\nv = np.repeat(df["y"].sum(), 8)', /^lh/],
  [
    't = pd.DataFrame({"g": ["east", "north"], "s": [1, 2]})\nv = df.merge(t, on="g")["s"].values',
    /^lh/,
  ],
  [
    't = pd.DataFrame({"g": ["east", "north"], "s": [1, 2]})\nv = df.merge(t, on="g", how="left")["s"].values',
    /^data/,
  ],
  ['t = df[["g", "x"]]\nv = df.merge(t, on="g")["x_y"].values', /^lh/],
  ['v = df.query("x > 1")["x"].values', /^lh/],
  ['df = df[df["h"] == "a"]\nv = df["x"].values', /^lh/],
  ['q = df["w"].fillna(0)\nv = df["w"].values', /^data/],
  ['d = pd.to_datetime(df["day"])\nv = (d - d.min()).values', /^names/],
  ['v = (df["g"] - df["h"]).values', /^names/],
  ['v = df["g"].map({0: 5, 1: 6, 2: 7}).values', /^names/],
  ['v = df["g"].str.replace("N", "q", case=False).str.len().values', /^(names|unsupported)/],
  ['v = df["g"].str.count("o.").values', /^(names|unsupported)/],
  ['d = pd.to_datetime(df["day"], format="%Y-%d-%m")\nv = d.dt.month.values', /^unsupported/],
  ['d = pd.to_datetime(df["day"])\nv = (d - pd.Timedelta(7)).dt.day.values', /^unsupported/],
  [
    'df["d"] = pd.to_datetime(df["day"])\nv = np.asarray(patsy.dmatrix("d", df))',
    /^(names|unsupported)/,
  ],
  ['q = df["w"].fillna(0)\nv = pd.cut(df["w"], [0, 1, 5], labels=False).values', /^data/],
  ['q = df["w"].fillna(0)\nv = np.asarray(patsy.dmatrix("x + w", df))', /^data/],
  [
    'm = df.groupby("g")["x"].mean().sort_index(ascending=False)\nv = m.values',
    /^(names|unsupported)/,
  ],
  [
    'a = pd.Series({"p": 1, "q": 2})\nb = pd.Series({"q": 10, "p": 20})\nv = np.repeat((a * b).values[0], 8)',
    /^names/,
  ],
  [
    's = pd.Series([1, 2, 3, 4, 5, 6, 7, 8], index=[7, 6, 5, 4, 3, 2, 1, 0])\ndf["q"] = s\nv = df["q"].values',
    /^names/,
  ],
  [
    't = pd.DataFrame({"q": [1, 2, 3, 4, 5, 6, 7, 8]}, index=[7, 6, 5, 4, 3, 2, 1, 0])\nv = pd.concat([df, t], axis=1)["q"].values',
    /^unsupported/,
  ],
  ['e = LabelEncoder().fit(df["g"])\nv = e.transform(df["h"])', /^unsupported/],
  ['v = df.set_index("z").sort_index()["x"].values', /^unsupported/],
  ['v = df["g"].astype(float).values', /^names/],
  ['v = df.groupby("z")["x"].transform("std").values', /^data/],
  ['v = df.groupby("h").cumcount(ascending=False).values', /^(names|unsupported)/],
  ['v = df.groupby("h")["x"].transform("var", ddof=0).values', /^(names|unsupported)/],
  ['x = df["x"].values\ndf = df.sort_values("z")\nv = x', /^unsupported/],
  ['a, b = df["x"][df["z"] > 2], df["x"][df["z"] < 2]\nv = np.repeat((a - b).sum(), 8)', /^names/],
  ['v = (df.set_index("z")["x"] - df["x"]).values', /^names/],
  ['df["q"] = df.set_index("z")["x"]\nv = df["q"].values', /^names/],
  ['v = np.argsort(df["h"] == "a")', /^names/],
  ['k = (10 * df["z"]).astype("int8")\nv = (k * k).values', /^names/],
];

for (const [lines, code] of closed) {
  Deno.test(`${lines.split("\n").at(-1)}, after ${lines.length} letters: refused`, async () => {
    const text = programOf(lines);
    const checked = checkProgram(text, await dataOf(text), undefined, { rows: "ordered" });
    assert.ok(!checked.ok, lines);
    const errors = checked.diagnostics.filter(({ severity }) => severity === "error");
    assert.ok(errors.some((one) => code.test(one.code)), JSON.stringify(errors));
  });
}

Deno.test("summaries that a notebook shows are no use of the response", async () => {
  const text = programOf(
    'df.groupby("g")["y"].mean()\ndf["y"].describe()\nm = df.groupby("h")["y"].agg("mean")\n' +
      'print(m)\nv = df["x"].values',
  );
  assert.ok(checkProgram(text, await dataOf(text)).ok);
});

Deno.test("rows are sorted where they are read, if they have no order of their own", async () => {
  const text = programOf("v = df[['x']].values").replace(
    'pd.read_csv("frame.csv")',
    'pd.read_csv("frame.csv").sort_values("x")',
  );
  const data = await dataOf(text);
  assert.ok(checkProgram(text, data).ok);
  const ordered = checkProgram(text, data, undefined, { rows: "ordered" });
  assert.ok(!ordered.ok && ordered.diagnostics.some(({ code }) => code === "lh/rows-left-out"));
});
