/** Tests of the stage kind `rank`: order, budgets, classes, and what it writes. */
import assert from "node:assert/strict";
import { InputError } from "../../src/base/diagnostic.ts";
import { readGrammar } from "../../src/gfn/grammar/read.ts";
import { grammarEnvironment } from "../../src/gfn/grammar/environment.ts";
import { parseTomlFile } from "../../src/pipeline/toml/parse.ts";
import { defaultSchedule, type Execution } from "../../src/engine/score/execution/execution.ts";
import {
  elpdHoldoutJudge,
  elpdLooJudge,
  type Judge,
  logPriorJudge,
} from "../../src/engine/score/judges/reward.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import type { Row } from "../../src/pipeline/contract/stage.ts";
import rank from "../../stages/rank/stage.ts";
import type { Target } from "../../stages/ports/values.ts";
import { fakeContext, scored, smallEnvironment, threeAnimals } from "./fixtures.ts";

/** Three choices, two of them one model; `rare` is the unlikeliest. */
function classes(more = ""): Environment {
  const text = `
    format = 1
    name = "classes"
    ${more}
    template = "x = {x}"
    [holes.x]
    type = "number"
    question = "which?"
    productions = [
      { name = "rare", weight = 1, text = "1" },
      { name = "first", weight = 2, text = "2", class = "both" },
      { name = "second", weight = 5, text = "3", class = "both" },
    ]
  `;
  return grammarEnvironment(readGrammar(parseTomlFile(text, "x"), "x")) as Environment;
}

function targetOf(
  environment: Environment,
  judge: Judge = elpdLooJudge,
  failure = -50,
): Target {
  const terms = [{ judge, weight: 2 }, { judge: logPriorJudge, weight: 1 }];
  return {
    environment,
    dataset: threeAnimals(),
    executor: "native",
    schedule: { ...defaultSchedule, unit: "row" },
    terms: [],
    rule: { terms, failure: { logReward: failure } },
    nullElpd: -45,
  };
}

/** A slope of 0.5 ± 0.1, and a variable of two numbers. */
const params = {
  b: { mean: [0.5], sd: [0.1], q05: [0.34], q95: [0.66] },
  c: { mean: [1, 2], sd: [1, 1], q05: [-1, 0], q95: [3, 4] },
} as unknown as NonNullable<Execution["score"]>["params"];

/** A score of two rows; `asked` keeps the programs. */
function answering(asked: string[], failing: readonly string[] = []) {
  return (program: string): Execution => {
    asked.push(program.trim());
    const own = scored(-3);
    if (failing.includes(program.trim())) return { ...own, status: "error", score: undefined };
    return { ...own, score: { ...own.score!, elpdPointwise: [-1, -2], unit: "row", params } };
  };
}

async function ranked(
  environment: Environment,
  { failing, judge, floor, ...params }: {
    failing?: string[];
    executions?: number;
    at_most?: number;
    judge?: Judge;
    floor?: number;
  } = {},
) {
  const asked: string[] = [];
  const context = fakeContext({ step: 0, answer: answering(asked, failing) });
  const target = targetOf(environment, judge, floor);
  await rank.open(rank.params.parse(params)).run(context, { target });
  const rows = (table: string): Row[] =>
    context.told.tables.filter(([name]) => name === table).flatMap(([, own]) => own);
  return { asked, candidates: rows("candidate"), events: rows("event"), context };
}

Deno.test("a model in two parametrisations is executed once, with the prior of both", async () => {
  const { asked, candidates, events } = await ranked(classes());
  assert.deepEqual(asked, ["x = 2", "x = 1"]);
  const [both, rare] = [2, 1].map((many) => candidates.find(({ programs }) => programs === many)!);
  assert.deepEqual([rare.idx, both.idx], [0, 1]);
  assert.deepEqual([both.answers, both.features], [["both"], ["first"]]);
  assert.ok(Math.abs(Math.exp(both.log_prior as number) - 7 / 8) < 1e-12);
  assert.ok(Math.abs(both.log_reward as number - (2 * -3 + Math.log(7 / 8))) < 1e-12);
  assert.deepEqual(both.pointwise, [-2, -4]);
  assert.ok(Math.abs(both.mcse as number - 2 * 0.05) < 1e-12);
  const detail = events[0].detail as { programs: number; questions: { answers: unknown }[] };
  assert.equal(detail.programs, 3);
  assert.equal(JSON.stringify(detail.questions[0].answers).match(/"prior":0\.8/g)?.length, 1);
});

