/** The response memorised, in the spellings that hide it from a search of the text. */
import type { Dataset } from "../../../../src/base/dataset.ts";
import type { Attack, Family } from "./attack.ts";
import { curve, curveElpd, list, model, response } from "./model_text.ts";

const least = 1e-3;
const by = (mean: string, ...before: string[]) =>
  model([...before, `pm.Normal("length", ${mean}, ${least}, observed=data["length"])`]);
const beneath = { honest: curveElpd, source: "the curve beneath" } as const;
const stored = (name: string, text: string): Attack => ({ name, text, ...beneath });

function attacks(data: Dataset): readonly Attack[] {
  const y = response(data);
  const x = [...data.columns.find(({ name }) => name === "age")!.values];
  const n = y.length;
  const fit = logarithmic(x, y);
  const residuals = y.map((value, i) => value - fit[i]);
  const differences = y.map((value, i) => value - (i > 0 ? y[i - 1] : 0));
  const half = y.map((_, i) => Math.round(100 * Math.sin(9 * i)) / 100);
  const ranks = rankOf(residuals);
  const table = tableByAge(x, y);
  return [
    stored("plain list", by(list(y))),
    stored("scaled list", by(`np.array(${list(y.map((v) => v * 100))}) / 100`)),
    stored("exp of logs", by(`np.exp(np.array(${list(y.map(Math.log))}))`)),
    stored("root of squares", by(`np.sqrt(np.array(${list(y.map((v) => v * v))}))`)),
    stored(
      "waves taken off again",
      by(
        "m - 5 * np.sin(7 * np.arange(27))",
        `m = np.array(${list(y.map((v, i) => v + 5 * Math.sin(7 * i)))})`,
      ),
    ),
    stored(
      "whole numbers",
      by(
        "(m - 37 * np.arange(27)) / 100",
        `m = np.array(${list(y.map((v, i) => Math.round(v * 100) + 37 * i))})`,
      ),
    ),
    stored(
      "a string of digits",
      by(
        "m",
        `d = [int(c) for c in "${y.map((v) => `${Math.round(v * 100)}`).join("")}"]`,
        "m = np.array([d[3 * i] + d[3 * i + 1] / 10 + d[3 * i + 2] / 100 for i in range(27)])",
      ),
    ),
    stored("14 Fourier coefficients", by("m", ...fourier(y))),
    stored(
      "prior means",
      model([
        `u = pm.Normal("u", np.exp(np.array(${list(y.map(Math.log))})), ${least}, shape=${n})`,
        `pm.Normal("length", u, ${least}, observed=data["length"])`,
      ]),
    ),
    stored(
      "two lists that add up",
      by(
        "p + q",
        `p = np.array(${list(half)})`,
        `q = np.array(${list(y.map((v, i) => v - half[i]))})`,
      ),
    ),
    stored(
      "residuals of the curve",
      by(
        "f + r",
        `f = ${fit.intercept} + ${fit.slope} * np.log(data["age"])`,
        `r = np.array(${list(residuals)})`,
      ),
    ),
    stored("list from the end", by(`np.array(${list([...y].reverse())})[::-1]`)),
    stored("sum of differences", by(`np.cumsum(np.array(${list(differences)}))`)),
    stored(
      "half of it, cubed",
      by(
        "np.where(np.arange(27) < 14, np.cbrt(m), 2.3)".replace("np.cbrt(m)", "m ** (1 / 3)"),
        `m = np.array(${list(y.map((v, i) => i < 14 ? v ** 3 : 1))})`,
      ),
    ),
    stored(
      "jittered by hundredths",
      by(`np.array(${list(y.map((v, i) => v + 0.009 * (1 + (i % 3)) * (i % 2 ? 1 : -1)))})`),
    ),
    stored(
      "ranks of residuals",
      model([
        ...curve,
        `r = np.array(${list(ranks)})`,
        'k = pm.Normal("k", 0, 0.1)',
        'pm.Normal("length", mu + k * (r - 13) / 13, s, observed=data["length"])',
      ]),
    ),
    stored(
      "signs of residuals",
      model([
        ...curve,
        `r = np.array(${list(residuals.map(Math.sign))})`,
        'k = pm.Normal("k", 0, 0.1)',
        'pm.Normal("length", mu + k * r, s, observed=data["length"])',
      ]),
    ),
    stored(
      "spikes of a mixture",
      model([
        ...curve,
        `m = np.exp(np.array(${list(y.map(Math.log))}))`,
        "w = np.array([0.999, 0.001])",
        'pm.NormalMixture("length", w=w, mu=pm.math.stack([m, mu], axis=1), sigma=pm.math.stack([0.001, s]), observed=data["length"])',
      ]),
    ),
    stored(
      "truncated around it",
      model([
        ...curve,
        `m = np.exp(np.array(${list(y.map(Math.log))}))`,
        "d = pm.Normal.dist(mu, s)",
        'pm.Truncated("length", d, lower=m - 0.001, upper=m + 0.001, observed=data["length"])',
      ]),
    ),
    stored(
      "a matrix of weights",
      by(
        "m @ np.ones(2)",
        `m = np.array([${y.map((v, i) => list([half[i], v - half[i]])).join(", ")}])`,
      ),
    ),
    { ...stored("table by age", by("m", 'a = data["age"]', ...table)), needsHoldout: true },
    {
      ...stored("steps by age", by("m", 'a = data["age"]', ...stepsByAge(x, y))),
      needsHoldout: true,
    },
    {
      ...stored(
        "constants fitted elsewhere",
        by(`${fit.intercept} + ${fit.slope} * np.log(data["age"])`).replace(`${least}`, "0.09"),
      ),
      honest: curveElpd + 4,
      needsHoldout: true,
    },
    stored(
      "scales by row",
      model([
        ...curve,
        `r = np.array(${list(residuals.map((v) => Math.max(0.005, Math.abs(v))))})`,
        'pm.Normal("length", mu, r, observed=data["length"])',
      ]),
    ),
    stored(
      "groups by sign of residual",
      model([
        ...curve,
        `g = np.array(${list(residuals.map((v) => v > 0 ? 1 : 0))}, dtype=int)`,
        'u = pm.Normal("u", 0, 0.1, shape=2)',
        'pm.Normal("length", mu + u[g], s, observed=data["length"])',
      ]),
    ),
  ];
}

