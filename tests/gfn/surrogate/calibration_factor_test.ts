/** How sure a surrogate may be: by errors on what was drawn by belief, else by points left out. */
import assert from "node:assert/strict";
import { fillNormal } from "../../../src/numerics/math/random_normal.ts";
import { RandomStream } from "../../../src/base/random.ts";
import { calibrationBy } from "../../../src/gfn/evaluation/surrogate/calibration_factor.ts";

/** A process whose points left out are all one standard deviation away. */
const oneAway = {
  leaveOneOut: (places: readonly number[]) => places.map(() => ({ mean: 1, variance: 1 })),
};
const heights = Array.from({ length: 100 }, () => 0);

/** Standard normal errors, times a scale. */
function errors(count: number, scale: number): number[] {
  const drawn = new Float64Array(count);
  fillNormal(new RandomStream("errors"), drawn);
  return Array.from(drawn, (one) => Math.abs(scale * one));
}

function of(probes: readonly number[]) {
  return calibrationBy(oneAway, heights, new RandomStream("left out"), probes);
}

Deno.test("the factor is the error that nine tenths of probes keep to, over that of a normal one", () => {
  const probes = Array.from({ length: 79 }, (_, i) => (i + 1) / 10); // the 72nd is 7.2
  const { factor, factor_50, points, coverage } = of(probes);
  assert.ok(Math.abs(factor - 7.2 / 1.6448536) < 1e-12);
  assert.ok(Math.abs(factor_50 - 4 / 0.6744898) < 1e-12);
  assert.equal(points, 79);
  assert.equal(coverage, 16 / 79);
});

Deno.test("a surrogate that halves its deviations is found out", () => {
  const [honest, halved] = [of(errors(80, 1)), of(errors(80, 2))];
  assert.ok(honest.factor < 1.4, `${honest.factor}`);
  assert.ok(Math.abs(halved.factor / (2 * honest.factor) - 1) < 0.4, `${halved.factor}`);
  assert.ok(halved.coverage < honest.coverage);
});

Deno.test("without enough probes points are left out, and deviations never become smaller", () => {
  const few = of(errors(19, 50));
  assert.equal(few.points, 119);
  assert.equal(of([]).points, 100);
  assert.equal(of([]).factor, 1); // one standard deviation away is within the intervals
  assert.equal(of(errors(80, 0.01)).factor, 1);
});
