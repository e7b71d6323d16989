/** A vector that one distribution reads as a whole is no latent of rows: a law over all families. */
import assert from "node:assert/strict";
import { makeDataset } from "../../../src/base/dataset.ts";
import { families } from "../../../src/engine/language/distributions/table.ts";
import { rowLatent } from "../../../src/engine/inference/predict/row_latent.ts";
import { columnsOf } from "../../../src/engine/inference/predict/draws.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { defaultSchedule } from "../../../src/engine/score/execution/execution.ts";

const values = Float64Array.of(0, 1, 2, 0, 1, 0, 2, 1, 0, 1);
const codes = makeDataset("codes", [{ name: "y", role: "response", type: "count", values }]);
const reals = makeDataset("reals", [{ name: "y", role: "response", type: "real", values }]);

/** Programs whose likelihood reads a whole vector in every row, by family. */
const programs: Readonly<Record<string, readonly [typeof codes, string]>> = {
  categorical: [
    codes,
    'pm.Categorical("o", logit_p=pm.Normal("b", 0, 1, shape=3), observed=data["y"])',
  ],
  ordered_logistic: [
    codes,
    'pm.OrderedLogistic("o", eta=0, cutpoints=pm.Normal("b", 0, 1, shape=2, initval=[-1, 1], transform=pm.distributions.transforms.ordered), observed=data["y"])',
  ],
  ordered_probit: [
    codes,
    'pm.OrderedProbit("o", eta=0, cutpoints=pm.Normal("b", 0, 1, shape=2, initval=[-1, 1], transform=pm.distributions.transforms.ordered), observed=data["y"])',
  ],
  normal_mixture: [
    reals,
    'pm.NormalMixture("o", w=[0.4, 0.6], mu=pm.Normal("b", 0, 1, shape=2), sigma=1, observed=data["y"])',
  ],
};

Deno.test("every family of numbers with a vector for an argument is tried", () => {
  const found = Object.entries(families)
    .filter(([, { eventRank, parameterRanks }]) =>
      eventRank === 0 && parameterRanks.some((r) => r > 0)
    )
    .map(([name]) => name).filter((name) => name !== "mixture");
  assert.deepEqual(found.sort(), Object.keys(programs).sort());
});

for (const [family, [data, line]] of Object.entries(programs)) {
  Deno.test(`${family}: a vector that each row reads as a whole is not integrated out`, () => {
    const text = `import pymc as pm\n\nwith pm.Model() as model:\n    ${line}\n`;
    const checked = checkProgram(text, data, undefined, defaultSchedule);
    assert.ok(checked.ok, JSON.stringify(checked));
    assert.equal(checked.program.likelihood.distribution.family, family);
    assert.equal(rowLatent(checked.program, columnsOf(data)), undefined);
  });
}
