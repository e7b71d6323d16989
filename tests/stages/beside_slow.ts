/** Baselines that an evaluation puts beside a policy: capacity, target noise; and the learner's log Z. */
import assert from "node:assert/strict";
import { createPolicy } from "../../src/gfn/policies/create_policy.ts";
import { defaultSchedule } from "../../src/engine/score/execution/execution.ts";
import { elpdLooJudge, logPriorJudge } from "../../src/engine/score/judges/reward.ts";
import type { Subject } from "../../src/base/measure_subject.ts";
import type { Measure, MeasureName } from "../../stages/evaluation/measure.ts";
import {
  capacitySubject,
  policySubject,
  targetNoiseSubject,
  trainedBaselineSubject,
} from "../../stages/evaluation/subjects.ts";
import { Evaluator } from "../../stages/evaluate_kl/evaluator.ts";
import { LogZEstimate } from "../../src/gfn/train/log_z_estimate.ts";
import type { Target } from "../../stages/ports/values.ts";
import {
  fakeContext,
  quickEvaluation,
  scored,
  smallEnvironment,
  threeAnimals,
} from "./fixtures.ts";

const environment = smallEnvironment();

const target: Target = {
  environment,
  dataset: threeAnimals(),
  executor: "native",
  schedule: defaultSchedule,
  terms: [],
  rule: {
    terms: [{ judge: elpdLooJudge, weight: 1 }, { judge: logPriorJudge, weight: 1 }],
    failure: { logReward: -50 },
  },
  nullElpd: -45,
};

const fresh = async () => {
  const policy = await createPolicy({ kind: "table" }, environment, "fresh");
  return { policy, trajectories: 100, distinctEvaluations: 88 };
};

/** The value of a measure that must be there once. */
function quantity(measures: readonly Measure[], measure: MeasureName, subject: Subject): number {
  const found = measures.filter((one) =>
    one.measure === measure && one.subject.kind === subject.kind &&
    one.subject.name === subject.name
  );
  assert.equal(found.length, 1, `${measure} of ${subject.name}`);
  return found[0].value;
}

/** Longer programs score less: the same for every seed, unless noise is added. */
const elpd = (program: string) => -program.length / 200;

Deno.test("a table fitted to exact samples comes nearer than an untrained one: the capacity floor", async () => {
  const context = fakeContext({ step: 0, answer: (program) => scored(elpd(program)) });
  const capacity = { steps: 150, batch_size: 32, learning_rate: 0.1 };
  const policy = await fresh();
  const before = await policy.policy.save();
  const evaluator = new Evaluator({ ...quickEvaluation, capacity });
  const { evaluation: { measures } } = await evaluator.run(context, { policy, target });
  const tv = (subject: Subject) => quantity(measures, "tv", subject);
  assert.ok(tv(capacitySubject) < 0.5 * tv(policySubject));
  const kl = (subject: Subject) => quantity(measures, "kl_target_policy", subject);
  assert.ok(kl(capacitySubject) < kl(policySubject));
  assert.deepEqual(await policy.policy.save(), before); // a copy was fitted
});

Deno.test("rivals learn towards the target within the budget, and leave the policy alone", async () => {
  const rivals = {
    objectives: ["reinforce", "ppo", "grpo"],
    batch_size: 16,
    learning_rate: 0.1,
  } as const;
  const evaluate = async (budget: number, trajectories: number) => {
    const context = fakeContext({ step: 0, answer: (program) => scored(elpd(program)) });
    const policy = { ...await fresh(), trajectories };
    const before = await policy.policy.save();
    const evaluator = new Evaluator({ ...quickEvaluation, rivals, budget });
    const { evaluation: { measures } } = await evaluator.run(context, { policy, target });
    assert.deepEqual(await policy.policy.save(), before);
    return measures;
  };
  const long = await evaluate(1000, 3200);
  const short = await evaluate(20, 3200);
  for (const name of rivals.objectives) {
    const rival = trainedBaselineSubject(name);
    assert.ok(quantity(long, "tv", rival) < 0.5 * quantity(long, "tv", policySubject), name);
    assert.ok(quantity(short, "distinct", rival) <= 20, name);
    assert.ok(quantity(short, "tv", rival) > quantity(long, "tv", rival), name);
  }
  assert.deepEqual(await evaluate(20, 3200), short); // the same seed, the same bits
  await assert.rejects(evaluate(15, 3200), /15 distinct evaluations fill no batch of 16/);
});

Deno.test("target noise is 0 where a second seed says the same, and grows with what it says", async () => {
  const noiseOf = async (noise: number) => {
    const asked: number[] = [];
    const context = fakeContext({ step: 0 });
    context.execute = <T>({ programs, schedule }: {
      readonly programs: readonly string[];
      readonly schedule: unknown;
    }) => {
      const { seed } = schedule as { readonly seed: number };
      asked.push(programs.length);
      const answer = (text: string, i: number) =>
        scored(elpd(text) + (seed === 0 ? 0 : noise * (i % 2)));
      return Promise.resolve(programs.map(answer) as unknown as T[]);
    };
    const evaluator = new Evaluator({ ...quickEvaluation, target_noise: { share: 0.5, seed: 1 } });
    const { evaluation } = await evaluator.run(context, { policy: await fresh(), target });
    return { measures: evaluation.measures, asked };
  };
  const { measures: none, asked } = await noiseOf(0);
  assert.ok(asked[1] > 0 && asked[1] < asked[0]);
  for (const measure of ["tv", "kl_target_policy", "log_reward_sd"] as const) {
    assert.ok(Math.abs(quantity(none, measure, targetNoiseSubject)) < 1e-12, measure);
  }
  const [{ measures: some }, { measures: more }] = [await noiseOf(0.2), await noiseOf(1)];
  const tv = (measures: readonly Measure[]) => quantity(measures, "tv", targetNoiseSubject);
  assert.ok(0 < tv(some));
  assert.ok(tv(some) < tv(more));
  // Half of the log rewards differ by 1: a standard deviation of 1/2, over √2 for one of the two.
  const deviation = quantity(more, "log_reward_sd", targetNoiseSubject);
  assert.ok(Math.abs(deviation - 0.5 / Math.SQRT2) < 0.02);
});

Deno.test("log Z starts at the first batch, or where it is told", () => {
  assert.equal(new LogZEstimate("regression").at([4.5]), 4.5);
  assert.equal(new LogZEstimate("regression", 2).at([4.5]), 2);
  const learned = new LogZEstimate("regression");
  learned.at([4.5]);
  assert.ok(Math.abs(learned.step(-1, 0.25) - 4.75) < 1e-6); // Adam's first step is the rate
  assert.equal(learned.at([100]), learned.at([-100]));
});

Deno.test("log Z from the data is a running mean, takes no gradient, and survives a checkpoint", () => {
  const running = new LogZEstimate("data");
  running.at([10]);
  assert.equal(running.at([0]), 9);
  assert.equal(running.step(5, 1), 9);
  const restored = new LogZEstimate("data");
  restored.load(JSON.parse(JSON.stringify(running.save())));
  assert.equal(restored.at([19]), running.at([19]));
});
