/** Input that learning and evaluation refuse, and their messages. */
import assert from "node:assert/strict";
import { runInProcess } from "../../bench/pipeline_in_process.ts";
import { InputError } from "../../src/base/diagnostic.ts";
import { RandomStream } from "../../src/base/random.ts";
import {
  customEnvironment,
  defineEnvironment,
} from "../../src/gfn/environments/define_environment.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { createPolicy } from "../../src/gfn/policies/create_policy.ts";
import { enumerateUpTo } from "../../stages/evaluation/enumerated.ts";
import { Evaluator } from "../../stages/evaluate_kl/evaluator.ts";
import { learnParams } from "../../stages/learn/params.ts";
import { makeLearner } from "../../stages/learn/learner.ts";
import type { TrainedPolicy } from "../../stages/ports/values.ts";
import { mixedTree } from "../gfn/tree_environment.ts";
import { fakeContext, quickEvaluation, smallEnvironment } from "./fixtures.ts";

const environment = mixedTree();

async function fresh(of: Environment = environment): Promise<TrainedPolicy> {
  const policy = await createPolicy({ kind: "table" }, of, "fresh");
  return { policy, trajectories: 0, distinctEvaluations: 0 };
}

const rates = { learning_rate: 0.1, log_z_learning_rate: 0.1, clip_norm: 10 };
const learnerOf = (given: object) => makeLearner(learnParams.parse({ ...rates, ...given }));

async function learnFrom(
  logReward: readonly number[] | undefined,
  count = 1,
  objective: "tb" | "vargrad" = "tb",
  of: Environment = environment,
) {
  const objectives = { tb: "trajectory_balance", vargrad: "log_partition_variance" };
  const learner = learnerOf({ objective: objectives[objective] });
  const policy = await fresh(of);
  const options = { count, epsilon: 0, temperature: 1, random: new RandomStream("bad") };
  const trajectories = await policy.policy.sample(of, options);
  const values = logReward && trajectories.map(() => Float64Array.from(logReward));
  return await learner.run(fakeContext(), {
    policy,
    trajectories: { environment: of, trajectories, epsilon: 0 },
    ...(values && { log_reward: { values } }),
  });
}

/** The code, and that the message and the hint say these things. */
async function refused(work: () => Promise<unknown>, code: string, ...said: RegExp[]) {
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof InputError, `${error}`);
    assert.equal(error.diagnostics[0].code, code);
    const { message, hint } = error.diagnostics[0];
    for (const one of said) assert.match(`${message}\n${hint}`, one);
    return true;
  });
}

for (const wrong of [NaN, Infinity, -Infinity]) {
  Deno.test(`a log reward of ${wrong} stops learning, and the object is named`, async () => {
    const work = () => learnFrom([wrong]);
    await refused(work, "reward/not-finite", new RegExp(`is ${wrong}`), /finite floor/);
  });
}

Deno.test("trajectories that nothing rewards stop learning, with the wire that is missing", async () => {
  const grammar = smallEnvironment();
  const work = () => learnFrom(undefined, 1, "tb", grammar);
  await refused(work, "learn/no-reward", /log_reward = "judge.log_reward"/);
});

Deno.test("exact flows without the rewards of complete prefixes are refused; ends alone are enough for others", async () => {
  const policy = await fresh();
  const random = new RandomStream("ends");
  const options = { count: 8, epsilon: 0, temperature: 1, random };
  const trajectories = await policy.policy.sample(environment, options);
  const ends = { values: trajectories.map(() => Float64Array.of(-1)) };
  const learn = async (objective: string) => {
    return await learnerOf({ objective }).run(fakeContext(), {
      policy: await fresh(),
      trajectories: { environment, trajectories, epsilon: 0 },
      log_reward: ends,
    });
  };
  await refused(
    () => learn("sub_trajectory_balance"),
    "learn/missing-reward",
    /complete prefixes of a trajectory have no log reward/,
    /states = "terminable"/,
  );
  assert.equal((await learn("trajectory_balance")).policy.trajectories, 8);
});

