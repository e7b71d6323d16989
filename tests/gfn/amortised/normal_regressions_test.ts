/** Closed forms of normal regressions against quadrature that leaves each row out. */
import assert from "node:assert/strict";
import { members, scoreSubset } from "../../../src/gfn/amortised/normal_regressions.ts";
import { standardRows } from "../../../src/gfn/amortised/standard_rows.ts";

// tools/golden/normal_regressions.py, NumPy 2.4.6, SciPy.
const columns = [
  [0.001, -0.274, -0.455, 0.06, -0.492, 0.49, 0.105, -0.029, -1.344, -1.901, -1.842, -1.267],
  [0.15, -0.637, -0.814, 0.712, -0.655, 0.521, -0.391, 0.327, -1.17, -1.976, -1.407, -0.752],
];
const y = [
  ...[0.158, -0.406, -2.88, 2.009, -0.442, 0.505],
  ...[-1.446, -0.501, -2.054, -2.33, -0.412, -1.821],
];
const expected = [
  [-18.649513088496708, -20.33253555387135],
  [-17.921305290018452, -20.700167788194687],
  [-15.092953114905397, -18.499761559762533],
  [-15.080116116129382, -19.419373108867312],
];

Deno.test("scoreSubset() matches adaptive quadrature with every row left out, an outlier among them", () => {
  const rows = standardRows({ columns, y });
  expected.forEach(([elpd, logEvidence], bits) => {
    const found = scoreSubset(rows, members(bits));
    // The lattice of 20 points: 12 rows are few, tails are at their heaviest.
    assert.ok(Math.abs(found.elpd - elpd) < 1e-4, `${bits}: ${found.elpd} ${elpd}`);
    assert.ok(Math.abs(found.logEvidence - logEvidence) < 1e-4, `${bits}: ${found.logEvidence}`);
  });
});

Deno.test("a score does not see units, signs or the order of predictors", () => {
  const plain = scoreSubset(standardRows({ columns, y }), [0, 1]).elpd;
  const moved = {
    columns: [columns[1].map((x) => 40 - 3 * x), columns[0].map((x) => 1e-3 * x)],
    y: y.map((one) => 7 * one + 1000),
  };
  assert.ok(Math.abs(scoreSubset(standardRows(moved), [1, 0]).elpd - plain) < 1e-9);
});
