/** Tests of a run's store: rows in and out, rewinding, export, damage and rebuilding. */
import { checkedLine } from "../../../src/base/checked_lines.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { InputError } from "../../../src/base/diagnostic.ts";
import { ObjectStore } from "../../../src/pipeline/store/objects.ts";
import { runnerOrigin, RunStore } from "../../../src/pipeline/store/run_store.ts";
import { columnsOf, tableNames } from "../../../src/pipeline/store/schema.ts";
import { ulid } from "../../../src/pipeline/basics/ulid.ts";
import { inFolder } from "./folder.ts";

const learn = (step: number) => ({ stage: "train.learn", step });

async function withRun(use: (store: RunStore, root: string) => Promise<void>): Promise<void> {
  await inFolder(async (root) => {
    const store = await RunStore.create(root, ulid());
    await use(store, root);
    await store.close();
  });
}

/** Everything in a run, table by table, in an order that does not depend on insertion. */
async function contents(store: RunStore): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const table of tableNames) {
    const rows = await store.select(`select * from "${table}" order by all`);
    if (rows.length > 0) found[table] = rows;
  }
  return found;
}

function fill(store: RunStore): void {
  store.append("run", [{ name: "a", status: "running", seed: 20 }], runnerOrigin);
  for (let step = 1; step <= 4; step++) {
    store.append("metric", [{ name: "loss", value: 1 / step }], learn(step));
    const program = { sha256: `p${step % 2}`, text: "x = 1\n", log_prior: -Infinity };
    store.append("program", [program], learn(step));
    const numbers = { elpd_pointwise: [1.5, NaN], pareto_k: Float64Array.of(0.1, Infinity) };
    const execution = { program: `p${step % 2}`, data: "d", engine: "native", ...numbers };
    store.append("execution", [{ ...execution, params: { a: { mean: [NaN] } } }], learn(step));
  }
  store.append("run", [{ name: "a", status: "done", seed: 20 }], runnerOrigin);
}

Deno.test("rows of every type come back as they were given", async () => {
  await withRun(async (store) => {
    const at = new Date("2026-01-02T03:04:05.678Z");
    store.append("event", [{ wall: at, level: "info", detail: { a: [1, "é"] } }], { stage: "fit" });
    store.append("param", [{ path: "a.b", value: "text", line: 7 }], runnerOrigin);
    const trajectory = { idx: 3, tokens: Int32Array.of(1, 2), replayed: true, log_pf: -0 };
    store.append("trajectory", [trajectory], { stage: "train.sample", step: 9 });
    const [event] = await store.select("select stage, step, wall, level, detail from event");
    assert.deepEqual(event, ["fit", 0n, at, "info", '{"a":[1,"é"]}']);
    const [param] = await store.select("select value, line, col from param");
    assert.deepEqual(param, ['"text"', 7, null]);
    const sql = "select stage, step, idx, tokens, replayed, program, run_id from trajectory";
    const [row] = await store.select(sql);
    assert.deepEqual(row, ["train.sample", 9n, 3, [1, 2], true, null, store.runId]);
  });
});

const wrongRows: readonly (readonly [string, Record<string, unknown>, RegExp])[] = [
  ["metrc", {}, /^internal: the store has no table "metrc"; did you mean "metric"\?$/],
  [
    "metric",
    { vale: 1 },
    /^internal: table "metric" has no column "vale"; did you mean "value"\?$/,
  ],
  ["metric", { value: "1" }, /column "value": wanted DOUBLE, found string 1$/],
  ["trajectory", { idx: 1.5 }, /column "idx": wanted INTEGER, found number 1.5$/],
  ["trajectory", { tokens: [1, "2"] }, /column "tokens": wanted INTEGER\[\]/],
  ["metric", { wall: "yesterday" }, /column "wall": wanted TIMESTAMP/],
];

