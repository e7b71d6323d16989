/** Rows that confirm: who may not read them, which are drawn, and where a target refuses them. */
import assert from "node:assert/strict";
import {
  type Dataset,
  datasetArtifact,
  datasetFromJson,
  datasetToJson,
  makeDataset,
} from "../../src/base/dataset.ts";
import { InputError } from "../../src/base/diagnostic.ts";
import { confirmingDataset, confirmRows, withholdRows } from "../../src/data/holdout.ts";
import { defaultSchedule, type Execution } from "../../src/engine/score/execution/execution.ts";
import { elpdLooJudge, logPriorJudge } from "../../src/engine/score/judges/reward.ts";
import { scoreNow } from "../../src/engine/score/score.ts";
import { spaceGrammar } from "../../src/gfn/spaces/space.ts";
import type { ExecutionRequest } from "../../src/pipeline/contract/mod.ts";
import rank from "../../stages/rank/stage.ts";
import { confirmingData } from "../../stages/target/confirm.ts";
import { fakeContext, scored, smallEnvironment } from "./fixtures.ts";

const y = Float64Array.of(1.2, 0.7, 1.9, 1.1, 0.4, 1.6, 0.9, 1.3, 0.8, 1.5);
const column = (name: string, role: "response" | "predictor", values: Float64Array) => ({
  name,
  role,
  type: "real" as const,
  values,
});
const ten = (values = y): Dataset =>
  makeDataset("ten", [
    column("length", "response", values),
    column("age", "predictor", values.map((_, i) => i)),
  ]);

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof InputError);
    const [{ message, hint }] = error.diagnostics;
    return `${message} -- ${hint}`;
  }
  assert.fail("nothing was refused");
}

