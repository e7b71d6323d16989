/** One policy for many data sets of growth: in a pipeline, about a target, going on from its file. */
import assert from "node:assert/strict";
import { makeDataset } from "../../src/base/dataset.ts";
import { defaultSchedule } from "../../src/engine/score/execution/execution.ts";
import { elpdLooJudge, logPriorJudge } from "../../src/engine/score/judges/reward.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { grammarEnvironment, spaceGrammar } from "../../src/gfn/grammar/mod.ts";
import { environmentOfQuestions, readAmortised } from "../../src/gfn/train/mod.ts";
import amortise from "../../stages/amortise/mod.ts";
import evaluate from "../../stages/evaluate_amortised/stage.ts";
import policyStage from "../../stages/policy/mod.ts";
import { ports } from "../../stages/ports/mod.ts";
import type { ProgramTarget } from "../../stages/ports/values.ts";
import rank from "../../stages/rank/stage.ts";
import simulate from "../../stages/simulate/stage.ts";
import { fakeContext, scored } from "./fixtures.ts";

const file = "data/policies/growth.safetensors";

/** Executions whose ELPD follows from the text. */
const answer = (program: string) => scored(-40 - program.length / 100);

async function drawn(more: object = {}, own = answer) {
  const params = {
    space: "growth",
    data_sets: 2,
    held_out: 2,
    programs: 6,
    rows: [12, 16],
    ...more,
  };
  return await simulate.open(simulate.params.parse(params)).run(
    fakeContext({ step: 0, answer: own }),
    {},
  );
}

Deno.test("data sets of growth are simulated, learned from and counted, beside two rivals", async () => {
  const { datasets, questions } = await drawn();
  const bytes = await ports.datasets.encode(datasets);
  assert.deepEqual(await ports.datasets.decode(bytes, { plugins: new Map() }), datasets);
  assert.ok(datasets.heldOut.every(({ programs }) => programs.length >= 60));
  const opened = policyStage.open(
    policyStage.params.parse({ policy: { kind: "amortised", width: 8, hidden: 8 } }),
  );
  const { policy } = await opened.run(fakeContext(), { environment: questions });
  const learned = await amortise.open(amortise.params.parse({ updates: 2, batch_size: 2 }))
    .run(fakeContext(), { policy, datasets, questions });
  const stage = evaluate.open(evaluate.params.parse({}));
  const found = await stage.run(fakeContext(), { ...learned, datasets, questions });
  const names = new Set(found.evaluation.measures.map(({ subject: { name } }) => name));
  assert.deepEqual([...names].sort(), ["counting", "policy", "straightened", "uniform"]);
  const measures = new Set(found.evaluation.measures.map(({ measure }) => measure));
  assert.ok(measures.has("sbc_distance") && measures.has("truth_in_90"));
  const { card } = await readAmortised(found.file, "own.safetensors");
  assert.equal(card.space, "growth");
});

Deno.test("real sizes over ages are held out or learned from; a size of 0 is refused", async () => {
  const path = "data/dugongs.csv";
  const table = { path, response: "length", predictors: ["age"] };
  const { datasets } = await drawn({
    data_sets: 0,
    held_out: 0,
    tables: [table, { ...table, learn: true }],
  });
  assert.deepEqual(datasets.heldOut.map(({ id }) => id), ["dugongs: length"]);
  assert.equal(datasets.training[0].rows.rows, 27);
  const two = drawn({ tables: [{ ...table, predictors: ["age", "length"] }] });
  await assert.rejects(two, /2 predictors, wanted an age/);
  const zero = { path: "data/surgical.csv", response: "r", predictors: ["n"] };
  const executed = () => assert.fail("nothing is executed before all tables are read");
  const refused = drawn({ rewards: "engine", tables: [zero] }, executed);
  await assert.rejects(refused, /table of growth: r of 0 or below/);
});

Deno.test("a table of a size that is never drawn is named at the start", async () => {
  const table = { path: "data/dugongs.csv", response: "length", predictors: ["age"] };
  const params = { space: "growth", data_sets: 1, held_out: 0, programs: 2, tables: [table] };
  const context = fakeContext({ step: 0, answer });
  await simulate.open(simulate.params.parse({ ...params, rows: [8, 12] })).run(context, {});
  assert.match(context.told.lines[0], /27 complete rows, and 8 to 12 are drawn: none like it/);
});

for (
  const [what, given, wanted] of [
    ["predictors of growth", { predictors: [2, 3] }, /growth.* has none: leave it out/],
    ["a family that is not scored", { families: ["normal"] }, /scored for normal, student_t/],
    ["fewer rows than curves take", { rows: [3, 9] }, /8/],
    ["nothing to learn from", { data_sets: 0 }, /nothing to learn from/],
    [
      "ages of 0 in a regression",
      { space: "regression", born: 0.5 },
      /regression.* has none/,
    ],
    [
      "the engine for regressions",
      { space: "regression", rewards: "engine" },
      /without executions/,
    ],
  ] as const
) {
  Deno.test(`${what}: refused before anything is drawn`, () => {
    const params = { space: "growth", data_sets: 2, ...given };
    assert.match(simulate.params.safeParse(params).error!.message, wanted);
  });
}

