/** Prompts in stages: dealt out in sample, learned in sft, counted in evaluate_kl, informed in judge. */
import assert from "node:assert/strict";
import asked from "../../docs/examples/asked_numbers.ts";
import { InputError } from "../../src/base/diagnostic.ts";
import { RandomStream } from "../../src/base/random.ts";
import { customEnvironment } from "../../src/gfn/environments/define_environment.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { evaluateExactly, policyMass } from "../../src/gfn/evaluation/exact.ts";
import { ownTarget } from "../../src/gfn/evaluation/own_target.ts";
import { createPolicy } from "../../src/gfn/policies/create_policy.ts";
import { askedPrompts, trainingPrompts } from "../../stages/common/asked_prompts.ts";
import { Evaluator } from "../../stages/evaluate_kl/evaluator.ts";
import { Judging } from "../../stages/judge/judging.ts";
import { makeLearner } from "../../stages/learn/learner.ts";
import { learnParams } from "../../stages/learn/params.ts";
import { sampleBatch, type SampleParams } from "../../stages/sample/sampling.ts";
import { warmStart } from "../../stages/sft/warm_start.ts";
import { writePrompts } from "../../stages/prompts/write_prompts.ts";
import type { Prompts, Target, TrainedPolicy } from "../../stages/ports/values.ts";
import { fakeContext, quickEvaluation, threeAnimals } from "./fixtures.ts";

const environment = customEnvironment(asked, { max: 12, beyond: -4 }) as Environment;
const template = (id: string, held_out = false) => ({
  ...{ id, held_out, show: [] },
  template: `up to ${id}`,
});
const prompts: Prompts = writePrompts({}, {
  prompts: [template("3"), template("12"), template("7", true)],
  ...{ response: false, most_rows: 1 },
});
const table = () => createPolicy({ kind: "table" }, environment, new RandomStream("answers"));
const behaviour: SampleParams = { batch_size: 6, temperature: 1, top_p: 1, mix: [] };

function refusal(run: () => Promise<unknown>): Promise<string> {
  return run().then(
    () => assert.fail("nothing was refused"),
    (error) => {
      assert.ok(error instanceof InputError, error);
      const [{ message, hint }] = error.diagnostics;
      return `${message}; ${hint}`;
    },
  );
}

Deno.test("a batch is dealt out to the prompts that are not held out, whatever the behaviours", async () => {
  const policy = await table();
  const sampled = { policy, environment, prompts };
  const mix = [{ share: 0.5, temperature: 2, top_p: 1 }];
  const ids = async (step: number, params: Partial<SampleParams>) => {
    const context = fakeContext({ step });
    const { trajectories } = await sampleBatch(context, sampled, { ...behaviour, ...params });
    return trajectories.map(({ prompt }) => prompt!.id).join(" ");
  };
  assert.equal(await ids(1, { mix }), "3 3 3 12 12 12");
  assert.equal(await ids(2, { mix, group_size: 2 }), "12 12 3 3 12 12");
  const ungrouped = () =>
    sampleBatch(fakeContext(), { policy, environment }, { ...behaviour, group_size: 2 });
  assert.match(await refusal(ungrouped), /groups of 2: nothing is asked; wire prompts/);
});

Deno.test("rows of trajectories have their prompt, and the policy log Z of each", async () => {
  const policy = await table();
  const context = fakeContext({ step: 1 });
  const trajectories = await sampleBatch(context, { policy, environment, prompts }, behaviour);
  const learner = makeLearner(learnParams.parse({
    ...{ objective: "trajectory_balance", replay: { capacity: 9, fraction: 1 } },
  }));
  const trained: TrainedPolicy = { policy, trajectories: 0, distinctEvaluations: 0 };
  const first = await learner.run(context, { policy: trained, trajectories });
  const { logZs } = (await learner.run(context, { policy: first.policy, trajectories })).policy;
  assert.deepEqual(Object.keys(logZs!), ["3", "12"]);
  const rows = context.told.tables.filter(([name]) => name === "trajectory").flatMap(([, r]) => r);
  const fresh = rows.filter(({ replayed }) => replayed === false);
  assert.deepEqual(fresh.slice(0, 6).map(({ prompt }) => prompt), [
    "3",
    "3",
    "3",
    "12",
    "12",
    "12",
  ]);
  const kept = await learner.run(context, {
    ...{ policy: { ...first.policy, logZs: { other: 2 }, shown: "3" }, trajectories },
  });
  assert.deepEqual(Object.keys(kept.policy.logZs!), ["3", "12", "other"]);
  assert.equal(kept.policy.shown, "3");
  const again = rows.filter(({ replayed }) => replayed === true);
  assert.ok(again.length > 0 && again.every(({ prompt }) => prompt === "3" || prompt === "12"));
});

