/** Training on many data sets: it comes nearer to unseen ones, bits repeat, and the detector refuses what is unlike. */
import assert from "node:assert/strict";
import { RandomStream } from "../../../src/base/random.ts";
import {
  decodeDataSets,
  drawDataSets,
  encodeDataSets,
} from "../../../src/gfn/amortised/data_sets.ts";
import { askedData } from "../../../src/gfn/amortised/data_prompt.ts";
import { likeness, makeDetector } from "../../../src/gfn/amortised/detector.ts";
import { measureAnswer, rankedAt } from "../../../src/gfn/amortised/measures.ts";
import { questionsEnvironment } from "../../../src/gfn/amortised/questions.ts";
import { simulation } from "../../../src/gfn/amortised/simulation.ts";
import { regressionNumbers } from "../../../src/gfn/amortised/regression_numbers.ts";
import { type StandardRows, standardRows } from "../../../src/gfn/amortised/standard_rows.ts";
import { summarise } from "../../../src/gfn/amortised/summary.ts";
import type { Environment } from "../../../src/gfn/environments/environment.ts";
import { createPolicy } from "../../../src/gfn/policies/create_policy.ts";
import type { Policy } from "../../../src/gfn/policies/policy.ts";
import { amortiseStep, logAnswers, promptOf } from "../../../src/gfn/train/amortise.ts";

const given = simulation.parse({ rows: [20, 60], predictors: [2, 4], correlation: [0, 0.6] });
const drawn = { simulation: given, training: 160, heldOut: 40, programs: 64, seed: "seed 1" };
const sets = drawDataSets(drawn);
const questions = questionsEnvironment({ space: "regression", predictors: 4 }) as Environment;
const start = () => createPolicy({ kind: "amortised", width: 16, hidden: 16 }, questions, "seed 1");

const detected = ({ rows }: { readonly rows: StandardRows }) => regressionNumbers(summarise(rows));

async function learn(policy: Policy, from: number, to: number): Promise<void> {
  for (let step = from; step < to; step++) {
    const some = Array.from({ length: 8 }, (_, k) => sets.training[(8 * step + k) % 160]);
    await amortiseStep(policy, questions, some, {
      loss: "cross_entropy",
      programs: 64,
      random: new RandomStream("programs", step),
      learningRate: 3e-3,
      clipNorm: 1,
    });
  }
}

async function medianTv(policy: Policy): Promise<number> {
  const all = await Promise.all(sets.heldOut.map(async (data) => {
    const logP = await logAnswers(policy, questions, data);
    return measureAnswer(data.programs, logP, data.logRewards, data.rows.columns.length).tv;
  }));
  return rankedAt(all, 0.5);
}

Deno.test("sixty steps bring unseen data sets nearer to counting than AICc does", async () => {
  const policy = await start();
  const before = await medianTv(policy);
  const aicc = rankedAt(
    sets.heldOut.map((data) => {
      const { begun } = askedData(promptOf(data)).programs;
      return measureAnswer(data.programs, begun, data.logRewards, data.rows.columns.length).tv;
    }),
    0.5,
  );
  assert.ok(Math.abs(before - aicc) < 1e-9, "AICc is where it begins");
  await learn(policy, 0, 60);
  const after = await medianTv(policy);
  assert.ok(after < 0.9 * before, `${before} -> ${after}`);
});

Deno.test("going on from a checkpoint gives the bits of never having stopped", async () => {
  const whole = await start();
  await learn(whole, 0, 6);
  const first = await start();
  await learn(first, 0, 3);
  const again = await start();
  const { loadPolicy } = await import("../../../src/gfn/policies/create_policy.ts");
  const resumed = await loadPolicy(await first.save());
  await resumed.loadOptimizer(await first.saveOptimizer());
  await learn(resumed, 3, 6);
  assert.deepEqual(await resumed.save(), await whole.save());
  assert.notDeepEqual(await again.save(), await whole.save());
});

Deno.test("data sets come back from their bytes, and more of them begin with the same", () => {
  const bytes = encodeDataSets(sets);
  assert.deepEqual(encodeDataSets(decodeDataSets(bytes)), bytes);
  const few = drawDataSets({ ...drawn, training: 3, heldOut: 1 });
  assert.deepEqual(few.training[2], sets.training[2]);
});

Deno.test("the detector passes data like those of training and refuses outliers and other sizes", () => {
  const detector = makeDetector(sets.training.map(detected));
  const passed = sets.heldOut.filter(({ rows }) => likeness(detector, detected({ rows })).isLike);
  assert.ok(passed.length >= 30, `${passed.length} of 40`);
  const { columns, y } = sets.heldOut[0].rows;
  const wild = standardRows({ columns, y: y.map((one, i) => i === 3 ? 1e6 : one) });
  assert.ok(!likeness(detector, detected({ rows: wild })).isLike);
  const many = standardRows({
    columns: columns.map((column) => Array.from({ length: 20 }, () => [...column]).flat()),
    y: Array.from({ length: 20 }, () => [...y]).flat(),
  });
  assert.match(
    likeness(detector, detected({ rows: many })).reasons[0],
    /rows, and it was trained on/,
  );
});

Deno.test("constant columns, one row and overflow are refused in words", () => {
  const refused = (columns: number[][], y: number[]) => () =>
    standardRows({ columns, y }, ["x", "y"]);
  assert.throws(refused([[1, 1, 1, 1]], [1, 2, 3, 4]), /x has one value only/);
  assert.throws(refused([[1, NaN, NaN, 2]], [1, 2, 3, 4]), /2 of 4 rows are complete/);
  assert.throws(refused([[NaN, NaN, NaN]], [1, 2, 3]), /0 of 3 rows are complete/);
  assert.throws(refused([[1]], [1]), /1 of 1 rows are complete/);
  assert.throws(refused([[]], []), /0 of 0 rows are complete/);
  assert.throws(refused([[1, 2, 3]], [1e300, -1e300, 1e300]), /y has one value only .* beyond/);
});
