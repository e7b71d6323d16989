/** Tests of SQL over runs: visible tables, forbidden access, output formats, and damaged runs. */
import assert from "node:assert/strict";
import { DuckDBInstance } from "@duckdb/node-api";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { InputError } from "../../../src/base/diagnostic.ts";
import { query } from "../../../src/pipeline/store/query.ts";
import { tryLock } from "../../../src/pipeline/store/locks.ts";
import { runnerOrigin, RunStore } from "../../../src/pipeline/store/run_store.ts";
import { schemaVersion, tableNames } from "../../../src/pipeline/store/schema.ts";
import { ulid } from "../../../src/pipeline/basics/ulid.ts";
import { inFolder } from "./folder.ts";

async function makeRun(root: string, values: readonly number[]): Promise<RunStore> {
  const store = await RunStore.create(root, ulid());
  values.forEach((value, i) => {
    store.append("metric", [{ name: "loss", value }], { stage: "train.learn", step: i + 1 });
  });
  const detail = { note: 'a "quoted", text\nof two lines' };
  store.append("event", [{ kind: "k", detail }], { stage: "train" });
  await store.close();
  return store;
}

async function rejection(work: Promise<unknown>): Promise<InputError> {
  let found: unknown;
  await work.catch((error) => found = error);
  assert.ok(found instanceof InputError, `${found}`);
  return found;
}

Deno.test("a query sees the rows of all runs, of one, and of the last", async () => {
  await inFolder(async (root) => {
    const [one, two] = [await makeRun(root, [1, 2]), await makeRun(root, [3])];
    const sql = "select sum(value) from metric";
    assert.deepEqual((await query(root, sql)).rows, [[6]]);
    assert.deepEqual((await query(root, sql, { run: one.runId })).rows, [[3]]);
    assert.deepEqual((await query(root, sql, { run: "last" })).rows, [[3]]);
    assert.deepEqual((await query(root, "select distinct run_id from metric order by 1")).rows, [
      [one.runId],
      [two.runId],
    ]);
  });
});

