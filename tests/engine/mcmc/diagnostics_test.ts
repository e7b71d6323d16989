/** R-hat and effective sample sizes against ArviZ. */
import assert from "node:assert/strict";
import {
  convergence,
  essBulk,
  essMean,
  essTail,
  rhat,
} from "../../../src/engine/inference/mcmc/diagnostics.ts";
import { momentsOf } from "../../../src/engine/inference/mcmc/standard_errors.ts";
import { readGolden } from "../../numerics/math/ulp.ts";

interface Golden {
  readonly cases: readonly {
    readonly name: string;
    readonly chains: number;
    readonly values: number[];
    readonly rhat: number | null;
    readonly ess_bulk: number;
    readonly ess_tail: number;
    readonly ess_mean: number;
    readonly mcse_mean: number;
    readonly mcse_sd: number;
  }[];
}

/** ArviZ computes autocovariances by Fourier transform, which rounds differently. */
function assertClose(actual: number, wanted: number, what: string): void {
  assert.ok(Math.abs(actual / wanted - 1) < 1e-10, `${what}: ${actual}, ArviZ ${wanted}`);
}

for (const golden of readGolden<Golden>("diagnostics.json").cases) {
  Deno.test(`convergence() agrees with ArviZ 0.23.4 on ${golden.name}`, () => {
    const values = Float64Array.from(golden.values);
    const found = convergence(values, golden.chains);
    if (golden.rhat !== null) assertClose(found.rhat, golden.rhat, "R-hat");
    assertClose(found.essBulk, golden.ess_bulk, "bulk ESS");
    assertClose(found.essTail, golden.ess_tail, "tail ESS");
    assertClose(found.essMean, golden.ess_mean, "mean ESS");
    const moments = momentsOf(values, golden.chains);
    assertClose(moments.mcseMean, golden.mcse_mean, "error of the mean");
    assertClose(moments.mcseSd, golden.mcse_sd, "error of the standard deviation");
    assert.equal(rhat(values, golden.chains), found.rhat);
    assert.equal(essBulk(values, golden.chains), found.essBulk);
    assert.equal(essTail(values, golden.chains), found.essTail);
    assert.equal(essMean(values, golden.chains), found.essMean);
  });
}

Deno.test("convergence() is NaN where draws are too few or not finite", () => {
  assert.ok(Number.isNaN(convergence(Float64Array.of(1, 2, 3), 1).rhat));
  assert.ok(Number.isNaN(essBulk(new Float64Array(40).fill(Infinity), 4)));
});
