/** Statistics over seeds against SciPy 1.x (stats.trim_mean, stats.t, resampling with NumPy). */
import assert from "node:assert/strict";
import {
  excludesZero,
  interquartileMean,
  meanInterval,
  studentQuantile,
} from "../../src/experiments/compare/statistics.ts";

const near = (found: number | null, wanted: number, error: number) =>
  assert.ok(Math.abs(found! - wanted) <= error, `${found} is not within ${error} of ${wanted}`);

Deno.test("interquartileMean() is scipy.stats.trim_mean(x, 0.25)", () => {
  near(interquartileMean([0.31, 0.28, 0.35, 0.30, 0.33]), 0.31333333333333335, 1e-15);
  near(interquartileMean([3, 1, 4, 1, 5, 9, 2, 6, 5, 3]), 3.6666666666666665, 1e-15);
  assert.equal(interquartileMean([7]), 7);
});

Deno.test("studentQuantile() is scipy.stats.t.ppf(0.975, df)", () => {
  const known = [[1, 12.706204736174694], [2, 4.302652729749462], [4, 2.7764451051977934]];
  for (const [degrees, wanted] of known) near(studentQuantile(degrees), wanted, 1e-10);
  near(studentQuantile(9), 2.262157162798205, 1e-10);
  near(studentQuantile(30), 2.0422724563012378, 1e-10);
});

Deno.test("few seeds: Student's interval is the wider one", () => {
  const { lo, hi } = meanInterval([0.31, 0.28, 0.35, 0.30, 0.33], "few");
  near(lo, 0.28045208615073347, 1e-12);
  near(hi, 0.34754791384926653, 1e-12);
});

Deno.test("a skewed sample: the expanded percentile reaches further above than Student's", () => {
  const squares = Array.from({ length: 30 }, (_, i) => (i + 1) ** 2 / 100);
  const { lo, hi } = meanInterval(squares, "skewed");
  near(lo, 2.101426918079362, 0.06); // of Student's; resampling gives 2.1333, with its error
  near(hi, 4.2333, 0.08); // of 200,000 resamples with NumPy; 2,000 have an error of 0.03
});

Deno.test("one seed has no interval, and two that agree in sign do not leave zero out", () => {
  assert.deepEqual(meanInterval([3], "one"), { mean: 3, lo: null, hi: null });
  assert.equal(excludesZero(meanInterval([1, 3], "two")), false);
  assert.equal(excludesZero(meanInterval([1, 1.2, 0.9, 1.1, 1], "five")), true);
});

Deno.test("the same values give the same interval, whatever was computed before", () => {
  const values = [1, 2, 4, 8, 16, 32];
  assert.deepEqual(meanInterval(values, "key"), meanInterval(values, "key"));
});

Deno.test("of samples around zero one in twenty intervals leaves it out", () => {
  let [state, left] = [12345, 0];
  const uniform = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
  for (let trial = 0; trial < 300; trial++) {
    const values = Array.from(
      { length: 5 },
      () => Math.sqrt(-2 * Math.log(uniform() + 1e-12)) * Math.cos(2 * Math.PI * uniform()),
    );
    if (excludesZero(meanInterval(values, `${trial}`))) left++;
  }
  assert.ok(left <= 24, `${left} of 300`); // 15 expected; 24 is 2.4 standard errors above
});
