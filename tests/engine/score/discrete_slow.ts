/** A switchpoint among years: the disasters in British coal mines, against exact sums. */
import assert from "node:assert/strict";
import { type Dataset, makeDataset } from "../../../src/base/dataset.ts";
import { finish } from "../../../src/engine/inference/mcmc/sample_chains.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { exp, log } from "../../../src/numerics/math/elementary.ts";
import { lgamma } from "../../../src/numerics/math/gamma.ts";
import { logSumExp } from "../../../src/numerics/math/log_sum_exp.ts";
import { defaultSchedule } from "../../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../../src/engine/score/score.ts";
import { fitChecked, type SampledFit, withChains } from "../../../src/engine/score/fit.ts";
import { replicate } from "../../../src/engine/inference/predict/draws.ts";
import { parameterDraws, predictiveOf } from "../../../src/engine/score/predictive.ts";

// Jarrett (1979), Biometrika 66(1): disasters in each year from 1851; PyMC's gallery has them too.
const counts = "45401434063340263354531441553425223421322111130010110031032201110101000210001102" +
  "3311211112420014000100000100101";
const disasters = Float64Array.from(counts, Number);
const years = disasters.map((_, i) => 1851 + i);

function mines(groups?: number): Dataset {
  const decades = years.map((year) => Math.floor((year - 1851) / (groups ?? 1)));
  return makeDataset("mines", [
    { name: "year", role: "predictor", type: "real", values: years },
    { name: "disasters", role: "response", type: "count", values: disasters },
    ...groups ? [{ name: "block", role: "group", type: "category", values: decades } as const] : [],
  ]);
}

const text = `import pymc as pm

with pm.Model() as model:
    years = data["year"]
    switchpoint = pm.DiscreteUniform("switchpoint", lower=years.min(), upper=years.max())
    early_rate = pm.Exponential("early_rate", 1.0)
    late_rate = pm.Exponential("late_rate", 1.0)
    rate = pm.Deterministic("rate", pm.math.switch(switchpoint >= years, early_rate, late_rate))
    pm.Poisson("disasters", rate, observed=data["disasters"])
`;

/** log p(y | switchpoint) for each year, of the rows that are kept: rates integrate to gammas. */
function logMarginals(kept: (row: number) => boolean): Float64Array {
  return years.map((switchpoint) => {
    const sums = [0, 0];
    const rows = [0, 0];
    let total = 0;
    disasters.forEach((count, i) => {
      if (!kept(i)) return;
      const side = years[i] <= switchpoint ? 0 : 1;
      sums[side] += count;
      rows[side] += 1;
      total -= lgamma(count + 1);
    });
    for (const side of [0, 1]) {
      total += lgamma(sums[side] + 1) - (sums[side] + 1) * log(rows[side] + 1);
    }
    return total;
  });
}

const whole = logMarginals(() => true);

Deno.test("ELPD-LOO of a switchpoint is the exact sum", () => {
  const { status, score } = scoreNow(text, mines(), defaultSchedule, { summaries: true });
  assert.equal(status, "ok");
  const exact = disasters.reduce(
    (sum, _, i) => sum + logSumExp(whole) - logSumExp(logMarginals((row) => row !== i)),
    0,
  );
  assert.ok(Math.abs(exact - -171.3531) < 1e-4);
  assert.ok(Math.abs(score!.elpdLoo - exact) < 4 * score!.mcse, `${score!.elpdLoo}, ${exact}`);
  const { mean, mcseMean, sd } = score!.params.switchpoint;
  const weights = whole.map((one) => exp(one - logSumExp(whole)));
  const expected = weights.reduce((sum, w, k) => sum + w * years[k], 0);
  assert.ok(Math.abs(mean[0] - expected) < 4 * mcseMean[0], `${mean[0]}, ${expected}`);
  const variance = weights.reduce((sum, w, k) => sum + w * (years[k] - expected) ** 2, 0);
  assert.ok(Math.abs(sd[0] - Math.sqrt(variance)) < 0.3);
  assert.equal(score!.params.rate.shape[0], 111);
});

Deno.test("blocks of years are left out at once, exactly too", () => {
  const data = mines(10);
  const schedule = { ...defaultSchedule, unit: "group" as const };
  const { status, score } = scoreNow(text, data, schedule);
  assert.equal(status, "ok");
  const exact = Array.from(
    { length: 12 },
    (_, block) =>
      logSumExp(whole) - logSumExp(logMarginals((row) => Math.floor(row / 10) !== block)),
  );
  const total = exact.reduce((a, b) => a + b);
  assert.ok(Math.abs(score!.elpdLoo - total) < 4 * score!.mcse, `${score!.elpdLoo}, ${total}`);
  score!.elpdPointwise.forEach((value, u) => assert.ok(Math.abs(value - exact[u]) < 0.1, `${u}`));
});

let known: SampledFit | undefined;

/** The fit of the program, made once. */
function fitted(): SampledFit {
  if (known) return known;
  const checked = checkProgram(text, mines());
  assert.ok(checked.ok);
  const scored = finish(fitChecked(checked.program, mines(), defaultSchedule));
  assert.ok(scored.kind === "fit");
  const fit = finish(withChains(scored, defaultSchedule));
  assert.ok(fit.kind === "fit");
  return known = fit;
}

Deno.test("replications know the switchpoint; PIT values are not claimed", () => {
  const fit = fitted();
  const { checks, looPit } = predictiveOf(fit);
  assert.deepEqual(looPit, []);
  const { mean } = checks;
  assert.ok(Math.abs(mean.predicted - mean.observed) < 0.1, JSON.stringify(mean));
  assert.ok(mean.p > 0.1 && mean.p < 0.9);
});

Deno.test("new years are predicted by draws of the switchpoint and of the rates", () => {
  const fit = fitted();
  const at = { columns: new Map([["year", Float64Array.of(1860, 1890, 1955, 1970)]]), rows: 4 };
  const predicted = replicate(fit.program, mines(), parameterDraws(fit), { key: ["new"], at });
  const draws = predicted.length / 4;
  const means = [0, 1, 2, 3].map((row) => {
    let sum = 0;
    for (let s = 0; s < draws; s++) sum += predicted[4 * s + row];
    return sum / draws;
  });
  assert.ok(means[0] > 2.7 && means[0] < 3.5, `${means}`);
  assert.ok(means[1] > 1.5 && means[1] < 2.7, `${means}`); // either rate, with about one half each
  assert.ok(Math.max(means[2], means[3]) < 1.3, `${means}`);
});