Deno.test("the last run is the newest that no process writes, and a note says so", async () => {
  await inFolder(async (root) => {
    const [one, two] = [await makeRun(root, [1]), await makeRun(root, [2])];
    const says = (run: RunStore, status: string) =>
      Deno.writeTextFileSync(join(run.folder, "run.json"), JSON.stringify({ status }));
    says(one, "done");
    says(two, "running");
    const ask = async () => await query(root, "select value from metric", { run: "last" });
    assert.deepEqual((await ask()).rows, [[2]], "it was killed");
    const lock = tryLock(root, `run-${two.runId}`, () => true)!;
    const held = new Deno.Command(Deno.execPath(), {
      args: [
        "eval",
        `const f = Deno.openSync(Deno.args[0], { read: true, write: true });
        f.tryLockSync(true); console.log("held"); await Deno.stdin.read(new Uint8Array(1));`,
        join(root, ".sluice", "locks", `run-${two.runId}.lock`),
      ],
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    lock.release();
    const output = held.stdout.getReader();
    await output.read();
    const { rows, notes } = await ask();
    await held.stdin.close();
    await output.cancel();
    await held.status;
    assert.deepEqual(rows, [[1]]);
    assert.match(notes[0], /it is still being written; "last" is/);
  });
});

Deno.test("questions about small tables are answered by the index, as by the runs", async () => {
  await inFolder(async (root) => {
    const seeds = "select seed from run order by seed";
    const begin = async (seed: number) => {
      const store = await RunStore.create(root, ulid());
      store.append("run", [{ name: "a", status: "running", seed }], runnerOrigin);
      store.append("evaluation", [{ ...tv, value: seed }], { stage: "evaluate" });
      return store;
    };
    const [one, two] = [await begin(1), await begin(2)];
    await two.close();
    await one.close();
    const asked = async () => (await query(root, seeds)).rows.flat();
    assert.deepEqual(await asked(), [1, 2]);
    assert.ok(Deno.statSync(join(root, ".sluice", `index-${schemaVersion}.duckdb`)).isFile);
    const both = "select status, value from run join evaluation using (run_id) order by value";
    const expected = [["interrupted", 1], ["interrupted", 2]];
    assert.deepEqual((await query(root, both)).rows, expected);
    await (await begin(3)).close();
    assert.deepEqual(await asked(), [1, 2, 3], "a new run");
    const again = await RunStore.open(root, one.runId);
    again.append("run", [{ name: "a", status: "done", seed: 7 }], runnerOrigin);
    await again.flush();
    assert.deepEqual((await query(root, seeds)).notes.length, 1, "a run that is open again");
    await again.close();
    assert.deepEqual(await asked(), [2, 3, 7], "a run that went on");
    Deno.removeSync(two.folder, { recursive: true });
    assert.deepEqual(await asked(), [3, 7], "a run that is gone");
    Deno.writeTextFileSync(join(root, ".sluice", `index-${schemaVersion}.duckdb`), "no index");
    assert.deepEqual(await asked(), [3, 7], "a damaged index");
    const columns = "select count(*) from query_table('r' || 'un')";
    assert.deepEqual((await query(root, columns)).rows, [[2]]);
  });
});

const tv = { measure: "tv", subject_kind: "policy", subject: "policy" };

Deno.test("without runs every table is there and empty", async () => {
  await inFolder(async (root) => {
    for (const table of tableNames) {
      assert.deepEqual((await query(root, `from "${table}"`)).rows, []);
    }
  });
});

Deno.test("an unknown run is the user's mistake, and the newest runs are named", async () => {
  await inFolder(async (root) => {
    const { runId } = await makeRun(root, [1]);
    const error = await rejection(query(root, "select 1", { run: "nope" }));
    assert.match(error.diagnostics[0].hint!, /^write last, /);
    assert.ok(error.diagnostics[0].hint!.endsWith(`the newest runs are: ${runId}`));
    const none = await rejection(query(join(root, "empty"), "select 1", { run: "last" }));
    assert.match(none.message, /no run "last"/);
  });
});

Deno.test("wrong SQL is the user's mistake, with DuckDB's own words", async () => {
  await inFolder(async (root) => {
    const error = await rejection(query(root, "select vale from metric"));
    assert.equal(error.diagnostics[0].code, "query/sql");
    assert.match(error.message, /^Cannot run the query: Binder Error: .*"vale".*"value"/s);
  });
});

const forbidden: readonly string[] = [
  "select * from read_text('/etc/hostname')",
  "select * from read_csv('deno.json')",
  "from '/etc/hostname'",
  "copy (select 1) to 'out.csv'",
  "attach 'other.duckdb'",
  "install httpfs",
  "load httpfs",
  "set enable_external_access = true",
  "set lock_configuration = false",
  "reset enable_external_access",
  "export database 'out'",
  "delete from run_0.main.metric",
  "create table mine as select 1",
  "select getenv('HOME')",
];

for (const sql of forbidden) {
  Deno.test(`the user's SQL cannot do: ${sql}`, async () => {
    await inFolder(async (root) => {
      await makeRun(root, [1]);
      await rejection(query(root, sql));
      assert.deepEqual((await query(root, "select value from metric")).rows, [[1]]);
    });
  });
}

Deno.test("a statement that would write is told so, also behind a comment", async () => {
  await inFolder(async (root) => {
    await makeRun(root, [1]);
    const wrote = await rejection(query(root, "-- mine\n/* own */ Create table mine as select 1;"));
    assert.match(wrote.message, /it would create, and queries only read/);
    const commented = `${"/**/".repeat(60)}/* drop */ select count(*) from metric`;
    assert.equal((await query(root, commented)).rows.length, 1);
    const named = await query(root, "select value as updated from metric -- delete");
    assert.deepEqual(named.rows, [[1]]);
  });
});

Deno.test("a later statement is as locked in as the first", async () => {
  await inFolder(async (root) => {
    await rejection(query(root, "select 1; set lock_configuration = false; select 2"));
    assert.deepEqual((await query(root, "select 1; select 2")).rows, [[2]]);
  });
});

Deno.test("values become plain: integers numbers, times ISO text, JSON its value", async () => {
  await inFolder(async (root) => {
    await makeRun(root, [1]);
    const sql = "select count(*), sum(metric.step), 9007199254740993, 0.02, date '2026-01-02', " +
      "timestamp '2026-01-02 03:04:05', [1, null], {'a': 1::bigint}, '\\xAB'::blob, " +
      "any_value(detail), 'nan'::double from metric, event";
    const { rows: [row] } = await query(root, sql);
    const detail = { note: 'a "quoted", text\nof two lines' };
    const expected = [1, 1, "9007199254740993", 0.02, "2026-01-02", "2026-01-02T03:04:05.000Z"];
    assert.deepEqual(row, [...expected, [1, null], { a: 1 }, "ab", detail, NaN]);
  });
});

const sample = "select 'a,\"b' as name, 1.5 as x, null as nothing union all " +
  "select 'zwei' || chr(10) || 'lines', -20, null order by name";

Deno.test("the table of a result is aligned text", async () => {
  await inFolder(async (root) => {
    const expected = [
      "name          x  nothing",
      "──────────  ───  ───────",
      'a,"b        1.5',
      "zwei⏎lines  -20",
      "",
    ].join("\n");
    assert.equal((await query(root, sample)).toTable(), expected);
  });
});

Deno.test("JSON and CSV carry the same rows", async () => {
  await inFolder(async (root) => {
    const result = await query(root, sample);
    assert.deepEqual(JSON.parse(result.toJson()), [
      { name: 'a,"b', x: 1.5, nothing: null },
      { name: "zwei\nlines", x: -20, nothing: null },
    ]);
    const csv = 'name,x,nothing\r\n"a,""b",1.5,\r\n"zwei\nlines",-20,\r\n';
    assert.equal(result.toCsv(), csv);
  });
});

Deno.test("Parquet keeps values and types, nested and JSON ones too", async () => {
  await inFolder(async (root) => {
    await makeRun(root, [1.5, NaN]);
    const sql = "select step, value, [value] as values, {'a': name} as s, json('{}') as j, " +
      "now()::timestamp as t from metric order by step";
    const bytes = await (await query(root, sql)).format("parquet");
    Deno.writeFileSync(join(root, "out.parquet"), bytes as Uint8Array);
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    const from = `from '${join(root, "out.parquet")}'`;
    const types = await connection.runAndReadAll(`select column_type from (describe ${from})`);
    assert.deepEqual(types.getRowsJS().flat(), [
      ...["BIGINT", "DOUBLE", "DOUBLE[]", "STRUCT(a VARCHAR)", "JSON", "TIMESTAMP"],
    ]);
    const rows = await connection.runAndReadAll(`select step, value, values, s.a ${from}`);
    assert.deepEqual(rows.getRowsJS(), [[1n, 1.5, [1.5], "loss"], [2n, NaN, [NaN], "loss"]]);
    connection.closeSync();
    instance.closeSync();
  });
});

Deno.test("an empty result has its columns in every form", async () => {
  await inFolder(async (root) => {
    const result = await query(root, "select name, value from metric");
    assert.equal(result.toCsv(), "name,value\r\n");
    assert.equal(result.toJson(), "[]\n");
    assert.equal(result.toTable(), "name  value\n────  ─────\n");
    assert.ok((await result.toParquet()).length > 0);
  });
});

Deno.test("a run whose database is damaged is rebuilt, and the reader is told", async () => {
  await inFolder(async (root) => {
    const store = await makeRun(root, [1, 2]);
    const path = join(store.folder, "run.duckdb");
    const size = Deno.statSync(path).size;
    for (const length of [0, 4096, size - 100]) {
      Deno.truncateSync(path, length);
      const { rows, notes } = await query(root, "select sum(value) from metric");
      assert.deepEqual(rows, [[3]], `cut to ${length} bytes`);
      assert.match(notes[0], /the database was damaged .* rebuilt from its segments, 3 rows$/);
      assert.deepEqual((await query(root, "select 1")).notes, []);
    }
  });
});

Deno.test("a byte that changed inside a database is found when it is read", async () => {
  await inFolder(async (root) => {
    const store = await makeRun(root, [1, 2]);
    const path = join(store.folder, "run.duckdb");
    const bytes = Deno.readFileSync(path);
    for (let at = 12_288 + 100; at < bytes.length; at += 16_384) bytes[at] ^= 255;
    Deno.writeFileSync(path, bytes);
    const { rows, notes } = await query(root, "select sum(value) from metric");
    assert.deepEqual(rows, [[3]]);
    assert.match(notes[0], /rebuilt from its segments/);
  });
});

Deno.test("a run that cannot be read or rebuilt is left out, and the reader is told", async () => {
  await inFolder(async (root) => {
    const [bad] = [await makeRun(root, [1]), await makeRun(root, [2])];
    Deno.removeSync(join(bad.folder, "rows"), { recursive: true });
    Deno.truncateSync(join(bad.folder, "run.duckdb"), 10);
    const { rows, notes } = await query(root, "select sum(value) from metric");
    assert.deepEqual(rows, [[2]]);
    assert.match(notes[0], /left out: .*there are no row segments/);
  });
});

Deno.test("a run that is being written is left out, here and in another process", async () => {
  await inFolder(async (root) => {
    const done = await makeRun(root, [1]);
    const store = await RunStore.create(root, ulid());
    const count = "select count(*) from metric";
    const here = await query(root, count);
    assert.deepEqual(here.notes, [`run ${store.runId}: left out: it is still being written`]);
    await store.close();
    Deno.removeSync(done.folder, { recursive: true });
    Deno.removeSync(store.folder, { recursive: true });
    const main = fileURLToPath(new URL("./writer_main.ts", import.meta.url));
    const runId = ulid();
    const args = ["run", "-A", main, root, runId];
    const child = new Deno.Command("deno", { args, stdout: "piped", stdin: "null" }).spawn();
    const reader = child.stdout.getReader();
    await reader.read();
    for (const run of [undefined, runId]) {
      await assert.rejects(query(root, count, { run }), /run .* is still being written/);
    }
    child.kill("SIGKILL");
    await child.status;
    await reader.cancel();
    assert.deepEqual((await query(root, count)).rows, [[1]]);
  });
});

Deno.test("a run that is just being made is left out, and left alone", async () => {
  await inFolder(async (root) => {
    const folder = join(root, "runs", ulid());
    Deno.mkdirSync(join(folder, "rows"), { recursive: true });
    const { notes } = await query(root, "select count(*) from metric");
    assert.match(notes[0], /left out: it has no rows yet$/);
    assert.deepEqual([...Deno.readDirSync(folder)].map((entry) => entry.name), ["rows"]);
  });
});

Deno.test("a query can be ended from outside", async () => {
  await inFolder(async (root) => {
    const signal = AbortSignal.timeout(50);
    const endless =
      "select count(*) from range(10000000) a, range(10000000) b where a.range < b.range";
    await assert.rejects(query(root, endless, { signal }), { name: "TimeoutError" });
  });
});

Deno.test("a query that takes too long is ended, and the flag that gives it longer is named", async () => {
  await inFolder(async (root) => {
    const sql = "select count(*) from range(100000000000) a(x) where x * x % 7 = 3";
    const error = await rejection(query(root, sql, { limits: { timeout: 0.2 } }));
    assert.equal(error.diagnostics[0].code, "query/timeout");
    assert.match(error.message, /no answer within 0\.2 s/);
    assert.match(error.diagnostics[0].hint!, /--timeout 2/);
  });
});

Deno.test("a query that wants more memory than it may is ended, also by rows of its result", async () => {
  await inFolder(async (root) => {
    const limits = { memory: 50 * 1024 ** 2 };
    const inside = "select count(distinct x) from range(30000000) t(x)";
    const result = "select x, x + 1, x + 2, x + 3 from range(30000000) t(x)";
    for (const sql of [inside, result]) {
      const error = await rejection(query(root, sql, { limits }));
      assert.equal(error.diagnostics[0].code, "query/memory", sql);
      assert.match(error.diagnostics[0].hint!, /--memory 1GiB/);
    }
  });
});

Deno.test("the table form shows control and bidirectional characters as pictures", async () => {
  await inFolder(async (root) => {
    const sql = `select chr(27) || ']0;t' || chr(7) || chr(8238) || chr(9) as "a\u001b[2J\u202e"`;
    const table = (await query(root, sql)).toTable();
    assert.match(table, /^a␛\[2J�\n/);
    assert.match(table, /␛\]0;t␇�␉/);
  });
});
