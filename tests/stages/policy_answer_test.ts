/** A policy for many data sets beside a target: its answer, what it refuses, what is executed first, a surrogate's mean. */
import assert from "node:assert/strict";
import { makeDataset } from "../../src/base/dataset.ts";
import { InputError } from "../../src/base/diagnostic.ts";
import { RandomStream } from "../../src/base/random.ts";
import { defaultSchedule, type Execution } from "../../src/engine/score/execution/execution.ts";
import {
  elpdHoldoutJudge,
  elpdLooJudge,
  logPriorJudge,
} from "../../src/engine/score/judges/reward.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { grammarEnvironment, spaceGrammar } from "../../src/gfn/grammar/mod.ts";
import {
  drawRows,
  members,
  scoreSubset,
  simulation,
  standardRows,
} from "../../src/gfn/train/mod.ts";
import type { Row } from "../../src/pipeline/contract/stage.ts";
import { policyAnswer, policyAt } from "../../stages/common/policy_answer.ts";
import { candidatesOf } from "../../stages/evaluation/candidates.ts";
import rank from "../../stages/rank/stage.ts";
import surrogate from "../../stages/surrogate/stage.ts";
import type { ProgramTarget } from "../../stages/ports/values.ts";
import { fakeContext, scored } from "./fixtures.ts";

const policy = "data/policies/regression.safetensors";
const given = simulation.parse({
  ...{ rows: [60, 60], predictors: [3, 3], missing: [0, 0], shapes: 0, tails: 0 },
  ...{ correlation: [0.3, 0.3], explained: [0.4, 0.4] },
});
const drawn = drawRows(given, new RandomStream("answers"));
const rows = standardRows(drawn);

function targetOf(
  formula = "y ~ [a] + [b] + [c]",
  { families = ["normal"], y = drawn.y, judge = elpdLooJudge }: {
    families?: string[];
    y?: ArrayLike<number>;
    judge?: typeof elpdLooJudge;
  } = {},
): ProgramTarget {
  const predictors = ["a", "b", "c"].map((name, j) => {
    return {
      name,
      role: "predictor",
      type: "real",
      values: Float64Array.from(drawn.columns[j]),
    } as const;
  });
  const response = {
    name: "y",
    role: "response",
    type: "real",
    values: Float64Array.from(y),
  } as const;
  const dataset = makeDataset("drawn", [...predictors, response]);
  const spec = spaceGrammar(dataset, { space: "regression", formula, families });
  return {
    environment: grammarEnvironment(spec) as Environment,
    dataset,
    executor: "native",
    schedule: defaultSchedule,
    terms: [],
    rule: {
      terms: [{ judge, weight: 1 }, { judge: logPriorJudge, weight: 1 }],
      failure: { logReward: -500 },
    },
    nullElpd: -400,
  };
}

/** Scores programs in closed form, by the columns that their texts name; keeps their order. */
function answering(asked: string[]) {
  return (program: string): Execution => {
    const chosen = [0, 1, 2].filter((j) => program.includes(`b_${"abc"[j]}`));
    asked.push(chosen.map((j) => "abc"[j]).join(""));
    const elpd = scoreSubset(rows, chosen).elpd;
    return { ...scored(elpd), score: { ...scored(elpd).score!, unit: "row" } };
  };
}

const target64 = [...Array(8).keys()].map((bits) => scoreSubset(rows, members(bits)).elpd);

async function ranked(target: ProgramTarget, params: object) {
  const asked: string[] = [];
  const context = fakeContext({ step: 0, answer: answering(asked) });
  await rank.open(rank.params.parse(params)).run(context, { target });
  const events = context.told.tables.filter(([name]) => name === "event").flatMap(([, own]) => own);
  return { asked, events, lines: context.told.lines };
}

