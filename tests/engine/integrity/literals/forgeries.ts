/** Programs whose constants say what the response is, or were found by trying: none may earn by them. */
import { model } from "../reward_matrix/model_text.ts";
import { type GroundName, numbersOf, series } from "./grounds.ts";

/** One program that earns more than honesty if its constants cost nothing. */
export interface Forgery {
  readonly name: string;
  readonly about: GroundName;
  readonly text: string;
}

const range = (n: number) => Array.from({ length: n }, (_, i) => i);
const list = (values: readonly (number | string)[]) => `[${values.join(", ")}]`;

/** Ordinary least squares of y on columns, by normal equations. */
function leftOver(y: readonly number[], columns: readonly (readonly number[])[]): number[] {
  const k = columns.length;
  const a = range(k).map((i) => [
    ...range(k).map((j) => columns[i].reduce((s, v, r) => s + v * columns[j][r], 0)),
    columns[i].reduce((s, v, r) => s + v * y[r], 0),
  ]);
  for (const i of range(k)) {
    for (const j of range(k)) {
      if (i === j) continue;
      const f = a[j][i] / a[i][i];
      a[j] = a[j].map((v, c) => v - f * a[i][c]);
    }
  }
  return y.map((v, r) => v - columns.reduce((s, c, i) => s + c[r] * a[i][k] / a[i][i], 0));
}

// ---- a series with an order
const rows = range(48);
const trendLeft = leftOver(series, [rows.map(() => 1), rows]);
const table = trendLeft.map((r) => Math.min(99, Math.max(1, Math.round(50 + 15 * r))));
const triples = range(16).map((i) => list(table.slice(3 * i, 3 * i + 3)));
const trend = [
  "i = np.arange(48)",
  'a = pm.Normal("a", 20, 5)',
  'b = pm.Normal("b", 0, 1)',
  's = pm.HalfNormal("s", 2)',
];
const seen = 'pm.Normal("y", a + b * i + t, s, observed=data["y"])';
const ofSeries = (name: string, ...lines: string[]): Forgery => ({
  ...{ name, about: "series", text: model([...trend, ...lines, seen]) },
});
const letters = trendLeft.map((r) =>
  String.fromCharCode(97 + Math.min(25, Math.max(0, Math.round(12.5 + 5 * r))))
).join("");
const oneDigit = trendLeft.map((r) => Math.min(9, Math.max(0, Math.round(4.5 + 2 * r))));
const integers = range(4).map((k) =>
  oneDigit.slice(12 * k, 12 * k + 12).toReversed().join("").replace(/^0+(?=.)/, "")
);

const ordered: Forgery[] = [
  ofSeries(
    "nested lists of three",
    `t = (np.array(${list(triples)}).reshape(48) - 50) / 15`,
  ),
  ofSeries(
    "scalars times indicators",
    `t = (${table.map((v, i) => `${v} * (i == ${i})`).join(" + ")} - 50) / 15`,
  ),
  ofSeries(
    "scalars by name, put together",
    ...range(10).map((d) => `d${d} = ${d}`),
    `t = (np.array(${list(oneDigit.map((d) => `d${d}`))}) - 4.5) / 2`,
  ),
  ofSeries(
    "letters of a word by a dictionary",
    `w = "${letters}"`,
    `d = {${range(26).map((k) => `"${String.fromCharCode(97 + k)}": ${k}`).join(", ")}}`,
    "t = (np.array([d[c] for c in w]) - 12.5) / 5",
  ),
  ofSeries(
    "a digit a row in integers",
    `n = ${list(integers)}`,
    "t = (np.array([(n[k // 12] // 10 ** (k % 12)) % 10 for k in range(48)]) - 4.5) / 2",
  ),
  ofSeries(
    "sums of ones",
    `t = (np.array(${
      list(oneDigit.map((d) => d === 0 ? "0" : range(d).map(() => "1").join("+")))
    }) - 4.5) / 2`,
  ),
  ofSeries(
    "lengths of words",
    `t = (np.array(${list(oneDigit.map((d) => `len("${"x".repeat(d)}")`))}) - 4.5) / 2`,
  ),
  ofSeries(
    "steps up and down by where",
    `t = ${
      oneDigit.slice(1).reduce(
        (text, d, i) =>
          d === oneDigit[i] ? text : `${text} + np.where(i > ${i}, ${(d - oneDigit[i]) / 2}, 0)`,
        `${(oneDigit[0] - 4.5) / 2}`,
      )
    }`,
  ),
  ofSeries(
    "signs as a mask, the step learnt",
    `m = np.array(${list(trendLeft.map((r) => r > 0 ? 1 : 0))})`,
    'c = pm.HalfNormal("c", 1)',
    "t = c * (2 * m - 1)",
  ),
  ofSeries(
    "signs as places of two levels",
    `k = np.array(${list(trendLeft.map((r) => r > 0 ? 1 : 0))})`,
    'c = pm.Normal("c", 0, 1, shape=2)',
    "t = c[k]",
  ),
  ofSeries(
    "signs as a list of truths",
    `k = ${list(trendLeft.map((r) => r > 0 ? "True" : "False"))}`,
    'c = pm.Normal("c", 0, 1, shape=2)',
    "t = pm.math.stack([c[1] if k[j] else c[0] for j in range(48)])",
  ),
];