for (const [table, row, message] of wrongRows) {
  Deno.test(`a row of ${table} with ${JSON.stringify(row)} is a bug, and is called one`, async () => {
    await withRun((store) => {
      assert.throws(() => store.append(table, [row], learn(1)), { name: "TypeError", message });
      return Promise.resolve();
    });
  });
}

Deno.test("a run has one row for each program and execution, and one for itself", async () => {
  await withRun(async (store) => {
    fill(store);
    const counts = "select (select count(*) from program), (select count(*) from execution), " +
      "(select count(*) from metric), (select list(status) from run)";
    assert.deepEqual(await store.select(counts), [[2n, 2n, 4n, ["done"]]]);
    assert.deepEqual(await store.select("select pareto_k, params from execution limit 1"), [
      [[0.1, Infinity], '{"a":{"mean":["NaN"]}}'],
    ]);
  });
});

Deno.test("a run that was closed can be opened again and still knows its programs", async () => {
  await inFolder(async (root) => {
    const first = await RunStore.create(root, ulid());
    fill(first);
    const before = await contents(first);
    await first.close();
    const second = await RunStore.open(root, first.runId);
    second.append("program", [{ sha256: "p0", text: "x = 1\n" }], learn(5));
    assert.deepEqual(await contents(second), before);
    await second.close();
  });
});

Deno.test("a run rewound to a checkpoint and continued equals one that was not interrupted", async () => {
  const step = (store: RunStore, k: number) => {
    store.append("metric", [{ name: "loss", value: k }], learn(k));
    store.append("program", [{ sha256: `p${k}`, text: "" }], learn(k));
  };
  await inFolder(async (root) => {
    const whole = await RunStore.create(root, ulid());
    for (let k = 1; k <= 6; k++) step(whole, k);
    const broken = await RunStore.create(root, ulid());
    for (let k = 1; k <= 3; k++) step(broken, k);
    const segment = await broken.cut("train");
    for (let k = 4; k <= 5; k++) step(broken, k);
    broken.append("metric", [{ name: "other", value: 1 }], { stage: "training", step: 5 });
    await broken.close();
    const resumed = await RunStore.open(root, broken.runId);
    await resumed.deleteRows("train", 3, segment);
    for (let k = 4; k <= 6; k++) step(resumed, k);
    const sql =
      "select stage, step, name, value from metric where stage != 'training' order by all";
    assert.deepEqual(await resumed.select(sql), await whole.select(sql));
    assert.deepEqual(await resumed.select("select count(*) from metric"), [[7n]]);
    const before = await contents(resumed);
    await resumed.close();
    await RunStore.rebuild(resumed.folder);
    const rebuilt = await RunStore.open(root, resumed.runId);
    assert.deepEqual(await contents(rebuilt), before);
    await rebuilt.close();
    await whole.close();
  });
});

Deno.test("a cut waits for rows that are being written already: a run killed after it has them", async () => {
  await withRun(async (store, root) => {
    store.append("metric", [{ name: "loss", value: 1 }], learn(1));
    const begun = store.flush(); // as the timer does
    await store.cut("train");
    const killed = join(root, "killed", "runs", store.runId);
    Deno.mkdirSync(killed, { recursive: true });
    for (const { name, isFile } of Deno.readDirSync(store.folder)) {
      if (isFile) Deno.copyFileSync(join(store.folder, name), join(killed, name));
    }
    Deno.mkdirSync(join(killed, "rows"));
    const opened = await RunStore.open(join(root, "killed"), store.runId);
    assert.deepEqual(await opened.select("select step, value from metric"), [[1n, 1]]);
    await opened.close();
    await begun;
  });
});

/** The files of a stage's rows, kept in a folder under their digests. */
async function filesOf(store: RunStore, stage: string, root: string) {
  const objects = new ObjectStore(root);
  const digests = await store.exportStage(stage, (file) => objects.putFile(file));
  const files = Object.entries(digests).map(([table, sha256]) => {
    return [table, { sha256, path: objects.path(sha256) }];
  });
  return Object.fromEntries(files);
}

