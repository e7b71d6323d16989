/** Policies of regressions with counts, successes and heavy tails: their answers about targets, and what they refuse. */
import assert from "node:assert/strict";
import { type Column, makeDataset } from "../../src/base/dataset.ts";
import { RandomStream } from "../../src/base/random.ts";
import { isTrainedOn, pathForFamily } from "../../src/cli/rank/policy_path.ts";
import { pipelineOfFormula } from "../../src/cli/rank/ranked_formula.ts";
import { defaultSchedule } from "../../src/engine/score/execution/execution.ts";
import { elpdLooJudge, logPriorJudge } from "../../src/engine/score/judges/reward.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { grammarEnvironment, spaceGrammar } from "../../src/gfn/grammar/mod.ts";
import {
  drawRows,
  members,
  normalised,
  type RawRows,
  scoreProgram,
  simulation,
  standardRows,
} from "../../src/gfn/train/mod.ts";
import { policyAnswer, policyAt } from "../../stages/common/policy_answer.ts";
import { candidatesOf } from "../../stages/evaluation/candidates.ts";
import type { ProgramTarget } from "../../stages/ports/values.ts";
import simulate from "../../stages/simulate/stage.ts";
import { fakeContext } from "./fixtures.ts";

const files = {
  poisson: "data/policies/regression_poisson.safetensors",
  binomial: "data/policies/regression_binomial.safetensors",
  student_t: "data/policies/regression_student_t.safetensors",
} as const;

type Family = keyof typeof files;

function drawn(family: Family, more: object = {}): RawRows {
  const given = simulation.parse({
    ...{ family, rows: [60, 60], predictors: [3, 3], missing: [0, 0], shapes: 0, tails: 0 },
    ...{ explained: [0.3, 0.3], counts: [4, 4], ...more },
  });
  return drawRows(given, new RandomStream("seed 1"));
}

function targetOf({ columns, y, trials }: RawRows, type: Column["type"], families: string[]) {
  const numbers = (values: ArrayLike<number>) => Float64Array.from(values);
  const all: Column[] = [
    { name: "y", role: "response", type, values: numbers(y) },
    ...columns.map((values, j): Column => {
      return { name: "abc"[j], role: "predictor", type: "real", values: numbers(values) };
    }),
    ...(trials
      ? [{ name: "n", role: "predictor", type: "count", values: numbers(trials) } as const]
      : []),
  ];
  const dataset = makeDataset("drawn", all);
  const formula = `y${trials ? " | trials(n)" : ""} ~ [a] + [b] + [c]`;
  const spec = spaceGrammar(dataset, { space: "regression", formula, families });
  const target: ProgramTarget = {
    environment: grammarEnvironment(spec) as Environment,
    ...{ dataset, executor: "native", schedule: defaultSchedule, terms: [], nullElpd: -400 },
    rule: {
      terms: [elpdLooJudge, logPriorJudge].map((judge) => ({ judge, weight: 1 })),
      failure: { logReward: -500 },
    },
  };
  return [target, candidatesOf(target.environment, [...target.environment.enumerate()])] as const;
}

/** Half of the data sets of binomial are of single trials. */
function drawnWith(hasTrials: boolean): RawRows {
  for (let k = 0;; k++) {
    const given = simulation.parse({
      ...{ family: "binomial", rows: [60, 60], predictors: [3, 3], missing: [0, 0], shapes: 0 },
      ...{ explained: [0.2, 0.2], counts: [4, 4], tails: 0 },
    });
    const raw = drawRows(given, new RandomStream("trials", k));
    if (hasTrials === (raw.trials !== undefined)) return raw;
  }
}

for (
  const [family, raw, type, asked] of [
    ["poisson", drawn("poisson"), "count", "poisson"],
    ["binomial", drawnWith(false), "binary", "bernoulli"],
    ["binomial", drawnWith(true), "count", "binomial"],
    ["student_t", drawn("student_t", { tails: 1 }), "real", "student_t"],
  ] as const
) {
  Deno.test(`the shipped policy answers about ${asked} without execution, near scores of all programs`, async () => {
    const [target, space] = targetOf(raw, type, [asked]);
    const answer = policyAnswer(await policyAt(files[family]), target, space);
    assert.ok(answer.likeness.isLike, `${answer.likeness.reasons}`);
    const rows = standardRows(raw);
    const own = normalised(Array.from(answer.programs, (bits) => {
      return scoreProgram(rows, members(bits)).elpd;
    }));
    const tv = answer.logShares.reduce((sum, one, m) => {
      return sum + Math.abs(Math.exp(one) - Math.exp(own[m])) / 2;
    }, 0);
    assert.ok(tv < 0.12, `${asked}: ${tv}`);
    assert.equal(answer.answers.length, 3);
  });
}

