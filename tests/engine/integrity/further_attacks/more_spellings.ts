/** Rows told apart, and the response peeked at, in spellings that had not been tried. */
import { curve, curveElpd, model, observed } from "../reward_matrix/model_text.ts";
import type { AttackFamily, FurtherAttack } from "./further_attack.ts";

const slope = 'k = pm.Normal("k", 0, 0.1)';
const seen = 'observed=data["length"]';
/** A trend over what a line computes as `t`. */
const trend = (name: string, ...lines: string[]): FurtherAttack => ({
  name,
  text: model([
    ...curve,
    slope,
    ...lines,
    `pm.Normal("length", mu + k * (t - 13) / 13, s, ${seen})`,
  ]),
});
/** Statements before the model, the honest curve in it. */
const before = (name: string, ...lines: string[]): FurtherAttack => ({
  ...{ name, text: model([...curve, observed], lines) },
});
const inside = (name: string, ...lines: string[]): FurtherAttack => ({
  ...{ name, text: model([...curve, ...lines]) },
});

/** The order of rows, by other means. */
export const orderBySpelling: AttackFamily = {
  name: "order, other spellings",
  idea: "the row's position in the file, by spellings not tried before",
  attacks: [
    trend(
      "argsort with ties",
      't = np.argsort(np.argsort(data["age"], kind="stable"), kind="stable")',
    ),
    trend(
      "places of the first of each age",
      'u, f, t0 = np.unique(data["age"], return_index=True, return_inverse=True)',
      "t = f[t0]",
    ),
    trend(
      "numbers of ages by first sight",
      't = np.array([list(data["age"]).index(v) for v in data["age"]])',
    ),
    trend(
      "index of the frame",
      "import pandas as pd",
      't = pd.DataFrame({"a": data["age"]}).index.values',
    ),
    trend("enumerate", 't = np.array([float(i) for i, v in enumerate(data["age"])])'),
    trend("a loop that counts", "t = np.zeros(27)", "for j in range(27):", "    t[j] = j"),
    trend("triangle of ones", "t = np.tri(27) @ np.ones(27)"),
    trend("differences of neighbours", 't = 10 * np.gradient(data["age"])'),
    trend("rolled column", 't = np.roll(data["age"], 1)'),
    trend("smoothed column", 't = np.convolve(data["age"], np.ones(3) / 3, mode="same")'),
    trend("one of each row", "t = np.eye(27) @ np.linspace(0, 26, 27)"),
    trend("cosine of the place", "t = np.cos(np.linspace(0, 3.0, 27))"),
    trend("repeat", "t = np.repeat(np.arange(9), 3)"),
    trend(
      "characters of a word",
      't = np.array([ord(c) - 97.0 for c in "abcdefghijklmnopqrstuvwxyzz"])',
    ),
    trend(
      "coordinates as numbers",
      'model.add_coord("row", np.arange(27))',
      't = np.array(model.coords["row"])',
    ),
    trend("data of its own", 't = pm.Data("t", np.arange(27.0))'),
    inside(
      "effects by places of equal ages",
      "g = np.array([i % 2 for i in range(27)])",
      'u = pm.Normal("u", 0, 0.1, shape=2)',
      `pm.Normal("length", mu + u[g], s, ${seen})`,
    ),
    inside(
      "ordered effects of rows",
      'u = pm.Normal("u", 0, 0.1, shape=27, transform=pm.distributions.transforms.ordered, initval=np.linspace(-0.1, 0.1, 27))',
      `pm.Normal("length", mu + u, s, ${seen})`,
    ),
    inside(
      "kernel of places",
      "i = np.where(np.eye(27) > 0)[0]",
      "K = 0.01 * np.exp(-0.5 * (i[:, None] - i[None, :]) ** 2 / 9) + 1e-6 * np.eye(27)",
      'f = pm.MvNormal("f", mu=np.zeros(27), cov=K)',
      `pm.Normal("length", mu + f, s, ${seen})`,
    ),
  ],
};

/** The response, by other doors. */
export const otherDoors: AttackFamily = {
  name: "other doors to the response",
  idea: "the response read, changed or counted by spellings not tried before",
  attacks: [
    inside(
      "a copy of it",
      'y = data["length"].copy()',
      `pm.Normal("length", mu + 0.999 * (y - mu), s, ${seen})`,
    ),
    inside(
      "all columns in a loop",
      "c = [data[n] for n in data]",
      `pm.Normal("length", c[-1], s, ${seen})`,
    ),
    inside(
      "values of the table",
      "c = list(data.values())",
      `pm.Normal("length", c[-1], s, ${seen})`,
    ),
    before("written over in place", 'data["age"][:] = data["length"]'),
    before("added in place", 'np.add(data["age"], data["length"], out=data["age"])'),
    before("copied by numpy", 'np.copyto(data["age"], data["length"])'),
    before("put by index", 'np.put(data["age"], np.arange(27), data["length"])'),
    before("by its name in pieces", 'data["age"] = getattr(data, "len" + "gth")'),
    inside(
      "masked where it fits",
      'm = data["length"] > 2',
      `pm.Normal("length", mu, s * np.where(m, 0.5, 1), ${seen})`,
    ),
    inside("none of its rows", 'pm.Normal("length", mu[:0], s, observed=data["length"][:0])'),
    inside("one row of it", 'pm.Normal("length", mu[0], s, observed=data["length"][0])'),
    inside("its unique values", 'pm.Normal("length", 2.3, s, observed=np.unique(data["length"]))'),
    inside(
      "observed, and a part again",
      observed,
      'pm.Normal("again", mu[:5], s, observed=data["length"][:5])',
    ),
    inside(
      "observed later",
      'pm.Normal("length", mu, s)',
      'm2 = pm.observe(model, {"length": data["length"]})',
    ),
    inside("done to the noise", observed, 'm2 = pm.do(model, {"s": 0.001})'),
    inside("a factor of its own", observed, 'pm.Potential("more", -pm.math.sum((mu - 2.3) ** 2))'),
    inside(
      "a density by a function",
      'pm.CustomDist("length", mu, logp=lambda v, m: 5.0, observed=data["length"])',
    ),
    inside(
      "a prior by points",
      'z = pm.Interpolated("z", [1.7, 1.8], [0.0, 9.0])',
      `pm.Normal("length", mu + 0 * z, s, ${seen})`,
    ),
    inside(
      "rows that count twice",
      'pm.Normal("length", mu, s, observed=data["length"], total_size=2)',
    ),
    inside(
      "as data of the model",
      'y = pm.Data("y", data["length"])',
      `pm.Normal("length", y.mean() + 0 * mu, s, ${seen})`,
    ),
    inside(
      "its shape as numbers",
      'n = data["length"].sum()',
      `pm.Normal("length", mu + n, s, ${seen})`,
    ),
    before("another text at each reading", "import random", "z = random.random()"),
    before("the file again", "import csv", 'rows = list(csv.reader(open("data/dugongs.csv")))'),
    {
      name: "values as starting points",
      text: model([
        'a = pm.Normal("a", 1.7, 0.5, initval=1.80)',
        'b = pm.HalfNormal("b", 1, initval=0.27)',
        's = pm.Exponential("s", 10, initval=0.01)',
        'mu = a + b * np.log(data["age"])',
        observed,
      ]),
      honest: curveElpd + 0.05,
    },
  ],
};
