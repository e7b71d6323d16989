/** Constructs of the language that come to the same model as their plain spelling. */
import assert from "node:assert/strict";
import { type Column, makeDataset } from "../../../src/base/dataset.ts";
import { renderDiagnostics } from "../../../src/base/diagnostic.ts";
import type { CheckedProgram } from "../../../src/engine/language/ir/program.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";

const columns: Column[] = [
  { name: "age", role: "predictor", type: "real", values: Float64Array.of(1, 2, 6, 4) },
  { name: "group", role: "group", type: "category", values: Float64Array.of(0, 1, 2, 1) },
  { name: "n", role: "trials", type: "count", values: Float64Array.of(5, 5, 8, 9) },
];
const real: Column = {
  name: "y",
  role: "response",
  type: "real",
  values: Float64Array.of(0.2, 0.4, 0.6, 0.1),
};
const counts: Column = { ...real, type: "count", values: Float64Array.of(2, 0, 3, 1) };
const table: Column = {
  ...counts,
  values: Float64Array.of(2, 1, 1, 3, 2, 2, 3, 1),
  shape: [4, 2],
};

function accept(text: string, response = real): CheckedProgram {
  const data = makeDataset("test", [...columns, response]);
  const result = checkProgram(text, data, undefined, { rows: "ordered" });
  if (result.ok) return result.program;
  assert.fail(renderDiagnostics(result.diagnostics, new Map([["program.py", text]])));
}

function inModel(lines: string, before = ""): string {
  const body = lines.split("\n").map((line) => `    ${line}`).join("\n");
  return `${before}\nwith pm.Model(coords={"g": ["a", "b", "c"]}) as model:\n${body}\n`;
}

function alike(name: string, ...spellings: readonly string[]): void {
  Deno.test(`${name}: ${spellings.length} spellings are one model`, () => {
    const hashes = spellings.map((text) => accept(text).hash);
    for (const [i, hash] of hashes.entries()) assert.equal(hash, hashes[0], spellings[i]);
  });
}

const end = 'pm.Normal("y", mu, 1, observed=data["y"])';
const vector = 'b = pm.Normal("b", 0, 1, shape=3)\n';

alike(
  "vectors",
  inModel(`${vector}mu = b[data["group"]]\n${end}`),
  inModel(`b = pm.Normal("b", 0, 1, dims="g")\nmu = b[data["group"].values]\n${end}`),
  inModel(`b = pm.Normal("b", 0, 1, size=(3,))\nmu = b[pm.Data("i", data["group"])]\n${end}`),
  inModel(
    `b = pm.Normal("b", 0, 1, dims=("g",))\ni = data["group"].astype(int)\nmu = b[i]\n${end}`,
  ),
  inModel(`b = pm.Normal("b", mu=0, sigma=1, shape=[3])\nmu = b[data["group"]]\n${end}`),
);

alike(
  "loops",
  inModel(`a = pm.Normal("a0", 0, 1)\nb = pm.Normal("a1", 0, 1)\nmu = a + b * data["age"]\n${end}`),
  inModel(
    `terms = []\nfor i in range(2):\n    terms.append(pm.Normal(f"a{i}", 0, 1))\n` +
      `mu = terms[0] + terms[1] * data["age"]\n${end}`,
  ),
  inModel(
    `t = [pm.Normal("a" + i, 0, 1) for i in "01"]\nmu = t[0] + t[1] * data["age"]\n${end}`,
  ),
  inModel(
    `names = ["a0", "a1"]\nt = {n: pm.Normal(n, 0, 1) for n in names}\n` +
      `mu = t["a0"]\nmu += t["a1"] * data["age"]\n${end}`,
  ),
  inModel(
    `a, b = (pm.Normal(f"a{i}", 0, 1) for i in range(2))\nmu = sum([a, b * data["age"]])\n${end}`,
  ),
  inModel(
    `for name, x in zip(["a0", "a1"], [1, data["age"]]):\n` +
      `    term = pm.Normal(name, 0, 1) * x\n` +
      `    mu = term if name == "a0" else mu + term\n${end}`,
  ),
);