Deno.test("a variance over one trajectory is refused", async () => {
  const { actions } = (await (await fresh()).policy.sample(environment, {
    count: 1,
    epsilon: 0,
    temperature: 1,
    random: new RandomStream("bad"),
  }))[0];
  let [state, complete] = [environment.initialState(), 0];
  for (const action of actions) {
    complete += environment.legalActions(state)[0];
    if (action !== 0) state = environment.step(state, action);
  }
  const work = () => learnFrom(new Array(complete).fill(-1), 1, "vargrad");
  await refused(work, "learn/batch-too-small", /batch of 1/, /2 or more/);
});

Deno.test("an evaluation needs a target or an environment, and an environment its own reward", async () => {
  const evaluator = () => new Evaluator(quickEvaluation);
  const policy = await fresh();
  await refused(
    () => evaluator().run(fakeContext({ step: 0 }), { policy }),
    "evaluate/subject",
    /neither a target nor an environment/,
  );
  await refused(
    () => evaluator().run(fakeContext({ step: 0 }), { policy, environment: smallEnvironment() }),
    "evaluate/no-reward",
    /the grammar states no log reward of "/,
  );
});

const refusedPipelines: readonly (readonly [string, string, RegExp])[] = [
  [
    "samples outside of a loop",
    'stages.more={kind="sample",batch_size=4,inputs={policy="train.policy",environment="programs"}}',
    /"more": its trajectories live inside a loop, and it stands outside/,
  ],
  [
    "a replay fraction without capacity",
    "stages.train.stages.learn.replay={fraction=0.5}",
    /capacity/,
  ],
  [
    "a reward exponent that does not end at the target",
    "stages.train.stages.learn.reward_exponent={start=0.2,end=0.9}",
    /ends at 0\.9, so another target/,
  ],
  [
    "a reward exponent that comes to the target too late",
    "stages.train.stages.learn.reward_exponent={start=0.2,until=0.9}",
    /less than the last fifth/,
  ],
  ["a λ that is not above 0", "stages.train.stages.learn.lambda=0.0", /lambda/],
  [
    "shares of behaviours above 1",
    "stages.train.stages.sample.mix=[{share=0.7},{share=0.7}]",
    /sum to more than 1/,
  ],
  [
    "a backend that there is none of",
    'stages.start.policy.backend="cuda"',
    /^(?!.*unknown key).*policy\.backend is "cuda", wanted one of fused, /s,
  ],
  ["a batch of none", "stages.train.stages.sample.batch_size=0", /batch_size/],
];

for (const [what, set, said] of refusedPipelines) {
  Deno.test(`${what} is refused before anything runs`, async () => {
    await assert.rejects(
      () => runInProcess("pipelines/benchmarks/hypergrid.toml", [set]),
      (error) => error instanceof InputError && said.test(error.message),
    );
  });
}

Deno.test("a budget that fills no set of particles is refused", async () => {
  const sets = [
    "stages.grid.height=4",
    "stages.train.steps=2",
    "stages.evaluate.budget=5",
    "stages.train.stages.progress.every=10",
  ];
  const work = () => runInProcess("pipelines/benchmarks/hypergrid.toml", sets);
  await refused(work, "evaluate/budget", /a budget of 5/, /at least 64/);
});

Deno.test("replay with an objective that is right on-policy only is refused", async () => {
  const sets = [
    "stages.train.steps=2",
    'stages.train.stages.learn.objective="reinforce"',
    "stages.train.stages.learn.replay={capacity=10}",
  ];
  const work = () => runInProcess("pipelines/benchmarks/hypergrid.toml", sets);
  await refused(work, "learn/on-policy", /Cannot replay with reinforce/);
});

Deno.test("an environment that is too large to walk says so, with the bound", async () => {
  const sets = ["stages.grid.ndim=20", "stages.grid.height=20"];
  const work = () => runInProcess("pipelines/benchmarks/hypergrid.toml", sets);
  await assert.rejects(
    work,
    (error) => error instanceof InputError && /20 \*\* 20/.test(error.message),
  );
});

