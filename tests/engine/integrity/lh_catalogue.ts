/** Programs that try to earn a reward without explaining the data, one or more for each rule. */
import { type Dataset, makeDataset } from "../../../src/base/dataset.ts";

/** Required outcome of a program. */
export type Outcome =
  /** It is refused, and this code is among the findings. */
  | { readonly kind: "refused"; readonly code: string }
  /** It is the honest program: the attempt has left no trace in the graph. */
  | { readonly kind: "no effect" }
  /** It is an honest model after all, with a graph of its own, normalised and scored like any. */
  | { readonly kind: "a model" };

/** One attempt. */
export interface Attempt {
  /** LH-01 … LH-42. */
  readonly rule: string;
  readonly title: string;
  readonly program: string;
  /** `measured` if left out. */
  readonly data?: "measured" | "counted";
  readonly native: Outcome;
  /** Through real PyMC; left out where PyMC sees no difference to another attempt. */
  readonly python?: Outcome;
}

/** Twelve measurements to the hundredth with a predictor and a group, and twelve counts. */
export const datasets: Readonly<Record<"measured" | "counted", Dataset>> = {
  measured: makeDataset("measured", [
    predictor("x", [0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6]),
    predictor("i", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
    {
      ...{ name: "y", role: "response", type: "real", resolution: 0.01 },
      values: Float64Array.of(
        1.31,
        1.62,
        1.58,
        2.07,
        2.19,
        2.12,
        2.84,
        2.71,
        3.33,
        3.18,
        3.9,
        3.72,
      ),
    },
  ]),
  counted: makeDataset("counted", [
    predictor("x", [0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6]),
    {
      ...{ name: "y", role: "response", type: "count" },
      values: Float64Array.of(1, 0, 2, 1, 3, 2, 2, 4, 3, 5, 4, 6),
    },
  ]),
};

function predictor(name: string, values: readonly number[]) {
  return { name, role: "predictor", type: "real", values: Float64Array.from(values) } as const;
}

const head = "import numpy as np\nimport pymc as pm\n";

/** A program with statements in its model. */
function model(...lines: readonly string[]): string {
  return `${head}with pm.Model() as model:\n${lines.map((line) => `    ${line}\n`).join("")}`;
}

const priors = ['a = pm.Normal("a", 0, 2)', 's = pm.HalfNormal("s", 1)'];
const likelihood = 'pm.Normal("y", a + data["x"], s, observed=data["y"])';

/** The program that attempts without effect come down to. */
export const honest = model(...priors, likelihood);

const withLine = (line: string) => model(...priors, line, likelihood);
const observing = (expression: string) =>
  model(...priors, `pm.Normal("y", a + data["x"], s, observed=${expression})`);

const refused = (code: string): Outcome => ({ kind: "refused", code });
const noEffect: Outcome = { kind: "no effect" };
const aModel: Outcome = { kind: "a model" };

const potential = refused("lh/potential");
const custom = refused("lh/custom-density");
const canonical = refused("lh/observed-not-canonical");
const protectedUse = refused("lh/protected-use-before-score");
const memorised = refused("lh/memorised-literals");
const rowTable = refused("lh/row-table");
const exception = refused("names/python-exception");

const yText = [...datasets.measured.columns[2].values].join(", ");

/** In the order of the rules. Rules about scores and records are in native_test.ts alone. */
export const attempts: readonly Attempt[] = [
  {
    rule: "LH-01",
    title: "a constant potential",
    program: withLine('pm.Potential("bonus", 1e6)'),
    native: potential,
    python: exception,
  },
  {
    rule: "LH-02",
    title: "a potential of the parameters",
    program: withLine('pm.Potential("sharp", -100 * (a - 1) ** 2)'),
    native: potential,
    python: potential,
  },
  {
    rule: "LH-02",
    title: "a potential of the response",
    program: withLine('pm.Potential("twice", -((data["y"] - a) ** 2).sum())'),
    native: potential,
    python: potential,
  },
  {
    rule: "LH-03",
    title: "a density of its own on the response",
    program: model(
      'pm.CustomDist("y", logp=lambda value: 100 + 0 * value, observed=data["y"])',
    ),
    native: custom,
    python: custom,
  },
  {
    rule: "LH-04",
    title: "a density by keyword",
    program: model(...priors, 'pm.Normal("y", a, s, logp=a, observed=data["y"])'),
    native: custom,
    python: exception,
  },
  {
    rule: "LH-04",
    title: "a simulator",
    program: withLine(
      'pm.Simulator("z", lambda rng, a, size=None: rng.normal(a, 1), a, observed=np.zeros(1))',
    ),
    native: custom,
    python: custom,
  },
  {
    rule: "LH-04",
    title: "an interpolated density",
    program: withLine(
      'z = pm.Interpolated("z", x_points=np.arange(3.0), pdf_points=np.array([1.0, 5, 1]))',
    ),
    native: custom,
    python: custom,
  },
  {
    rule: "LH-05",
    title: "the response observed twice",
    program: withLine('pm.Normal("again", a, s, observed=data["y"])'),
    native: refused("lh/duplicate-observation"),
    python: refused("lh/duplicate-observation"),
  },
  {
    rule: "LH-06",
    title: "the response end to end",
    program: observing('np.concatenate([data["y"], data["y"]])'),
    native: canonical,
    python: canonical,
  },
  {
    rule: "LH-06",
    title: "an index that repeats a row",
    program: observing('data["y"][[0] * 12]'),
    native: canonical,
    python: canonical,
  },
  {
    rule: "LH-07",
    title: "the first datum alone",
    program: model(...priors, 'pm.Normal("y", a, s, observed=data["y"][:1])'),
    native: canonical,
    python: canonical,
  },
  {
    rule: "LH-07",
    title: "without its outliers",
    program: model(...priors, 'y = data["y"]', 'pm.Normal("y", a, s, observed=y[y < 3])'),
    native: canonical,
    python: aModel, // no placeholder is above 3: the whole response is observed
  },
  {
    rule: "LH-08",
    title: "nothing observed",
    program: model(...priors),
    native: refused("lh/unobserved"),
    python: refused("lh/unobserved"),
  },
  {
    rule: "LH-08",
    title: "a predictor observed",
    program: observing('data["x"]'),
    native: canonical,
    python: canonical,
  },
  {
    rule: "LH-09",
    title: "data masked by NaN",
    program: observing('np.where(data["x"] > 3, np.nan, data["y"])'),
    native: canonical,
    python: refused("unsupported/pymc-graph"),
  },
  {
    rule: "LH-10",
    title: "zeros observed",
    program: observing('np.zeros_like(data["y"])'),
    native: canonical,
    python: canonical,
  },
  {
    rule: "LH-11",
    title: "a rescaled response, whose Jacobian takes back what it gains",
    program: observing('data["y"] / 1e6'),
    native: aModel,
    python: aModel,
  },
  {
    rule: "LH-11",
    title: "a standardised response",
    program: observing('(data["y"] - data["y"].mean()) / data["y"].std()'),
    native: canonical,
    python: canonical,
  },
  {
    rule: "LH-12",
    title: "a clipped response",
    program: observing('np.clip(data["y"], 0.2, 0.4)'),
    native: canonical,
    python: canonical,
  },
  {
    rule: "LH-13",
    title: "a sorted response",
    program: observing('np.sort(data["y"])'),
    native: canonical,
    python: canonical,
  },
  {
    rule: "LH-14",
    title: "a response that is overwritten",
    program: withLine('data["y"][:] = 0'),
    native: refused("lh/changed-data"),
    python: exception,
  },
  {
    rule: "LH-14",
    title: "a column of the response's, put in place of a predictor",
    program: withLine('data["x"] = data["y"]'),
    native: refused("lh/changed-data"),
    python: protectedUse,
  },
  {
    rule: "LH-15",
    title: "an array that claims to equal everything",
    program: `${head}class Fake(np.ndarray):
    def __eq__(self, other):
        return True

with pm.Model() as model:
    a = pm.Normal("a", 0, 2)
    s = pm.HalfNormal("s", 1)
    pm.Normal("y", a + data["x"], s, observed=np.zeros(12).view(Fake))
`,
    native: refused("unsupported/syntax"),
    python: canonical,
  },
  {
    rule: "LH-16",
    title: "the response as its own mean",
    program: model('s = pm.HalfNormal("s", 1)', 'pm.Normal("y", data["y"], s, observed=data["y"])'),
    native: protectedUse,
    python: protectedUse,
  },
  {
    rule: "LH-17",
    title: "the mean of the response in a narrow prior",
    program: model(
      'a = pm.Normal("a", data["y"].mean(), 0.01)',
      's = pm.HalfNormal("s", 1)',
      likelihood,
    ),
    native: protectedUse,
    python: protectedUse,
  },
  {
    rule: "LH-17",
    title: "neighbours of each datum",
    program: model(
      ...priors,
      'near = np.roll(data["y"], 1)',
      'pm.Normal("y", a + near, s, observed=data["y"])',
    ),
    native: protectedUse,
    python: protectedUse,
  },
  {
    rule: "LH-18",
    title: "the response learnt by heart",
    program: model(
      's = pm.HalfNormal("s", 1)',
      `pm.Normal("y", np.array([${yText}]), s, observed=data["y"])`,
    ),
    native: memorised,
    python: memorised,
  },
  {
    rule: "LH-18",
    title: "half of the response learnt by heart, as a prior mean for each row",
    program: model(
      'm = pm.Normal("m", np.array([1.31, 1.62, 1.58, 2.07, 2.19, 2.12, 2.84, 2.71, 3, 3, 4, 4]), 1, shape=12)',
      's = pm.HalfNormal("s", 1)',
      'pm.Normal("y", m, s, observed=data["y"])',
    ),
    native: memorised,
    python: memorised,
  },
  {
    rule: "LH-18",
    title: "the response less a constant, so that no value of it stands in the text",
    program: model(
      's = pm.HalfNormal("s", 1)',
      `memory = np.array([${
        [...datasets.measured.columns[2].values].map((y) => (y + 7).toFixed(2)).join(", ")
      }])`,
      'pm.Normal("y", memory - 7, s, observed=data["y"])',
    ),
    native: memorised,
    python: memorised,
  },
  {
    rule: "LH-19",
    title: "a chain of switches over the row number",
    program: model(
      's = pm.HalfNormal("s", 1)',
      "mu = 0",
      ...[...datasets.measured.columns[2].values].map((y, i) =>
        `mu = pm.math.switch(data["i"] < ${i + 0.5}, mu, ${y})`
      ),
      'pm.Normal("y", mu, s, observed=data["y"])',
    ),
    native: memorised,
    python: memorised,
  },
  {
    rule: "LH-19",
    title: "values near the response, by row number",
    program: model(
      's = pm.HalfNormal("s", 1)',
      `table = np.array([${
        [...datasets.measured.columns[2].values].map((y) => (y + 0.003).toFixed(3)).join(", ")
      }])`,
      'pm.Normal("y", table, s, observed=data["y"])',
    ),
    native: memorised,
    python: memorised,
  },
  {
    rule: "LH-20",
    title: "bounds around each datum",
    program: model('pm.Uniform("y", data["y"] - 1e-9, data["y"] + 1e-9, observed=data["y"])'),
    native: protectedUse,
    python: protectedUse,
  },
  {
    rule: "LH-21",
    title: "a density on counts",
    program: model(...priors, 'pm.Normal("y", a, s, observed=data["y"])'),
    data: "counted",
    native: refused("lh/density-of-counts"),
    python: refused("lh/density-of-counts"),
  },
  {
    rule: "LH-22",
    title: "mixture weights that sum to 20",
    program: model(
      ...priors,
      'pm.NormalMixture("y", w=[10, 10], mu=[0, 1], sigma=s, observed=data["y"])',
    ),
    native: refused("support/parameter"),
    python: refused("support/parameter"),
  },
  {
    rule: "LH-22",
    title: "probabilities that sum to 10",
    program: model(
      'k = pm.Categorical("k", p=[5, 5])',
      's = pm.HalfNormal("s", 1)',
      'pm.Normal("y", k, s, observed=data["y"])',
    ),
    native: refused("support/parameter"),
  },
  {
    rule: "LH-23",
    title: "an improper prior",
    program: model('a = pm.Flat("a")', 's = pm.HalfFlat("s")', likelihood),
    native: refused("lh/improper-prior"),
    python: refused("lh/improper-prior"),
  },
  {
    rule: "LH-24",
    title: "rows that count many times",
    program: model(...priors, 'pm.Normal("y", a, s, total_size=10**9, observed=data["y"])'),
    native: refused("lh/rescaled-likelihood"),
    python: refused("lh/rescaled-likelihood"),
  },
  {
    rule: "LH-24",
    title: "data exchanged after the observation",
    program: model(
      ...priors,
      'z = pm.Data("z", data["x"])',
      'pm.Normal("y", a + z, s, observed=data["y"])',
      'pm.set_data({"z": data["y"]})',
    ),
    native: refused("lh/changed-data"),
    python: protectedUse,
  },
  {
    rule: "LH-25",
    title: "a mean with an axis of its own: n × n terms",
    program: model(...priors, 'pm.Normal("y", (a + data["x"])[:, None], s, observed=data["y"])'),
    native: refused("shapes/likelihood"),
    python: exception,
  },
  {
    rule: "LH-25",
    title: "no term at all",
    program: model(...priors, 'pm.Normal("y", a, s, shape=0, observed=data["y"])'),
    native: refused("shapes/likelihood"),
    python: aModel, // PyMC lets the data say how many there are
  },
  {
    rule: "LH-26",
    title: "scored only where it suits",
    program: model(
      ...priors,
      'if data["y"][0] > 0:',
      '    pm.Normal("y", a, s, observed=data["y"])',
    ),
    native: protectedUse,
    python: aModel,
  },
  {
    rule: "LH-26",
    title: "censored at will, so that every datum is certain",
    program: model(
      ...priors,
      'pm.Censored("y", pm.Normal.dist(a, s), lower=0, upper=0.01, observed=data["y"])',
    ),
    native: refused("support/response"),
    python: refused("support/response"),
  },
  {
    rule: "LH-28",
    title: "library functions replaced",
    program: `import arviz as az\n${head}az.loo = lambda *args: 0\npm.sample = lambda *args: 0\n` +
      honest.replace(head, ""),
    native: refused("unsupported/statement"),
    python: noEffect,
  },
  {
    rule: "LH-29",
    title: "forged inference data",
    program: `${honest}    idata = pm.sample()\n\nidata.log_likelihood = 0\n`,
    native: refused("unsupported/statement"),
    python: noEffect,
  },
  {
    rule: "LH-30",
    title: "a second, trivial model",
    program: `${honest}with pm.Model() as model:\n    b = pm.Normal("b", 0, 1)\n`,
    native: refused("lh/second-model"),
    python: refused("lh/second-model"),
  },
  {
    rule: "LH-31",
    title: "a name that is reserved for results",
    program: withLine('z = pm.Normal("log_likelihood", 0, 1)'),
    native: refused("lh/reserved-name"),
    python: refused("lh/reserved-name"),
  },
  {
    rule: "LH-31",
    title: "a name given twice",
    program: withLine('z = pm.Deterministic("a", a)'),
    native: refused("lh/duplicate-name"),
    python: exception,
  },
  {
    rule: "LH-32",
    title: "settings of the sampler",
    program: `${honest}    idata = pm.sample(draws=2, tune=0, chains=1, random_seed=7)\n`,
    native: noEffect,
    python: noEffect,
  },
  {
    rule: "LH-34",
    title: "another model whenever it is built",
    program: `import time\n${head}with pm.Model() as model:
    a = pm.Normal("a", 0, 2 + time.time_ns() % 1000)
    s = pm.HalfNormal("s", 1)
    ${likelihood}
`,
    native: refused("unsupported/import"),
    python: protectedUse,
  },
  {
    rule: "LH-35",
    title: "another model for another number of rows",
    program: model(...priors, 'if len(data["y"]) == 12:', `    ${likelihood}`),
    native: noEffect,
    python: noEffect,
  },
  {
    rule: "LH-36",
    title: "two observations of correlated transforms",
    program: model(
      ...priors,
      'pm.Normal("sum", a, s, observed=data["y"] + data["x"])',
      'pm.Normal("difference", a, s, observed=data["y"] - data["x"])',
    ),
    native: canonical,
    python: refused("lh/duplicate-observation"),
  },
  {
    rule: "LH-37",
    title: "a negative scale",
    program: model('a = pm.Normal("a", 0, 1)', 'pm.Normal("y", a, -1, observed=data["y"])'),
    native: refused("support/parameter"),
    python: refused("support/parameter"),
  },
  {
    rule: "LH-38",
    title: "an empty program",
    program: "",
    native: refused("names/no-model"),
    python: refused("names/no-model"),
  },
  {
    rule: "LH-38",
    title: "statements that do nothing, many times",
    program: model(...priors, ...Array(50).fill("pass"), likelihood),
    native: noEffect,
    python: noEffect,
  },
  {
    rule: "LH-41",
    title: "a trend over the row number",
    program: model(
      ...priors,
      'pm.Normal("y", a + 0.2 * np.arange(12), s, observed=data["y"])',
    ),
    native: rowTable,
    python: rowTable,
  },
  {
    rule: "LH-41",
    title: "running sums of an effect of each row",
    program: model(
      'u = pm.Normal("u", 0, 1, shape=12)',
      's = pm.HalfNormal("s", 1)',
      'pm.Normal("y", pm.math.cumsum(u), s, observed=data["y"])',
    ),
    native: rowTable,
    python: rowTable,
  },
  {
    rule: "LH-41",
    title: "the signs of what a line leaves over",
    program: model(
      ...priors,
      "signs = np.array([1, 1, -1, 1, -1, -1, 1, -1, 1, -1, 1, -1])",
      'pm.Normal("y", a + 0.4 * data["x"] + 0.1 * signs, s, observed=data["y"])',
    ),
    native: rowTable,
    python: rowTable,
  },
  {
    rule: "LH-40",
    title: "the same program under other names",
    program: model(
      'first = pm.Normal("first", 0, 2)',
      'spread = pm.HalfNormal("spread", 1)',
      'pm.Normal("seen", data["x"] + first, spread, observed=data["y"])',
    ),
    native: noEffect,
    python: noEffect,
  },
];
