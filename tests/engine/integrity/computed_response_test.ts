/** A comb on the logarithms of counts earns what an honest model does: they are cells, not points. */
import assert from "node:assert/strict";
import { makeDataset } from "../../../src/base/dataset.ts";
import { RandomStream } from "../../../src/base/random.ts";
import { recordedColumn } from "../../../src/data/resolution.ts";
import { defaultSchedule } from "../../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../../src/engine/score/score.ts";

const random = new RandomStream("computed response");
const x = Float64Array.from({ length: 60 }, () => 2 * random.uniform());
const logy = x.map((at) => {
  let [count, product] = [1, random.uniform()];
  while (product > Math.exp(-Math.exp(0.5 + at))) {
    [count, product] = [count + 1, product * random.uniform()];
  }
  return Math.log(count);
});
const column = recordedColumn("d", { name: "logy", role: "response", type: "real", values: logy });
const data = makeDataset("counts", [
  { name: "x", role: "predictor", type: "real", values: x },
  column,
]);

const priors = `import numpy as np
import pymc as pm
with pm.Model() as model:
    x = data["x"].values
    a = pm.Normal("a", 0, 2)
    b = pm.Normal("b", 0, 2)
    s = pm.HalfNormal("s", 1)
    mu = a + b * x
`;
const honest = `${priors}    pm.Normal("logy", mu, s, observed=data["logy"])\n`;
const comb = `${priors}    g = np.log(np.arange(1, 40) + 1e-5)
    w = pm.math.softmax(-.5 * ((g[None, :] - mu[:, None]) / s) ** 2, axis=1)
    pm.NormalMixture("logy", w=w, mu=g, sigma=2e-5, observed=data["logy"])
`;

function scored(text: string) {
  const { score, diagnostics } = scoreNow(text, data, defaultSchedule);
  assert(score, JSON.stringify(diagnostics));
  return score;
}

Deno.test("teeth on the logarithms of counts are paid their mass, as the cells of honest models are", () => {
  const [{ elpdReward: paid, elpdLoo }, { elpdReward: plain }] = [scored(comb), scored(honest)];
  assert(elpdLoo > 300, "as a density the same teeth are worth hundreds of nats");
  const most = -60 * Math.log(column.resolution as number);
  assert(paid < most && plain < most);
  assert(Math.abs(paid - plain) < 5, `comb ${paid}, honest ${plain}`);
});
