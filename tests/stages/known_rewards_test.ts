/** Rewards that were known before training: records of the warm start, and the start of replay. */
import assert from "node:assert/strict";
import { InputError } from "../../src/base/diagnostic.ts";
import { RandomStream } from "../../src/base/random.ts";
import { defaultSchedule } from "../../src/engine/score/execution/execution.ts";
import { elpdLooJudge, logPriorJudge } from "../../src/engine/score/judges/reward.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { environmentNamed } from "../../src/gfn/environments/built_in_environments.ts";
import { actionsOfDerivation } from "../../src/gfn/grammar/derivation.ts";
import { createPolicy } from "../../src/gfn/policies/create_policy.ts";
import { terminablePrefixes } from "../../src/gfn/trajectories/batch.ts";
import type { Trajectory } from "../../src/gfn/trajectories/trajectory.ts";
import learn from "../../stages/learn/mod.ts";
import { makeLearner } from "../../stages/learn/learner.ts";
import { learnParams } from "../../stages/learn/params.ts";
import sft from "../../stages/sft/mod.ts";
import { ports } from "../../stages/ports/mod.ts";
import type { Prompts, ScoredSet, Target } from "../../stages/ports/values.ts";
import { trainingPrompts } from "../../stages/common/asked_prompts.ts";
import { writePrompts } from "../../stages/prompts/write_prompts.ts";
import { fakeContext, scored, smallEnvironment, threeAnimals } from "./fixtures.ts";

const environment = smallEnvironment();
const derivations = [
  ["linear", "birth_weak", "gain_weak", "normal"],
  ["square_root", "birth_weak", "gain_informed", "normal"],
];
const ways = derivations.map((names) => {
  const derived = actionsOfDerivation(environment, names);
  assert.ok(derived.ok);
  return derived.actions;
});
const known: ScoredSet = { rows: ways.map((actions, i) => [actions, -1 - i] as const) };

const target: Target = {
  environment,
  dataset: threeAnimals(),
  executor: "native",
  schedule: { ...defaultSchedule, unit: "row" },
  terms: [{ judge: "elpd_loo", version: 1, weight: 2 }],
  rule: {
    terms: [{ judge: elpdLooJudge, weight: 2 }, { judge: logPriorJudge, weight: 1 }],
    failure: { logReward: -50 },
  },
  nullElpd: -45,
};

const params = learnParams.parse({
  objective: "trajectory_balance",
  replay: { capacity: 6, fraction: 0.5 },
  learning_rate: 0.05,
});

/** A step on four fresh trajectories of log reward 0. */
async function step(given: Partial<typeof params>, from: ScoredSet, own = environment) {
  const policy = await createPolicy({ kind: "table" }, environment, new RandomStream("start"));
  const context = fakeContext({ step: 1 });
  const random = new RandomStream("fresh");
  const options = { count: 4, epsilon: 0, temperature: 1, random };
  const trajectories = await policy.sample(environment, options);
  const values = trajectories.map(({ actions }) =>
    new Float64Array(terminablePrefixes(environment, actions).length)
  );
  const learner = makeLearner({ ...params, ...given });
  const out = await learner.run(context, {
    policy: { policy, trajectories: 0, distinctEvaluations: 0 },
    trajectories: { environment: own, trajectories, epsilon: 0 },
    log_reward: { values },
    known: from,
  });
  return { out, context, learner, policy, trajectories };
}

const rowsOf = ({ told }: ReturnType<typeof fakeContext>, table: string) =>
  told.tables.filter(([name]) => name === table).flatMap(([, rows]) => rows);

async function refused(run: () => Promise<unknown>, message: RegExp) {
  await assert.rejects(
    async () => void await run(),
    (error) => error instanceof InputError && message.test(error.message),
  );
}

