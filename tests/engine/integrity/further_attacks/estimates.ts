/** Posteriors that are hard to leave rows out of: latents of single rows, needles, far modes, flat priors. */
import { curveElpd, model } from "../reward_matrix/model_text.ts";
import type { AttackFamily, FurtherAttack } from "./further_attack.ts";

const seen = 'observed=data["length"]';
const about = (mean: string, noise: number | string = 0.001) =>
  `pm.Normal("length", ${mean}, ${noise}, ${seen})`;
const hard = (name: string, honest: number | undefined, ...lines: string[]): FurtherAttack => ({
  ...{ name, text: model(lines), honest },
});
const line = 'mu = a + b * np.log(data["age"])';
const curveOf = (a: string, b: string, s: string) => [
  `a = ${a}`,
  `b = ${b}`,
  `s = ${s}`,
  line,
  about("mu", "s"),
];
const flat = curveElpd + 0.1;

/**
 * Exact values: where each row has latents of its own and nothing is shared, the left-out density is the prior
 * predictive one, in closed form or by SciPy 1.17's quadrature; shared scales by quadrature on a grid of 401 × 400.
 */
export const estimates: AttackFamily = {
  name: "estimates",
  idea: "posteriors whose importance ratios could look better than they are",
  attacks: [
    hard(
      "a product of two latents for each row",
      -100.41,
      'u = pm.Normal("u", 0, 1, shape=27)',
      'v = pm.Normal("v", 0, 1, shape=27)',
      about("u * v"),
    ),
    hard(
      "a product of three latents for each row",
      -20.95,
      'u = pm.LogNormal("u", 0.3, 0.2, shape=27)',
      'v = pm.LogNormal("v", 0.3, 0.2, shape=27)',
      'w = pm.LogNormal("w", 0.3, 0.2, shape=27)',
      about("u * v * w"),
    ),
    hard(
      "an exponential of a latent",
      -17.47,
      'u = pm.Normal("u", 0.8, 0.3, shape=27)',
      about("pm.math.exp(u)"),
    ),
    hard("a cube of a latent", -12.01, 'u = pm.Normal("u", 1.3, 0.1, shape=27)', about("u ** 3")),
    hard(
      "a ratio of two latents",
      -4.63,
      'u = pm.Normal("u", 2.3, 0.2, shape=27)',
      'v = pm.Normal("v", 1, 0.1, shape=27)',
      about("u / v"),
    ),
    hard(
      "the larger of two latents",
      -4.07,
      'u = pm.Normal("u", 2.2, 0.3, shape=27)',
      'v = pm.Normal("v", 2.2, 0.3, shape=27)',
      about("pm.math.maximum(u, v)"),
    ),
    hard(
      "softplus of a latent",
      -3.30,
      'u = pm.Normal("u", 2.2, 0.3, shape=27)',
      about("pm.math.log1pexp(u)"),
    ),
    {
      ...hard(
        "a mean and a scale for each row",
        -3.70,
        'u = pm.Normal("u", 2.3, 0.3, shape=27)',
        't = pm.HalfNormal("t", 0.1, shape=27)',
        about("u", "t"),
      ),
      isLong: true,
    },
    hard(
      "a heavy-tailed scale for each row",
      -17.54,
      't = pm.HalfCauchy("t", 0.1, shape=27)',
      about("2.3", "t"),
    ),
    hard(
      "degrees of freedom for each row",
      -17.04,
      'n = pm.Exponential("n", 1, shape=27)',
      `pm.StudentT("length", nu=n, mu=2.3, sigma=0.3, ${seen})`,
    ),
    hard(
      "a rate for each row",
      -38.11,
      'r = pm.Gamma("r", 4, 2, shape=27)',
      `pm.Gamma("length", alpha=5, beta=r, ${seen})`,
    ),
    hard(
      "a centred funnel, noise 0.001",
      -4.91,
      'm = pm.Normal("m", 2.3, 0.5)',
      't = pm.HalfNormal("t", 1)',
      'u = pm.Normal("u", m, t, shape=27)',
      about("u"),
    ),
    hard(
      "a funnel under a needle",
      -4.90,
      'm = pm.Normal("m", 2.3, 0.5)',
      't = pm.HalfCauchy("t", 1e-6)',
      'u = pm.Normal("u", m, t, shape=27)',
      about("u"),
    ),
    hard(
      "a non-centred funnel through exp",
      -4.5,
      'm = pm.Normal("m", 2.3, 0.5)',
      't = pm.Normal("t", 0, 3)',
      'z = pm.Normal("z", 0, 1, shape=27)',
      about("m + z * pm.math.exp(t)"),
    ),
    hard(
      "flat priors of 1e12",
      flat,
      ...curveOf('pm.Normal("a", 0, 1e12)', 'pm.Normal("b", 0, 1e12)', 'pm.HalfNormal("s", 1e6)'),
    ),
    hard(
      "flat priors of 1e300",
      flat,
      ...curveOf('pm.Normal("a", 0, 1e300)', 'pm.Normal("b", 0, 1e300)', 'pm.Exponential("s", 10)'),
    ),
    hard(
      "Cauchy priors of 1e8",
      flat,
      ...curveOf('pm.Cauchy("a", 0, 1e8)', 'pm.Cauchy("b", 0, 1e8)', 'pm.HalfCauchy("s", 1e8)'),
    ),
    hard(
      "a needle for the noise",
      flat,
      ...curveOf('pm.Normal("a", 1.7, 0.5)', 'pm.HalfNormal("b", 1)', 'pm.HalfCauchy("s", 1e-12)'),
    ),
    hard(
      "a far mode that nobody visits",
      flat,
      ...curveOf(
        'pm.NormalMixture("a", w=[0.5, 0.5], mu=[1.7, 100.0], sigma=0.5)',
        'pm.HalfNormal("b", 1)',
        'pm.Exponential("s", 10)',
      ),
    ),
    hard(
      "a mode of a better fit that the prior denies",
      flat,
      'a = pm.Normal("a", 1.7, 0.5)',
      'b = pm.HalfNormal("b", 1)',
      's = pm.Exponential("s", 10)',
      'k = pm.Normal("k", 0, 1)',
      'mu = a + b * np.log(data["age"]) + pm.math.where(k > 6, 0.0, 0.0)',
      about("mu", "pm.math.where(k > 6, 0.01, s)"),
    ),
    hard(
      "forty waves over age",
      -26.35,
      'X = np.stack([np.sin(data["age"] * (k + 1) * 1.37) for k in range(40)], axis=1)',
      'w = pm.Normal("w", 0, 1, shape=40)',
      about("pm.math.dot(X, w)", 0.05),
    ),
    hard(
      "forty waves through a curve",
      flat,
      'X = np.stack([np.sin(data["age"] * (k + 1) * 1.37) for k in range(40)], axis=1)',
      'w = pm.Normal("w", 0, 1, shape=40)',
      about("2.3 + pm.math.tanh(pm.math.dot(X, w))", 0.01),
    ),
    {
      ...hard(
        "a network of twenty units",
        flat,
        'x = (data["age"] - 11) / 8',
        'u = pm.Normal("u", 0, 3, shape=20)',
        'c = pm.Normal("c", 0, 3, shape=20)',
        'v = pm.Normal("v", 0, 1, shape=20)',
        about("2.3 + pm.math.dot(pm.math.tanh(x[:, None] * u[None, :] + c[None, :]), v)", 0.02),
      ),
      isLong: true,
    },
    hard(
      "a scale that one row can have for itself",
      26,
      'a = pm.Normal("a", 1.7, 0.5)',
      'b = pm.HalfNormal("b", 1)',
      't = pm.InverseGamma("t", 0.01, 1e-6, shape=27)',
      line,
      about("mu", "pm.math.sqrt(t)"),
    ),
    hard(
      "weights of a mixture that hides a spike at the mean",
      curveElpd + 1,
      'a = pm.Normal("a", 1.7, 0.5)',
      'b = pm.HalfNormal("b", 1)',
      's = pm.Exponential("s", 10)',
      'w = pm.Beta("w", 0.01, 0.01)',
      line,
      `pm.NormalMixture("length", w=pm.math.stack([w, 1 - w]), mu=pm.math.stack([mu, mu], axis=1), sigma=pm.math.stack([1e-9, s]), ${seen})`,
    ),
    hard(
      "a spike at a learnt place",
      curveElpd + 1,
      'a = pm.Normal("a", 1.7, 0.5)',
      'b = pm.HalfNormal("b", 1)',
      's = pm.Exponential("s", 10)',
      'c = pm.Normal("c", 2.5, 0.3)',
      line,
      `pm.NormalMixture("length", w=[0.1, 0.9], mu=pm.math.stack([c + 0 * mu, mu], axis=1), sigma=pm.math.stack([1e-5, s]), ${seen})`,
    ),
  ],
};