Deno.test("without execution the policy is near counting, and says of what it was trained", async () => {
  const { asked, events } = await ranked(targetOf(), { policy, executions: 0 });
  assert.deepEqual(asked, []);
  const { detail } = events.find(({ kind }) => kind === "policy_answer")!;
  const { inclusion, passed, figures } = detail as {
    readonly passed: boolean;
    readonly inclusion: readonly { readonly question: string; readonly probability: number }[];
    readonly figures: Readonly<Record<string, number>>;
  };
  assert.ok(passed && figures.tv_median < 0.1);
  const weights = target64.map((one) => Math.exp(one - Math.max(...target64)));
  const total = weights.reduce((a, b) => a + b);
  inclusion.forEach(({ question, probability }, j) => {
    assert.equal(question, "abc"[j]);
    const wanted = weights.reduce((sum, one, bits) => (bits >> j) & 1 ? sum + one : sum, 0) / total;
    assert.ok(Math.abs(probability - wanted) < 0.1, `${question}: ${probability} ${wanted}`);
  });
});

Deno.test("with a policy the likeliest programs are executed first, and all in the end", async () => {
  const { asked, events } = await ranked(targetOf(), { policy });
  assert.equal(new Set(asked).size, 8);
  const best = target64.indexOf(Math.max(...target64));
  const name = members(best).map((j) => "abc"[j]).join("");
  assert.ok(asked.indexOf(name) < 2, `${name} among ${asked}`);
  const { detail } = events.find(({ kind }) => kind === "policy_trials")!;
  const { k, effective } = detail as { readonly k: number; readonly effective: number };
  assert.ok(k < 0.7 && effective > 0.7, `${k} ${effective}`);
});

Deno.test("an outlier is refused without execution; with it, programs are counted as ever", async () => {
  const y = Array.from(drawn.y).map((one, i) => i === 5 ? one + 40 : one);
  const target = targetOf(undefined, { y });
  const alone = ranked(target, { policy, executions: 0 });
  await assert.rejects(
    alone,
    /The policy does not answer: shapes or noise unlike those of training/,
  );
  const { asked, lines, events } = await ranked(target, { policy });
  assert.equal(new Set(asked).size, 8);
  assert.ok(lines.some((line) => line.startsWith("the policy is not used")));
  const { by, steps } = escalated(events);
  assert.deepEqual([by, ...steps], ["count", ["detector", false], ["count", true]]);
});

function escalated(events: readonly Row[]) {
  const { detail } = events.find(({ kind }) => kind === "policy_escalation")!;
  const { by, steps, inclusion } = detail as {
    readonly by: string;
    readonly steps: readonly { readonly step: string; readonly passed: boolean }[];
    readonly inclusion: readonly { readonly probability: number }[];
  };
  return { by, steps: steps.map(({ step, passed }) => [step, passed]), inclusion };
}

Deno.test("steps are stated: a policy that holds, and a count where nothing limits it", async () => {
  const few = escalated((await ranked(targetOf(), { policy, executions: 7 })).events);
  assert.deepEqual([few.by, ...few.steps], ["trials", ["detector", true], ["trials", true]]);
  const all = escalated((await ranked(targetOf(), { policy })).events);
  assert.deepEqual(all.steps.at(-1), ["count", true]);
  few.inclusion.forEach(({ probability }, j) => {
    assert.ok(Math.abs(probability - all.inclusion[j].probability) < 0.02);
  });
});

Deno.test("where weights say that the policy is wrong, a surrogate spends the rest of the budget", async () => {
  const asked: string[] = [];
  const wrong = (program: string) => {
    const own = answering(asked)(program);
    const isOne = program.includes("b_b") !== program.includes("b_c");
    const elpdLoo = own.score!.elpdLoo - (isOne ? 0 : 8);
    return { ...own, score: { ...own.score!, elpdLoo, elpdReward: elpdLoo } };
  };
  const context = fakeContext({ step: 0, answer: wrong });
  const stage = rank.open(rank.params.parse({ policy, executions: 7 }));
  await stage.run(context, { target: targetOf() });
  const events = context.told.tables.filter(([name]) => name === "event").flatMap(([, own]) => own);
  const { steps } = escalated(events);
  assert.deepEqual(steps.slice(0, 2), [["detector", true], ["trials", false]]);
  assert.equal(steps[2][0], "surrogate");
  assert.ok(new Set(asked).size <= 7);
});

