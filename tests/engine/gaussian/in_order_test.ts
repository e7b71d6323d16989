/** Rows given those before them keep their digits where priors are far wider than posteriors. */
import assert from "node:assert/strict";
import { Slopes } from "../../../src/engine/inference/gaussian/slopes.ts";
import { precisionByLatents } from "../../../src/engine/inference/gaussian/square_root.ts";

Deno.test("a line with priors of 10⁹ standard errors is least squares of the rows before", () => {
  const [n, noise] = [30, 0.01];
  const years = Array.from({ length: n }, (_, i) => 2000 + i);
  const y = Float64Array.from(years, (year, i) => 0.02 * (year - 2000) + noise * Math.cos(i * i));
  const slopes = new Slopes(n, 2);
  years.forEach((year, i) => {
    slopes.put(i, 0, 1e6);
    slopes.put(i, 1, 1e4 * year);
  });
  const own = new Float64Array(n).fill(noise);
  const { standardised, roots } = precisionByLatents(y, own, slopes, new Slopes(2, n))!.inOrder();
  for (let t = 3; t < n; t++) {
    const mean = years.slice(0, t).reduce((sum, year) => sum + year, 0) / t;
    const level = y.subarray(0, t).reduce((sum, value) => sum + value, 0) / t;
    let [square, product] = [0, 0];
    for (let k = 0; k < t; k++) {
      square += (years[k] - mean) ** 2;
      product += (years[k] - mean) * (y[k] - level);
    }
    const ahead = years[t] - mean;
    const deviation = noise * Math.sqrt(1 + 1 / t + ahead ** 2 / square);
    const expected = level + ahead * product / square;
    assert.ok(Math.abs(roots[t] * deviation - 1) < 1e-5, `${roots[t] * deviation}`);
    assert.ok(Math.abs(standardised[t] - (y[t] - expected) / deviation) < 1e-5);
  }
});
