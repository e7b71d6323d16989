/** Upkeep of finished runs: compressed rows, what no run needs, and a run as one file. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { InputError } from "../../src/base/diagnostic.ts";
import { bundleOf, openBundle } from "../../src/experiments/mod.ts";
import { tar, type TarEntry, untar } from "../../src/experiments/bundle/tar.ts";
import { ulid } from "../../src/pipeline/basics/ulid.ts";
import { damagedRows, freeGarbage, garbageOf, ObjectStore } from "../../src/pipeline/store/mod.ts";
import { mendRows } from "../../src/pipeline/store/rows_aside.ts";
import { runnerOrigin, RunStore } from "../../src/pipeline/store/run_store.ts";
import { compactRun } from "../../src/pipeline/store/sql/mod.ts";
import { inFolder } from "../pipeline/store/folder.ts";

/** A run of two stages that name one artifact each; `status` is the run's. */
async function madeRun(root: string, status = "done"): Promise<string> {
  const runId = ulid();
  const store = await RunStore.create(root, runId);
  store.append("run", [{ name: "a", status, seed: 20 }], runnerOrigin);
  for (let step = 1; step <= 200; step++) {
    store.append("metric", [{ name: "loss", value: 1 / step }], { stage: "train.learn", step });
    const program = { sha256: `p${step % 7}`, text: "x = 1\n", log_prior: -Infinity };
    store.append("program", [program], { stage: "train.learn", step });
    const execution = {
      program: `p${step % 7}`,
      data: "d",
      engine: "native",
      elpd_pointwise: [NaN],
    };
    store.append("execution", [execution], { stage: step % 2 ? "train.learn" : "evaluate", step });
  }
  await store.close();
  const objects = new ObjectStore(root);
  const stages = ["train", "evaluate"].map((stage) => ({
    stage,
    fingerprint: stage.charCodeAt(0).toString(16).repeat(32),
    outputs: { out: objects.put(new TextEncoder().encode(`${runId} ${stage}`)) },
  }));
  const word = { format: 1, run_id: runId, status, stages };
  Deno.writeTextFileSync(join(root, "runs", runId, "run.json"), JSON.stringify(word));
  return runId;
}

async function tablesOf(root: string, runId: string) {
  const store = await RunStore.open(root, runId);
  const tables = ["metric", "program", "execution", "run"];
  const found = [];
  for (const table of tables) {
    found.push(await store.select(`select * from "${table}" order by all`));
  }
  await store.close();
  return found;
}

const rowFiles = (root: string, runId: string) =>
  [...Deno.readDirSync(join(root, "runs", runId, "rows"))].map(({ name }) => name).sort();

Deno.test("compacted rows give the same database, and are whole", () =>
  inFolder(async (root) => {
    const runId = await madeRun(root);
    const before = await tablesOf(root, runId);
    const bytes = await compactRun(root, runId);
    assert.ok(bytes.after < bytes.before, JSON.stringify(bytes));
    assert.ok(rowFiles(root, runId).every((name) => /^(_run-.*ndjson|.*\.parquet)$/.test(name)));
    assert.deepEqual(damagedRows(join(root, "runs", runId)), { lines: 0, files: 0 });
    Deno.removeSync(join(root, "runs", runId, "run.duckdb"));
    await RunStore.rebuild(join(root, "runs", runId));
    assert.deepEqual(await tablesOf(root, runId), before);
    const again = await compactRun(root, runId);
    assert.equal(again.after, again.before, "a second time there is nothing to do");
  }));

Deno.test("a run that may be resumed, or whose lines are damaged, keeps its lines", () =>
  inFolder(async (root) => {
    const stopped = await madeRun(root, "interrupted");
    await assert.rejects(
      compactRun(root, stopped),
      /it is interrupted, and goes on from its lines/,
    );
    const runId = await madeRun(root);
    const [path] = rowFiles(root, runId).filter((name) => name.startsWith("train"))
      .map((name) => join(root, "runs", runId, "rows", name));
    Deno.writeTextFileSync(path, Deno.readTextFileSync(path).replace('"loss"', '"less"'));
    const before = rowFiles(root, runId);
    await assert.rejects(compactRun(root, runId), /its rows are damaged/);
    assert.deepEqual(rowFiles(root, runId), before);
  }));

Deno.test("a kill between the two folders loses no row", () =>
  inFolder(async (root) => {
    const runId = await madeRun(root);
    const folder = join(root, "runs", runId);
    const before = rowFiles(root, runId);
    Deno.renameSync(join(folder, "rows"), join(folder, "rows.old"));
    mendRows(folder);
    assert.deepEqual(rowFiles(root, runId), before);
    Deno.mkdirSync(join(folder, "rows.old"));
    mendRows(folder);
    assert.deepEqual(rowFiles(root, runId), before);
  }));