Deno.test("a warm start gives its examples with what the target gives, and their log probabilities", async () => {
  const context = fakeContext({ step: 0, answer: () => scored(-3) });
  const examples = derivations.map((derivation, i) => ({ name: `${i}`, derivation }));
  const policy = { kind: "table" };
  const stage = sft.open(sft.params.parse({ policy, examples, steps: 3 }));
  const out = await stage.run(context, { environment, target });
  const priors = ways.map((actions) => {
    return terminablePrefixes(environment, actions).at(-1)!.object.logPrior;
  });
  assert.deepEqual(out.scored.rows, ways.map((way, i) => [way, -6 + priors[i]]));
  const rows = rowsOf(context, "trajectory");
  assert.deepEqual(rows.map(({ log_reward }) => log_reward), priors.map((prior) => -6 + prior));
  const again = await ports.scored.decode(await ports.scored.encode(out.scored), {
    plugins: new Map(),
  });
  assert.deepEqual(again.rows, out.scored.rows);
  // Three steps of maximum likelihood have made both likelier than uniform choice does.
  const uniform = await stage.run(fakeContext({ step: 0 }), { environment });
  assert.deepEqual(uniform.scored.rows, []);
  assert.equal(rowsOf(context, "judgement").length, 2);
  assert.ok(rows.every(({ log_pf }) => Number.isFinite(log_pf)));
});

Deno.test("log_clamp holds what examples give to replay within its bounds", async () => {
  const examples = derivations.map((derivation, i) => ({ name: `${i}`, derivation }));
  const asked = { policy: { kind: "table" }, examples, steps: 1 };
  const worth = async (log_clamp?: readonly [number, number]) => {
    const context = fakeContext({ step: 0, answer: () => scored(-3) });
    const stage = sft.open(sft.params.parse({ ...asked, ...(log_clamp && { log_clamp }) }));
    const { scored: out } = await stage.run(context, { environment, target });
    return out.rows.map(([, reward]) => reward);
  };
  const [first, second] = await worth();
  const middle = (first + second) / 2;
  assert.deepEqual(
    (await worth([-700, middle])).sort(),
    [first, second].map((one) => Math.min(one, middle)).sort(),
  );
  assert.deepEqual(await worth([0, 700]), [0, 0]);
  assert.throws(
    () => sft.params.parse({ ...asked, log_clamp: [1, 1] }),
    /the least, then the most/,
  );
});

Deno.test("replay begins with what is known, under the present policy's log probabilities", async () => {
  const { context, out, policy, trajectories } = await step({}, known);
  const replayed = rowsOf(context, "trajectory").filter(({ replayed }) => replayed);
  assert.deepEqual(
    replayed.map(({ log_reward }) => log_reward).sort(),
    [-1, -2],
  );
  assert.deepEqual(context.told.metrics.find(([name]) => name === "replay_known"), [
    "replay_known",
    2,
  ]);
  for (const { tokens, log_pf } of replayed) {
    const uniform = uniformLogP(tokens as readonly number[]); // A table begins uniform.
    assert.ok(Math.abs(Number(log_pf) - uniform) < 1e-9);
  }
  assert.equal(policy.version, 1);
  const met = metBy(trajectories);
  const unmet = ways.filter((way) => !met.has(way.join(" "))).length;
  assert.equal(out.policy.distinctEvaluations, 3 + unmet); // The context counts three.
  assert.equal(out.scored.rows.length, met.size + unmet);
});

/** Ways to what trajectories end in or pass. */
function metBy(trajectories: readonly Trajectory[]): ReadonlySet<string> {
  return new Set(
    trajectories.flatMap(({ actions }) =>
      terminablePrefixes(environment, actions).map(({ t }) =>
        [...actions.slice(0, t), environment.exitAction].join(" ")
      )
    ),
  );
}

/** Of uniform choice among legal actions. */
function uniformLogP(actions: readonly number[]): number {
  let state = environment.initialState();
  return actions.reduce((sum, action) => {
    const legal = environment.legalActions(state).reduce((count, one) => count + one, 0);
    if (action !== environment.exitAction) state = environment.step(state, action);
    return sum - Math.log(legal);
  }, 0);
}

