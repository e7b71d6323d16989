/** The learner: a checkpoint continues it bit for bit; plug-in objectives; its reports. */
import assert from "node:assert/strict";
import { z } from "zod";
import objective from "../../docs/examples/plain_trajectory_balance.ts";
import { InputError } from "../../src/base/diagnostic.ts";
import { RandomStream } from "../../src/base/random.ts";
import { terminablePrefixes } from "../../src/gfn/trajectories/batch.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { hypergridEnvironment } from "../../src/gfn/environments/built_in_environments.ts";
import { defineObjective, type Objective } from "../../src/gfn/objectives/objective.ts";
import { createPolicy } from "../../src/gfn/policies/create_policy.ts";
import { type Learner, type LearnParams, makeLearner } from "../../stages/learn/learner.ts";
import { learnParams } from "../../stages/learn/params.ts";
import { sampledHere } from "../../stages/common/staleness.ts";
import { trajectoryRow } from "../../stages/common/trajectory_rows.ts";
import { scoredObjects } from "../../stages/common/scored_objects.ts";
import { ports } from "../../stages/ports/mod.ts";
import type { TrainedPolicy } from "../../stages/ports/values.ts";
import { fakeContext, smallEnvironment } from "./fixtures.ts";

const environment = smallEnvironment();

const params: LearnParams = learnParams.parse({
  objective: "sub_trajectory_balance",
  flow: "exact_where_terminable",
  lambda: 1,
  residual_loss: "log_cosh",
  replay: { capacity: 6, fraction: 0.5 },
  learning_rate: { start: 0.05, schedule: "cosine", end: 0 },
  log_z_learning_rate: 0.1,
  clip_norm: 10,
});

const endless: Objective = {
  ...objective,
  name: "endless",
  evaluate: (...given) => ({ ...objective.evaluate(...given), loss: Infinity }),
};

const { reads: _, ...silent } = objective;

const scaled = defineObjective({
  ...objective,
  name: "scaled",
  parameters: z.strictObject({ factor: z.number().positive().default(1) }),
  evaluate: (scores, batch, state) => ({
    ...objective.evaluate(scores, batch, state),
    metrics: { factor: state.parameters.factor },
  }),
});

const plugins = {
  "/own/objective.ts": objective,
  "/own/endless.ts": endless,
  "/own/silent.ts": silent,
  "/own/scaled.ts": scaled,
  "/own/lonely.ts": { ...objective, name: "lonely", minimumBatch: 9 },
};

async function start(): Promise<TrainedPolicy> {
  const policy = await createPolicy({ kind: "table" }, environment, new RandomStream("start"));
  return { policy, trajectories: 0, distinctEvaluations: 0 };
}

/** A step on four fresh trajectories, whose log reward is minus their number of actions. */
async function stepOnce(learner: Learner, policy: TrainedPolicy, step: number) {
  const context = fakeContext({ step, plugins });
  const options = { count: 4, epsilon: 0, temperature: 1, random: context.random("fresh") };
  const trajectories = await policy.policy.sample(environment, options);
  const values = trajectories.map(({ actions }) =>
    Float64Array.from(terminablePrefixes(environment, actions), ({ t }) => -t)
  );
  const { policy: next } = await learner.run(context, {
    policy,
    trajectories: { environment, trajectories, epsilon: 0 },
    log_reward: { values },
  });
  return { next, context };
}

const settings: [string, Partial<LearnParams>][] = [
  ["sub-trajectory balance with replay", {}],
  ["trajectory balance, which learns log Z", { objective: "trajectory_balance" }],
  ["an objective of one's own", { objective: "/own/objective.ts" }],
  ["no replay", { replay: undefined }],
];

for (const [what, change] of settings) {
  Deno.test(`saved and loaded in the middle, the learner ends with the same bytes: ${what}`, async () => {
    const train = async (interrupted: boolean) => {
      let [learner, policy] = [makeLearner({ ...params, ...change }), await start()];
      for (let step = 1; step <= 6; step++) {
        policy = (await stepOnce(learner, policy, step)).next;
        if (!interrupted || step !== 3) continue;
        const [saved, bytes] = [await learner.save(), await ports.policy.encode(policy)];
        learner = makeLearner({ ...params, ...change });
        await learner.load(saved);
        policy = await ports.policy.decode(bytes, { plugins: new Map() });
      }
      return [await ports.policy.encode(policy), await learner.save()];
    };
    assert.deepEqual(await train(true), await train(false));
  });
}

