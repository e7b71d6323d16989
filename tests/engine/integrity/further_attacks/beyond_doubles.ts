/** Parameters so large that a double no longer tells the probabilities: rounding is paid as density. */
import { model } from "../reward_matrix/model_text.ts";
import type { AttackFamily, FurtherAttack } from "./further_attack.ts";

/** Best honest scores: Poisson regression of the counts, logarithmic curve of the lengths. */
const [ofCounts, ofLengths] = [-58.4, 24.95];

const rate = [
  'a = pm.Normal("a", 1.3, 1)',
  'b = pm.Normal("b", 0, 1)',
  'mu = pm.math.exp(a + b * data["x"])',
];
const chance = [
  'a = pm.Normal("a", -0.5, 1)',
  'b = pm.Normal("b", 0, 1)',
  'p = pm.math.sigmoid(a + b * data["x"])',
];
const curve = [
  'a = pm.Normal("a", 1.7, 0.5)',
  'b = pm.HalfNormal("b", 1)',
  's = pm.Exponential("s", 10)',
  'mu = a + b * np.log(data["age"])',
];
const visits = 'observed=data["visits"]';
const length = 'observed=data["length"]';

const ofVisits = (name: string, ...lines: string[]): FurtherAttack => ({
  ...{ name, text: model(lines), about: "counts", honest: ofCounts },
});
const unrounded = (name: string, ...lines: string[]): FurtherAttack => ({
  ...{ name, text: model(lines), about: "unrounded lengths", honest: ofLengths },
});
const recorded = (name: string, ...lines: string[]): FurtherAttack => ({
  ...{ name, text: model(lines), honest: ofLengths },
});

/** Rounding as a reward. */
export const beyondDoubles: AttackFamily = {
  name: "beyond doubles",
  idea: "log densities that are differences of numbers with no digits left",
  attacks: [
    ofVisits(
      "negative binomial, alpha 1e16",
      ...rate,
      `pm.NegativeBinomial("visits", mu=mu, alpha=1e16, ${visits})`,
    ),
    ofVisits(
      "negative binomial, alpha 3e15, no predictor",
      'm = pm.Exponential("m", 0.2)',
      `pm.NegativeBinomial("visits", mu=m, alpha=3e15, ${visits})`,
    ),
    ofVisits(
      "negative binomial, alpha learnt where it pays",
      ...rate,
      'k = pm.Uniform("k", 35, 38)',
      `pm.NegativeBinomial("visits", mu=mu, alpha=pm.math.exp(k), ${visits})`,
    ),
    ofVisits(
      "negative binomial by chance and number",
      'p = pm.Beta("p", 1, 1)',
      `pm.NegativeBinomial("visits", p=p, n=1e16 * p, ${visits})`,
    ),
    ofVisits(
      "zero-inflated, alpha 1e16",
      ...rate,
      `pm.ZeroInflatedNegativeBinomial("visits", psi=0.99, mu=mu, alpha=1e16, ${visits})`,
    ),
    ofVisits(
      "hurdle, alpha 3e-16",
      'm = pm.Exponential("m", 0.2)',
      `pm.HurdleNegativeBinomial("visits", psi=0.96, mu=m, alpha=3e-16, ${visits})`,
    ),
    ofVisits(
      "beta-binomial, 1e14 of each",
      ...chance,
      `pm.BetaBinomial("visits", alpha=1e14, beta=1e14, n=data["trials"], ${visits})`,
    ),
    ofVisits(
      "beta-binomial, concentration learnt",
      ...chance,
      'k = pm.Normal("k", 35, 2)',
      `pm.BetaBinomial("visits", alpha=p * pm.math.exp(k), beta=(1 - p) * pm.math.exp(k), n=data["trials"], ${visits})`,
    ),
    ofVisits(
      "hypergeometric of 1e17",
      'd = pm.Normal("d", 0, 1)',
      `pm.HyperGeometric("visits", N=1e17, k=4e16, n=data["trials"], ${visits})`,
    ),
    ofVisits(
      "binomial of 1e17 trials",
      ...rate,
      `pm.Binomial("visits", n=1e17, p=mu * 1e-17, ${visits})`,
    ),
    ofVisits(
      "Poisson of a million, cut off",
      'm = pm.Normal("m", 1e6, 1)',
      `pm.Truncated("visits", pm.Poisson.dist(m), upper=11, ${visits})`,
    ),
    unrounded(
      "Student's t, nu learnt from 1e15",
      ...curve,
      'nu = pm.Uniform("nu", 1e15, 1e17)',
      `pm.StudentT("length", nu=nu, mu=mu, sigma=s, ${length})`,
    ),
    unrounded(
      "Student's t, nu 4.1e15",
      ...curve,
      `pm.StudentT("length", nu=4.1e15, mu=mu, sigma=s, ${length})`,
    ),
    unrounded(
      "gamma, alpha 1e16",
      ...curve,
      `pm.Gamma("length", alpha=1e16, beta=1e16 / (1 + 1e-8 * mu), observed=1 + 1e-8 * data["length"])`,
    ),
    unrounded(
      "inverse gamma, alpha 1e16",
      ...curve,
      `pm.InverseGamma("length", alpha=1e16, beta=1e16 * (1 + 1e-8 * mu), observed=1 + 1e-8 * data["length"])`,
    ),
    recorded(
      "von Mises with a flat peak",
      ...curve,
      `pm.VonMises("length", mu=4e-8 * mu, kappa=7e16, observed=4e-8 * data["length"])`,
    ),
    recorded(
      "von Mises about an angle without digits",
      'd = pm.Normal("d", 0, 1)',
      'pm.VonMises("length", mu=8.5e17 * np.pi, kappa=1e4, observed=data["length"])',
    ),
    recorded(
      "Rice beside squares of 1e18",
      ...curve,
      `pm.Rice("length", nu=1e8 + mu, sigma=0.1, observed=data["length"] + 1e8)`,
    ),
    unrounded(
      "normal cut off 2e8 scales away",
      'm = pm.Normal("m", -1e16, 1e14)',
      `pm.TruncatedNormal("length", mu=m, sigma=5.5e7, lower=0, ${length})`,
    ),
    unrounded(
      "Cauchy between bounds that are one point of it",
      ...curve,
      `pm.Truncated("length", pm.Cauchy.dist(0, 1e15), lower=mu - 3 * s, upper=mu + 3 * s, ${length})`,
    ),
    unrounded(
      "normal between bounds that are one point of it",
      ...curve,
      `pm.TruncatedNormal("length", mu=0, sigma=1e16, lower=mu - 3 * s, upper=mu + 3 * s, ${length})`,
    ),
    unrounded(
      "a power that has one value",
      'd = pm.Normal("d", 0, 1)',
      'pm.Normal("length", 1.0, 1e-306, observed=data["length"] ** 1e-300)',
    ),
    unrounded(
      "a sum that has one value",
      's = pm.HalfNormal("s", 1e-9)',
      'pm.Normal("length", 1e16, s, observed=data["length"] + 1e16)',
    ),
    unrounded(
      "lengths in steps of a double",
      'pm.Normal("length", 1 + 2e-16 * pm.Normal("m", 1, 1), 1e-19, observed=1 + 1e-16 * data["length"])',
    ),
    recorded(
      "steps of a double, recorded",
      's = pm.HalfNormal("s", 1)',
      'pm.Normal("length", 1e13, s, observed=data["length"] + 1e13)',
    ),
  ],
};