alike(
  "helpers",
  inModel(`k = pm.HalfNormal("k", 1)\nmu = 2 * (1 - pm.math.exp(-k * data["age"]))\n${end}`),
  inModel(
    `k = pm.HalfNormal("k", 1)\nmu = curve(data["age"], k)\n${end}`,
    "def curve(x, k, top=2):\n    return top * (1 - pm.math.exp(-k * x))\n",
  ),
  inModel(
    `f = lambda x, k: 2 * (1 - np.exp(-k * x))\nmu = f(data["age"], pm.HalfNormal("k", 1))\n${end}`,
  ),
  inModel(
    `k = pm.HalfNormal("k", 1)\nmu = outer(k)(data["age"])\n${end}`,
    "def outer(k):\n    def inner(x: float) -> float:\n        '''Inner.'''\n" +
      "        return 2 * (1 - pm.math.exp(-k * x))\n    return inner\n",
  ),
  inModel(
    `args = {"x": data["age"], "k": pm.HalfNormal("k", 1)}\nmu = curve(**args)\n${end}`,
    "def curve(*, x, k, **rest):\n    if rest:\n        return 0\n    " +
      "return 2 * (1 - pm.math.exp(-k * x))\n",
  ),
  inModel(
    `k = pm.HalfNormal("k", 1)\nlink = pm.math.exp\nmu = 2 * (1 - link(-k * data["age"]))\n${end}`,
  ),
);

alike(
  "constants",
  inModel(`b = pm.Normal("b", 3.25, 1)\nmu = b * (data["age"] - 3.25)\n${end}`),
  inModel(`b = pm.Normal("b", 13 / 4, 1)\nmu = b * (data["age"] - np.mean(data["age"]))\n${end}`),
  inModel(`m = data["age"].mean()\nb = pm.Normal("b", m, 1.0)\nmu = b * (data["age"] - m)\n${end}`),
  inModel(
    `b = pm.Normal("b", np.average(data["age"]), 1)\nx = data["age"].values\nmu = b * (x - x.mean())\n${end}`,
  ),
  inModel(
    `b = pm.Normal("b", mu=3.25, tau=1)\nmu = b * np.array([-2.25, -1.25, 2.75, 0.75])\n${end}`,
  ),
  inModel(
    `b = pm.Normal("b", mu=3.25)\nmu = (data["age"] - sum(data["age"]) / len(data["y"])) * b\n${end}`,
  ),
);

alike(
  "products",
  inModel(
    `b = pm.Normal("b", 0, 1, shape=2)\nX = np.column_stack([np.ones(4), data["age"]])\nmu = X @ b\n${end}`,
  ),
  inModel(
    `b = pm.Normal("b", 0, 1, shape=2)\nX = np.stack([np.ones(4), data["age"]], axis=1)\nmu = pm.math.dot(X, b)\n${end}`,
  ),
  inModel(
    `b = pm.Normal("b", 0, 1, shape=2)\nX = np.array([np.ones(4), data["age"]]).T\nmu = pm.math.matmul(X, b)\n${end}`,
  ),
);

const mixed = 'w = pm.Dirichlet("w", a=np.ones(2))\nm = pm.Normal("m", [-1, 1], 1, shape=2)\n';
alike(
  "a discrete variable for each datum",
  inModel(
    `${mixed}parts = [pm.Normal.dist(m[k] + data["age"], 2) for k in range(2)]\n` +
      'pm.Mixture("y", w=w, comp_dists=parts, observed=data["y"])',
  ),
  inModel(
    `${mixed}z = pm.Categorical("z", p=w, shape=4)\n` +
      'pm.Normal("y", m[z] + data["age"], 2, observed=data["y"])',
  ),
  inModel(
    `${mixed}z = pm.Categorical("z", p=w, shape=len(data["y"]))\nmu = pm.math.switch(z, m[1], m[0])\n` +
      'pm.Normal("y", mu + data["age"], 2, observed=data["y"])',
  ),
);

alike(
  "a discrete variable that data share",
  inModel(
    's = pm.DiscreteUniform("s", 0, 4)\na = pm.Normal("a", 0, 1)\nb = pm.Normal("b", 0, 2)\n' +
      'pm.Normal("y", pm.math.switch(s >= data["age"], a, b), 2, observed=data["y"])',
  ),
  inModel(
    'late = pm.Normal("late", 0, 2)\nearly = pm.Normal("early", 0, 1)\n' +
      'change = pm.DiscreteUniform("change", lower=0, upper=2 * 2)\n' +
      'mu = pm.Deterministic("mu", pm.math.where(data["age"] <= change, early, late))\n' +
      'pm.Normal("y", mu, 2, observed=data["y"])',
  ),
);

