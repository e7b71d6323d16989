/** Teeth narrower than the recording resolution, at the recorded values: density without probability. */
import type { Attack, Family } from "./attack.ts";
import { curve, curveElpd, model } from "./model_text.ts";

interface Teeth {
  readonly from: number;
  readonly step?: number;
  readonly count?: number;
  readonly sigma: number | string;
}

/** The curve, with its noise moved to a comb's nearest teeth. */
function comb({ from, step = 0.01, count = 150, sigma }: Teeth): string {
  return model([
    ...curve,
    `g = ${from} + ${step} * np.arange(${count})`,
    "w = pm.math.softmax(-0.5 * ((g[None, :] - mu[:, None]) / s) ** 2, axis=1)",
    `pm.NormalMixture("length", w=w, mu=g, sigma=${sigma}, observed=data["length"])`,
  ]);
}

const beneath = { honest: curveElpd, source: "the curve beneath" } as const;

const attacks: readonly Attack[] = [
  { name: "comb, teeth of 1e-4", text: comb({ from: 1.5, sigma: 1e-4 }), ...beneath },
  { name: "comb, teeth of 4e-4", text: comb({ from: 1.5, sigma: 4e-4 }), ...beneath },
  { name: "comb, moved by 3e-5", text: comb({ from: 1.50003, sigma: 1e-4 }), ...beneath },
  { name: "comb, teeth of 1e-8", text: comb({ from: 1.5, sigma: 1e-8 }), ...beneath },
  {
    name: "comb at halves of the resolution",
    text: comb({ from: 1.5, step: 0.005, count: 300, sigma: 1e-4 }),
    ...beneath,
  },
  {
    name: "comb at five resolutions",
    text: comb({ from: 1.5, step: 0.05, count: 30, sigma: 1e-4 }),
    ...beneath,
  },
  {
    name: "comb of learnt width",
    text: comb({ from: 1.5, sigma: "t" }).replace(
      "g = ",
      't = pm.HalfNormal("t", 0.001)\n    g = ',
    ),
    ...beneath,
  },
  {
    name: "comb of uniforms",
    text: model([
      ...curve,
      "g = 1.5 + 0.01 * np.arange(150)",
      "w = pm.math.softmax(-0.5 * ((g[None, :] - mu[:, None]) / s) ** 2, axis=1)",
      "d = pm.Uniform.dist(lower=g - 1e-4, upper=g + 1e-4, shape=(27, 150))",
      'pm.Mixture("length", w=w, comp_dists=d, observed=data["length"])',
    ]),
    ...beneath,
  },
];

/** Combs under the curve. */
export const combs: Family = {
  name: "combs",
  idea: "density on the recorded values, none between",
  attacks: () => attacks,
};