Deno.test("the rows of a cached stage become rows of the new run, dedupe included", async () => {
  await inFolder(async (root) => {
    const [old, fresh] = [await RunStore.create(root, ulid()), await RunStore.create(root, ulid())];
    fill(old);
    const files = await filesOf(old, "train", root);
    assert.deepEqual(Object.keys(files).sort(), ["execution", "metric", "program"]);
    assert.deepEqual(await filesOf(old, "train", root), files);
    fresh.append("program", [{ sha256: "p0", text: "x = 1\n", log_prior: -Infinity }], learn(1));
    fresh.importStage("train", files);
    fresh.append("program", [{ sha256: "p1", text: "x = 1\n" }], learn(1));
    const sql = "select count(*), list(distinct run_id), sum(value) from metric";
    const [[n, ids]] = await fresh.select(sql);
    assert.deepEqual([n, ids], [4n, [fresh.runId]]);
    assert.deepEqual(await fresh.select("select count(*) from program"), [[2n]]);
    assert.deepEqual(await fresh.select("select count(*) from run"), [[0n]]);
    const values =
      "select stage, step, value, pareto_k, params from metric, execution order by all";
    assert.deepEqual(await fresh.select(values), await old.select(values));
    await old.close();
    await fresh.close();
  });
});

Deno.test("rows of a cached stage carry the name that the run has for it", async () => {
  await inFolder(async (root) => {
    const [old, fresh] = [await RunStore.create(root, ulid()), await RunStore.create(root, ulid())];
    old.append("metric", [{ name: "a", value: 1 }], { stage: "fit's[1].learn", step: 2 });
    old.append("metric", [{ name: "a", value: 2 }], { stage: "fit's[1]" });
    fresh.importStage("fit's[22]", await filesOf(old, "fit's[1]", root));
    const rows = await fresh.select("select stage, value from metric order by value");
    assert.deepEqual(rows, [["fit's[22].learn", 1], ["fit's[22]", 2]]);
    await old.close();
    await fresh.close();
  });
});

Deno.test("a database with rows from the cache is rebuilt, but for a file that was altered", async () => {
  await inFolder(async (root) => {
    const [old, fresh] = [await RunStore.create(root, ulid()), await RunStore.create(root, ulid())];
    fill(old);
    fresh.importStage("train", await filesOf(old, "train", root));
    fresh.append("metric", [{ name: "loss", value: 9 }], { stage: "late" });
    const before = await contents(fresh);
    await fresh.close();
    const whole = { rows: 9, damagedLines: 0, damagedFiles: 0 };
    assert.deepEqual(await RunStore.rebuild(fresh.folder), whole);
    const again = await RunStore.open(root, fresh.runId);
    assert.deepEqual(await contents(again), before);
    await again.close();
    const rows = [...Deno.readDirSync(join(fresh.folder, "rows"))].map(({ name }) => name);
    const file = join(fresh.folder, "rows", rows.find((name) => name.includes(".metric."))!);
    const bytes = Deno.readFileSync(file);
    bytes[20] ^= 1;
    Deno.writeFileSync(file, bytes);
    const torn = { rows: 5, damagedLines: 0, damagedFiles: 1 };
    assert.deepEqual(await RunStore.rebuild(fresh.folder), torn);
    await old.close();
  });
});

Deno.test("a database that was cut short is rebuilt from the segments when opened", async () => {
  await inFolder(async (root) => {
    const store = await RunStore.create(root, ulid());
    fill(store);
    const before = await contents(store);
    await store.close();
    const path = join(store.folder, "run.duckdb");
    for (const length of [0, 100, 5000]) {
      Deno.truncateSync(path, length);
      const again = await RunStore.open(root, store.runId);
      assert.deepEqual(await contents(again), before, `cut to ${length} bytes`);
      await again.close();
    }
  });
});

