/** Statistics of the response as fixed numbers: their permitted uses, and attacks that stay refused. */
import assert from "node:assert/strict";
import { makeDataset } from "../../../src/base/dataset.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { defaultSchedule } from "../../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../../src/engine/score/score.ts";

const x = Float64Array.of(0.2, 1.1, 1.9, 3.2, 4.1, 4.8, 6.1, 7.2, 7.7, 9.1);
const y = Float64Array.of(2.11, 2.47, 2.61, 3.39, 3.62, 3.98, 4.61, 5.04, 5.31, 6.12);
const data = makeDataset("ten", [
  { name: "x", role: "predictor", type: "real", values: x },
  { name: "y", role: "response", type: "real", values: y },
]);

const head =
  `import numpy as np\nimport pandas as pd\nimport pymc as pm\ndf = pd.read_csv("ten.csv")\n`;
const program = (before: string, lines: readonly string[]) =>
  `${head}${before}\nwith pm.Model():\n${lines.map((line) => `    ${line}`).join("\n")}\n`;

const line = [
  'a = pm.Normal("a", 0, 1)',
  'b = pm.Normal("b", 0, 1)',
  's = pm.HalfNormal("s", 1)',
];
const fitted = 'pm.Normal("obs", a + b * df["x"], s, observed=z)';

/** Attacks by what they would earn, if they were read. */
const attacks: Readonly<Record<string, string>> = {
  "a prior pinned at the mean": program("", [
    'a = pm.Normal("a", df["y"].mean(), 1e-6)',
    's = pm.HalfNormal("s", 1)',
    'pm.Normal("obs", a, s, observed=df["y"])',
  ]),
  "a deviation pinned at the deviation": program("", [
    'a = pm.Normal("a", 0, 10)',
    's = pm.Uniform("s", df["y"].std() * 0.999, df["y"].std() * 1.001)',
    'pm.Normal("obs", a, s, observed=df["y"])',
  ]),
  "a prior whose scale may shrink": program("", [
    't = pm.HalfNormal("t", 1)',
    'a = pm.Normal("a", df["y"].mean(), t)',
    'pm.Normal("obs", a, 1, observed=df["y"])',
  ]),
  "the mean in the likelihood": program("", [
    's = pm.HalfNormal("s", 1)',
    'pm.Normal("obs", df["y"].mean(), s, observed=df["y"])',
  ]),
  "the mean added to a parameter": program("", [
    'a = pm.Normal("a", 0, 1)',
    'pm.Normal("obs", a + df["y"].mean(), 1, observed=df["y"])',
  ]),
  "a component at the largest value": program("", [
    'a = pm.Normal("a", 0, 9)',
    'pm.Mixture("obs", [0.5, 0.5], [pm.Normal.dist(df["y"].max(), 0.01), pm.Normal.dist(a, 1)], observed=df["y"])',
  ]),
  "censored at the largest value": program('z = df["y"].max() - df["y"]', [
    ...line,
    'pm.Censored("obs", pm.Normal.dist(a + b * df["x"], s), lower=0, upper=None, observed=z)',
  ]),
  "truncated at the largest value": program('z = df["y"] / df["y"].max()', [
    ...line,
    'pm.TruncatedNormal("obs", a + b * df["x"], s, upper=1, observed=z)',
  ]),
  "another statistic": program('z = (df["y"] - df["y"].median()) / df["y"].std()', [
    ...line,
    fitted,
  ]),
  "a quantile": program('z = df["y"] - np.quantile(df["y"], 0.3)', [...line, fitted]),
  "ranks": program('z = df["y"].rank()', [...line, fitted]),
  "a product of the response with itself": program('z = df["y"] * df["y"]', [...line, fitted]),
  "the first value": program('z = df["y"] - df["y"][0]', [...line, fitted]),
};

for (const [name, text] of Object.entries(attacks)) {
  Deno.test(`${name} is refused`, () => {
    const result = checkProgram(text, data);
    assert.ok(!result.ok);
    const codes = result.diagnostics.filter(({ severity }) => severity === "error");
    assert.ok(codes.every(({ code }) => code.startsWith("lh/")), JSON.stringify(codes));
  });
}