/** Counts up, and may stop anywhere, up to `last`; `maxActions` is what it promises. */
function counting(last: number, maxActions: number, logReward = (n: number) => -n): Environment {
  const half = -0.6931471805599453;
  const terminal = (n: number) => {
    const actions = [...Array<number>(n).fill(0), 1];
    return { text: `n ${n}`, logPrior: (n + 1) * half, actions, features: [] };
  };
  const definition = defineEnvironment<number>({
    name: "counting",
    version: 1,
    create: () => ({
      actionNames: ["up", "stop"],
      exitAction: 1,
      maxActions,
      initialState: () => 0,
      legalActions: (n) => Uint8Array.of(n < last ? 1 : 0, 1),
      step: (n) => n + 1,
      logPrior: (n) => Float64Array.from(n < last ? [half, half] : [-Infinity, 0]),
      terminal,
      *enumerate() {
        for (let n = 0; n <= last; n++) yield { ...terminal(n), logReward: logReward(n) };
      },
      logReward,
    }),
  });
  return customEnvironment(definition, {}) as Environment;
}

Deno.test("an infinite environment is refused with the bound that it breaks", async () => {
  const infinite = counting(Infinity, 20);
  const policy = await fresh(infinite);
  const said = [/more than maxActions = 20 actions/, /make it finite/];
  const evaluate = () =>
    new Evaluator(quickEvaluation).run(fakeContext(), { policy, environment: infinite });
  await refused(evaluate, "environment/too-long", /"n 20" takes/, ...said);
  const options = { count: 64, epsilon: 1, temperature: 1, random: new RandomStream("infinite") };
  const short = counting(Infinity, 3);
  const sample = async () => await (await fresh(short)).policy.sample(short, options);
  await refused(sample, "environment/too-long", /a trajectory takes more than maxActions = 3/);
});

Deno.test("objects that memory would not hold are not counted", () => {
  const long = counting(Infinity, 1e7);
  assert.equal(enumerateUpTo(long, 1e6), undefined);
  assert.equal(enumerateUpTo(counting(9, 10), 10)!.length, 10);
});

for (const [what, at, said] of [[NaN, 4, /"n 4" is NaN/], [Infinity, 2, /"n 2" is Infinity/]]) {
  Deno.test(`a log reward of ${what} that training never met stops the evaluation`, async () => {
    const environment = counting(5, 6, (n) => n === at ? what as number : -n);
    const policy = await fresh(environment);
    const work = () => new Evaluator(quickEvaluation).run(fakeContext(), { policy, environment });
    await refused(work, "reward/not-finite", said as RegExp);
  });
}

Deno.test("rewards that are all 0 have no target", async () => {
  const environment = counting(5, 6, () => -Infinity);
  const policy = await fresh(environment);
  const work = () => new Evaluator(quickEvaluation).run(fakeContext(), { policy, environment });
  await refused(work, "reward/all-zero", /every/);
});

Deno.test("a policy of another vocabulary is refused, and says both", async () => {
  const policy = await fresh(counting(5, 6));
  const other = mixedTree();
  const options = { count: 2, epsilon: 0, temperature: 1, random: new RandomStream("other") };
  await refused(() => policy.policy.sample(other, options), "policy/environment", /another/);
});

Deno.test("an optimum that the objective moves is said in the evaluation", async () => {
  const learner = learnerOf({ objective: "relative_trajectory_balance", beta: 2 });
  const { environmentNamed } = await import("../../src/gfn/environments/built_in_environments.ts");
  const numbers = environmentNamed("numbers", { max: 12, base: 10 });
  const policy = await createPolicy({ kind: "table" }, numbers, "fresh");
  const options = { count: 4, epsilon: 0, temperature: 1, random: new RandomStream("moved") };
  const trajectories = await policy.sample(numbers, options);
  const { policy: trained } = await learner.run(fakeContext(), {
    policy: { policy, trajectories: 0, distinctEvaluations: 0 },
    trajectories: { environment: numbers, trajectories, epsilon: 0 },
  });
  const context = fakeContext({ step: 0 });
  await new Evaluator(quickEvaluation).run(context, { policy: trained, environment: numbers });
  const [, events] = context.told.tables.find(([table]) => table === "event")!;
  assert.match(String(events[0].message), /beta = 2 has its optimum at prior/);
  assert.equal(events[0].kind, "moves_optimum");
});
