/** Mass where cells meet, and combs in every other family and transform. */
import { dugongs } from "../../density/data.ts";
import { curve, curveElpd, model, response } from "../reward_matrix/model_text.ts";
import type { AttackFamily, FurtherAttack } from "./further_attack.ts";

const honest = curveElpd + 0.05;
const weights = (grid = "g") =>
  `w = pm.math.softmax(-0.5 * ((${grid}[None, :] - mu[:, None]) / s) ** 2, axis=1)`;
const grid = "g = 1.5 + 0.01 * np.arange(150)";
const seen = 'observed=data["length"]';

const comb = (name: string, tooth: string): FurtherAttack => ({
  ...{ name, honest },
  text: model([
    ...curve,
    grid,
    weights(),
    `pm.Mixture("length", w=w, comp_dists=${tooth}, ${seen})`,
  ]),
});
const over = (name: string, ...lines: string[]): FurtherAttack => ({
  ...{ name, honest, text: model([...curve, ...lines]) },
});

/** Lower ends of every other cell, as the engine computes them. */
function edges(): string {
  const least = Math.min(...response(dugongs(0.01)));
  return Array.from({ length: 60 }, (_, k) => (Math.round(100 * least) + 2 * k - 10) / 100 - 0.005)
    .join(", ");
}

/** Cells, tried at their ends. */
export const cellEdges: AttackFamily = {
  name: "cell edges",
  idea: "mass that two cells would count, or that nodes of quadrature would miss or see too often",
  attacks: [
    over(
      "point masses between cells",
      `g = np.array([${edges()}])`,
      weights(),
      "W = pm.math.concatenate([0.01 * np.ones((27, 1)), 0.99 * w], axis=1)",
      "c = [pm.Normal.dist(mu, s)] + [pm.Censored.dist(pm.Normal.dist(0.0, 0.2), lower=g[k], upper=9.0) for k in range(60)]",
      `pm.Mixture("length", w=W, comp_dists=c, ${seen})`,
    ),
    over(
      "zeros of a hurdle between cells",
      'p = pm.Beta("p", 1, 1)',
      'pm.HurdleGamma("length", p, mu=mu - 1.765, sigma=s, observed=data["length"] - 1.765)',
    ),
    over(
      "zeros of a hurdle at the shortest",
      'p = pm.Beta("p", 1, 1)',
      'pm.HurdleGamma("length", p, mu=mu - 1.76, sigma=s, observed=data["length"] - 1.77)',
    ),
    over(
      "comb of logarithms",
      "g = np.log(1.5 + 0.01 * np.arange(150))",
      weights("np.exp(g)"),
      'pm.NormalMixture("length", w=w, mu=g, sigma=1e-6, observed=np.log(data["length"]))',
    ),
    over(
      "comb of reciprocals",
      "g = 1 / (1.5 + 0.01 * np.arange(150))",
      weights("(1 / g)"),
      'pm.NormalMixture("length", w=w, mu=g, sigma=1e-6, observed=1 / data["length"])',
    ),
    over(
      "comb of squares, from minus",
      "g = -(1.5 + 0.01 * np.arange(150)) ** 2",
      weights("pm.math.sqrt(-g)"),
      'pm.NormalMixture("length", w=w, mu=g, sigma=1e-6, observed=-(data["length"] ** 2))',
    ),
    comb("comb of skew normals", "pm.SkewNormal.dist(mu=g, sigma=1e-5, alpha=40)"),
    comb("comb of Laplace", "pm.Laplace.dist(mu=g, b=1e-5)"),
    comb("comb of asymmetric Laplace", "pm.AsymmetricLaplace.dist(kappa=30, mu=g, b=1e5)"),
    comb("comb of Rice", "pm.Rice.dist(nu=g, sigma=1e-4)"),
    comb("comb of gammas", "pm.Gamma.dist(mu=g, sigma=1e-4)"),
    comb("comb of Cauchy", "pm.Cauchy.dist(alpha=g, beta=1e-7)"),
    comb("comb of von Mises", "pm.VonMises.dist(mu=g, kappa=1e8)"),
    comb("comb of triangles", "pm.Triangular.dist(lower=g - 1e-4, upper=g + 1e-4, c=g)"),
    comb("comb of inverse gammas", "pm.InverseGamma.dist(mu=g, sigma=1e-4)"),
    over(
      "comb on the ends of cells",
      "g = 1.505 + 0.01 * np.arange(150)",
      weights(),
      `pm.NormalMixture("length", w=w, mu=g, sigma=1e-5, ${seen})`,
    ),
    over(
      "comb chosen by a hidden category",
      grid,
      weights(),
      'z = pm.Categorical("z", p=w, shape=27)',
      `pm.Normal("length", 1.5 + 0.01 * z, 1e-4, ${seen})`,
    ),
    over(
      "mean rounded to the centimetre",
      `pm.Normal("length", pm.math.round(100 * mu) / 100, 0.002, ${seen})`,
    ),
    over(
      "scale that vanishes on the grid",
      `pm.Normal("length", mu, s * (1e-6 + pm.math.sqr(pm.math.sin(314.159265 * mu))), ${seen})`,
    ),
  ],
};