alike(
  "the model and its imports",
  inModel(`mu = pm.Normal("m", 0, 1)\n${end}`),
  `from pymc import Model, Normal\nm = Model()\nwith m:\n    mu = Normal("m", 0, 1)\n    Normal("y", mu, 1, observed=data["y"])\n`,
  `import pymc\nimport numpy\nwith pymc.Model() as m:\n    mu = pymc.Normal("m", 0, 1)\nwith m:\n    pymc.Normal("y", mu, 1, observed=data["y"].to_numpy())\n`,
  `import pymc as pm\nimport pandas as pd\ndef gen_model(observed_data):\n    with pm.Model() as m:\n        mu = pm.Normal("m", 0, 1)\n        pm.Normal("y", mu, 1, observed=observed_data.y)\n    return m\nif __name__ == "__main__":\n    frame = pd.DataFrame({"y": [1, 2]})\n    model = gen_model(frame)\n    print(model)\n`,
  `def build(values):\n    with pm.Model() as m:\n        mu = pm.Normal("m", 0, 1)\n        pm.Normal("y", mu, 1, observed=values)\n        trace = pm.sample(tune=500, step=pm.NUTS())\n    return m, trace\nmodel, trace = build(data["y"])\n`,
);

Deno.test("coords and dims are reported, and no part of the hash", () => {
  const program = accept(inModel(
    'model.add_coord("row", range(4))\nb = pm.Normal("b", 0, 1, dims="g")\n' +
      'd = pm.Deterministic("d", b * 2, dims="g")\n' +
      'pm.Normal("y", d[data["group"]], 1, observed=data["y"], dims="row")',
  ));
  assert.deepEqual(program.coords, { g: ["a", "b", "c"], row: [0, 1, 2, 3] });
  assert.deepEqual(program.parameters[0].dims, ["g"]);
  assert.deepEqual(program.deterministics[0].dims, ["g"]);
});

Deno.test("mass functions score counts, codes and trials", () => {
  const distributions = [
    ['pm.Poisson("y", 3', "poisson"],
    ['pm.Binomial("y", n=data["n"], p=0.3', "binomial"],
    ['pm.NegativeBinomial("y", mu=3, alpha=2', "negative_binomial"],
    ['pm.Categorical("y", p=[0.1, 0.2, 0.3, 0.4]', "categorical"],
    ['pm.OrderedLogistic("y", eta=0, cutpoints=[-1, 0, 1], compute_p=False', "ordered_logistic"],
    ['pm.ZeroInflatedPoisson("y", 0.5, 3', "zero_inflated_poisson"],
    ['pm.HurdlePoisson("y", 0.5, 3', "hurdle_poisson"],
    ['pm.BetaBinomial("y", 1, 2, n=data["n"]', "beta_binomial"],
    ['pm.Censored("y", pm.Poisson.dist(3), lower=None, upper=8', "censored"],
  ];
  for (const [call, family] of distributions) {
    const program = accept(inModel(`${call}, observed=data["y"])`), counts);
    assert.equal(program.likelihood.distribution.family, family);
    assert.deepEqual(program.likelihood.distribution.shape, [4]);
  }
});

Deno.test("a table of counts is scored row by row", () => {
  const program = accept(
    inModel(
      'p = pm.Dirichlet("p", a=np.ones((4, 2)))\n' +
        'pm.Multinomial("y", n=np.array([3, 4, 4, 4]), p=p, observed=data["y"])',
    ),
    table,
  );
  assert.deepEqual(program.likelihood.distribution.shape, [4, 2]);
  assert.deepEqual(program.parameters[0].transform, { kind: "simplex" });
});

Deno.test("transforms are chained with the default, replaced, or left out", () => {
  const transformOf = (rest: string) =>
    accept(inModel(`a = pm.HalfNormal("a", 1, shape=2${rest})\nmu = a[0]\n${end}`)).parameters[0]
      .transform;
  const module = "pm.distributions.transforms";
  assert.deepEqual(transformOf(""), { kind: "log" });
  assert.deepEqual(transformOf(", default_transform=None"), { kind: "identity" });
  assert.deepEqual(transformOf(`, transform=${module}.ordered`), {
    kind: "chain",
    parts: [{ kind: "ordered" }, { kind: "log" }],
  });
  const interval = transformOf(`, default_transform=${module}.Interval(0, 5)`);
  assert.equal(interval.kind, "interval");
});

Deno.test("pandas divides by n - 1 in gen_model, NumPy by n", () => {
  const program = (value: string) =>
    accept(
      `def gen_model(d):\n    with pm.Model() as m:\n        a = pm.Normal("a", ${value}, 1)\n` +
        `        pm.Normal("y", a, 1, observed=d["y"])\n    return m\n`,
    ).hash;
  assert.equal(program('d["age"].std()'), program('np.std(d["age"], ddof=1)'));
  assert.equal(program('d["age"].values.std()'), program('np.std(d["age"])'));
  assert.notEqual(program('d["age"].std()'), program('np.std(d["age"])'));
});
