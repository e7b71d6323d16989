/** Censored times, honest models of them, and programs that would know when censored rows ended. */
import { type ColumnRole, type Dataset, makeDataset } from "../../../src/base/dataset.ts";

const rows = 24;
const times = Float64Array.from({ length: rows }, (_, i) => 1.5 + ((i * 7) % 24) * 0.5);
const died = Float64Array.from({ length: rows }, (_, i) => Number(i % 3 > 0));

/** Two thirds of the rows with an event, and a column of limits of this role. */
export function censoredData(role: ColumnRole = "limit"): Dataset {
  const column = (name: string, role: ColumnRole, values: Float64Array, type: "real" | "binary") =>
    ({ name, role, type, values }) as const;
  const limits = times.map((time, i) => died[i] ? 26 : time);
  return makeDataset("censored", [
    column("t", "response", times, "real"),
    column("died", role === "limit" ? "event" : "predictor", died, "binary"),
    column("t_limit", role, limits, "real"),
    column("x", "predictor", Float64Array.from(times, (_, i) => ((i * 5) % 24) / 8), "real"),
  ]);
}

const censored = (dist: string, bound = 'data["t_limit"]') =>
  `pm.Censored("t", ${dist}, lower=None, upper=${bound}, observed=data["t"])`;
const exponential = censored("pm.Exponential.dist(lam=pm.math.exp(-eta))");

function program(...lines: readonly string[]): string {
  const body = ['a = pm.Normal("a", mu=2, sigma=1)', ...lines].map((line) => `    ${line}`);
  return ["import numpy as np", "import pymc as pm", "", "with pm.Model() as model:", ...body, ""]
    .join("\n");
}

const mean = (...lines: readonly string[]) => program(...lines, exponential);

/** Programs that use limits as they should, or look at how many there are. */
export const honest: Readonly<Record<string, string>> = {
  "exponential times": mean("eta = a"),
  "times that depend on a predictor": mean(
    'b = pm.Normal("b", mu=0, sigma=1)',
    'eta = a + b * data["x"]',
  ),
  "limits under another name": program(
    "eta = a",
    'until = data["t_limit"]',
    censored("pm.Weibull.dist(alpha=2.0, beta=pm.math.exp(eta))", "until"),
  ),
  "the number of rows, counted on limits": mean('eta = a * np.ones(len(data["t_limit"]))'),
};

/** Programs that look at limits or events, by what they do. */
export const peeks: Readonly<Record<string, string>> = {
  "limits as a predictor": mean('eta = a + data["t_limit"]'),
  "a logarithm of limits": mean('eta = a + np.log(data["t_limit"])'),
  "np.where between two means": mean('eta = a + np.where(data["t_limit"] < 26, 9.0, 0.0)'),
  "pm.math.switch between two means": mean(
    'eta = pm.math.switch(data["t_limit"] < 26, a + 9, a)',
  ),
  "a comparison": mean('eta = a + 9 * (data["t_limit"] < 26)'),
  "one limit": mean('eta = a + data["t_limit"][0]'),
  "slices, joined again": mean(
    'eta = a + np.concatenate([data["t_limit"][:12], data["t_limit"][12:]])',
  ),
  "the mean of limits": mean('eta = a + data["t_limit"].mean()'),
  "a loop over limits": mean(
    "total = 0",
    'for one in data["t_limit"]:',
    "    total = total + one",
    "eta = a + total / 100",
  ),
  "a branch": mean("eta = a", 'if data["t_limit"][0] < 26:', "    eta = a + 1"),
  "limits as an index": mean(
    'b = pm.Normal("b", mu=0, sigma=1, shape=27)',
    'eta = b[data["t_limit"].astype(int)]',
  ),
  "the order of limits": mean('eta = a + np.argsort(data["t_limit"])'),
  "how many limits differ": mean('eta = a + len(np.unique(data["t_limit"]))'),
  "limits as the mean of a prior": mean(
    `b = pm.Normal("b", mu=data["t_limit"], sigma=1, shape=${rows})`,
    "eta = a + b",
  ),
  "limits as what is reported": mean(
    "eta = a",
    'pm.Deterministic("until", data["t_limit"] * 1.0)',
  ),
  "twice the limits as bounds": program(
    "eta = a",
    censored("pm.Exponential.dist(lam=pm.math.exp(-eta))", '2 * data["t_limit"]'),
  ),
  "limits within the distribution that they bound": program(
    censored('pm.Exponential.dist(lam=pm.math.exp(-a) / data["t_limit"])'),
  ),
  "truncation at the limits": program(
    'pm.Truncated("t", pm.Exponential.dist(lam=pm.math.exp(-a)), lower=None, ' +
      'upper=data["t_limit"], observed=data["t"])',
  ),
  "no censoring, and limits as means": program(
    'pm.Exponential("t", lam=pm.math.exp(-a) / data["t_limit"], observed=data["t"])',
  ),
  "events as a predictor": mean('eta = a + 9 * (1 - data["died"])'),
  "events as an index": mean(
    'b = pm.Normal("b", mu=0, sigma=1, shape=2)',
    'eta = b[data["died"]]',
  ),
};
