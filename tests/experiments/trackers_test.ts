/** Exports: tags as the field has them, only what is new, and event files by their known bytes. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { exportDvc, exportTensorboard } from "../../src/experiments/trackers/export.ts";
import { trackedPoints } from "../../src/experiments/trackers/points.ts";
import { eventFile } from "../../src/experiments/trackers/tfevents.ts";

const row = (stage: string, source: string, what: string, step: number, value: number) => {
  return { run_id: "r", stage, step, source, what, value, wall: 1000 + step };
};

const rows = [
  row("train.learn", "metric", "loss", 1, 3),
  row("train.learn", "metric", "log_z", 1, 2),
  row("train.sample", "trajectory", "log_pf_mean", 1, -4),
  row("train.judge", "trajectory", "log_reward_mean", 1, -5),
  row("train.progress", "evaluation", "kl_policy_target", 1, 0.5),
  row("evaluate", "evaluation", "tv", 0, 0.1),
  row("tune.learn", "metric", "loss", 1, 7),
];

const asking = (tb: boolean, live = false) => (sql: string) =>
  Promise.resolve(sql.includes(" as tb ") ? [{ run_id: "r", wall: 1000, tb, live }] : rows);

Deno.test("tags are those of the field, and the loss is called by its objective", async () => {
  const tags = (await trackedPoints(asking(true))).map(({ tag }) => tag);
  assert.deepEqual(tags, [
    "train/tb_loss",
    "train/log_Z",
    "train/log_pf_mean",
    "train/log_reward_mean",
    "eval/kl_reverse",
    "final/evaluate/tv",
    "tune_train/tb_loss",
  ]);
  assert.equal((await trackedPoints(asking(false)))[0].tag, "train/loss");
});

Deno.test("of a run that goes on the step that it is at is left out", async () => {
  assert.deepEqual((await trackedPoints(asking(true, true))).map(({ tag }) => tag), [
    "final/evaluate/tv",
  ]);
});

Deno.test("an export writes what is new, once, also where steps go back", () => {
  const folder = Deno.makeTempDirSync();
  const point = (step: number, value: number) => {
    return { run: "r", instance: "", tag: "train/loss", step, value, wall: 1000 + step };
  };
  const name = (run: string) => run;
  const all = [point(1, 3), point(2, NaN), point(3, 1)];
  assert.equal(exportTensorboard(folder, all.slice(0, 2), name), 2);
  assert.equal(exportTensorboard(folder, all, name), 1);
  assert.equal(exportTensorboard(folder, [point(1, 3), point(2, 2)], name), 0);
  const files = [...Deno.readDirSync(join(folder, "r"))].map((one) => one.name).sort();
  assert.deepEqual(files, [
    "events.out.tfevents.0000001001.sluice.000000",
    "events.out.tfevents.0000001003.sluice.000001",
  ]);
  assert.equal(exportDvc(folder, all, name), 3);
  const text = Deno.readTextFileSync(join(folder, "r", "plots", "metrics", "train", "loss.tsv"));
  assert.equal(text, "step\tloss\n1\t3\n2\tNaN\n3\t1\n");
  assert.deepEqual(JSON.parse(Deno.readTextFileSync(join(folder, "r", "metrics.json"))), {
    "train/loss": 1,
  });
  Deno.removeSync(folder, { recursive: true });
});

Deno.test("an event file has the bytes that TensorBoard 2.21 writes", () => {
  // RecordWriter of tensorboard.summary.writer, with an Event of a version and one of a scalar.
  const known = "1800000000000000a37f4b2209000000000000f03f1a0d627261696e2e4576656e743a3286bf577a" +
    "2100000000000000017becf609000000000000044010ac022a130a110a0a747261696e2f6c6f7373150000003f" +
    "0cb83673";
  const scalar = { tag: "train/loss", step: 300, value: 0.5, wall: 2.5 };
  assert.equal(eventFile([scalar], 1).toHex(), known);
});
