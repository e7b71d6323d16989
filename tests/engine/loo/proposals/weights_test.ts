/** Importance weights: effective sizes and tempering; modes that climbs find. */
import assert from "node:assert/strict";
import { modesOf } from "../../../../src/engine/loo/proposals/modes.ts";
import {
  effectiveSize,
  normalised,
  tempered,
} from "../../../../src/engine/loo/proposals/weights.ts";
import type { LogDensity } from "../../../../src/numerics/math/log_density.ts";

Deno.test("equal weights are worth all draws, one weight one draw", () => {
  assert.equal(effectiveSize(new Float64Array(8).fill(0.5)), 8);
  assert.equal(effectiveSize(Float64Array.of(0, 5, 0)), 1);
  assert.equal(effectiveSize(new Float64Array(3)), 0);
});

Deno.test("normalised weights add up to 1, and draws outside of the support have none", () => {
  const { weights, effective } = normalised(Float64Array.of(1000, 1000, -Infinity, 1000));
  assert.deepEqual([...weights], [1 / 3, 1 / 3, 0, 1 / 3]);
  assert.ok(Math.abs(effective - 3) < 1e-12);
});

Deno.test("weights are tempered only as far as is needed", () => {
  const even = Float64Array.from({ length: 100 }, (_, s) => 0.001 * s);
  assert.deepEqual(tempered(even, 50), normalised(even));
  const steep = Float64Array.from({ length: 100 }, (_, s) => s);
  assert.ok(normalised(steep).effective < 3);
  const { effective } = tempered(steep, 50);
  assert.ok(effective >= 50 && effective < 51, `${effective}`);
});

/** Normal distributions of width 1 around centres, with these masses. */
function humps(centres: readonly number[], masses: readonly number[]): LogDensity {
  return {
    dimension: 1,
    logDensity(q, g, o) {
      const terms = centres.map((c, k) => masses[k] * Math.exp(-0.5 * (q[o] - c) ** 2));
      const sum = terms.reduce((a, b) => a + b);
      g[o] = centres.reduce((slope, c, k) => slope + terms[k] * (c - q[o]), 0) / sum;
      return Math.log(sum);
    },
  };
}

Deno.test("climbs find the modes that matter, best first", () => {
  const budget = { used: 0, limit: 1e6 };
  const [one, ...none] = modesOf(humps([0.5], [1]), ["one"], budget);
  assert.ok(Math.abs(one.mode[0] - 0.5) < 1e-4 && none.length === 0);
  const two = modesOf(humps([-5, 5], [1, 2]), ["two"], budget);
  assert.deepEqual(two.map(({ mode }) => Math.round(mode[0])), [5, -5]);
  const faint = modesOf(humps([-5, 5], [1e-6, 1]), ["two"], budget);
  assert.deepEqual(faint.map(({ mode }) => Math.round(mode[0])), [5]);
  const flat: LogDensity = { dimension: 1, logDensity: (_, g, o) => g[o] = 0 };
  assert.deepEqual(modesOf(flat, ["flat"], budget), []);
});
