/** Frames as pandas has them: columns left out, summarised within groups, compared with words, made dummies. */
import assert from "node:assert/strict";
import { makeDataset } from "../../../src/base/dataset.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";

const g = [2, 0, 1, 1, 0, 2, 0, 1];
const x = [4.1, 4.9, 5.0, 5.5, 5.8, 6.3, 6.6, 7.2];
const z = [1, 0, 3, 2, 5, 1, 0, 4];
const data = makeDataset("frame", [
  {
    name: "g",
    role: "predictor",
    type: "category",
    values: Float64Array.from(g),
    categories: ["a", "b", "c"],
  },
  { name: "x", role: "predictor", type: "real", values: Float64Array.from(x) },
  { name: "z", role: "predictor", type: "count", values: Float64Array.from(z) },
  {
    name: "y",
    role: "response",
    type: "real",
    values: Float64Array.of(1.3, 0.2, 2.4, 1.9, 0.5, 3.1, 0.7, 2.2),
  },
]);

/** Reads a program whose likelihood has the numbers `v`, and gives them. */
function numbersOf(lines: string): readonly number[] {
  const text = `import numpy as np
import pandas as pd
import pymc as pm
from patsy import dmatrix
df = pd.read_csv("frame.csv")
${lines}
with pm.Model():
    b = pm.Normal("b", 0, 1, shape=np.asarray(v).shape[1:])
    pm.Normal("obs", pm.math.dot(np.asarray(v), b), 1, observed=df["y"])
`;
  const checked = checkProgram(text, data);
  assert.ok(checked.ok, JSON.stringify(checked));
  const constants = checked.program.nodes.flatMap((node) =>
    node.kind === "constant" && node.values.length >= 8 ? [[...node.values]] : []
  );
  const [own] = constants.sort((p, q) => q.length - p.length);
  assert.ok(own, "the numbers are a constant of the graph");
  return own;
}

function close(found: readonly number[], wanted: readonly number[]): void {
  assert.equal(found.length, wanted.length, `${found}`);
  found.forEach((one, i) =>
    assert.ok(Math.abs(one - wanted[i]) < 1e-12, `${i}: ${one} ${wanted[i]}`)
  );
}

const groupMean = (values: readonly number[], row: number) => {
  const own = values.filter((_, i) => g[i] === g[row]);
  return own.reduce((sum, v) => sum + v) / own.length;
};
const mean = x.reduce((sum, v) => sum + v) / 8;
const deviation = Math.sqrt(x.reduce((sum, v) => sum + (v - mean) ** 2, 0) / 7);

/** Lines of pandas, and what they give. */
const cases: Readonly<Record<string, readonly [string, readonly number[]]>> = {
  "means within groups": [
    `v = df.groupby("g")["x"].transform("mean").values[:, None]`,
    x.map((_, i) => groupMean(x, i)),
  ],
  "sizes of groups, by an attribute": [
    `v = df.groupby("g").z.transform("count").values[:, None]`,
    g.map((one) => g.filter((other) => other === one).length),
  ],
  "means of groups, chosen by code": [
    `m = df.groupby("g")["x"].mean()\nv = m.values[df["g"].values][:, None]`,
    x.map((_, i) => groupMean(x, i)),
  ],
  "a word, row by row": [
    `v = (df["g"] == "b").astype(int).values[:, None]`,
    g.map((one) => one === 1 ? 1 : 0),
  ],
  "all words but one": [
    `v = np.where(df["g"] != "b", 2.0, 3.0)[:, None]`,
    g.map((one) => one === 1 ? 3 : 2),
  ],
  "columns in units of their own deviation": [
    `X = df[["x", "z"]]\nv = ((X - X.mean()) / X.std())[["x"]].values`,
    x.map((v) => (v - mean) / deviation),
  ],
  "a frame without some columns, with dummies": [
    `X = pd.get_dummies(df.drop(columns=["y", "x"]), columns=["g"], drop_first=True)\nv = X.astype(float).values`,
    g.flatMap((one, i) => [z[i], one === 1 ? 1 : 0, one === 2 ? 1 : 0]),
  ],
  "a frame by its array": [
    `v = df.drop(["y", "g"], axis=1).to_numpy() * 1.0`,
    x.flatMap((v, i) => [v, z[i]]),
  ],
  "rows where a condition holds in all": [
    `d = df[df.z >= 0]\nv = d[["x"]].values * 2`,
    x.map((v) => 2 * v),
  ],
};

for (const [name, [lines, wanted]] of Object.entries(cases)) {
  Deno.test(`pandas: ${name}`, () => close(numbersOf(lines), wanted));
}

/** Row 4, and element 3 of row 7, by patsy 1.0.3. */
const bases = {
  "bs(x, knots=knots, degree=3, include_intercept=True) - 1": [
    [
      0.0,
      0.08137317228226315,
      0.5201382195517094,
      0.3786221110268032,
      0.019866497139224414,
      0.0,
    ],
    0.0351906158357772,
  ],
  "bs(x, knots=knots, degree=2) - 1": [
    [0.22377622377622375, 0.688811188811189, 0.08741258741258742, 0.0],
    0.7070707070707072,
  ],
  "bs(x, df=5) - 1": [
    [
      0.06356281681787418,
      0.5459851326341579,
      0.3811849829261755,
      0.009267067621792477,
      0.0,
    ],
    0.32348041250184234,
  ],
  "bs(x, df=6, degree=3, include_intercept=True)": [
    [
      1.0,
      0.0,
      0.06356281681787418,
      0.5459851326341579,
      0.3811849829261755,
      0.009267067621792477,
      0.0,
    ],
    0.0,
  ],
} as const;

for (const [formula, [row, element]] of Object.entries(bases)) {
  Deno.test(`patsy: ${formula}`, () => {
    const entries = `{"x": df["x"].values, "knots": np.array([5.0, 6.3])}`;
    const found = numbersOf(`v = dmatrix("${formula}", ${entries})`);
    const width = row.length;
    close(found.slice(3 * width, 4 * width), row);
    close([found[6 * width + 2]], [element]);
  });
}

Deno.test("nothing of the response comes out of a frame but the response", () => {
  const refused = [
    `v = df[["x", "y"]].values`,
    `v = df.groupby("g")["y"].transform("mean").values[:, None]`,
    `v = df.drop(columns=["g", "x"]).values`,
    `X = df.drop(columns=["g"])\nv = (X - X.mean()).values`,
    `v = df.groupby("y")["x"].transform("mean").values[:, None]`,
    `v = dmatrix("bs(y, df=5) - 1", df)`,
    `d = df[df.y > 1]\nv = d[["x"]].values`,
  ];
  for (const lines of refused) assert.throws(() => numbersOf(lines), /lh\//, lines);
});

Deno.test("rows that a condition leaves out are counted, and refused", () => {
  assert.throws(
    () => numbersOf(`d = df[df.g != "b"]\nv = d[["x"]].values`),
    /the condition holds in 5 of 8 rows/,
  );
});