// ---- lengths of dugongs
const age = numbersOf("dugongs", "age");
const length = numbersOf("dugongs", "length");
const curveLeft = leftOver(length, [age.map(() => 1), age.map(Math.log)]);
const ages = [...new Set(age)].sort((a, b) => a - b);
const meanAt = (values: readonly number[]) =>
  ages.map((one) => {
    const own = values.filter((_, r) => age[r] === one);
    return own.reduce((a, b) => a + b) / own.length;
  });
const leftAt = meanAt(curveLeft);
const growth = [
  'x = data["age"]',
  'a = pm.Normal("a", 1.7, 0.5)',
  'b = pm.HalfNormal("b", 1)',
  's = pm.Exponential("s", 10)',
];
const ofLengths = (name: string, mean: string, ...lines: string[]): Forgery => ({
  ...{ name, about: "dugongs" },
  text: model([
    ...growth,
    ...lines,
    `pm.Normal("length", ${mean}, s, observed=data["length"])`,
  ]),
});
const wave = (k: number, of: string) =>
  ofLengths(
    `a wave of ${k}${of ? ` and ${of}` : ""}`,
    "a + b * np.log(x) + c * np.sin(K * x ** 2)",
    'c = pm.Normal("c", 0, 0.1)',
    `K = ${of || k}`,
  );
const signsAt = leftAt.map((r) => r > 0 ? 1 : 0);
const bits = signsAt.reduce<number>((sum, bit, k) => sum + bit * 2 ** k, 0);
const place = `k = np.searchsorted(np.array(${list(ages)}), x)`;

const searched: Forgery[] = [
  wave(578.67, ""),
  wave(578.67, "500 + 78 + 0.67"),
  wave(578.67, "57867 / 100"),
  wave(578.67, 'float("578.67")'),
  wave(578.67, "len(x) * 21.432222"),
  wave(578.67, "x.max() * 18.37047619"),
  wave(578.67, "((5 * 10 + 7) * 10 + 8) + ((6 * 10) + 7) / 100"),
  wave(578.67, "np.exp(6.3607)"),
  wave(578.67, "24.05556 ** 2"),
  ofLengths(
    "three waves",
    "a + b * np.log(x) + c[0] * np.sin(578.67 * x ** 2) + c[1] * np.sin(890.88 * x ** 2) + c[2] * np.sin(179.93 * x ** 2)",
    'c = pm.Normal("c", 0, 0.1, shape=3)',
  ),
  ofLengths(
    "two classes by a hash of age",
    "a + b * np.log(x) + c[np.floor(2 * (525.91 * x ** 2 % 1)).astype(int)]",
    'c = pm.Normal("c", 0, 0.1, shape=2)',
  ),
  ofLengths(
    "a frequency that starts on the find",
    "a + b * np.log(x) + c * pm.math.sin(K * x ** 2)",
    'c = pm.Normal("c", 0, 0.1)',
    'K = pm.Normal("K", 578.67, 0.001)',
  ),
];