Deno.test("terms that the grammar names are summarised in the likeliest programs that have them", async () => {
  const { events } = await ranked(classes('effects = { slope = "b", bend = "c" }'));
  const effects = events.filter(({ kind }) => kind === "effect");
  assert.deepEqual(effects.map(({ detail }) => detail), [
    { idx: 1, term: "slope", mean: 0.5, sd: 0.1, q05: 0.34, q95: 0.66 },
    { idx: 0, term: "slope", mean: 0.5, sd: 0.1, q05: 0.34, q95: 0.66 },
  ]);
});

Deno.test("an effect of a level says what the grammar compares it with", async () => {
  const terms = 'effects = { slope = "b", "site: B" = "b" }\nagainst = { "site: B" = "A" }';
  const { events } = await ranked(classes(terms));
  const effects = events.filter(({ kind }) => kind === "effect").slice(0, 2);
  assert.deepEqual(effects.map(({ detail }) => detail), [
    { idx: 1, term: "slope", mean: 0.5, sd: 0.1, q05: 0.34, q95: 0.66 },
    { idx: 1, term: "site: B", mean: 0.5, sd: 0.1, q05: 0.34, q95: 0.66, against: "A" },
  ]);
});

Deno.test("where the first parametrisation has no score, the next stands for the model", async () => {
  const { asked, candidates } = await ranked(classes(), { failing: ["x = 2"] });
  assert.deepEqual(asked, ["x = 2", "x = 1", "x = 3"]);
  const both = candidates.find(({ programs }) => programs === 2)!;
  assert.deepEqual([both.status, both.features], ["ok", ["second"]]);
});

Deno.test("a model that fails in all parametrisations has a row without a reward", async () => {
  const { candidates } = await ranked(classes(), { failing: ["x = 2", "x = 3"] });
  const both = candidates.find(({ programs }) => programs === 2)!;
  assert.deepEqual([both.status, both.log_reward], ["error", undefined]);
});

Deno.test("a raised program has its own reward, and the one that policies learn from beside it", async () => {
  const { candidates } = await ranked(classes(), { floor: -5 }); // −6 is raised to −4
  const both = candidates.find(({ programs }) => programs === 2)!;
  assert.ok(Math.abs(both.log_reward as number - (2 * -3 + Math.log(7 / 8))) < 1e-12);
  assert.ok(Math.abs(both.raised_to as number - (-4 + Math.log(7 / 8))) < 1e-12);
  assert.equal((await ranked(classes())).candidates[0].raised_to, undefined);
});

Deno.test("a reward by withheld rows is no sum over the rows at hand", async () => {
  const { candidates } = await ranked(classes(), { judge: elpdHoldoutJudge });
  assert.deepEqual(candidates.map(({ pointwise }) => pointwise), [undefined, undefined]);
});

Deno.test("few programs are asked for at first, for a stop or a budget of time to wait for", async () => {
  const shown: unknown[] = [];
  const context = {
    ...fakeContext({ step: 0, answer: answering([]) }),
    progress: ({ models }: Record<string, unknown>) => shown.push(models),
  };
  await rank.open(rank.params.parse({})).run(context, { target: targetOf(smallEnvironment()) });
  assert.deepEqual(shown.slice(0, 6), ["0/88", "4/88", "12/88", "28/88", "60/88", "88/88"]);
});

Deno.test("a budget leaves the unlikeliest programs out, and says so", async () => {
  const environment = smallEnvironment();
  const { asked, candidates, context } = await ranked(environment, { executions: 70 });
  assert.deepEqual([asked.length, candidates.length], [70, 70]);
  assert.ok(context.told.lines.some((line) => /budget spent: 18 models/.test(line)));
  const priors = [...environment.enumerate()].map(({ logPrior }) => logPrior).sort((a, b) => b - a);
  const least = Math.min(...candidates.map((row) => row.log_prior as number));
  assert.ok(least >= priors[69]);
});

Deno.test("a space with more programs than may be counted is refused with what to do", async () => {
  await assert.rejects(ranked(smallEnvironment(), { at_most: 87 }), (error) => {
    assert.ok(error instanceof InputError);
    assert.match(error.message, /there are 88, and at_most is 87/);
    assert.match(error.diagnostics[0].hint!, /let a policy learn them/);
    return true;
  });
});
