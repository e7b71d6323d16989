/** PSIS-LOO against ArviZ. */
import assert from "node:assert/strict";
import { psisLoo } from "../../../src/engine/loo/psis.ts";
import { readGolden } from "../../numerics/math/ulp.ts";

interface Golden {
  readonly cases: readonly {
    readonly name: string;
    readonly draws: number;
    readonly observations: number;
    readonly r_eff: number;
    readonly log_likelihood: number[];
    readonly elpd_arviz: number[];
    readonly k_arviz: number[];
    readonly se_arviz: number;
    readonly p_loo_arviz: number;
    readonly elpd_floor: number[];
    readonly k_floor: number[];
  }[];
}

function assertClose(actual: number, wanted: number, tolerance: number, what: string): void {
  assert.ok(Math.abs(actual - wanted) <= tolerance, `${what}: ${actual}, not ${wanted}`);
}

for (const golden of readGolden<Golden>("psis.json").cases) {
  const loo = () =>
    psisLoo(
      Float64Array.from(golden.log_likelihood),
      golden.draws,
      golden.observations,
      golden.r_eff,
    );

  Deno.test(`psisLoo() has the formulas of arviz-stats on ${golden.name}`, () => {
    const found = loo();
    for (let i = 0; i < golden.observations; i++) {
      assertClose(found.elpdPointwise[i], golden.elpd_floor[i], 1e-11, `elpd ${i}`);
      assertClose(found.paretoK[i], golden.k_floor[i], 1e-10, `k ${i}`);
    }
  });

  Deno.test(`psisLoo() is near az.loo, whose tail may be one draw longer, on ${golden.name}`, () => {
    const found = loo();
    // The fit of a heavy tail depends more on one draw.
    const slack = (i: number) => golden.k_arviz[i] > 0.7 ? 0.03 : 1e-3;
    let wide = 0;
    for (let i = 0; i < golden.observations; i++) {
      assertClose(found.elpdPointwise[i], golden.elpd_arviz[i], slack(i), `elpd ${i}`);
      wide += slack(i);
    }
    assertClose(found.pLoo, golden.p_loo_arviz, wide, "p_loo");
    assertClose(found.se, golden.se_arviz, wide, "se");
  });

  Deno.test(`psisLoo() returns weights that sum to 1 and influences to 0 on ${golden.name}`, () => {
    const found = loo();
    for (let i = 0; i < golden.observations; i++) {
      assertClose(found.weights(i).reduce((a, b) => a + b), 1, 1e-12, "sum of weights");
      const sum = found.influence(i).reduce((a, b) => a + b);
      assertClose(sum, 0, 1e-9 * found.draws, "sum of influences");
    }
  });
}

Deno.test("psisLoo() with too few draws for a tail reports k = Infinity and raw weights", () => {
  const found = psisLoo(Float64Array.of(-1, -2, -3), 3, 1, 1);
  assert.equal(found.paretoK[0], Infinity);
  const harmonic = -Math.log((Math.E + Math.E ** 2 + Math.E ** 3) / 3);
  assertClose(found.elpdLoo, harmonic, 1e-14, "harmonic mean");
});