Deno.test("a learner that was saved does not begin anew", async () => {
  const { learner } = await step({}, known);
  const saved = await learner.save();
  const other = makeLearner(params);
  await other.load(saved);
  assert.deepEqual(await other.save(), saved);
});

Deno.test("rewards on the way are learnt from where they are known", async () => {
  const numbers = environmentNamed("numbers", { max: 19, base: 10 }) as Environment;
  const way = (...digits: number[]) => [...digits, numbers.exitAction];
  const policy = await createPolicy({ kind: "table" }, numbers, new RandomStream("start"));
  const run = async (rows: ScoredSet["rows"]) => {
    const context = fakeContext({ step: 1 });
    const random = new RandomStream("fresh");
    const trajectories = await policy.sample(numbers, {
      ...{ count: 4, epsilon: 0, temperature: 1, random },
    });
    const exact = { objective: "sub_trajectory_balance", flow: "exact_where_terminable" } as const;
    await makeLearner(learnParams.parse({ ...exact, replay: { capacity: 9, fraction: 1 } }))
      .run(context, {
        policy: { policy, trajectories: 0, distinctEvaluations: 0 },
        trajectories: { environment: numbers, trajectories, epsilon: 0 },
        known: { rows },
      });
    return rowsOf(context, "trajectory").filter(({ replayed }) => replayed);
  };
  // 17 passes 1, whose reward is known; 18 alone would want that of 1.
  assert.equal((await run([[way(1), -1], [way(1, 7), -2]])).length, 2);
  await refused(() => run([[way(1, 8), -2]]), /reads those of complete prefixes, and ends alone/);
});

const prompts: Prompts = writePrompts({}, {
  prompts: ["a", "b", "c"].map((id) => ({ id, held_out: id === "c", show: [], template: id })),
  ...{ response: false, most_rows: 1 },
});
const dearer: Target = { ...target, rule: { ...target.rule, terms: [target.rule.terms[0]] } };

async function warmStartAsked(wired: object, given: object = {}) {
  const context = fakeContext({ step: 0, answer: () => scored(-3) });
  const examples = [
    { name: "both", derivation: derivations[0] },
    { name: "one", derivation: derivations[1], prompt: "b" },
  ];
  const stage = sft.open(
    sft.params.parse({ policy: { kind: "table" }, examples, steps: 3, ...given }),
  );
  return { context, ...await stage.run(context, { environment, prompts, ...wired }) };
}

Deno.test("examples are worth what the target of the prompt that they answer gives for them", async () => {
  const { scored: out, context } = await warmStartAsked({ targets: { a: target, b: dearer } });
  const prior = (way: readonly number[]) =>
    terminablePrefixes(environment, way).at(-1)!.object.logPrior;
  assert.deepEqual(out.rows, []);
  assert.deepEqual(out.answers?.map(({ prompt, rows }) => [prompt.id, rows]), [
    ["a", [[ways[0], -6 + prior(ways[0])]]],
    ["b", [[ways[0], -6], [ways[1], -6]]],
  ]);
  const rows = rowsOf(context, "trajectory");
  assert.deepEqual(rows.map(({ idx, prompt }) => [idx, prompt]), [[0, "a"], [1, "b"], [2, "b"]]);
  assert.equal(rowsOf(context, "judgement").length, 3);
  const decode = { plugins: new Map() };
  assert.deepEqual(await ports.scored.decode(await ports.scored.encode(out), decode), out);
  const { scored: alike } = await warmStartAsked({ target });
  assert.deepEqual(alike.answers?.map(({ rows }) => rows.length), [1, 2]);
});