const ages = Float64Array.from({ length: 24 }, (_, i) => 0.5 * (i + 1));
const sizes = ages.map((age, i) => 10 - 6 * 0.8 ** age + 0.3 * Math.sin(7 * i));

function targetOf(
  { families = ["normal", "student_t", "log_normal"], y = sizes, given = ages }: {
    families?: string[];
    y?: Float64Array;
    given?: Float64Array;
  } = {},
): ProgramTarget {
  const dataset = makeDataset("fish", [
    { name: "body length", role: "response", type: "real", values: y },
    { name: "age", role: "predictor", type: "real", values: given },
  ]);
  const formula = "`body length` ~ age";
  const spec = spaceGrammar(dataset, { space: "growth", formula, families });
  return {
    environment: grammarEnvironment(spec) as Environment,
    dataset,
    executor: "native",
    schedule: defaultSchedule,
    terms: [],
    rule: {
      terms: [{ judge: elpdLooJudge, weight: 1 }, { judge: logPriorJudge, weight: 1 }],
      failure: { logReward: -500 },
    },
    nullElpd: -400,
  };
}

async function answered(target: ProgramTarget) {
  const context = fakeContext({ step: 0, answer });
  await rank.open(rank.params.parse({ policy: file, executions: 0 })).run(context, { target });
  const events = context.told.tables.filter(([name]) => name === "event").flatMap(([, own]) => own);
  const { detail } = events.find(({ kind }) => kind === "policy_answer")!;
  return detail as {
    readonly inclusion: readonly { question: string; answer: string; probability: number }[];
    readonly likeliest: readonly { readonly in: readonly string[] }[];
  };
}

Deno.test("the policy of growth answers which curve, family and spread, each in shares of 1", async () => {
  const { inclusion, likeliest } = await answered(targetOf());
  const total = (asked: string) =>
    inclusion.filter(({ question }) => question === asked)
      .reduce((sum, { probability }) => sum + probability, 0);
  assert.ok(Math.abs(total("curve") - 1) < 1e-9 && Math.abs(total("family") - 1) < 1e-9);
  assert.ok(total("spread") > 0 && total("spread") < 1, "a share that grows is not asked");
  const linear = inclusion.find((one) => one.answer === "linear")!.probability;
  assert.ok(linear < 0.05, `the curve bends: ${linear}`);
  assert.ok(likeliest[0].in.length >= 2);
  const normal = await answered(targetOf({ families: ["normal"] }));
  assert.ok(normal.inclusion.find((one) => one.answer === "student_t")!.probability === 0);
});

Deno.test("a surrogate goes on where the policy of growth is wrong; several spellings are one program", async () => {
  const context = fakeContext({ step: 0, answer });
  const stage = rank.open(rank.params.parse({ policy: file, executions: 70 }));
  await stage.run(context, { target: targetOf() });
  const events = context.told.tables.filter(([name]) => name === "event").flatMap(([, own]) => own);
  const { detail } = events.find(({ kind }) => kind === "policy_escalation")!;
  const { steps } = detail as { readonly steps: readonly { step: string; executed: number }[] };
  assert.deepEqual(steps.map(({ step }) => step), ["detector", "trials", "surrogate"]);
  assert.ok(steps[1].executed < 60 && steps[2].executed <= 70);
});

Deno.test("an age of 0 leaves out what is not finite there", async () => {
  const { inclusion } = await answered(
    targetOf({ given: ages.map((age, i) => i === 0 ? 0 : age) }),
  );
  assert.equal(inclusion.find((one) => one.answer === "power")!.probability, 0);
});

for (
  const [what, target, wanted] of [
    [
      "a family",
      () => targetOf({ families: ["gamma"] }),
      /not trained on linear with the family gamma/,
    ],
    [
      "an outlier",
      () => targetOf({ y: sizes.map((one, i) => i === 5 ? 400 : one) }),
      /unlike those/,
    ],
    [
      "one row in ten",
      () => targetOf({ y: sizes.subarray(0, 9), given: ages.subarray(0, 9) }),
      /9 rows/,
    ],
  ] as const
) {
  Deno.test(`${what} that the policy of growth does not know is refused in words`, async () => {
    await assert.rejects(answered(target()), wanted);
  });
}

Deno.test("training goes on from a file, and not for other questions", async () => {
  const stage = policyStage.open(policyStage.params.parse({ file }));
  const environment = environmentOfQuestions({ space: "growth" });
  const { policy } = await stage.run(fakeContext(), { environment });
  assert.ok(policy.trajectories > 0 && policy.policy.kind === "amortised");
  const other = environmentOfQuestions({ space: "regression", predictors: 3 });
  await assert.rejects(
    stage.run(fakeContext(), { environment: other }),
    /the environment asks others/,
  );
  const both = policyStage.params.safeParse({ file, policy: { kind: "table" } });
  assert.match(both.error!.message, /either policy or file/);
});
