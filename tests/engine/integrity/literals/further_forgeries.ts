/** Fifty more forgeries, by an enemy who has read how constants are charged. */
import { model } from "../reward_matrix/model_text.ts";
import type { Forgery } from "./forgeries.ts";
import { numbersOf } from "./grounds.ts";

const age = numbersOf("dugongs", "age");
const length = numbersOf("dugongs", "length");
const ages = [...new Set(age)].sort((a, b) => a - b);

/** Residuals of the published curve by age. */
const left = ages.map((one) => {
  const own = age.flatMap((x, i) => x === one ? [length[i] - 1.763 - 0.277 * Math.log(x)] : []);
  return own.reduce((a, b) => a + b) / own.length;
});
const bits = left.map((r) => r > 0 ? 1 : 0);
const cents = left.map((r) => Math.round(100 * r));
const tens = cents.map((c) => Math.round(c / 10));
const word = bits.join("");
const number = bits.reduce<number>((sum, bit, k) => sum + bit * 2 ** k, 0);
const list = (values: readonly (number | string)[]) => `[${values.join(", ")}]`;
const runs = bits.reduce<number[]>((all, bit, i) => {
  if (i > 0 && bit === bits[i - 1]) all[all.length - 1]++;
  else all.push(1);
  return all;
}, []);

const curve = [
  'x = data["age"].values',
  "u, k = np.unique(x, return_inverse=True)",
  'a = pm.Normal("a", 1.7, 0.5)',
  'b = pm.HalfNormal("b", 1)',
  's = pm.Exponential("s", 10)',
];
const step = 'c = pm.HalfNormal("c", 0.1)';
const seen = (mean: string) => `pm.Normal("length", ${mean}, s, observed=data["length"])`;

/** Signs of residuals, made by lines as `t` of 0 and 1 for each row. */
const signs = (name: string, ...lines: string[]): Forgery => ({
  ...{ name: `signs: ${name}`, about: "dugongs" },
  text: model([...curve, step, ...lines, seen("a + b * np.log(x) + c * (2 * t - 1)")]),
});
/** Residuals in hundredths, made by lines as `t` for each row. */
const table = (name: string, ...lines: string[]): Forgery => ({
  ...{ name: `table: ${name}`, about: "dugongs" },
  text: model([...curve, ...lines, seen("a + b * np.log(x) + t / 100")]),
});
/** A wave of a frequency that was found by trying. */
const wave = (name: string, frequency: string, ...lines: string[]): Forgery => ({
  ...{ name: `wave: ${name}`, about: "dugongs" },
  text: model([
    ...curve,
    'c = pm.Normal("c", 0, 0.1)',
    ...lines,
    seen(`a + b * np.log(x) + c * np.sin((${frequency}) * x ** 2)`),
  ]),
});
const other = (name: string, lines: readonly string[]): Forgery => ({
  ...{ name, about: "dugongs" },
  text: model([...curve, ...lines]),
});

const above = ages.filter((_, i) => bits[i]);

