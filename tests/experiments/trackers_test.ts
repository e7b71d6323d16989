/** Exports: tags as the field has them, only what is new, and event files by their known bytes. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { exportDvc, exportTensorboard } from "../../src/experiments/trackers/export.ts";
import { TrackedLog } from "../../src/experiments/trackers/series.ts";
import { RunStore } from "../../src/pipeline/store/run_store.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { eventFile } from "../../src/experiments/trackers/tfevents.ts";

const row = (stage: string, source: string, what: string, steps: number[], values: number[]) => {
  const wall = (step: number) => source === "metric" ? 1000 + step : null;
  return { run_id: "r", stage, source, what, steps, values, walls: steps.map(wall) };
};

const rows = [
  row("train.learn", "metric", "loss", [1], [3]),
  row("train.learn", "metric", "log_z", [1], [2]),
  row("train.sample", "trajectory", "log_pf_mean", [1], [-4]),
  row("train.judge", "trajectory", "log_reward_mean", [1], [-5]),
  row("train.progress", "evaluation", "kl_policy_target", [1], [0.5]),
  row("evaluate", "evaluation", "tv", [0], [0.1]),
  row("tune.learn", "metric", "loss", [1, 2], [7, 6]),
];

const asking = (tb: boolean, live = false, found = rows) => (sql: string) =>
  Promise.resolve(sql.includes(" as tb ") ? [{ run_id: "r", wall: 1000, tb, live }] : found);

Deno.test("tags are those of the field, and the loss is called by its objective", async () => {
  const tags = (await new TrackedLog().read(asking(true))).map(({ tag }) => tag);
  assert.deepEqual(tags, [
    "train/tb_loss",
    "train/log_Z",
    "train/log_pf_mean",
    "train/log_reward_mean",
    "eval/kl_reverse",
    "final/evaluate/tv",
    "tune_train/tb_loss",
  ]);
  assert.equal((await new TrackedLog().read(asking(false)))[0].tag, "train/loss");
});

Deno.test("of a run that goes on the step that each loop is at is left out", async () => {
  const log = new TrackedLog();
  const found = (await log.read(asking(true, true))).map(({ tag, steps }) => [tag, ...steps]);
  assert.deepEqual(found, [["final/evaluate/tv", 0], ["tune_train/tb_loss", 1]]);
  assert.equal((await log.read(asking(true, true), true)).length, 7);
});

Deno.test("numbers rise by their steps: of two of a step the later one stays", async () => {
  const twice = [
    row("train.a", "metric", "loss", [3, 1, 2], [30, 10, 20]),
    row("train.b", "metric", "loss", [2, 4], [21, 40]),
  ];
  const [{ steps, values, walls }] = await new TrackedLog().read(asking(false, false, twice));
  assert.deepEqual([steps, values], [[1, 2, 3, 4], [10, 21, 30, 40]]);
  assert.deepEqual(walls, [1001, 1002, 1003, 1004]);
});

Deno.test("a run is read step by step, each number once", async () => {
  const root = temporaryFolder();
  const store = await RunStore.create(root, "r");
  const read: number[] = [];
  const ask = async (sql: string) => {
    const found = await store.objects(sql);
    read.push(...found.flatMap((one) => (one.steps ?? []) as number[]));
    return found;
  };
  const run = { name: "p", seed: 1, status: "running", started_at: 0 };
  store.append("run", [run], { stage: "_run" });
  const log = new TrackedLog();
  for (const step of [1, 2, 3, 4]) {
    store.append("metric", [{ name: "loss", value: 1 / step, wall: 0 }], { stage: "t.l", step });
    if (step % 2 === 0) await log.read(ask);
  }
  assert.deepEqual(read, [1, 2, 2, 3, 4]); // the step that it is at is asked for again
  const [{ steps, values }] = await log.read(ask, true);
  assert.deepEqual([steps, values], [[1, 2, 3, 4], [1, 1 / 2, 1 / 3, 1 / 4]]);
  await store.close();
});

Deno.test("an export writes what is new, once, also where steps go back", () => {
  const folder = temporaryFolder();
  const series = (steps: number[], values: number[], run = "r") => {
    const walls = steps.map((step) => 1000 + step);
    return [{ run, instance: "", tag: "train/loss", steps, values, walls }];
  };
  const name = (run: string) => run;
  const all = series([1, 2, 3], [3, NaN, 1]);
  assert.equal(exportTensorboard(folder, series([1, 2], [3, NaN]), name), 2);
  assert.equal(exportTensorboard(folder, all, name), 1);
  assert.equal(exportTensorboard(folder, series([1, 2], [3, 2]), name), 0);
  assert.equal(exportTensorboard(folder, series([1], [3], "another"), name), 1);
  const files = [...Deno.readDirSync(join(folder, "r"))].map((one) => one.name).sort();
  assert.deepEqual(files, [
    "events.out.tfevents.0000001001.sluice.000000",
    "events.out.tfevents.0000001003.sluice.000001",
  ]);
  const cursors = [...Deno.readDirSync(join(folder, "sluice-cursors"))].map((one) => one.name);
  assert.deepEqual(cursors.sort(), ["another.json", "r.json"]);
  assert.equal(exportDvc(folder, all, name), 3);
  const text = Deno.readTextFileSync(join(folder, "r", "plots", "metrics", "train", "loss.tsv"));
  assert.equal(text, "step\tloss\n1\t3\n2\tNaN\n3\t1\n");
  assert.deepEqual(JSON.parse(Deno.readTextFileSync(join(folder, "r", "metrics.json"))), {
    "train/loss": 1,
  });
});

Deno.test("an event file has the bytes that TensorBoard 2.21 writes", () => {
  // RecordWriter of tensorboard.summary.writer, with an Event of a version and one of a scalar.
  const known = "1800000000000000a37f4b2209000000000000f03f1a0d627261696e2e4576656e743a3286bf577a" +
    "2100000000000000017becf609000000000000044010ac022a130a110a0a747261696e2f6c6f7373150000003f" +
    "0cb83673";
  const scalars = { tag: "train/loss", steps: [300], values: [0.5], walls: [2.5] };
  assert.equal(eventFile([scalars], 1).toHex(), known);
});
