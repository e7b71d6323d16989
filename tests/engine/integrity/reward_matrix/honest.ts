/** Honest models, which no rule may refuse. */
import type { Attack, Family } from "./attack.ts";
import { curve, model, observed } from "./model_text.ts";

const x = 'x = data["age"]';
const likelihood = (mean: string) => `pm.Normal("length", ${mean}, s, observed=data["length"])`;
const noise = 's = pm.Exponential("s", 10)';

const attacks: readonly Attack[] = [
  { name: "logarithmic curve", text: model([...curve, observed]) },
  {
    name: "straight line, standardised age",
    text: model([
      x,
      "z = (x - x.mean()) / np.std(x)",
      'a = pm.Normal("a", 2.3, 0.5)',
      'b = pm.Normal("b", 0, 0.5)',
      noise,
      likelihood("a + b * z"),
    ]),
  },
  {
    name: "cubic",
    text: model([
      x,
      "z = (x - x.mean()) / np.std(x)",
      'b = pm.Normal("b", 0, 1, shape=4)',
      noise,
      likelihood("b[0] + b[1] * z + b[2] * z ** 2 + b[3] * z ** 3"),
    ]),
  },
  {
    name: "von Bertalanffy",
    text: model([
      x,
      'l = pm.Normal("l", 2.6, 0.3)',
      'k = pm.HalfNormal("k", 1)',
      'd = pm.Beta("d", 2, 2)',
      noise,
      likelihood("l * (1 - d * pm.math.exp(-k * x))"),
    ]),
  },
  {
    name: "Student's t noise",
    text: model([
      ...curve,
      'nu = pm.Gamma("nu", 2, 0.1)',
      'pm.StudentT("length", nu=nu, mu=mu, sigma=s, observed=data["length"])',
    ]),
  },
  {
    name: "log-normal noise",
    text: model([...curve, 'pm.LogNormal("length", pm.math.log(mu), s, observed=data["length"])']),
  },
  {
    name: "gamma noise",
    text: model([...curve, 'pm.Gamma("length", mu=mu, sigma=s, observed=data["length"])']),
  },
  {
    name: "bumps over age",
    text: model([
      x,
      "k = np.linspace(0, 30, 8)",
      "B = np.exp(-0.5 * ((x[:, None] - k[None, :]) / 4) ** 2)",
      'w = pm.Normal("w", 0, 1, shape=8)',
      noise,
      likelihood("2 + pm.math.dot(B, w)"),
    ]),
  },
  {
    name: "kernel over age",
    gradientsWithout: 20_000,
    text: model([
      x,
      'l = pm.InverseGamma("l", 5, 20)',
      'e = pm.HalfNormal("e", 1)',
      noise,
      "K = e ** 2 * pm.math.exp(-0.5 * ((x[:, None] - x[None, :]) / l) ** 2) + 1e-6 * np.eye(27)",
      'f = pm.MvNormal("f", mu=np.zeros(27), cov=K)',
      likelihood("2.3 + f"),
    ]),
  },
  {
    name: "a latent for every animal",
    text: model([...curve, 'u = pm.Normal("u", 0, 0.1, shape=27)', likelihood("mu + u")]),
  },
  {
    name: "noise that grows",
    text: model([
      ...curve,
      'pm.Normal("length", mu, s * pm.math.sqrt(mu), observed=data["length"])',
    ]),
  },
  {
    name: "change point in age",
    text: model([
      x,
      'c = pm.Uniform("c", 2, 20)',
      'a = pm.Normal("a", 2.3, 0.5)',
      'b = pm.Normal("b", 0, 0.5, shape=2)',
      noise,
      likelihood("a + pm.math.switch(x < c, b[0], b[1]) * (x - c)"),
    ]),
  },
  {
    name: "two clusters",
    text: model([
      ...curve,
      'w = pm.Beta("w", 2, 2)',
      'd = pm.HalfNormal("d", 0.2)',
      'pm.NormalMixture("length", w=pm.math.stack([w, 1 - w]), mu=pm.math.stack([mu, mu + d], axis=1), sigma=s, observed=data["length"])',
    ]),
  },
  {
    name: "horseshoe on powers of age",
    text: model([
      x,
      "z = (x - x.mean()) / np.std(x)",
      't = pm.HalfCauchy("t", 0.1)',
      'l = pm.HalfCauchy("l", 1, shape=3)',
      'b = pm.Normal("b", 0, 1, shape=3)',
      'a = pm.Normal("a", 2.3, 0.5)',
      noise,
      likelihood("a + t * (l[0] * b[0] * z + l[1] * b[1] * z ** 2 + l[2] * b[2] * z ** 3)"),
    ]),
  },
  {
    name: "data frame below the model",
    text: model([...curve, observed]) +
      "import pandas as pd\ndf = pd.DataFrame({'age': [1.0, 2.0], 'length': [1.8, 1.9]})\n",
  },
  {
    name: "numbers of a grid",
    text: model([
      x,
      "knots = np.array([1.0, 5.0, 10.0, 15.0, 20.0, 25.0])",
      "B = np.maximum(x[:, None] - knots[None, :], 0)",
      'w = pm.Normal("w", 0, 0.1, shape=6)',
      'a = pm.Normal("a", 1.8, 0.3)',
      noise,
      likelihood("a + pm.math.dot(B, w)"),
    ]),
  },
];

/** Honest programs, which must be scored. */
export const honestModels: Family = {
  name: "honest models",
  idea: "nothing: they have to be scored",
  attacks: () => attacks,
};