Deno.test("every reward that was given is handed on, and guesses are marked and are not", async () => {
  const learner = makeLearner(params);
  const policy = await start();
  const context = fakeContext({ step: 1, plugins });
  const options = { count: 4, epsilon: 0, temperature: 1, random: context.random("fresh") };
  const trajectories = await policy.policy.sample(environment, options);
  const values = trajectories.map(({ actions }) =>
    Float64Array.from(terminablePrefixes(environment, actions), ({ t }) => -t)
  );
  const inputs = { policy, trajectories: { environment, trajectories, epsilon: 0 } };
  const given = await learner.run(context, { ...inputs, log_reward: { values } });
  const wanted = new Map(
    trajectories.flatMap(({ actions }) =>
      terminablePrefixes(environment, actions).map(({ t, object }) => [object.text, -t] as const)
    ),
  );
  const found = scoredObjects(environment, given.scored);
  assert.deepEqual(
    new Map(found.map(({ object, logReward }) => [object.text, logReward])),
    wanted,
  );
  const bytes = await ports.scored.encode(given.scored);
  const { rows } = await ports.scored.decode(bytes, { plugins: new Map() });
  assert.deepEqual(rows, given.scored.rows);
  const guessed = { by: "a surrogate", evaluations: 7 };
  const other = makeLearner(params);
  const guess = await other.run(context, { ...inputs, log_reward: { values, guessed } });
  assert.equal(guess.scored.rows.length, 0);
  assert.equal(guess.policy.distinctEvaluations, 7);
  assert.deepEqual(guess.policy.movesOptimum, [
    "log rewards are guesses of a surrogate, not executions",
  ]);
});

Deno.test("a checkpoint matters: a learner that forgot it ends elsewhere", async () => {
  const end = async (forget: boolean) => {
    let [learner, policy] = [makeLearner(params), await start()];
    for (let step = 1; step <= 4; step++) {
      if (forget && step === 3) learner = makeLearner(params);
      policy = (await stepOnce(learner, policy, step)).next;
    }
    return await ports.policy.encode(policy);
  };
  assert.notDeepEqual(await end(true), await end(false));
});

Deno.test("fresh trajectories are counted, replayed ones stand in the table beside them", async () => {
  const learner = makeLearner(params);
  const first = await stepOnce(learner, await start(), 1);
  const second = await stepOnce(learner, first.next, 2);
  assert.deepEqual([first.next.trajectories, second.next.trajectories], [4, 8]);
  assert.equal(second.next.distinctEvaluations, 3);
  const replayed = second.context.told.tables.flatMap(([, rows]) => rows);
  assert.deepEqual(replayed.map(({ idx, replayed }) => [idx, replayed]), [[4, true], [5, true]]);
  assert.ok(replayed.every(({ log_pf }) => Number.isFinite(log_pf) && Number(log_pf) < 0));
  assert.deepEqual(first.context.told.tables.flatMap(([, rows]) => rows), []);
});

Deno.test("loss, log Z, gradient norm and learning rate are metrics, all of them finite", async () => {
  const learner = makeLearner({ ...params, objective: "trajectory_balance" });
  const { context: { told }, next } = await stepOnce(learner, await start(), 1);
  const metrics = new Map(told.metrics);
  for (const name of ["loss", "log_z", "gradient_norm", "learning_rate"]) {
    assert.ok(Number.isFinite(metrics.get(name)), name);
  }
  assert.equal(metrics.get("learning_rate"), 0.05);
  assert.equal(metrics.get("log_z"), next.logZ);
});