Deno.test("a policy refuses another family and other trials, and says what it knows", async () => {
  const [target, space] = targetOf(drawn("student_t"), "real", ["student_t"]);
  const refused = async (path: string) => policyAnswer(await policyAt(path), target, space);
  await assert.rejects(refused(files.poisson), /not trained on the family student_t/);
  await assert.rejects(refused("data/policies/regression.safetensors"), /family student_t/);
  const [ofTrials, all] = targetOf(drawnWith(true), "count", ["binomial"]);
  const poissonFile = await policyAt(files.poisson);
  assert.throws(() => policyAnswer(poissonFile, ofTrials, all), /trials\(n\) ~ 1|family binomial/);
});

Deno.test("counts far above those of training, and rows that are separated far apart, are refused or near", async () => {
  const raw = drawn("poisson");
  const many = { ...raw, y: Array.from(raw.y, (one) => 5000 + 400 * one) };
  const [target, space] = targetOf(many, "count", ["poisson"]);
  const { likeness } = policyAnswer(await policyAt(files.poisson), target, space);
  assert.ok(!likeness.isLike && likeness.reasons.length > 0);
  const { columns } = drawnWith(false);
  const apart = { columns, y: Array.from(columns[0], (one) => one > 0 ? 1 : 0) };
  const [other, programs] = targetOf(apart, "binary", ["bernoulli"]);
  const answer = policyAnswer(await policyAt(files.binomial), other, programs);
  assert.ok(!answer.likeness.isLike || answer.inclusion[0] > 0.95);
});

Deno.test("--policy regression is the file of the family that is asked about", () => {
  const path = "sluice:data/policies/regression.safetensors";
  const of = (family: string) => pathForFamily(path, family).split("/").at(-1);
  assert.equal(of("normal"), "regression.safetensors");
  for (const [family, file] of Object.entries(files)) {
    assert.equal(of(family), file.split("/").at(-1));
  }
  assert.equal(of("bernoulli"), of("binomial"));
  assert.equal(pathForFamily("/own.safetensors", "poisson"), "/own.safetensors");
  const known = ["normal", "poisson", "bernoulli", "gamma"].map((one) => isTrainedOn(path, one));
  assert.deepEqual(known, [true, true, true, false]);
  assert.ok(!isTrainedOn("/own.safetensors", "normal"), "its card is read when it answers");
});

Deno.test("--policy regression without --families takes the first that it was trained on, and says so", async () => {
  const file = "data/peregrines_glm_poisson_simulated.csv";
  const budget = { policy: "sluice:data/policies/regression.safetensors" };
  const asked = { response: "count", formula: "count ~ [year_standardised] + [index]", budget };
  const familiesOf = async (more: object) => {
    const { pipeline, remarks } = await pipelineOfFormula(file, { ...asked, ...more });
    const space = pipeline.stages.find(({ kind }) => kind === "model_space")!;
    const { families } = space.params as { readonly families: readonly string[] };
    return { families, isTold: remarks.some((one) => one.startsWith("--families poisson: ")) };
  };
  assert.deepEqual(await familiesOf({}), { families: ["poisson"], isTold: true });
  const both = ["poisson", "negative_binomial"];
  assert.deepEqual(await familiesOf({ families: both }), { families: both, isTold: false });
  assert.deepEqual(await familiesOf({ budget: {} }), { families: both, isTold: false });
});

Deno.test("simulate refuses families of another response, and a table whose response is none", async () => {
  const wrong = simulate.params.safeParse({
    data_sets: 1,
    family: "poisson",
    families: ["normal"],
  });
  assert.match(wrong.error!.message, /scored for poisson here/);
  const table = {
    path: "data/penguins.csv",
    response: "body_mass_g",
    predictors: ["bill_length_mm"],
  };
  const params = simulate.params.parse({
    ...{ data_sets: 1, held_out: 1, family: "binomial", tables: [table] },
  });
  await assert.rejects(
    simulate.open(params).run(fakeContext({ step: 0 }), {}),
    /body_mass_g is \d+, wanted 0 or 1/,
  );
});
