/** Shares of coverage: their errors, and that intervals which are too narrow are seen. */
import assert from "node:assert/strict";
import { fillNormal } from "../../../src/numerics/math/random_normal.ts";
import { RandomStream } from "../../../src/base/random.ts";
import { coverageOf, Share } from "./coverage/coverage_of.ts";
import { appendRecord, readRecords } from "./coverage/records.ts";
import type { SetRecord } from "./coverage/score_set.ts";

Deno.test("a share has the error of its data sets, not of its rows", () => {
  const share = new Share();
  for (let set = 0; set < 10; set++) {
    for (let k = 0; k < 5; k++) share.add(set, set < 5); // all of a set, or none
  }
  assert.deepEqual([share.share, share.count], [0.5, 50]);
  assert.ok(Math.abs(share.error - 0.5 / 3) < 1e-12); // s / √10 with s² = 10 × ½² / 9
});

/** Two programs, 50 rows apart by N(0.2, 1) each: the true difference is 10, its error √50. */
function records(shift: number): SetRecord[] {
  return Array.from({ length: 80 }, (_, set) => {
    const apart = new Float64Array(50);
    fillNormal(new RandomStream("records", set), apart);
    const program = (answer: string, pointwise: number[], expected: number) => ({
      ...{ answers: [answer], logPrior: Math.log(0.5), mcse: 0, p: 2, pointwise, expected },
    });
    return {
      ...{ space: "regression" as const, set, seed: 1, questions: ["x"], truth: ["in"] },
      strong: [{ question: "x", answers: ["in"] }],
      programs: [
        program("in", Array.from(apart, (one) => one + 0.2), 10 + shift),
        program("out", Array.from(apart, () => 0), 0),
      ],
      failed: [],
    };
  });
}

Deno.test("intervals that hold nine of ten are seen to, and others that they do not", () => {
  const right = coverageOf(records(0));
  const share = right.differences.rows_given.all;
  assert.ok(Math.abs(share.share - 0.9) < 3 * 0.034 + 0.02, `${share.share}`);
  assert.ok(right.differences.whole_given.all.share >= share.share);
  assert.equal(
    right.differences.whole_given.large.count + right.differences.whole_given.small.count,
    80,
  );
  assert.equal(right.holdsTrue.count, 80);
  // Target ≥ 0.9 where the difference is 2.2 or more, of N(10, 50): 87 of 100.
  assert.ok(Math.abs(right.found.share - 0.866) < 3 * 0.038, `${right.found.share}`);
  const wrong = coverageOf(records(21)); // three errors off
  assert.ok(wrong.differences.whole_given.all.share < 0.25);
  assert.ok(wrong.weights.share < right.weights.share);
  assert.ok(Math.abs(wrong.differences.whole_mean.all.share - 0.9) < 0.12); // of the data alone
});

Deno.test("a run that was stopped while it wrote goes on behind its last whole line", async () => {
  const file = await Deno.makeTempFile();
  const [first, second] = records(0);
  await Deno.writeTextFile(file, `${JSON.stringify(second)}\n{"space":"regr`);
  assert.deepEqual((await readRecords(file)).map(({ set }) => set), [1]);
  await appendRecord(file, first);
  assert.deepEqual(await readRecords(file), [first, second]);
  await Deno.remove(file);
  assert.deepEqual(await readRecords(file), []);
});
