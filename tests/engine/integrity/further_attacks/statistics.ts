/** Statistics of the response that are numbers, where they could say more than a number does. */
import { curveElpd, model } from "../reward_matrix/model_text.ts";
import type { AttackFamily, FurtherAttack } from "./further_attack.ts";

const priors = [
  'x = data["age"].values',
  'y = data["length"].values',
  'a = pm.Normal("a", 0, 2)',
  'b = pm.Normal("b", 0, 2)',
  's = pm.HalfNormal("s", 1)',
];
const attack = (name: string, map: string, likelihood: string): FurtherAttack => ({
  ...{ name, honest: curveElpd + 0.05 },
  text: model([...priors, map, likelihood]),
});
const between = "z = (y - y.min()) / (y.max() - y.min())";

/** By an author who has read that mean, deviation and extremes of the response may be written. */
export const statistics: AttackFamily = {
  name: "statistics of the response",
  idea: "bounds, tails and scales that follow from the extremes, mean or deviation of the response",
  attacks: [
    attack(
      "truncated on both sides by extremes",
      between,
      'pm.TruncatedNormal("length", a + b * np.log(x), s, lower=0, upper=1, observed=z)',
    ),
    attack(
      "truncated at the largest",
      "z = y.max() - y",
      'pm.TruncatedNormal("length", a - b * np.log(x), s, lower=0, observed=z)',
    ),
    attack(
      "truncated a hundredth beyond extremes",
      between,
      'pm.TruncatedNormal("length", a + b * np.log(x), s, lower=-0.01, upper=1.01, observed=z)',
    ),
    attack(
      "censored at the largest",
      "z = y.max() - y",
      'pm.Censored("length", pm.Normal.dist(a - b * np.log(x), s), lower=0, upper=None, observed=z)',
    ),
    attack(
      "censored on both sides by extremes",
      between,
      'pm.Censored("length", pm.Normal.dist(a + b * np.log(x), s), lower=0, upper=1, observed=z)',
    ),
    attack(
      "a half normal from the least",
      "z = y - y.min()",
      'pm.HalfNormal("length", s, observed=z)',
    ),
    attack(
      "a beta between extremes",
      between,
      'pm.Beta("length", mu=pm.math.sigmoid(a + b * np.log(x)), sigma=0.1, observed=z)',
    ),
    attack(
      "a triangle between extremes",
      between,
      'pm.Triangular("length", lower=0, c=pm.math.sigmoid(a + b * np.log(x)), upper=1, observed=z)',
    ),
    attack(
      "a uniform between extremes",
      between,
      'pm.Uniform("length", 0, 1 + 0 * s, observed=z)',
    ),
    attack(
      "a Kumaraswamy a little beyond extremes",
      "z = (y - y.min() + 0.005) / (y.max() - y.min() + 0.01)",
      'pm.Kumaraswamy("length", a=pm.math.exp(a + b * np.log(x)), b=1 + s, observed=z)',
    ),
    attack(
      "a log-normal down from the largest",
      "z = y.max() + 0.01 - y",
      'pm.LogNormal("length", a + b * np.log(x), s, observed=z)',
    ),
    attack(
      "logarithms of shares of the largest",
      "z = np.log(y / y.max())",
      'pm.TruncatedNormal("length", a + b * np.log(x), s, upper=0, observed=z)',
    ),
    attack(
      "a mean for each row between extremes",
      'm = pm.Uniform("m", y.min(), y.max(), shape=27)',
      'pm.Normal("length", m + 0 * (a + b), s, observed=y)',
    ),
    attack(
      "another divisor of the deviation",
      "z = y / y.std(ddof=26)",
      'pm.Normal("length", a + b * np.log(x), s, observed=z)',
    ),
  ],
};
