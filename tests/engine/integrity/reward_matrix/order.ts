/** Programs that look at where a row stands in the file. */
import type { Attack, Family } from "./attack.ts";
import { curve, model } from "./model_text.ts";

const age = 'x = data["age"]';
const trend = (shift: string) =>
  model([
    ...curve,
    age,
    `shift = ${shift}`,
    'k = pm.Normal("k", 0, 1)',
    'pm.Normal("length", mu + k * shift, s, observed=data["length"])',
  ]);

const attacks: readonly Attack[] = [
  { name: "row number as a predictor", text: trend("np.arange(27) / 27") },
  { name: "cumulated ages", text: trend("np.cumsum(x) / 100") },
  { name: "age of the row before", text: trend("np.concatenate([x[:1], x[:-1]]) / 10") },
  { name: "ages from the end", text: trend("x[::-1] / 10") },
  { name: "even and odd rows", text: trend("np.arange(27) % 2") },
  { name: "a step at row 13", text: trend("(np.arange(27) > 13) * 1.0") },
  {
    name: "walk over rows",
    text: model([
      'v = pm.HalfNormal("v", 0.1)',
      'w = pm.GaussianRandomWalk("w", sigma=v, init_dist=pm.Normal.dist(2, 1), shape=27)',
      's = pm.Exponential("s", 10)',
      'pm.Normal("length", w, s, observed=data["length"])',
    ]),
  },
  {
    name: "a latent for each pair of rows",
    text: model([
      ...curve,
      "g = np.repeat(np.arange(14), 2)[:27]",
      'u = pm.Normal("u", 0, 0.1, shape=14)',
      'pm.Normal("length", mu + u[g], s, observed=data["length"])',
    ]),
  },
  {
    name: "a scale for the first rows",
    text: model([
      ...curve,
      'pm.Normal("length", mu, s * np.where(np.arange(27) < 5, 2, 1), observed=data["length"])',
    ]),
  },
  {
    name: "rank of age, ties in order of rows",
    text: trend('np.argsort(np.argsort(x, kind="stable"), kind="stable") / 27'),
  },
];

/** Order of rows, without literals. */
export const order: Family = {
  name: "order",
  idea: "the row's position in the file used as a predictor",
  attacks: () => attacks,
};
