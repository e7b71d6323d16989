/** Posteriors of 19 programs against long runs of PyMC, in Monte Carlo standard errors. */
import assert from "node:assert/strict";
import { compileLogDensity } from "../../../src/engine/inference/density/compile.ts";
import type { ChainSet } from "../../../src/engine/inference/mcmc/chain_set.ts";
import {
  essMean,
  essOf,
  quantileOfSorted,
  rhat,
} from "../../../src/engine/inference/mcmc/diagnostics.ts";
import { finish, sampleChains } from "../../../src/engine/inference/mcmc/sample_chains.ts";
import { momentsOf } from "../../../src/engine/inference/mcmc/standard_errors.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import type { PointwiseDensity } from "../../../src/numerics/math/log_density.ts";
import { constrainedDraws } from "../../../src/engine/score/summaries.ts";
import { datasetOf, type GoldenModel, goldenModels } from "./posterior_models.ts";

/** Standard errors by which any of some hundred statistics may be off. */
const most = 4.5;

function sample(density: PointwiseDensity, name: string): ChainSet {
  const options = { chains: 4, tune: 800, draws: 3000, targetAcceptance: 0.95 };
  const result = finish(sampleChains(density, options, ["posteriors", name], budget()));
  assert.ok(result.kind === "chains", result.kind);
  return result.chainSet;
}

const budget = () => ({ used: 0, limit: 1e8 });

/** Mean, standard deviation and quantiles with their errors. */
function statisticsOf(values: Float64Array, chains: number): Record<string, [number, number]> {
  const { mean, sd, mcseMean, mcseSd } = momentsOf(values, chains);
  const sorted = Float64Array.from(values).sort();
  const quantile = (p: number): [number, number] => {
    const at = quantileOfSorted(sorted, p);
    const ess = essOf(values.map((v) => (v <= at ? 1 : 0)), chains);
    const spread = Math.sqrt(p * (1 - p) / ess);
    const width = quantileOfSorted(sorted, p + spread) -
      quantileOfSorted(sorted, Math.max(0, p - spread));
    return [at, 0.5 * width];
  };
  return { mean: [mean, mcseMean], sd: [sd, mcseSd], q05: quantile(0.05), q95: quantile(0.95) };
}

/** Squared standardised differences of all statistics of a model. */
function compare(model: GoldenModel): number[] {
  const dataset = datasetOf(model);
  const checked = checkProgram(model.text, dataset, model.name, { rows: "ordered" });
  assert.ok(checked.ok, checked.ok ? "" : checked.diagnostics.map((d) => d.message).join("; "));
  const density = compileLogDensity(checked.program, dataset);
  const set = sample(density, model.name);
  const columns = constrainedDraws(density, set);
  const found: number[] = [];
  let at = 0;
  for (const { name, shape } of density.quantityShapes!) {
    const size = shape.reduce((a, b) => a * b, 1);
    const reference = model.quantities[name];
    for (let i = 0; reference && i < size; i++) {
      const values = columns[at + i];
      const where = `${model.name}: ${name}[${i}]`;
      assert.ok(rhat(values, set.chains) < 1.01, `${where} R-hat`);
      assert.ok(essMean(values, set.chains) > 400, `${where} ESS`);
      for (const [key, [value, error]] of Object.entries(statisticsOf(values, set.chains))) {
        const scale = Math.hypot(error, reference[`${key}_mcse`][i]);
        const z = (value - reference[key][i]) / scale;
        assert.ok(
          Math.abs(z) < most,
          `${where} ${key}: ${value}, PyMC ${reference[key][i]}, z ${z}`,
        );
        found.push(z * z);
      }
    }
    at += size;
  }
  return found;
}

const squares: number[] = [];

for (const model of goldenModels) {
  Deno.test(`the posterior of ${model.name} is that of PyMC`, () => {
    assert.ok(model.rhat_max < 1.01);
    const found = compare(model);
    assert.ok(found.length >= 4 * Object.keys(model.quantities).length);
    squares.push(...found);
  });
}

Deno.test("all standardised differences together are those of Monte Carlo noise", () => {
  const mean = squares.reduce((a, b) => a + b, 0) / squares.length;
  assert.ok(mean > 0.6 && mean < 1.3, `mean square ${mean} of ${squares.length}`);
});
