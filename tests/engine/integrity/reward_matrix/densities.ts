/** Densities without bound: spikes, scales at the edge, shapes that pile up. */
import type { Attack, Family } from "./attack.ts";
import { curve, curveElpd, model } from "./model_text.ts";

const beneath = { honest: curveElpd, source: "the curve beneath" } as const;
const with_ = (...lines: string[]) => model([...curve, ...lines]);

const attacks: readonly Attack[] = [
  {
    name: "noise 1e-9",
    text: model([
      ...curve.slice(0, 2),
      'pm.Normal("length", a + b * np.log(data["age"]), 1e-9, observed=data["length"])',
    ]),
  },
  {
    name: "Beta that is a point",
    text: model(['pm.Beta("length", 1e15, 1e15, observed=data["length"])']),
  },
  {
    name: "VonMises, kappa 1e12",
    text: with_('pm.VonMises("length", mu, 1e12, observed=data["length"])'),
  },
  {
    name: "spike and slab at 2.41",
    text: with_(
      'w = pm.Beta("w", 1, 1)',
      'pm.NormalMixture("length", w=pm.math.stack([w, 1 - w]), mu=pm.math.stack([2.41 + 0 * mu, mu], axis=1), sigma=pm.math.stack([1e-6, s]), observed=data["length"])',
    ),
    ...beneath,
  },
  {
    name: "Uniform of one resolution",
    text: with_('pm.Uniform("length", mu - 0.005, mu + 0.005, observed=data["length"])'),
  },
  {
    name: "Laplace, scale 1e-6",
    text: with_('pm.Laplace("length", mu, 1e-6, observed=data["length"])'),
  },
  {
    name: "Cauchy, scale 1e-5",
    text: with_('pm.Cauchy("length", mu, 1e-5, observed=data["length"])'),
  },
  { name: "scale zero", text: with_('pm.Normal("length", mu, 0, observed=data["length"])') },
  {
    name: "scale below the least number",
    text: with_('pm.Normal("length", mu, 1e-320, observed=data["length"])'),
  },
  {
    name: "weights that add up to two",
    text: with_(
      'pm.NormalMixture("length", w=np.array([1.0, 1.0]), mu=pm.math.stack([mu, mu], axis=1), sigma=0.1, observed=data["length"])',
    ),
  },
  {
    name: "truncated to the range of the data",
    text: with_(
      "d = pm.Normal.dist(mu, s)",
      'pm.Truncated("length", d, lower=1.77, upper=2.73, observed=data["length"])',
    ),
    honest: curveElpd,
    needsHoldout: true,
    source: "the curve beneath",
  },
  {
    name: "potential",
    text: with_('pm.Potential("p", 1000.0)', 'pm.Normal("length", mu, s, observed=data["length"])'),
  },
  { name: "point mass", text: with_('pm.DiracDelta("length", mu, observed=data["length"])') },
];

/** Unbounded densities. */
export const densities: Family = {
  name: "densities",
  idea: "a density without bound at the recorded values",
  attacks: () => attacks,
};