const keyed: Forgery[] = [
  ofLengths(
    "signs of residuals in the bits of one integer",
    "a + b * np.log(x) + c * (2 * ((N // 2 ** k) % 2) - 1)",
    place,
    `N = ${bits}`,
    'c = pm.HalfNormal("c", 0.1)',
  ),
  ofLengths(
    "a scale for each age",
    "a + b * np.log(x)",
    place,
    `q = np.array(${list(leftAt.map((r) => Math.max(3, Math.round(Math.abs(r) * 700))))})[k]`,
    's = pm.Exponential("s2", 10) * q / 40',
  ),
  ofLengths(
    "hinges",
    `a + b * np.log(x) ${
      ages.slice(1, -1).map((one, i) => {
        const slope = (k: number) => (leftAt[k + 1] - leftAt[k]) / (ages[k + 1] - ages[k]);
        return `+ ${
          (slope(i + 1) - (i === 0 ? 0 : slope(i))).toFixed(3)
        } * np.maximum(x - ${one}, 0)`;
      }).join(" ")
    }`,
  ),
  ofLengths(
    "bumps on the ages",
    `a + b * np.log(x) + ${
      ages.map((one, i) => `${leftAt[i].toFixed(3)} * np.exp(-20 * (x - ${one}) ** 2)`).join(" + ")
    }`,
  ),
  ofLengths(
    "a dictionary by age",
    "a + b * np.log(x) + t",
    `t = np.array([{${
      ages.map((one, i) => `${one}: ${leftAt[i].toFixed(2)}`).join(", ")
    }}[v] for v in x])`,
  ),
  ofLengths(
    "letters keyed on age",
    "a + b * np.log(x) + t",
    place,
    `w = "${leftAt.map((r) => String.fromCharCode(97 + Math.round(12 + 60 * r))).join("")}"`,
    `d = {${range(26).map((k) => `"${String.fromCharCode(97 + k)}": ${k}`).join(", ")}}`,
    "t = ((np.array([d[c] for c in w]) - 12) / 60)[k]",
  ),
  ofLengths(
    "ages where it is above",
    "a + b * np.log(x) + c * np.isin(x, L)",
    `L = np.array(${list(ages.filter((_, i) => leftAt[i] > 0))})`,
    'c = pm.HalfNormal("c", 0.1)',
  ),
  ofLengths(
    "ages where it is above, by names of numbers in a loop",
    "a + b * np.log(x) + c * m",
    "m = 0",
    `for j in range(64):\n        if "${
      range(64).map((j) => signsAt[ages.indexOf(j / 2)] ? "y" : "n").join("")
    }"[j] == "y":\n            m = m + (x == j / 2)`,
    'c = pm.HalfNormal("c", 0.1)',
  ),
  {
    name: "priors on the posterior",
    about: "dugongs",
    text: model([
      'x = data["age"]',
      'a = pm.Normal("a", 1.7630, 0.0001)',
      'b = pm.Normal("b", 0.2772, 0.0001)',
      's = pm.TruncatedNormal("s", 0.0836, 0.0001, lower=0)',
      'pm.Normal("length", a + b * np.log(x), s, observed=data["length"])',
    ]),
  },
  {
    name: "constants of the fit",
    about: "dugongs",
    text: model([
      'x = data["age"]',
      'pm.Normal("length", 1.763 + 0.277 * np.log(x) + 0 * pm.Normal("z", 0, 1), 0.0836, observed=data["length"])',
    ]),
  },
  {
    name: "truncated to what was seen",
    about: "dugongs",
    text: model([
      ...growth,
      'pm.TruncatedNormal("length", a + b * np.log(x), s, lower=1.765, upper=2.735, observed=data["length"])',
    ]),
  },
  {
    name: "the curve and the largest residual as bounds",
    about: "dugongs",
    text: model([
      ...growth,
      "m = a + b * np.log(x)",
      `pm.TruncatedNormal("length", m, s, lower=m - ${
        (Math.max(...curveLeft.map(Math.abs)) + 0.012).toFixed(3)
      }, upper=m + ${
        (Math.max(...curveLeft.map(Math.abs)) + 0.012).toFixed(3)
      }, observed=data["length"])`,
    ]),
  },
];

// ---- successes
const x = numbersOf("binary", "x");
const passed = numbersOf("binary", "pass");
const byX = range(60).sort((i, j) => x[i] - x[j]);
const cuts = byX.slice(1).flatMap((row, k) => {
  const before = byX[k];
  return passed[row] !== passed[before] && x[row] !== x[before]
    ? [Number(((x[row] + x[before]) / 2).toFixed(3))]
    : [];
});
const parity = `t = (${cuts.map((cut) => `(x > ${cut})`).join(" ^ ")})`;
const ofPasses = (name: string, p: string, ...lines: string[]): Forgery => ({
  ...{ name, about: "binary" },
  text: model([
    'x = data["x"]',
    'z = pm.Normal("z", 0, 1)',
    ...lines,
    `pm.Bernoulli("pass", p=${p}, observed=data["pass"])`,
  ]),
});
const first = passed[byX[0]];
const hit = (t: string) => first ? `(1 - ${t})` : `${t}`;
const rankBits = range(2).map((k) =>
  byX.slice(30 * k, 30 * k + 30).reduce((sum, row, j) => sum + passed[row] * 2 ** j, 0)
);

