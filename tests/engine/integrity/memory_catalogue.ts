/** Twenty-two ways of writing a response down in a program that is to explain it. */
import type { Dataset } from "../../../src/base/dataset.ts";

/** A program that knows the response by heart. */
export interface Memoriser {
  readonly title: string;
  readonly program: string;
  /** The code of its refusal; absent for one that no rule of the language sees. */
  readonly refused?: "lh/row-table" | "lh/memorised-literals";
}

const head = `import numpy as np
import pymc as pm

`;

function model(before: readonly string[], mean: string): string {
  return `${head}${before.join("\n")}
with pm.Model() as model:
    s = pm.HalfNormal("s", 1)
    pm.Normal("length", ${mean}, s, observed=data["length"])
`;
}

const listed = (values: readonly number[], digits = 17) =>
  `np.array([${values.map((one) => +one.toPrecision(digits)).join(", ")}])`;

/** Programs for data with a predictor `age` and a response `length` of two decimals below 10. */
export function memorisers(data: Dataset): Memoriser[] {
  const column = (name: string) => [...data.columns.find((one) => one.name === name)!.values];
  const [y, age] = [column("length"), column("age")];
  const n = y.length;
  const residual = residuals(y, age.map(Math.log));
  const logCurve = (rest: string) => `1.7 + 0.28 * np.log(data["age"]) + ${rest}`;
  const table: Memoriser["refused"] = "lh/row-table";
  const literals: Memoriser["refused"] = "lh/memorised-literals";
  const entry = (title: string, program: string, refused?: Memoriser["refused"]) =>
    refused ? { title, program, refused } : { title, program };
  const exp = `np.exp(${listed(y.map(Math.log))})`;
  return [
    entry("the list itself", model([], listed(y)), literals),
    entry("times 100, over 100", model([], `${listed(y.map((v) => v * 100))} / 100`), literals),
    entry("half of it, doubled", model([], `${listed(y.map((v) => v / 2))} * 2`), literals),
    entry(
      "a table by age",
      model(
        [`table = {${byAge(age, y).map(([a, v]) => `${a}: ${v}`).join(", ")}}`],
        'np.array([table[float(a)] for a in data["age"]])',
      ),
      literals,
    ),
    entry("the exponential of its logarithms", model([], exp), literals),
    entry("roots of squares", model([], `np.sqrt(${listed(y.map((v) => v * v))})`), literals),
    entry(
      "with a wave added that is taken off again",
      model(
        ["i = np.arange(" + n + ")"],
        `${listed(y.map((v, i) => v + 5 * Math.sin(7 * i)))} - 5 * np.sin(7 * i)`,
      ),
      literals,
    ),
    entry(
      "whole numbers from which the row number is taken off",
      model(
        ["i = np.arange(" + n + ")"],
        `(${listed(y.map((v, i) => Math.round(100 * v) + 37 * i))} - 37 * i) / 100`,
      ),
      literals,
    ),
    entry(
      "a string of digits",
      model(
        [
          `digits = [int(c) for c in "${y.map((v) => String(Math.round(100 * v))).join("")}"]`,
          `parts = [100 * digits[3 * k] + 10 * digits[3 * k + 1] + digits[3 * k + 2] for k in range(${n})]`,
        ],
        "np.array(parts) / 100",
      ),
      literals,
    ),
    entry("fourteen waves over the row number", model(waves(y), "wave"), literals),
    entry(
      "prior means of an effect of each row",
      `${head}with pm.Model() as model:
    m = pm.Normal("m", ${exp}, 0.001, shape=${n})
    s = pm.HalfNormal("s", 1)
    pm.Normal("length", m, s, observed=data["length"])
`,
      literals,
    ),
    entry(
      "two lists that add up to it",
      model(
        [],
        `${listed(y.map((v, i) => v / 2 + Math.sin(9 * i)))} + ${
          listed(y.map((v, i) => v / 2 - Math.sin(9 * i)))
        }`,
      ),
      literals,
    ),
    entry("what a curve leaves over", model([], logCurve(listed(residual))), table),
    entry("the list from its end", model([], `${listed([...y].reverse())}[::-1]`), literals),
    entry(
      "running sums of differences",
      model([], `np.cumsum(${listed(y.map((v, i) => v - (i > 0 ? y[i - 1] : 0)))})`),
      literals,
    ),
    entry(
      "cubes, for half of the rows",
      model(
        [],
        `np.where(np.arange(${n}) % 2 == 0, (${listed(y.map((v) => v ** 3))}) ** (1 / 3), 2.3)`,
      ),
      literals,
    ),
    entry(
      "with a jitter added",
      model([], listed(y.map((v, i) => v + 0.009 + 0.018 * ((i * 7) % 10) / 10), 6)),
      literals,
    ),
    entry(
      "ranks of what a curve leaves over",
      model([], logCurve(`0.02 * (${listed(ranks(residual))} - 13)`)),
      table,
    ),
    entry(
      "signs of what a curve leaves over",
      model([], logCurve(`0.08 * ${listed(residual.map(Math.sign))}`)),
      table,
    ),
    entry(
      "squares in a table by age",
      model(
        [`table = {${byAge(age, y.map((v) => v * v)).map(([a, v]) => `${a}: ${v}`).join(", ")}}`],
        'np.sqrt(np.array([table[float(a)] for a in data["age"]]))',
      ),
      literals,
    ),
    entry(
      "a mixture with a spike at each datum",
      `${head}with pm.Model() as model:
    s = pm.HalfNormal("s", 1)
    spikes = ${exp}
    parts = [pm.Normal.dist(spikes, 1e-4), pm.Normal.dist(2.3, s)]
    pm.Mixture("length", w=[0.9, 0.1], comp_dists=parts, observed=data["length"])
`,
      literals,
    ),
    entry(
      "bounds around each datum",
      `${head}with pm.Model() as model:
    s = pm.HalfNormal("s", 1)
    near = ${exp}
    pm.Truncated("length", pm.Normal.dist(2.3, s, shape=${n}), lower=near - 0.001, upper=near + 0.001, observed=data["length"])
`,
      literals,
    ),
  ];
}

/** Residuals of `y` after a least-squares line in `x`. */
function residuals(y: readonly number[], x: readonly number[]): number[] {
  const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / y.length;
  const [my, mx] = [mean(y), mean(x)];
  const slope = x.reduce((sum, one, i) => sum + (one - mx) * (y[i] - my), 0) /
    x.reduce((sum, one) => sum + (one - mx) ** 2, 0);
  return y.map((v, i) => v - my - slope * (x[i] - mx));
}

function ranks(values: readonly number[]): number[] {
  return values.map((one) => values.filter((other) => other < one).length);
}

/** The first value at each age. */
function byAge(age: readonly number[], values: readonly number[]): [number, number][] {
  return [...new Map(age.map((a, i): [number, number] => [a, values[i]]).reverse())];
}

/** Statements that make `wave`, the real discrete Fourier series of `y` over the row number. */
function waves(y: readonly number[]): string[] {
  const n = y.length;
  const terms = [];
  for (let k = 0; k <= Math.floor(n / 2); k++) {
    const part = (f: (x: number) => number) =>
      y.reduce((sum, v, i) => sum + v * f(2 * Math.PI * k * i / n), 0) * (k === 0 ? 1 : 2) / n;
    const angle = `2 * np.pi * ${k} * i / ${n}`;
    terms.push(`${part(Math.cos)} * np.cos(${angle}) + ${part(Math.sin)} * np.sin(${angle})`);
  }
  return [`i = np.arange(${n})`, ...terms.map((term, k) => `wave = ${k ? "wave + " : ""}${term}`)];
}