Deno.test("the data decide which rows confirm; each row is read or confirms", () => {
  const kept = confirmRows(ten(), 0.3);
  assert.deepEqual(confirmRows(ten(), 0.3), kept);
  assert.deepEqual([kept.rows, kept.confirm!.rows], [7, 3]);
  const all = [...kept.columns[1].values, ...kept.confirm!.columns[1].values];
  assert.deepEqual(all.sort((a, b) => a - b), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  assert.match(refusal(() => confirmRows(ten(), 0.01)), /^Cannot withhold 0 of 10 .* confirm/);
});

Deno.test("artifacts have the rows that confirm; requests and digests know nothing of them", () => {
  const kept = confirmRows(ten(), 0.3);
  assert.equal("confirm" in datasetToJson(kept), false);
  const again = datasetFromJson(JSON.parse(JSON.stringify(datasetArtifact(kept))));
  assert.deepEqual(again.confirm!.columns[0].values, kept.confirm!.columns[0].values);
  assert.equal(kept.digest, makeDataset("ten", kept.columns).digest);
  const both = { ...kept, ...withholdRows(kept, { share: 0.3 }) };
  assert.deepEqual([both.rows, both.holdout!.rows, both.confirm!.rows], [5, 2, 3]);
  assert.equal(confirmingDataset(both).holdout!.rows, 3);
});

/** Ranks the small grammar with a stand-in for the engine, which is asked for programs on data. */
async function ranked(dataset: Dataset) {
  const requests: ExecutionRequest[] = [];
  const context = fakeContext({ step: 0 });
  const execute = (request: ExecutionRequest) => {
    requests.push(request);
    const { holdout } = request.dataset as { holdout?: { columns: { values: number[] }[] } };
    const own = (program: string): Execution => ({
      ...scored(-program.length),
      score: {
        ...scored(-program.length).score!,
        elpdPointwise: Array(7).fill(-program.length / 7),
        ...(holdout && { holdoutPointwise: holdout.columns[0].values.map((one) => -one) }),
      },
    });
    return Promise.resolve(request.programs.map(own));
  };
  const target = {
    environment: smallEnvironment(),
    dataset,
    executor: "native",
    schedule: { ...defaultSchedule, unit: "row" as const },
    terms: [],
    rule: {
      terms: [{ judge: elpdLooJudge, weight: 1 }, { judge: logPriorJudge, weight: 1 }],
      failure: { logReward: -1e4 },
    },
    nullElpd: -45,
  };
  await rank.open(rank.params.parse({})).run(Object.assign(context, { execute }), { target });
  const rows = (table: string) =>
    context.told.tables.filter(([name]) => name === table).flatMap(([, own]) => own);
  const told = rows("event").find(({ kind }) => kind === "confirmation");
  return { requests, candidates: rows("candidate"), told };
}

Deno.test("no reward and no choice reads the rows that confirm; the likeliest programs meet them once", async () => {
  const kept = confirmRows(ten(), 0.3);
  const { confirm } = kept;
  const other = {
    ...kept,
    confirm: {
      ...confirm!,
      columns: confirm!.columns.map((one) => ({ ...one, values: one.values.map((v) => v + 9) })),
    },
  };
  const [one, two] = [await ranked(kept), await ranked(other)];
  assert.deepEqual(one.candidates, two.candidates);
  assert.notDeepEqual(one.told!.detail, two.told!.detail);
  for (const { requests } of [one, two]) {
    const seen = requests.filter(({ dataset }) => "holdout" in (dataset as object));
    assert.equal(seen.length, 1);
    assert.equal(seen[0], requests.at(-1), "after everything was chosen");
    assert.ok(requests.every(({ dataset }) => !("confirm" in (dataset as object))));
    assert.ok(seen[0].programs.length <= 40);
  }
  assert.match(String(one.told!.message), /^On 3 withheld rows the likeliest program/);
});

Deno.test("without rows that confirm nothing is said of them", async () => {
  assert.equal((await ranked(ten())).told, undefined);
});

Deno.test("a target keeps rows where programs were written without them, and single rows are judged", () => {
  const grammar = smallEnvironment();
  const kept = confirmingData(ten(), { confirm: 0.3 }, grammar, false);
  assert.equal(kept.confirm!.rows, 3);
  assert.equal(confirmingData(ten(), {}, grammar, false).confirm, undefined);
  const space = { spec: spaceGrammar(ten(), { space: "regression", formula: "length ~ [age]" }) };
  const wanted = /written from all rows -- write confirm = 0\.3 in the stage that reads the data/;
  assert.match(refusal(() => confirmingData(ten(), { confirm: 0.3 }, space, false)), wanted);
  assert.match(refusal(() => confirmingData(ten(), { confirm: 0.3 }, grammar, true)), wanted);
  assert.match(
    refusal(() => confirmingData(kept, { confirm: 0.3 }, grammar, false)),
    /has kept 3 -- leave confirm out here, or there/,
  );
  assert.match(
    refusal(() => confirmingData(kept, { unit: "group" }, space, false)),
    /judge by unit = "group" and keep rows .* leave confirm out, or unit = "group"/,
  );
  assert.match(refusal(() => confirmingData(kept, { time: "t" }, space, false)), /judge by time/);
});

Deno.test("rows with a missing value as a parameter confirm nothing", () => {
  const gaps = {
    ...column("age_gap", "predictor", y.map((_, i) => i === 2 ? 1 : 0)),
    gapsOf: "age",
  };
  const data = makeDataset("gaps", [...ten().columns, gaps]);
  assert.match(
    refusal(() => confirmRows(data, 0.3)),
    /missing values of "age" .* missing = "drop"/,
  );
});

Deno.test("the engine scores each row that confirms by itself", () => {
  const text = `import pymc as pm

with pm.Model() as model:
    mu = pm.Normal("mu", 0, 2)
    pm.Normal("length", mu=mu, sigma=0.5, observed=data["length"])
`;
  const data = confirmingDataset(confirmRows(ten(), 0.3));
  const { score } = scoreNow(text, data, defaultSchedule);
  const [kept, others] = [data.columns[0].values, data.holdout!.columns[0].values];
  const precision = 1 / 4 + kept.length / 0.25;
  const mean = kept.reduce((a, b) => a + b, 0) / 0.25 / precision;
  const variance = 0.25 + 1 / precision;
  const exact = [...others].map((one) =>
    -0.5 * (Math.log(2 * Math.PI * variance) + (one - mean) ** 2 / variance)
  );
  score!.holdoutPointwise!.forEach((one, i) => assert.ok(Math.abs(one - exact[i]) < 0.05));
  const total = score!.holdoutPointwise!.reduce((a, b) => a + b, 0);
  assert.ok(Math.abs(total - score!.elpdHoldout!) < 1e-12);
});
