/** Tests of resolutions: those that values show, those that are refused, and the messages. */
import assert from "node:assert/strict";
import { type Column, makeDataset, type Resolution } from "../../src/base/dataset.ts";
import { InputError } from "../../src/base/diagnostic.ts";
import { RandomStream } from "../../src/base/random.ts";
import {
  describeResolution,
  inferResolution,
  recordedColumn,
  resolutionFindings,
} from "../../src/data/resolution.ts";
import { unboundedRemark, unboundedReward } from "../../stages/target/unbounded_reward.ts";

const lengths = [1.8, 1.85, 1.87, 1.77, 2.02, 2.27, 2.15, 2.26, 2.47, 2.19, 2.26, 2.4];
const response = (values: readonly number[], resolution?: Resolution): Column => ({
  ...{ name: "y", role: "response", type: "real", values: Float64Array.from(values) },
  ...(resolution !== undefined && { resolution }),
});

Deno.test("values on one decimal grid, of which some tie, show their step", () => {
  assert.deepEqual(inferResolution(lengths), { step: 0.01, ties: 2 });
  assert.deepEqual(inferResolution([120, 350, 120, 70]), { step: 10, ties: 2 });
  assert.deepEqual(inferResolution([-1e-7, 3e-7, 3e-7]), { step: 1e-7, ties: 2 });
});

Deno.test("values without ties, of no grid, or all alike show none", () => {
  assert.equal(inferResolution([1.8, 1.85, 1.87]), undefined);
  assert.equal(inferResolution([1 / 3, 2 / 3, 1 / 3]), undefined);
  assert.equal(inferResolution([2, 2, 2]), undefined);
  // One pair among a hundred is a coincidence.
  const few = Array.from({ length: 100 }, (_, i) => i === 1 ? 0 : i / 100);
  assert.equal(inferResolution(few), undefined);
});

const grid = (step: number, count: number) =>
  Array.from({ length: count }, (_, i) => Number((step * (3 + i)).toFixed(2))).flatMap((
    value,
  ) => [value, value]);

Deno.test("a scale of halves, of quarters or of 25 shows itself, also about 0", () => {
  assert.equal(inferResolution(grid(0.5, 8))!.step, 0.5);
  assert.equal(inferResolution(grid(0.25, 8))!.step, 0.25);
  assert.equal(inferResolution(grid(25, 8))!.step, 25);
  assert.equal(inferResolution(grid(0.2, 14))!.step, 0.2);
  assert.equal(inferResolution(grid(0.5, 14).map((y) => 2.5 - y))!.step, 0.5);
});

Deno.test("few values, repeated as often as one likes, show no common step", () => {
  assert.equal(inferResolution([2.5, 3, 3.5, 4.5].flatMap((y) => Array(50).fill(y)))!.step, 0.1);
  assert.equal(inferResolution(grid(0.5, 7))!.step, 0.1);
  assert.equal(inferResolution(grid(0.2, 13))!.step, 0.1, "13 even digits are one in 8,192");
  assert.equal(inferResolution([...grid(0.5, 30), 7.3])!.step, 0.1, "one that is not will do");
});

Deno.test("rounded to tenths, no sample of ten in a thousand is taken for halves", () => {
  const random = new RandomStream("halves");
  const found = Array.from({ length: 1000 }, () => {
    const values = Array.from({ length: 10 }, () => Math.round(random.uniform() * 100) / 10);
    return inferResolution(values)?.step;
  });
  assert.ok(found.filter((step) => step === 0.1).length > 300);
  assert.deepEqual(found.filter((step) => step !== undefined && step !== 0.1 && step < 1), []);
});

Deno.test("a step that is no power of ten is part of the digest, for older scores are of another", () => {
  const digest = (column: Column) => makeDataset("d", [column]).digest;
  const halves = response(grid(0.5, 9));
  assert.notEqual(digest(recordedColumn("d", halves)), digest(halves));
  assert.equal(digest(recordedColumn("d", halves)), digest(response(grid(0.5, 9), 0.5)));
  const tenths = response([...grid(0.5, 9), 4.1]);
  assert.equal(digest(recordedColumn("d", tenths)), digest(tenths));
});

const wrong: readonly [Resolution, readonly number[], RegExp, RegExp][] = [
  [5, lengths, /spread over 0\.70/, /resolution = 0\.01/],
  [0.1, lengths, /row 2 is 1\.85, which is no multiple of it away from row 1, 1\.8/, /0\.01/],
  [0, lengths, /wanted a step above 0/, /"continuous"/],
  [-0.01, lengths, /wanted a step above 0/, /"continuous"/],
  [0.01, [1 / 3, 1 / 7, 2], /row 2 is 0\.14/, /"continuous"/],
];

for (const [resolution, values, message, hint] of wrong) {
  Deno.test(`a resolution of ${resolution} for ${values.slice(0, 2)} … is refused, with the mend`, () => {
    const [found] = resolutionFindings("d.csv", "y", values, resolution);
    assert.match(found.message, /^Cannot use d\.csv: column "y" with resolution/);
    assert.match(found.message, message);
    assert.match(found.hint!, hint);
    assert.throws(() => recordedColumn("d.csv", response(values, resolution)), InputError);
  });
}

Deno.test("grids may begin anywhere, and binary rounding is none of the data's", () => {
  assert.deepEqual(resolutionFindings("d", "y", lengths.map((y) => y + 1 / 3), 0.01), []);
  assert.deepEqual(resolutionFindings("d", "y", [0.1 + 0.2, 0.3, 1e9 + 0.1], 0.1), []);
  assert.deepEqual(resolutionFindings("d", "y", [1 / 3, 2], "continuous"), []);
});

Deno.test("an inferred step is said, and no part of the digest", () => {
  const found = recordedColumn("d", response(lengths));
  assert.equal(found.resolution, 0.01);
  assert.match(
    describeResolution(found)!,
    /^resolution 0\.01 \(inferred: all 12 values .* 2 of them/,
  );
  const digest = (column: Column) => makeDataset("d", [column]).digest;
  assert.equal(digest(found), digest(response(lengths)));
  assert.notEqual(digest(response(lengths, 0.01)), digest(response(lengths)));
  assert.notEqual(digest(response(lengths, "continuous")), digest(response(lengths)));
});

Deno.test("a density of measurements is no reward without a step, or the word that there is none", () => {
  const refused = (column: Column, judges: readonly string[]) =>
    unboundedReward(makeDataset("d", [column]), judges)?.message;
  const loose = [0.123, 0.4567, 1.7];
  assert.match(refused(response(loose), ["log_prior", "elpd_loo"])!, /Cannot reward by elpd_loo/);
  assert.match(refused(response(loose), ["elpd_holdout"])!, /Cannot reward by elpd_holdout/);
  assert.equal(refused(response(loose), ["log_prior"]), undefined);
  assert.equal(refused(response(loose, "continuous"), ["elpd_loo"]), undefined);
  assert.equal(refused(response(loose, 0.0001), ["elpd_loo"]), undefined);
  assert.equal(refused({ ...response([1, 2, 3]), type: "count" }, ["elpd_loo"]), undefined);
});

Deno.test("what is declared continuous is remarked on, where densities are rewarded", () => {
  const said = (resolution: Resolution, judges: readonly string[]) =>
    unboundedRemark(makeDataset("d", [response(lengths, resolution)]), judges);
  assert.match(said("continuous", ["elpd_loo"])!, /rewards by elpd_loo are not bounded: "y"/);
  assert.equal(said("continuous", ["log_prior"]), undefined);
  assert.equal(said(0.01, ["elpd_loo"]), undefined);
});