Deno.test("targets of a warm start must be those of its prompts, held out or not", async () => {
  await warmStartAsked({ targets: { a: target, b: target, c: dearer } });
  await refused(() => warmStartAsked({ targets: { a: target } }), /no target is for prompt "b"/);
  const more = { a: target, b: target, d: target };
  await refused(() => warmStartAsked({ targets: more }), /a target is for "d", which is no prompt/);
  await refused(() => warmStartAsked({ target, targets: { a: target } }), /both a target and/);
  const numbers = environmentNamed("numbers", { max: 9, base: 10 }) as Environment;
  const other = { ...target, environment: numbers };
  await refused(() => warmStartAsked({ target: other }), /the target is of another environment/);
  const unasked = { prompts: undefined, targets: { a: target } };
  const examples = [{ name: "both", derivation: derivations[0] }];
  await refused(() => warmStartAsked(unasked, { examples }), /Cannot reward answers: nothing was/);
});

/** A step on two fresh answers to each prompt, beginning with what is known. */
async function stepAsked(from: ScoredSet) {
  const policy = await createPolicy({ kind: "table" }, environment, new RandomStream("start"));
  const asked = trainingPrompts(policy, environment, prompts).flatMap((one) => [one, one]);
  const trajectories = await policy.sample(environment, {
    ...{ count: 4, epsilon: 0, temperature: 1, random: new RandomStream("fresh"), prompts: asked },
  });
  const values = trajectories.map(({ actions }) =>
    new Float64Array(terminablePrefixes(environment, actions).length)
  );
  const context = fakeContext({ step: 1 });
  const out = await makeLearner(params).run(context, {
    policy: { policy, trajectories: 0, distinctEvaluations: 0 },
    trajectories: { environment, trajectories, epsilon: 0 },
    log_reward: { values },
    known: from,
  });
  return { out, context, trajectories };
}

Deno.test("answers that were known are replayed under the prompts that they answer", async () => {
  const { scored: from } = await warmStartAsked({ targets: { a: target, b: dearer } });
  const { out, context, trajectories } = await stepAsked(from);
  const replayed = rowsOf(context, "trajectory").filter(({ replayed }) => replayed);
  assert.equal(replayed.length, 2); // half as many as fresh ones, of the three that are known
  const known = from.answers!.flatMap(({ prompt: { id }, rows }) =>
    rows.map(([, logReward]) => `${id} ${logReward}`)
  );
  for (const { prompt, log_reward: value } of replayed) {
    assert.ok(known.includes(`${prompt} ${value}`), `${prompt} ${value}`);
  }
  const met = metBy(trajectories);
  const unmet = ways.filter((way) => !met.has(way.join(" "))).length;
  assert.equal(out.policy.distinctEvaluations, 3 + unmet); // programs, not answers; the context counts three
  assert.deepEqual(out.scored.rows, []);
});

Deno.test("what was known under other questions is refused, for none of it would be drawn", async () => {
  await refused(() => stepAsked(known), /answers to no prompt, and the policy is asked/);
  const { scored: from } = await warmStartAsked({ target });
  await refused(() => step({}, from), /answers to prompts, and the policy is asked nothing/);
  const [first, second] = from.answers!;
  const other = { ...first, prompt: { ...first.prompt, tokens: [7] } };
  const changed = { rows: [], answers: [other, second] };
  await refused(() => stepAsked(changed), /prompt "a" is another text to this policy/);
});

Deno.test("what cannot be begun with is refused", async () => {
  await refused(() => step({}, { rows: [] }), /there are none/);
  await refused(
    () => step({ replay: undefined }, known),
    /learnt from by replay, and there is none/,
  );
  await refused(
    () => step({}, { rows: [[ways[0], -Infinity]] }),
    /log reward on the way to .* is -Inf/,
  );
  await refused(() => step({}, { rows: [[[0, 0], -1]] }), /another environment \(action/);
  const request = {
    context: fakeContext(),
    inputs: {},
    unknown: new Set(["known"]),
    params: learnParams.parse({ objective: "trajectory_balance" }),
  };
  await refused(() => learn.check!(request), /there is none/);
});
