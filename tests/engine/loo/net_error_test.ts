/** The error of means over nets: that of independent values where they are, less where nets are even. */
import assert from "node:assert/strict";
import { RandomStream } from "../../../src/base/random.ts";
import { nearestEnd, netError } from "../../../src/engine/loo/net_error.ts";
import { SobolNets } from "../../../src/numerics/math/sobol_nets.ts";

const nets = [{ from: 0, to: 96, size: 8 }, { from: 96, to: 150, size: 4 }];

Deno.test("the error is the spread of the mean over many repetitions", () => {
  const points = new SobolNets(new RandomStream("error"), 2);
  const repeat = () =>
    Float64Array.from(
      nets.flatMap(({ from, to, size }) =>
        Array.from({ length: to - from }, (_, k) => {
          if (k % size === 0) points.begin(size);
          points.next();
          return Math.exp(points.point[0]) * points.point[1];
        })
      ),
    );
  const runs = Array.from({ length: 2000 }, repeat);
  const means = runs.map((run) => run.reduce((a, b) => a + b) / 150);
  const mean = means.reduce((a, b) => a + b) / 2000;
  const spread = Math.sqrt(means.reduce((a, b) => a + (b - mean) ** 2, 0) / 1999);
  const reported = Math.sqrt(runs.reduce((a, run) => a + netError(run, nets) ** 2, 0) / 2000);
  assert.ok(Math.abs(reported / spread - 1) < 0.08, `${reported} ${spread}`);
});

Deno.test("nets of one value are independent values", () => {
  const values = Float64Array.of(3, 1, 4, 1, 5);
  const squares = values.reduce((sum, v) => sum + (v - 2.8) ** 2, 0);
  const error = netError(values, [{ from: 0, to: 5, size: 1 }]);
  assert.ok(Math.abs(error - Math.sqrt(squares / 4 / 5)) < 1e-15);
});

Deno.test("one net alone does not tell its error", () => {
  assert.equal(netError(Float64Array.of(1, 2), [{ from: 0, to: 2, size: 2 }]), Infinity);
});

Deno.test("folds end where nets do", () => {
  assert.deepEqual([0, 37, 75, 96, 112, 149, 150].map((at) => nearestEnd(nets, at)), [
    ...[0, 40, 72, 96, 112, 148, 150],
  ]);
});