const square = (values: Float64Array) => {
  const mean = values.reduce((sum, v) => sum + v) / values.length;
  return { mean, square: values.reduce((sum, v) => sum + (v - mean) ** 2, 0) };
};
const { mean, square: sum } = square(y);
const [n, least, most] = [y.length, Math.min(...y), Math.max(...y)];

/** Affine maps by statistics, and the same by numbers. */
const maps: Readonly<Record<string, readonly [string, string]>> = {
  "pandas' z-scores": [
    'z = (df["y"] - df["y"].mean()) / df["y"].std()',
    `z = (df["y"] - ${mean}) / ${Math.sqrt(sum / (n - 1))}`,
  ],
  "NumPy's z-scores": [
    'y = df["y"].values\nz = (y - y.mean()) / y.std()',
    `z = (df["y"] - ${mean}) / ${Math.sqrt(sum / n)}`,
  ],
  "z-scores by functions": [
    'z = (df["y"] - np.mean(df["y"])) / np.std(df["y"], ddof=1)',
    `z = (df["y"] - ${mean}) / ${Math.sqrt(sum / (n - 1))}`,
  ],
  "between 0 and 1": [
    'z = (df["y"] - df["y"].min()) / (df["y"].max() - df["y"].min())',
    `z = (df["y"] - ${least}) / ${most - least}`,
  ],
  "in twice its deviation, by a function": [
    'def scaled(v):\n    return (v - v.mean()) / (2 * v.std())\nz = scaled(df["y"])',
    `z = (df["y"] - ${mean}) / ${2 * Math.sqrt(sum / (n - 1))}`,
  ],
};

for (const [name, [by, numbers]] of Object.entries(maps)) {
  Deno.test(`${name}: the score is that of the same numbers, Jacobian included`, () => {
    const [one, other] = [by, numbers].map((before) =>
      scoreNow(program(before, [...line, fitted]), data, defaultSchedule).score
    );
    assert.ok(one && other);
    const error = 4 * Math.sqrt(one.mcse ** 2 + other.mcse ** 2) + 1e-6;
    assert.ok(Math.abs(one.elpdLoo - other.elpdLoo) < error, `${one.elpdLoo} ${other.elpdLoo}`);
  });
}

const honest: Readonly<Record<string, string>> = {
  "priors of a comparison of groups (Kruschke 2013)": program('y = df["y"].values', [
    'mu = pm.Normal("mu", mu=y.mean(), sigma=y.std() * 2)',
    's = pm.Uniform("s", y.std() / 100, y.std() * 100)',
    'pm.Normal("obs", mu, s, observed=y)',
  ]),
  "a scale by the deviation": program("", [
    'a = pm.Normal("a", df["y"].mean(), 2.5 * df["y"].std())',
    's = pm.HalfNormal("s", df["y"].std())',
    'pm.Normal("obs", a, s, observed=df["y"])',
  ]),
  "an exponential scale": program("", [
    'a = pm.Normal("a", 0, 10)',
    's = pm.Exponential("s", 1 / df["y"].std())',
    'pm.Normal("obs", a, s, observed=df["y"])',
  ]),
  "an extreme as a bound of a flat prior": program("", [
    'a = pm.Uniform("a", df["y"].min(), df["y"].max())',
    's = pm.HalfNormal("s", 2)',
    'pm.Normal("obs", a, s, observed=df["y"])',
  ]),
};

for (const [name, text] of Object.entries(honest)) {
  Deno.test(`${name}: read`, () => {
    const result = checkProgram(text, data);
    assert.ok(result.ok, JSON.stringify(result));
  });
}

Deno.test("where rows follow each other in time, no statistic of later rows is a number", () => {
  const text = program('z = df["y"] - df["y"].mean()', [...line, fitted]);
  assert.ok(!checkProgram(text, data, undefined, { time: { first: 3 } }).ok);
});

Deno.test("a prior as wide as the response earns next to nothing by being centred at its mean", () => {
  const scored = (centre: string) => {
    const lines = [
      `a = pm.Normal("a", ${centre}, df["y"].std())`,
      's = pm.HalfNormal("s", 2)',
      'pm.Normal("obs", a, s, observed=df["y"])',
    ];
    return scoreNow(program("", lines), data, defaultSchedule).score!.elpdLoo;
  };
  const gain = scored('df["y"].mean()') - scored('(df["y"].mean() + 3 * df["y"].std())');
  assert.ok(gain > 0 && gain < 0.7, `${gain}`);
});