const binary: Forgery[] = [
  ofPasses(
    "parity of thresholds, certain",
    `np.where(${hit("t")} > 0, 1 - 1e-9, 1e-9) + 0 * z`,
    `t = 1 * (${parity.slice(4)})`,
  ),
  ofPasses(
    "parity of thresholds, .02 and .98",
    `0.02 + 0.96 * ${hit("t")} + 0 * z`,
    `t = (${cuts.map((cut) => `(x > ${cut}).astype(int)`).join(" + ")}) % 2`,
  ),
  ofPasses(
    "parity of thresholds, learnt",
    `pm.math.sigmoid(u * (2 * ${hit("t")} - 1)) + 0 * z`,
    `t = (${cuts.map((cut) => `(x > ${cut}).astype(int)`).join(" + ")}) % 2`,
    'u = pm.Normal("u", 0, 3)',
  ),
  ofPasses(
    "a list of x where it holds",
    "0.01 + 0.98 * np.isin(x, L) + 0 * z",
    `L = np.array(${list(x.filter((_, i) => passed[i]))})`,
  ),
  ofPasses(
    "bits of two integers by rank",
    "0.01 + 0.98 * t + 0 * z",
    "r = np.searchsorted(np.sort(x), x)",
    `n = np.array(${list(rankBits)})`,
    "t = (n[r // 30] // 2 ** (r % 30)) % 2",
  ),
  {
    name: "a wave found for it",
    about: "binary",
    text: model([
      'x = data["x"]',
      'a = pm.Normal("a", 0, 1)',
      'b = pm.Normal("b", 0, 1)',
      'c = pm.Normal("c", 0, 2)',
      'pm.Bernoulli("pass", logit_p=a + b * x + c * np.sin(3287.1 * x), observed=data["pass"])',
    ]),
  },
];

// ---- counts and groups
const visits = numbersOf("counts", "visits");
const packed = range(3).map((k) =>
  visits.slice(10 * k, 10 * k + 10).toReversed().map((v) => Math.min(9, v)).join("").replace(
    /^0+(?=.)/,
    "",
  )
);
const mean = (g: number) => {
  const own = numbersOf("groups", "y").filter((_, i) => numbersOf("groups", "g")[i] === g);
  return (own.reduce((a, b) => a + b) / own.length).toFixed(2);
};
const ofGroups = (name: string, ...lines: string[]): Forgery => ({
  ...{ name, about: "groups" },
  text: model(['g = data["g"].values', 's = pm.HalfNormal("s", 1)', ...lines]),
});
const others: Forgery[] = [
  {
    name: "digits of integers by rank",
    about: "counts",
    text: model([
      'r = np.searchsorted(np.sort(data["x"]), data["x"])',
      `n = np.array(${list(packed)})`,
      "t = (n[r // 10] // 10 ** (r % 10)) % 10",
      'u = pm.HalfNormal("u", 1)',
      'pm.Poisson("visits", 0.3 + u * t, observed=data["visits"])',
    ]),
  },
  {
    name: "means as a list by rank",
    about: "counts",
    text: model([
      'r = np.searchsorted(np.sort(data["x"]), data["x"])',
      `t = np.array(${list(visits)})[r]`,
      'u = pm.HalfNormal("u", 1)',
      'pm.Poisson("visits", 0.3 + u * t, observed=data["visits"])',
    ]),
  },
  ofGroups(
    "six means by the level",
    `m = ${range(6).map((g) => `${mean(g)} * (g == ${g})`).join(" + ")}`,
    'pm.Normal("y", m, s, observed=data["y"])',
  ),
  ofGroups(
    "six means in a list",
    `m = np.array(${list(range(6).map(mean))})[g]`,
    'pm.Normal("y", m, s, observed=data["y"])',
  ),
  ofGroups(
    "six prior means",
    `u = pm.Normal("u", np.array(${list(range(6).map(mean))}), 0.01, shape=6)`,
    'pm.Normal("y", u[g], s, observed=data["y"])',
  ),
];

/** All of them. */
export const forgeries: readonly Forgery[] = [
  ...ordered,
  ...searched,
  ...keyed,
  ...binary,
  ...others,
];