Deno.test("garbage is what no run names, and a run that cannot be read stops all", () =>
  inFolder(async (root) => {
    const [kept, gone] = [await madeRun(root), await madeRun(root)];
    const objects = new ObjectStore(root);
    const rows = objects.put(new TextEncoder().encode("rows of train"));
    const folder = join(root, ".sluice", "fingerprints");
    Deno.mkdirSync(folder);
    const record = (fingerprint: string, digest: string) =>
      Deno.writeTextFileSync(join(folder, `${fingerprint}.json`), JSON.stringify({ rows: digest }));
    record("74".repeat(32), rows); // the stage "train" of both
    record("00".repeat(32), objects.put(new TextEncoder().encode("of nobody")));
    const free = () => garbageOf(root).map(({ kind, paths }) => [kind, paths.length]);
    const of = (kind: string) => free().find(([one]) => one === kind)![1];
    assert.deepEqual([of("objects"), of("fingerprints")], [1, 1]);
    const memo = join(root, ".sluice", "memo", "ab", "abcd");
    Deno.mkdirSync(join(memo, "wanted"), { recursive: true });
    Deno.writeTextFileSync(join(memo, "wanted", "1.json"), "of a run that was killed");
    Deno.writeTextFileSync(join(memo, "1.ndjson"), "scores");
    assert.deepEqual([of("wanted"), of("memo")], [1, 0]);
    Deno.removeSync(join(root, "runs", gone), { recursive: true });
    assert.deepEqual([of("objects"), of("fingerprints")], [3, 1]);
    freeGarbage(root, garbageOf(root));
    assert.deepEqual([of("objects"), of("fingerprints")], [0, 0]);
    assert.equal(objects.get(rows).kind, "found");
    Deno.writeTextFileSync(join(root, "runs", kept, "run.json"), "{");
    assert.throws(() => garbageOf(root), /Cannot tell what is needed/);
  }));

Deno.test("a bundled run is the same in another project, twice with the same bytes", () =>
  inFolder(async (root) => {
    const runId = await madeRun(root);
    const bytes = bundleOf(root, runId, true);
    assert.deepEqual(bundleOf(root, runId, true), bytes);
    await inFolder(async (other) => {
      assert.equal(openBundle(other, bytes), runId);
      assert.deepEqual(await tablesOf(other, runId), await tablesOf(root, runId));
      assert.deepEqual(rowFiles(other, runId), rowFiles(root, runId));
      assert.throws(() => openBundle(other, bytes), /is there already/);
      assert.equal(garbageOf(other).reduce((sum, { paths }) => sum + paths.length, 0), 0);
    });
  }));

/** The bundle with its entries changed. */
function altered(bytes: Uint8Array, change: (entries: TarEntry[]) => TarEntry[]): Uint8Array {
  return gzipSync(tar(change(untar(gunzipSync(bytes)))));
}

const text = (value: string) => new TextEncoder().encode(value);

const attacks: Readonly<Record<string, readonly [(entries: TarEntry[]) => TarEntry[], RegExp]>> = {
  "a path out of the folder": [
    (all) => [...all, { path: "run/../../evil", bytes: text("x") }],
    /"run\/\.\.\/\.\.\/evil", which is no file of a run/,
  ],
  "a file that the manifest does not name": [
    (all) => [...all, { path: "run/more.json", bytes: text("x") }],
    /"run\/more.json", which is no file of a run/,
  ],
  "another answer": [
    (all) => all.map((one) => one.path === "run/run.json" ? { ...one, bytes: text("{}") } : one),
    /run\/run.json is not what it was/,
  ],
  "a file left out": [
    (all) => all.filter(({ path }) => path !== "run/run.json"),
    /run\/run.json is missing/,
  ],
  "no manifest": [
    (all) => all.filter(({ path }) => path !== "bundle.json"),
    /bundle.json is missing/,
  ],
  "another run's place": [
    (all) =>
      all.map((one) =>
        one.path === "bundle.json"
          ? {
            ...one,
            bytes: text(
              new TextDecoder().decode(one.bytes).replace(/"run": "[^"]+"/, '"run": "../x"'),
            ),
          }
          : one
      ),
    /bundle.json is missing, or of another format/,
  ],
};

Deno.test("an altered bundle is refused, and leaves nothing", () =>
  inFolder(async (root) => {
    const bytes = bundleOf(root, await madeRun(root));
    for (const [name, [change, said]] of Object.entries(attacks)) {
      await inFolder((other) => {
        assert.throws(() => openBundle(other, altered(bytes, change)), (error) => {
          assert.ok(error instanceof InputError, name);
          assert.match(error.message, said, name);
          return true;
        });
        assert.deepEqual([...Deno.readDirSync(other)], [], name);
      });
    }
    await inFolder((other) => {
      assert.throws(() => openBundle(other, bytes.subarray(0, 900)), /Cannot open the bundle/);
    });
  }));
