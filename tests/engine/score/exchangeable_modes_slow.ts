/** Labels, signs and mirror images: scores and draws of every mode, compared with quadrature. */
import assert from "node:assert/strict";
import { makeDataset } from "../../../src/base/dataset.ts";
import { RandomStream } from "../../../src/base/random.ts";
import { emptyChainSet } from "../../../src/engine/inference/mcmc/chain_set.ts";
import { fillNormal, type PointwiseDensity } from "../../../src/numerics/math/mod.ts";
import { summarise } from "../../../src/engine/score/summaries.ts";
import { defaultSchedule } from "../../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../../src/engine/score/score.ts";

/** A data set of a response and perhaps one predictor. */
function rowsOf(y: readonly number[], x?: readonly number[]) {
  return makeDataset("rows", [
    ...(x
      ? [{
        name: "x",
        role: "predictor" as const,
        type: "real" as const,
        values: Float64Array.from(x),
      }]
      : []),
    { name: "y", role: "response", type: "real", values: Float64Array.from(y) },
  ]);
}

const components = rowsOf([
  ...[-2.7, -1.2, -2.1, -1.9, -3.0, -0.6, -2.4, 1.1, 2.6, 1.8],
  ...[2.2, 0.9, 3.1, 1.5, 2.9, 2.0, 1.2, 2.4, 3.4, 1.7],
]);
const curve = rowsOf(
  [1.06, 1.2, 1.17, 1.3, 1.31, 1.52, 1.49, 1.71, 1.39, 1.62],
  [0.3, 0.8, 1.2, 1.7, 2.1, 2.6, 3.3, 3.9, 4.4, 5.0],
);
const line = rowsOf(
  [-2.0, -1.5, -0.6, -0.4, 0.5, 0.7, 1.6, 1.8, 2.9, 3.0],
  [-1.4, -0.9, -0.5, -0.1, 0.2, 0.6, 0.9, 1.3, 1.8, 2.1],
);

/**
 * ELPD-LOO, and means and standard deviations of the posterior, by sums over grids: NumPy 2.4.6, SciPy 1.17.1; the mixture
 * over 30 × 75 × 75 × 30 points of w, mu, mu and log s, within 1e-4 of 24 × 60 × 60 × 24; the curve over 14,001 points of l,
 * a and b in closed form; the square over 2,001 × 1,200 points of u and log s.
 */
const cases = [
  {
    name: "labels of two components",
    data: components,
    text: `with pm.Model() as model:
    w = pm.Dirichlet("w", a=[1.0, 1.0])
    mu = pm.Normal("mu", 0, 3, shape=2)
    s = pm.HalfNormal("s", 2)
    pm.NormalMixture("obs", w=w, mu=mu, sigma=s, observed=data["y"])
`,
    elpd: -40.7070,
    moments: { "w": [0.5, 0.1842], "mu": [0.0503, 1.9891], "s": [0.9877, undefined] },
  },
  {
    name: "the sign under an absolute value, which the prior all but tells",
    data: curve,
    text: `with pm.Model() as model:
    a = pm.Normal("a", 2, 1)
    b = pm.Normal("b", 1, 1)
    l = pm.Normal("l", 0.4, 0.5)
    pm.Normal("obs", a - b * pm.math.abs(l) ** data["x"], 0.25, observed=data["y"])
`,
    elpd: 2.3116,
    moments: { "l": [0.3778, 0.4397] },
  },
  {
    name: "the sign of a square",
    data: line,
    text: `with pm.Model() as model:
    u = pm.Normal("u", 0, 2)
    s = pm.HalfNormal("s", 1)
    pm.Normal("obs", u ** 2 * data["x"], s, observed=data["y"])
`,
    elpd: 0.8187,
    moments: { "u": [0, 1.2222], "s": [0.2287, undefined] },
  },
] as const;

for (const { name, data, text, elpd, moments } of cases) {
  Deno.test(`${name}: the score and the draws know all modes, whatever the seed`, () => {
    for (let seed = 0; seed < 6; seed++) {
      const { score } = scoreNow(text, data, { ...defaultSchedule, seed }, { summaries: true });
      assert.ok(score, `seed ${seed}`);
      const apart = Math.abs(score.elpdLoo - elpd);
      assert.ok(apart < 4 * score.mcse + 1e-3, `seed ${seed}: ${score.elpdLoo} ± ${score.mcse}`);
      for (const [quantity, [mean, sd]] of Object.entries(moments)) {
        const found = score.params[quantity];
        const off = Math.abs(found.mean[0] - mean);
        assert.ok(off < 4.5 * found.mcseMean[0], `${quantity}, seed ${seed}: ${found.mean[0]}`);
        if (sd !== undefined) assert.ok(Math.abs(found.sd[0] / sd - 1) < 0.15, quantity);
      }
    }
  });
}

Deno.test("draws that were resampled count for as many as their weights are worth", () => {
  const chainSet = { ...emptyChainSet(4, 250, 1) };
  fillNormal(new RandomStream("draws"), chainSet.positions);
  const density = {
    quantities: ["a"],
    quantityShapes: [{ name: "a", shape: [] }],
    constrain: (from: Float64Array, offset: number, out: Float64Array) => out[0] = from[offset],
  } as unknown as PointwiseDensity;
  const [whole, few] = [Infinity, 40].map((effective) =>
    summarise({ density, chainSet, effective }).a
  );
  assert.ok(whole.essBulk[0] > 500);
  assert.equal(few.essBulk[0], 40);
  assert.ok(Math.abs(few.mcseMean[0] / (few.sd[0] / Math.sqrt(40)) - 1) < 0.2);
});