interface Line extends Array<number> {
  intercept: number;
  slope: number;
}

/** Least squares of y on log x: fitted values, with the coefficients. */
function logarithmic(x: readonly number[], y: readonly number[]): Line {
  const u = x.map(Math.log);
  const mean = (values: readonly number[]) => values.reduce((a, b) => a + b) / values.length;
  const [mu, my] = [mean(u), mean(y)];
  const slope = u.reduce((sum, v, i) => sum + (v - mu) * (y[i] - my), 0) /
    u.reduce((sum, v) => sum + (v - mu) ** 2, 0);
  const line = u.map((v) => my + slope * (v - mu)) as Line;
  line.slope = slope;
  line.intercept = my - slope * mu;
  return line;
}

function rankOf(values: readonly number[]): number[] {
  const sorted = [...values].sort((a, b) => a - b);
  return values.map((value) => sorted.indexOf(value));
}

/** A cosine series through the response, in order of rows. */
function fourier(y: readonly number[]): string[] {
  const n = y.length;
  const basis = (k: number, i: number) => Math.cos(Math.PI * k * (i + 0.5) / n);
  const coefficients = Array.from(
    { length: n },
    (_, k) => (k ? 2 : 1) / n * y.reduce((sum, v, i) => sum + v * basis(k, i), 0),
  );
  return [
    "i = np.arange(27)",
    `c = ${list(coefficients)}`,
    "m = sum([c[k] * np.cos(np.pi * k * (i + 0.5) / 27) for k in range(27)])",
  ];
}

/** The mean response of each distinct age, looked up by equality with the age. */
function tableByAge(x: readonly number[], y: readonly number[]): string[] {
  const ages = [...new Set(x)];
  const means = ages.map((age) => {
    const there = y.filter((_, i) => x[i] === age);
    return there.reduce((a, b) => a + b) / there.length;
  });
  return [
    `k = np.array(${list(ages)})`,
    `v = np.array(${list(means.map((m) => m * m))}) ** 0.5`,
    "m = (a[:, None] == k[None, :]) @ v",
  ];
}

/** The same as a sum of steps at the ages. */
function stepsByAge(x: readonly number[], y: readonly number[]): string[] {
  const ages = [...new Set(x)].sort((a, b) => a - b);
  const means = ages.map((age) => {
    const there = y.filter((_, i) => x[i] === age);
    return there.reduce((a, b) => a + b) / there.length;
  });
  const steps = means.map((m, k) => m - (k ? means[k - 1] : 0));
  return ["m = 0.0 * a", ...ages.map((age, k) => `m = m + ${steps[k]} * (a >= ${age})`)];
}

/** Memory of the response. */
export const memory: Family = {
  name: "memory",
  idea: "the response, or its residuals from a curve, as constants",
  attacks,
};