Deno.test("a module that is no objective is refused with what to write", async () => {
  const learner = makeLearner({ ...params, objective: "/own/nothing.ts" });
  await assert.rejects(async () => void await stepOnce(learner, await start(), 1), (error) => {
    assert.ok(error instanceof InputError);
    const [{ code, hint }] = error.diagnostics;
    assert.equal(code, "plugin/objective");
    assert.match(hint!, /^write: export default defineObjective\(/);
    return true;
  });
});

Deno.test("a loss that is no number stops learning, with what to mend", async () => {
  const builtIn = makeLearner({ ...params, objective: "trajectory_balance", log_z_start: NaN });
  const lower = /The loss of trajectory_balance is NaN\n {2}mend: lower learning_rate, /;
  await assert.rejects(stepOnce(builtIn, await start(), 1), lower);
  const own = makeLearner({ ...params, objective: "/own/endless.ts" });
  const finite = /The loss of endless is Infinity\n.*that endless returns a finite loss/;
  await assert.rejects(stepOnce(own, await start(), 1), finite);
});

/** Distinct evaluations after one step on a grid, which states its own reward. */
async function evaluationsOf(name: string): Promise<number> {
  const grid = hypergridEnvironment({ ndim: 2, height: 6, r0: 0.1, r1: 0.5, r2: 2 }) as Environment;
  const policy = await createPolicy({ kind: "table" }, grid, new RandomStream("grid"));
  const random = new RandomStream("grid", "fresh");
  const options = { count: 8, epsilon: 0, temperature: 1, random };
  const trajectories = await policy.sample(grid, options);
  const { replay: _, ...rest } = params;
  const { policy: trained } = await makeLearner({ ...rest, objective: name }).run(
    fakeContext({ plugins }),
    {
      policy: { policy, trajectories: 0, distinctEvaluations: 0 },
      trajectories: { environment: grid, trajectories, epsilon: 0 },
    },
  );
  return trained.distinctEvaluations;
}

Deno.test("an objective of one's own that reads ends is given the budget of the built-in one", async () => {
  assert.equal(await evaluationsOf("/own/objective.ts"), await evaluationsOf("trajectory_balance"));
  const all = await evaluationsOf("sub_trajectory_balance");
  assert.ok(all > await evaluationsOf("trajectory_balance"));
  assert.equal(await evaluationsOf("/own/silent.ts"), all);
});

Deno.test("an objective of one's own is given its parameters, checked, and its smallest batch", async () => {
  const objective = "/own/scaled.ts";
  const scaled = makeLearner({ ...params, objective, parameters: { factor: 2 } });
  const { context: { told } } = await stepOnce(scaled, await start(), 1);
  assert.equal(new Map(told.metrics).get("factor"), 2);
  const wrong = makeLearner({ ...params, objective, parameters: { factor: -1 } });
  await assert.rejects(stepOnce(wrong, await start(), 1), /"scaled": factor is -1/);
  const lonely = makeLearner({ ...params, objective: "/own/lonely.ts" });
  await assert.rejects(stepOnce(lonely, await start(), 1), /lonely from a batch of 4: it compares/);
});

Deno.test("what was asked to be learned and an objective does not move is said once", async () => {
  const learner = makeLearner({ ...params, objective: "/own/objective.ts", flow_learning_rate: 1 });
  const first = await stepOnce(learner, await start(), 1);
  const said = ({ told }: typeof first.context) => told.lines.filter((one) => /flow/.test(one));
  assert.equal(said(first.context).length, 1);
  assert.equal(said((await stepOnce(learner, first.next, 2)).context).length, 0);
});

/** A step on trajectories of a policy that is two steps older. */
async function stepOnStale(learner: Learner) {
  const context = fakeContext({ step: 6, staleness: 2 });
  const policy = await start();
  const options = { count: 4, epsilon: 0, temperature: 1, random: context.random("fresh") };
  const sampling = fakeContext({ step: 6, staleness: 2, behind: 2 });
  const drawn = await policy.policy.sample(environment, options);
  const trajectories = sampledHere(sampling, drawn);
  const values = trajectories.map(({ actions }) =>
    Float64Array.from(terminablePrefixes(environment, actions), ({ t }) => -t)
  );
  const { policy: { movesOptimum } } = await learner.run(context, {
    policy,
    trajectories: { environment, trajectories, epsilon: 0 },
    log_reward: { values },
  });
  return { told: context.told, movesOptimum, trajectories };
}

Deno.test("an objective for the policy's own trajectories refuses stale ones, or says so", async () => {
  const parse = (more: object) => learnParams.parse({ objective: "reinforce", ...more });
  await assert.rejects(stepOnStale(makeLearner(parse({}))), (error) => {
    assert.ok(error instanceof InputError);
    const [{ code, message, hint }] = error.diagnostics;
    assert.equal(code, "learn/stale");
    assert.equal(
      message,
      "Cannot learn by reinforce from batches that are up to 2 steps old: it is right for the " +
        "policy's own trajectories only",
    );
    assert.match(hint!, /^set staleness of the loop to 0, or choose one of detailed_balance, /);
    assert.doesNotMatch(hint!, /grpo|ppo|maximum_likelihood/);
    return true;
  });
  const { movesOptimum } = await stepOnStale(makeLearner(parse({ stale: "uncorrected" })));
  assert.match(movesOptimum![0], /^reinforce learned from trajectories of policies up to 2 steps/);
});

Deno.test("a stale batch is learned from off policy, and its age is told", async () => {
  const { told, movesOptimum, trajectories } = await stepOnStale(makeLearner(params));
  assert.equal(movesOptimum, undefined);
  assert.deepEqual(trajectories.map(({ version }) => version), [3, 3, 3, 3]);
  assert.deepEqual(told.metrics.filter(([name]) => name === "staleness"), [["staleness", 2]]);
  const context = fakeContext({ step: 6 });
  assert.equal(trajectoryRow(context, trajectories[0], 0, -1).staleness, 2);
  const { version: _, ...written } = trajectories[0];
  assert.equal(trajectoryRow(context, written, 0, -1).staleness, undefined);
});