for (
  const [what, target, wanted] of [
    ["a family", targetOf(undefined, { families: ["normal", "student_t"] }), /family student_t/],
    ["a curve", targetOf("y ~ [a | poly(a, 2)]"), /column of numbers is in or out/],
    ["a term in all", targetOf("y ~ a + [b]"), /have "y ~ 1 \+ a" in common/],
    ["a product", targetOf("y ~ [a] + [b] + [a:b]"), /"a:b" is none/],
    ["another judge", targetOf(undefined, { judge: elpdHoldoutJudge }), /weighed by/],
  ] as const
) {
  Deno.test(`${what} that the policy does not know is refused in words`, async () => {
    const error = await ranked(target, { policy, executions: 0 }).catch((error) => error);
    assert.ok(error instanceof InputError, `${error}`);
    assert.match(error.message, wanted);
    assert.match(error.diagnostics[0].hint!, /leave out --policy/);
  });
}

Deno.test("more predictors than the vocabulary has, and a category of 50 levels, are refused", async () => {
  const file = await policyAt(policy);
  const target = targetOf();
  const space = candidatesOf(target.environment, [...target.environment.enumerate()]);
  const small = { ...file, card: { ...file.card, most_predictors: 2 } };
  assert.throws(
    () => policyAnswer(small, target, space),
    /3 predictors are asked about, at most 2/,
  );
  const { columns } = target.dataset;
  const categories = Array.from({ length: 50 }, (_, k) => `level ${k}`);
  const values = Float64Array.from({ length: 60 }, (_, i) => i % 50);
  const site = { name: "site", role: "predictor", type: "category", values, categories } as const;
  const dataset = makeDataset("sites", [...columns, site]);
  const formula = "y ~ [a] + [site]";
  const spec = spaceGrammar(dataset, { space: "regression", formula, families: ["normal"] });
  const environment = grammarEnvironment(spec) as Environment;
  const asked = candidatesOf(environment, [...environment.enumerate()]);
  const error = () => policyAnswer(file, { ...target, dataset, environment }, asked);
  assert.throws(error, /"site" is none/);
});

Deno.test("no execution without a policy, and no mean without its file", () => {
  assert.match(rank.params.safeParse({ executions: 0 }).error!.message, /wanted a policy/);
  const mean = surrogate.params.safeParse({ budget: 4, mean: "policy" });
  assert.match(mean.error!.message, /the file of a policy, or neither/);
});

Deno.test("a surrogate begins with what the policy foretells, and comes back from its artifact", async () => {
  const context = fakeContext({ step: 0, answer: answering([]) });
  const params = { budget: 3, first: 3, held_out: 0, mean: "policy", policy };
  const stage = surrogate.open(surrogate.params.parse(params));
  const found = await stage.run(context, { target: targetOf() });
  const objects = [...found.surrogate.environment.enumerate()];
  const said = found.surrogate.surrogate.logRewards(objects);
  const { ports } = await import("../../stages/ports/mod.ts");
  const bytes = await ports.surrogate.encode(found.surrogate);
  const again = await ports.surrogate.decode(bytes, { plugins: new Map() });
  assert.deepEqual(again.surrogate.logRewards(objects), said);
  const wanted = objects.map(({ features }) => {
    return target64[
      ["a", "b", "c"].reduce((sum, one, j) => features.includes(one) ? sum + 2 ** j : sum, 0)
    ];
  });
  const share = (logs: ArrayLike<number>) => {
    const all = Array.from(logs, (one) => Math.exp(one - Math.max(...Array.from(logs))));
    return all.map((one) => one / all.reduce((a, b) => a + b));
  };
  const [own, target] = [share(said), share(wanted)];
  const tv = own.reduce((sum, one, i) => sum + Math.abs(one - target[i]) / 2, 0);
  assert.ok(tv < 0.1, `${tv} after three of eight programs`);
});