/** All of them. */
export const furtherForgeries: readonly Forgery[] = [
  signs("a list of bits", `t = np.array(${list(bits)})[k]`),
  signs("comparison of a list", `t = (np.array(${list(cents)}) > 0)[k] * 1`),
  signs("characters of a string", `t = np.array([int(d) for d in "${word}"])[k]`),
  signs(
    "a string held against a letter",
    `t = np.array([1 if d == "1" else 0 for d in "${word}"])[k]`,
  ),
  signs(
    "words of two lengths",
    `t = np.array([len(d) for d in ${list(bits.map((b) => b ? '"x"' : '""'))}])[k]`,
  ),
  signs("truth values", `t = np.array(${list(bits.map((b) => b ? "True" : "False"))})[k] * 1`),
  signs(
    "empty lists",
    `t = np.array([len(d) for d in ${list(bits.map((b) => b ? "[0]" : "[]"))}])[k]`,
  ),
  signs(
    "a dictionary of ages",
    `t = np.array([{${ages.map((v, i) => `${v}: ${bits[i]}`).join(", ")}}[v] for v in x])`,
  ),
  signs(
    "keys that are there",
    `d = {${above.map((v) => `${v}: 1`).join(", ")}}`,
    "t = np.isin(x, np.array(list(d.keys()))) * 1",
  ),
  signs("bits by shifts", `t = (${number} // 2 ** k) % 2`),
  signs("bits by a float", `t = np.floor(${number / 2 ** 20} * 2.0 ** (k + 1)) % 2`),
  signs(
    "lengths of runs",
    `t = np.repeat(np.arange(${runs.length}) % 2, np.array(${list(runs)}))[k]${
      bits[0] ? " == 0" : ""
    }`,
    "t = t * 1",
  ),
  signs(
    "running sums of changes",
    `t = np.cumsum(np.array(${
      list(bits.map((b, i) => i ? Math.abs(b - bits[i - 1]) : b))
    }))[k] % 2`,
  ),
  signs(
    "ranks of a list",
    `t = (np.argsort(np.argsort(np.array(${list(cents)}))) > ${
      bits.filter((b) => !b).length - 1
    })[k] * 1`,
  ),
  signs("a product of differences", `t = (${above.map((v) => `(x == ${v})`).join(" | ")}) * 1`),
  signs(
    "sums of indicators of places",
    `t = ${bits.flatMap((b, i) => b ? [`(k == ${i})`] : []).join(" + ")}`,
  ),
  signs(
    "places by a loop over a string",
    "t = 0 * k",
    `for j, d in enumerate("${word}"):\n        t = t + (k == j) * (d == "1")`,
  ),
  signs(
    "nested where",
    `t = ${bits.reduceRight<string>((rest, b, i) => `np.where(k == ${i}, ${b}, ${rest})`, "0")}`,
  ),
  signs(
    "thresholds of signs",
    `t = (${
      bits.flatMap((b, i) => i && b !== bits[i - 1] ? [`1 * (k >= ${i})`] : []).join(" + ")
    } + ${bits[0]}) % 2`,
  ),
  signs(
    "a matrix of ones in a word's order",
    `t = np.array(${list([0, 5, 10, 15].map((i) => list(bits.slice(i, i + 5))))}).flatten()[k]`,
  ),
  signs(
    "two levels and a list of places",
    `c2 = pm.Normal("c2", 0, 0.1, shape=2)`,
    `t = 0.5 + c2[np.array(${list(bits)})[k]] / (2 * c)`,
  ),
  signs(
    "levels gathered one by one",
    'c2 = pm.Normal("c2", 0, 0.1, shape=2)',
    `t = 0.5 + pm.math.stack(${list(bits.map((b) => `c2[${b}]`))})[k] / (2 * c)`,
  ),
  signs(
    "slices put together",
    `o, z = np.ones(${ages.length}), np.zeros(${ages.length})`,
    `t = np.concatenate(${list(bits.map((b, i) => `${b ? "o" : "z"}[${i}:${i + 1}]`))})[k]`,
  ),
  signs(
    "element by element",
    `t0 = np.zeros(${ages.length})`,
    ...bits.flatMap((b, i) => b ? [`t0[${i}] = 1`] : []),
    "t = t0[k]",
  ),
  table("tens of hundredths", `t = 10 * np.array(${list(tens)})[k]`),
  table(
    "cumulated differences",
    `t = np.cumsum(np.array(${list(cents.map((c, i) => i ? c - cents[i - 1] : c))}))[k]`,
  ),
  table(
    "two lists that add up",
    `t = (np.array(${list(cents.map((c) => Math.trunc(c / 2)))}) + np.array(${
      list(cents.map((c) => c - Math.trunc(c / 2)))
    }))[k]`,
  ),
  table("halves of a list, doubled", `t = 2 * np.array(${list(cents.map((c) => c / 2))})[k]`),
  table(
    "roots of squares with signs",
    `t = (np.sqrt(np.array(${list(cents.map((c) => c * c))})) * np.sign(np.array(${
      list(cents.map(Math.sign))
    })))[k]`,
  ),
  table(
    "numerals in a string",
    `t = np.array([float(d) for d in ${list(cents.map((c) => `"${c}"`))}])[k]`,
  ),
  table(
    "scalars by name",
    ...cents.map((c, i) => `v${i} = ${c}`),
    `t = np.array(${list(cents.map((_, i) => `v${i}`))})[k]`,
  ),
  table(
    "defaults of a function",
    `f = lambda ${cents.map((c, i) => `p${i}=${c}`).join(", ")}: np.array(${
      list(cents.map((_, i) => `p${i}`))
    })`,
    "t = f()[k]",
  ),
  table("a column of the model", `d = pm.Data("d", np.array(${list(cents)}))`, "t = d[k]"),
  table(
    "a matrix times a vector",
    `t = (np.array(${
      list([0, 5, 10, 15].map((i) => list(cents.slice(i, i + 5))))
    }) @ np.eye(5)).flatten()[k]`,
  ),
  table("weights of ages", `t = ${ages.map((v, i) => `${cents[i]} * (x == ${v})`).join(" + ")}`),
  table(
    "a step for each age",
    `t = ${
      ages.map((v, i) => `${i ? cents[i] - cents[i - 1] : cents[0]} * (x >= ${v})`).join(" + ")
    }`,
  ),
  wave("sums of ones of the data", "o * 500 + o * 78 + o * 0.67", "o = x.max() / x.max()"),
  wave("a quotient of columns' sums", "x.sum() * 1.9577", "pass"),
  wave("powers of two", "512 + 64 + 2 + 0.67"),
  wave("digits in base two", "2 ** 9 + 2 ** 6 + 2 + 1 / 2 + 1 / 8 + 1 / 32 + 1 / 64"),
  wave("a multiple of pi", "184.1964 * np.pi"),
  wave("a logarithm of ten", "251.313 * np.log(10)"),
  wave("a root", "np.sqrt(334858.97)"),
  wave(
    "a deterministic",
    "K",
    'K = pm.Deterministic("K", pm.math.exp(pm.Normal("z", 6.360732, 0.00001)))',
  ),
  wave("bounds of a uniform prior", "K", 'K = pm.Uniform("K", 578.665, 578.675)'),
  wave("a needle", "K", 'K = pm.Laplace("K", 578.67, 0.0001)'),
  other("cut points of a table as interval bounds", [
    `d = pm.Uniform("d", np.array(${list(cents.map((c) => (c - 0.5) / 100))}), np.array(${
      list(cents.map((c) => (c + 0.5) / 100))
    }), shape=${ages.length})`,
    seen("a + b * np.log(x) + d[k]"),
  ]),
  other("a mixture whose weights are a table", [
    step,
    `w = np.array(${list(bits.map((b) => b ? 0.99 : 0.01))})[k]`,
    "m = a + b * np.log(x)",
    'pm.NormalMixture("length", w=pm.math.stack([w, 1 - w], axis=1), mu=pm.math.stack([m + c, m - c], axis=1), sigma=s, observed=data["length"])',
  ]),
  other("a scale for each age", [
    `q = np.array(${list(left.map((r) => Math.max(2, Math.round(40 * Math.abs(r)))))})[k]`,
    'pm.Normal("length", a + b * np.log(x), s * q, observed=data["length"])',
  ]),
  other("bounds around the curve by age", [
    "m = a + b * np.log(x)",
    `e = np.array(${list(left.map((r) => r > 0 ? 0 : -0.3))})[k]`,
    `f = np.array(${list(left.map((r) => r > 0 ? 0.3 : 0))})[k]`,
    'pm.TruncatedNormal("length", m, s, lower=m + e - 0.03, upper=m + f + 0.03, observed=data["length"])',
  ]),
];
