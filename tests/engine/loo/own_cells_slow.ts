/** Cells of rows with latents of their own, wide beside the noise: compared with integrals written out. */
import assert from "node:assert/strict";
import { makeDataset } from "../../../src/base/dataset.ts";
import { defaultSchedule } from "../../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../../src/engine/score/score.ts";

const at = [-1.3, -0.4, 0.2, 0.7, 0.9, 1.6, 2.2, 3.1];

/** P(a < T < b) of Student's t with four degrees of freedom, from the smaller tail. */
function between(a: number, b: number): number {
  const below = (z: number) => {
    const q = z / Math.sqrt(z * z + 4);
    return 0.5 + 0.75 * q * (1 - q * q / 3);
  };
  return a > 0 ? below(-a) - below(-b) : below(b) - below(a);
}

/** The mass of a cell under N(0.7, 1) with that noise, by two-point Gauss rules between its edges. */
function cellMass(y: number, step: number, sigma: number): number {
  const [low, high] = [y - step / 2, y + step / 2];
  const near = [low, high].flatMap((edge) => [edge - 50 * sigma, edge, edge + 50 * sigma]);
  const ends = [-8.3, ...near, 9.7].filter((u) => u >= -8.3 && u <= 9.7).sort((a, b) => a - b);
  let sum = 0;
  for (let k = 0; k + 1 < ends.length; k++) {
    const width = (ends[k + 1] - ends[k]) / 600;
    for (let j = 0; j < 600; j++) {
      for (const node of [0.5 - Math.sqrt(1 / 12), 0.5 + Math.sqrt(1 / 12)]) {
        const u = ends[k] + (j + node) * width;
        const prior = Math.exp(-0.5 * (u - 0.7) ** 2) / Math.sqrt(2 * Math.PI);
        sum += 0.5 * width * prior * between((low - u) / sigma, (high - u) / sigma);
      }
    }
  }
  return sum;
}

for (const step of [0.1, 0.5, 1]) {
  for (const sigma of [0.001, 0.01, 0.05, 0.2]) {
    Deno.test(`cells of ${step} and noise of ${sigma}: within four reported errors`, () => {
      const values = Float64Array.from(at, (y) => Math.round(y / step) * step);
      const column = {
        name: "y",
        role: "response",
        type: "real",
        values,
        resolution: step,
      } as const;
      const text = `import pymc as pm
with pm.Model() as model:
    a = pm.Normal("a", 0.7, 0.0001)
    u = pm.Normal("u", a, 1, shape=8)
    pm.StudentT("y", nu=4, mu=u, sigma=${sigma}, observed=data["y"])
`;
      const { score } = scoreNow(text, makeDataset("own", [column]), defaultSchedule);
      assert.equal(score!.looMethod, "integrated_importance");
      const exact = [...values].reduce(
        (sum, y) => sum + Math.log(cellMass(y, step, sigma) / step),
        0,
      );
      const away = Math.abs(score!.elpdReward - exact);
      assert.ok(away <= 4 * score!.rewardMcse! + 1e-4, `${away} of ${score!.rewardMcse}`);
      assert.ok(score!.rewardMcse! < 0.06, `${score!.rewardMcse}`);
    });
  }
}