Deno.test("a torn segment costs its last row only", async () => {
  await inFolder(async (root) => {
    const store = await RunStore.create(root, ulid());
    for (let k = 1; k <= 3; k++) store.append("metric", [{ name: "a", value: k }], learn(k));
    await store.close();
    const segment = join(store.folder, "rows", "train-1-000001.ndjson");
    Deno.truncateSync(segment, Deno.statSync(segment).size - 5);
    assert.deepEqual(await RunStore.rebuild(store.folder), {
      ...{ rows: 2, damagedLines: 1, damagedFiles: 0 },
    });
  });
});

Deno.test("rows that came together share lines, of which a torn one costs its own; lines of one row are read", async () => {
  await inFolder(async (root) => {
    const store = await RunStore.create(root, ulid());
    const rows = Array.from({ length: 250 }, (_, k) => ({ name: "a", value: k / 2 }));
    store.append("metric", rows, learn(1));
    await store.close();
    const path = join(store.folder, "rows", "train-1-000001.ndjson");
    const [names, ...lines] = Deno.readTextFileSync(path).trimEnd().split("\n");
    assert.equal(lines.length, 3);
    const first = JSON.parse(lines[0].slice(lines[0].indexOf("{"))).rows[0];
    const alone = checkedLine({ table: "metric", cells: first });
    Deno.writeTextFileSync(path, [names, alone + lines[1], lines[2].slice(0, -9)].join("\n"));
    assert.deepEqual(await RunStore.rebuild(store.folder), {
      ...{ rows: 101, damagedLines: 1, damagedFiles: 0 },
    });
    const again = await RunStore.open(root, store.runId);
    const sql = "select min(value), max(value), sum(value) from metric";
    assert.deepEqual(await again.select(sql), [[0, 99.5, 7475]]);
    await again.close();
  });
});

Deno.test("a run without segments cannot be rebuilt, and the reader is told", async () => {
  await inFolder(async (root) => {
    await assert.rejects(RunStore.rebuild(root), (error) => {
      assert.ok(error instanceof InputError);
      assert.equal(error.diagnostics[0].code, "store/no-segments");
      return true;
    });
  });
});

Deno.test("rows of a killed process are there when the run is opened again", async () => {
  await inFolder(async (root) => {
    const runId = ulid();
    const main = fileURLToPath(new URL("./writer_main.ts", import.meta.url));
    const args = ["run", "-A", main, root, runId];
    const child = new Deno.Command("deno", { args, stdout: "piped", stdin: "null" }).spawn();
    const reader = child.stdout.getReader();
    await reader.read();
    child.kill("SIGKILL");
    await child.status;
    await reader.cancel();
    const store = await RunStore.open(root, runId);
    assert.deepEqual(await store.select("select step, value from metric"), [[1n, 1]]);
    await store.close();
  });
});

Deno.test("every table begins with run_id, and one column alone is a word that SQL keeps", async () => {
  await withRun(async (store) => {
    for (const table of tableNames) {
      const names = Object.keys(columnsOf(table));
      assert.equal(names[0], "run_id");
      const written = names.map((name) => name === "group" ? `"${name}"` : name);
      await store.select(`select ${written.join(", ")} from ${table}`);
    }
  });
});

Deno.test("a run that is moved while it goes on says so, and is whole where it was put back", async () => {
  await inFolder(async (root) => {
    const store = await RunStore.create(root, ulid());
    store.append("metric", [{ name: "loss", value: 1 }], learn(1));
    await store.flush();
    Deno.renameSync(store.folder, `${store.folder}.elsewhere`);
    store.append("metric", [{ name: "loss", value: 2 }], learn(2));
    await assert.rejects(store.flush(), /the run.s folder is gone/);
    Deno.renameSync(`${store.folder}.elsewhere`, store.folder);
    await store.flush();
    assert.deepEqual(await store.select("select value from metric order by 1"), [[1], [2]]);
    await store.close();
  });
});
