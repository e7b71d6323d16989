/** Where chains start: in the mode that has the mass, and with its width even at a kink. */
import assert from "node:assert/strict";
import { RandomStream } from "../../../src/base/random.ts";
import { laplaceApproximation } from "../../../src/engine/inference/mcmc/laplace.ts";
import { startChains } from "../../../src/engine/inference/mcmc/start.ts";
import type { LogDensity } from "../../../src/numerics/math/log_density.ts";

/** A standard normal, and a mode with the log mass `lost` on the other side of 10. */
function twoModes(lost: number): LogDensity {
  return {
    dimension: 1,
    startingRegion: { centre: Float64Array.of(10), spread: Float64Array.of(10) },
    logDensity(q, g, o) {
      const centre = q[o] < 10 ? 0 : 20;
      g[o] = centre - q[o];
      return -0.5 * (q[o] - centre) ** 2 + (q[o] < 10 ? 0 : lost);
    },
  };
}

const streams = () => Array.from({ length: 20 }, (_, c) => new RandomStream("start", c));

Deno.test("startChains() starts in every mode that has mass, and in no other", () => {
  const sides = (lost: number) =>
    startChains(twoModes(lost), streams(), true, { used: 0, limit: 1e6 })!
      .positions.map(([q]) => q < 10);
  assert.ok(sides(-5).includes(false) && sides(-5).includes(true));
  assert.ok(!sides(-50).includes(false));
});

Deno.test("laplaceApproximation() of a posterior with a kink has about its width", () => {
  const kink: LogDensity = {
    dimension: 1,
    logDensity(q, g, o) {
      g[o] = -Math.sign(q[o] - 3);
      return -Math.abs(q[o] - 3);
    },
  };
  const budget = { used: 0, limit: 1e6 };
  const found = laplaceApproximation(kink, Float64Array.of(8), budget);
  assert.ok(found);
  assert.ok(Math.abs(found.mode[0] - 3) < 0.1, `mode ${found.mode[0]}`);
  assert.ok(found.factor[0] > 0.3 && found.factor[0] < 3, `width ${found.factor[0]}`);
});
