/** One policy for many data sets in a pipeline: simulate, amortise, evaluate, and the file that comes of it. */
import assert from "node:assert/strict";
import { runInProcess, valueOf } from "../../bench/pipeline_in_process.ts";
import { questionsEnvironment, readAmortised } from "../../src/gfn/train/mod.ts";
import { createPolicy } from "../../src/gfn/policies/create_policy.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import amortise from "../../stages/amortise/mod.ts";
import evaluate from "../../stages/evaluate_amortised/stage.ts";
import simulate from "../../stages/simulate/stage.ts";
import { searchSubject, uniformSubject } from "../../stages/evaluation/subjects.ts";
import { ports } from "../../stages/ports/mod.ts";
import { fakeContext } from "./fixtures.ts";

const small = [
  ...["stages.tables.data_sets=40", "stages.tables.held_out=10", "stages.tables.predictors=[2,3]"],
  ...[
    "stages.tables.rows=[16,30]",
    "stages.train.steps=3",
    "stages.train.stages.amortise.updates=3",
  ],
  'stages.start.policy={ kind = "amortised", width = 8, hidden = 8 }',
];

Deno.test("a policy learns from data sets and is counted on others, beside three rivals", async () => {
  const { evaluation: rows } = await runInProcess("pipelines/amortised_regression.toml", small);
  const median = (of?: Parameters<typeof valueOf>[2]) => valueOf(rows, "tv_median", of)!;
  const rivals = [searchSubject("aicc"), searchSubject("labels"), uniformSubject].map(median);
  assert.ok(rivals.every((one) => one > 0 && one < 1) && median() < rivals[2], `${rivals}`);
  const groups = new Set(rows.filter(({ measure }) => measure === "tv").map(({ group }) => group));
  assert.equal(groups.size, 10, "a data set is a group");
  assert.ok(rows.some(({ group }) => group === "predictors 2"), "strata are groups, too");
});

const datasets = async (tables: unknown[] = []) => {
  const params = { data_sets: 30, held_out: 2, predictors: [2, 2], rows: [16, 20], tables };
  const context = fakeContext({ step: 0 });
  return await simulate.open(simulate.params.parse(params)).run(context, {});
};

Deno.test("real tables are held out, and a column that is not there is named", async () => {
  const path = "data/penguins.csv";
  const predictors = ["bill_length_mm", "bill_depth_mm"];
  const drawn = await datasets([{ path, response: "body_mass_g", predictors }]);
  const { id, rows, truth } = drawn.datasets.heldOut[2];
  assert.deepEqual([id, rows.columns.length, truth], ["penguins: body_mass_g", 2, undefined]);
  assert.ok(rows.rows > 300 && rows.rows < 345, "rows without a value are left out");
  const wrong = datasets([{ path, response: "mass", predictors }]);
  await assert.rejects(wrong, /has no column "mass"/);
});

Deno.test("data sets and questions come back from their artifacts", async () => {
  const { datasets: drawn, questions } = await datasets();
  const bytes = await ports.datasets.encode(drawn);
  assert.deepEqual(await ports.datasets.decode(bytes, { plugins: new Map() }), drawn);
  const own = await ports.environment.encode(questions);
  const again = await ports.environment.decode(own, { plugins: new Map() });
  assert.equal(again.digest, questions.digest);
});

Deno.test("a file has a card; other parameters, another version and no card are told apart", async () => {
  const { datasets: drawn, questions } = await datasets();
  const policy = await createPolicy({ kind: "amortised", width: 8, hidden: 8 }, questions, "seed");
  const trained = { policy, trajectories: 0, distinctEvaluations: 0 };
  const inputs = { policy: trained, datasets: drawn, questions };
  const { file } = await evaluate.open(evaluate.params.parse({})).run(fakeContext(), inputs);
  const { card } = await readAmortised(file, "a.safetensors");
  assert.deepEqual([card.most_predictors, card.families], [12, ["normal"]]);
  assert.ok(card.figures.tv_median > 0);
  const refused = async (bytes: Uint8Array, wanted: RegExp) =>
    await assert.rejects(() => readAmortised(bytes, "a.safetensors"), wanted);
  const broken = file.slice();
  broken[broken.length - 3] ^= 1;
  await refused(broken, /its parameters have the digest/);
  const text = new TextDecoder("latin1").decode(file).replace("amortised_1", "amortised_9");
  await refused(Uint8Array.from(text, (one) => one.charCodeAt(0)), /wanted sluice_amortised_1/);
  await refused(await policy.save(), /policy without a card/);
  await refused(new TextEncoder().encode("nothing of it"), /no safetensors file/);
});

Deno.test("a loop that was killed goes on to the bits of one that was not", async () => {
  const { datasets: drawn, questions } = await datasets();
  const params = amortise.params.parse({ updates: 2, batch_size: 4 });
  const begin = async () => ({
    policy: await createPolicy({ kind: "amortised", width: 8, hidden: 8 }, questions, "seed"),
    ...{ trajectories: 0, distinctEvaluations: 0 },
  });
  const steps = 4;
  const run = async (
    stage: ReturnType<typeof amortise.open>,
    from: number,
    to: number,
    first: unknown,
  ) => {
    let policy = first as Awaited<ReturnType<typeof begin>>;
    for (let step = from; step <= to; step++) {
      const inputs = { policy, datasets: drawn, questions };
      const context = fakeContext({ step, steps });
      ({ policy } = await stage.run(context, inputs) as unknown as { policy: typeof policy });
    }
    return policy;
  };
  const whole = await run(amortise.open(params), 1, steps, await begin());
  const killed = amortise.open(params);
  const half = await run(killed, 1, 2, await begin());
  const kept = await ports.policy.encode(half);
  const resumed = amortise.open(params);
  await resumed.load!(await killed.save!(), {} as never);
  const again = await ports.policy.decode(kept, { plugins: new Map() });
  const end = await run(resumed, 3, steps, again);
  assert.deepEqual(await end.policy.save(), await whole.policy.save());
  assert.equal(end.trajectories, 4 * 2 * 4);
});

Deno.test("a policy of another kind is not trained on many data sets", async () => {
  const { datasets: drawn } = await datasets();
  const questions = questionsEnvironment({ space: "regression", predictors: 2 }) as Environment;
  const policy = await createPolicy({ kind: "table" }, questions, "seed");
  const trained = { policy, trajectories: 0, distinctEvaluations: 0 };
  const run = amortise.open(amortise.params.parse({})).run(fakeContext(), {
    ...{ policy: trained, datasets: drawn, questions },
  });
  await assert.rejects(run, /policy of kind table on many data sets/);
});

Deno.test("a distribution with more predictors than the vocabulary is refused before anything is drawn", () => {
  const found = simulate.params.safeParse({ data_sets: 1, predictors: [2, 8], most_predictors: 5 });
  assert.match(found.error!.message, /at most most_predictors/);
});
