/** Fields with a value for every row: rows pull so much that smoothed importance ratios fail. */
import type { Attack, Family } from "./attack.ts";
import { model } from "./model_text.ts";

const index = "i = np.arange(27)";
const squared = "K = np.exp(-0.5 * (i[:, None] - i[None, :]) ** 2)";
const weights = 'w = pm.Normal("w", 0, 10, shape=27)';
const noisy = (mean: string, sigma: number | string) =>
  `pm.Normal("length", ${mean}, ${sigma}, observed=data["length"])`;

/** Exact values: rows left out of the closed form, by NumPy 2.4.6 (Sundararajan and Keerthi 2001). */
const attacks: readonly Attack[] = [
  {
    name: "random walk, noise 0.001",
    text: model(['u = pm.Normal("u", 0, 10, shape=27)', noisy("pm.math.cumsum(u)", 0.001)]),
    ...{ honest: -77.98, source: "closed form" },
  },
  {
    name: "bumps over the row number, noise 0.001",
    text: model([weights, index, squared, noisy("pm.math.dot(K, w)", 0.001)]),
    ...{ honest: -31.02, source: "closed form" },
  },
  {
    name: "hyperbolic kernel over the row number",
    text: model([
      weights,
      index,
      "K = 1 / (1 + np.abs(i[:, None] - i[None, :]))",
      noisy("pm.math.dot(K, w)", 0.001),
    ]),
    ...{ honest: -71.51, source: "closed form" },
  },
  {
    name: "MvNormal over the row number",
    text: model([
      index,
      squared.replace("0.5", "0.5"),
      "C = K + 1e-6 * np.eye(27)",
      'z = pm.MvNormal("z", mu=np.zeros(27), cov=C)',
      noisy("z", 0.001),
    ]),
    ...{ honest: -9.14, source: "closed form" },
  },
  {
    name: "bumps, noise 0.0001",
    text: model([weights, index, squared, noisy("pm.math.dot(K, w)", 0.0001)]),
    ...{ honest: -31.02, source: "closed form" },
  },
  {
    name: "exponential of a walk of Student's t",
    text: model([
      'u = pm.StudentT("u", nu=3, mu=0, sigma=0.3, shape=27)',
      noisy("pm.math.exp(pm.math.cumsum(u))", 0.001),
    ]),
  },
  {
    name: "bumps with weights of Student's t",
    text: model([
      'w = pm.StudentT("w", nu=3, mu=0, sigma=1, shape=27)',
      index,
      squared,
      noisy("pm.math.dot(K, w)", 0.001),
    ]),
  },
  {
    name: "a latent for every row",
    text: model([
      'u = pm.Normal("u", 2.3, 0.5, shape=27)',
      noisy("u", 0.001),
    ]),
    ...{ honest: -10.08, source: "closed form" },
  },
  {
    name: "a scale for every row",
    text: model([
      'a = pm.Normal("a", 2.3, 0.5)',
      't = pm.HalfNormal("t", 1, shape=27)',
      noisy("a", "t"),
    ]),
  },
  {
    name: "a bump over age, noise 0.001",
    text: model([
      weights,
      'x = data["age"]',
      "K = np.exp(-0.5 * (x[:, None] - x[None, :]) ** 2)",
      noisy("pm.math.dot(K, w)", 0.001),
    ]),
    ...{ honest: -25305.2, source: "closed form" },
  },
];

/** Fields; none of them looks at the response. */
export const fields: Family = {
  name: "fields",
  idea: "a latent field that each row pulls to itself",
  attacks: () => [...attacks, ...attacks.map(inOrder)],
};

/** The same where the target says that rows have an order. */
function inOrder(attack: Attack): Attack {
  return { ...attack, name: `${attack.name}, rows ordered`, rows: "ordered" };
}
