/** Eight schools (Rubin 1981), and hierarchies over them in both spellings. */
import { makeDataset } from "../../../src/base/dataset.ts";

/** Effects of coaching and their standard errors. */
export const schools = makeDataset("schools", [
  {
    name: "y",
    role: "response",
    type: "real",
    values: Float64Array.of(28, 8, -3, 7, -1, 1, 18, 12),
  },
  {
    name: "sigma",
    role: "predictor",
    type: "real",
    values: Float64Array.of(15, 10, 16, 11, 9, 11, 10, 18),
  },
]);

const shapes = { Normal: "sigma", Laplace: "b", StudentT: "nu=4, sigma" } as const;

/** mu ~ Normal(0, 10), tau ~ HalfNormal(5), effects with this distribution, in one of both spellings. */
export function hierarchyText(
  distribution: keyof typeof shapes,
  spelling: "centred" | "non-centred",
): string {
  const latents = spelling === "centred"
    ? `effect = pm.${distribution}("effect", mu=mu, ${shapes[distribution]}=tau, shape=8)`
    : `raw = pm.${distribution}("raw", mu=0, ${
      shapes[distribution]
    }=1, shape=8)\n    effect = mu + tau * raw`;
  return `import pymc as pm

with pm.Model() as model:
    mu = pm.Normal("mu", mu=0, sigma=10)
    tau = pm.HalfNormal("tau", sigma=5)
    ${latents}
    pm.Normal("y", mu=effect, sigma=data["sigma"], observed=data["y"])
`;
}