Deno.test("a policy is counted for every prompt, on average, and apart for those held out", async () => {
  const policy = await table();
  const context = fakeContext({ step: 0 });
  const trained: TrainedPolicy = {
    ...{ policy, trajectories: 6, distinctEvaluations: 4 },
    ...{ logZ: 9, logZs: { 3: 1.5 } },
  };
  const inputs = { policy: trained, environment, prompts, compare: { other: trained } };
  const { evaluation: { measures } } = await new Evaluator(quickEvaluation).run(context, inputs);
  const all = askedPrompts(policy, environment, prompts);
  const value = (measure: string, group?: string, subject = "policy") => {
    const found = measures.filter((one) =>
      one.measure === measure && one.group === group && one.subject.name === subject
    );
    assert.equal(found.length, 1, `${measure} ${group}`);
    return found[0].value;
  };
  const exact = async (prompt: typeof all.training[number]) => {
    const target = ownTarget(environment, prompt);
    return evaluateExactly(target, await policyMass(policy, target, prompt));
  };
  const [three, twelve] = [await exact(all.training[0]), await exact(all.training[1])];
  const seven = await exact(all.heldOut[0]);
  assert.equal(value("kl_target_policy", "3"), three.klTargetPolicy);
  assert.equal(value("kl_policy_target", "7", "other"), seven.klPolicyTarget);
  assert.equal(value("kl_target_policy"), (three.klTargetPolicy + twelve.klTargetPolicy) / 2);
  assert.equal(value("held_out_kl_policy_target"), seven.klPolicyTarget);
  assert.ok(value("tv", "3", "uniform") > 0);
  // R is 1 up to 3 and e⁻⁴ for the other nine numbers.
  assert.ok(Math.abs(value("log_z", "3") - Math.log(4 + 9 * Math.exp(-4))) < 1e-12);
  assert.ok(Math.abs(value("log_z_error", "3") - (1.5 - value("log_z", "3"))) < 1e-12);
  assert.deepEqual([value("prompts"), value("held_out_prompts"), value("verdict")], [2, 1, 0]);
  const rows = context.told.tables.filter(([name]) => name === "evaluation").flatMap(([, r]) => r);
  assert.equal(rows.length, measures.length);
  const keys = rows.map(({ group, measure, subject_kind: kind, subject }) =>
    JSON.stringify([group, measure, kind, subject])
  );
  assert.equal(new Set(keys).size, keys.length);
});

Deno.test("objects that cannot be counted are refused with what to raise", async () => {
  const policy = { policy: await table(), trajectories: 0, distinctEvaluations: 0 };
  const evaluator = new Evaluator({ ...quickEvaluation, enumerate_at_most: 12 });
  const run = () => evaluator.run(fakeContext({ step: 0 }), { policy, environment, prompts });
  assert.match(await refusal(run), /13 objects are more than the 12 .*; raise enumerate_at_most/);
});

Deno.test("a warm start learns its examples under every prompt, or under the one they name", async () => {
  const likelihood = async (given: { readonly prompt?: string }) => {
    const policy = await table();
    const examples = [{ name: "five", derivation: ["5"], ...given }];
    const rates = { steps: 20, learning_rate: 0.3, clip_norm: 1 };
    await warmStart(fakeContext(), policy, environment, { examples, ...rates, prompts });
    const { training, heldOut } = askedPrompts(policy, environment, prompts);
    return await Promise.all([...training, ...heldOut].map(async (prompt) => {
      const target = ownTarget(environment, prompt);
      const { logP } = await policyMass(policy, target, prompt);
      return logP[target.objects.findIndex(({ text }) => text === "5")];
    }));
  };
  const [three, twelve, held] = await likelihood({});
  assert.ok(three > -0.5 && twelve > -0.5 && held < -2);
  const [alone, other] = await likelihood({ prompt: "3" });
  assert.ok(alone > -0.5 && other < -2);
  const wrong = () => likelihood({ prompt: "7" });
  assert.match(await refusal(wrong), /prompt "7": it is not among those .*; known are "3", "12"/);
});

Deno.test("prompts that are all held out are none to learn by", async () => {
  const held = { prompts: prompts.prompts.map((one) => ({ ...one, held_out: true })) };
  const policy = await table();
  const ask = () => Promise.resolve().then(() => trainingPrompts(policy, environment, held));
  assert.match(await refusal(ask), /all of them are held out/);
});

Deno.test("answers to a prompt that shows the response are rewarded by an informed target only", async () => {
  const rows = "{% for row in rows %}{{ row.length }} {% endfor %}";
  const open = writePrompts({ data: threeAnimals() }, {
    prompts: [{ id: "open", template: rows, show: ["rows"], held_out: false }],
    ...{ response: true, most_rows: 9 },
  });
  const policy = await table();
  const sampled = { policy, environment, prompts: open };
  const trajectories = await sampleBatch(fakeContext(), sampled, behaviour);
  assert.equal(trajectories.shown, "open");
  const blind = { environment, dataset: threeAnimals() } as unknown as Target;
  const executions = { ...trajectories, states: [] };
  const wanted =
    /prompt "open": it shows values of the response.*; wire the prompts into the target/;
  const judge = () => new Judging().run(fakeContext(), { executions, target: blind });
  assert.match(await refusal(judge), wanted);
  const evaluate = () =>
    new Evaluator(quickEvaluation).run(fakeContext({ step: 0 }), {
      policy: { policy, trajectories: 0, distinctEvaluations: 0 },
      ...{ target: blind, prompts: open },
    });
  assert.match(await refusal(evaluate), wanted);
  // Who was shown it in training is no more blind when nothing is asked.
  const told = { policy, trajectories: 0, distinctEvaluations: 0, shown: "open" };
  const later = () =>
    new Evaluator(quickEvaluation).run(fakeContext({ step: 0 }), { policy: told, target: blind });
  assert.match(await refusal(later), wanted);
  // One that knows goes on, to what else is missing here.
  const informed = { ...blind, author: "informed", terms: [] } as unknown as Target;
  const { log_reward } = await new Judging().run(fakeContext(), {
    executions: { ...executions, trajectories: [] },
    target: informed,
  });
  assert.deepEqual(log_reward.values, []);
});
