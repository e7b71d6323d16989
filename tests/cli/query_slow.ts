/** `sluice query` and `sluice runs`: SQL over runs, and nothing but runs. */
import { tableNames } from "../../src/pipeline/store/mod.ts";
import assert from "node:assert/strict";
import { withProject } from "./command_line.ts";

const tables = `  mend: tables: ${tableNames.join(", ")}\n`;

Deno.test("a query without runs sees empty tables", async () => {
  await withProject([], async (project) => {
    const sql = "select count(*) as n from trajectory";
    const { code, out, err } = await project.sluice("query", sql);
    assert.deepEqual([code, out, err], [0, "n\n─\n0\n", ""]);
    assert.deepEqual(project.list(), ["deno.json"]);
  });
});

Deno.test("one result in four formats", async () => {
  await withProject([], async (project) => {
    const sql = `select * from (values (1, 'a,b'), (2, null)) as t(n, text) order by n`;
    const format = async (name: string) =>
      (await project.sluice("query", "--format", name, sql)).out;
    assert.equal(await format("table"), "n  text\n─  ────\n1  a,b\n2\n");
    assert.equal(await format("csv"), 'n,text\r\n1,"a,b"\r\n2,\r\n');
    assert.deepEqual(JSON.parse(await format("json")), [{ n: 1, text: "a,b" }, {
      n: 2,
      text: null,
    }]);
    const { code } = await project.sluice(
      "query",
      "--format",
      "parquet",
      "--out",
      "t.parquet",
      sql,
    );
    const bytes = Deno.readFileSync(project.path("t.parquet"));
    const magic = new TextDecoder().decode(bytes.subarray(0, 4));
    assert.deepEqual([code, magic], [0, "PAR1"]);
    assert.deepEqual(project.list(), ["deno.json", "t.parquet"]);
  });
});

Deno.test("an error in the SQL comes with DuckDB's place and the names of the tables", async () => {
  await withProject([], async (project) => {
    const { code, out, err } = await project.sluice("query", "select nope from run");
    assert.deepEqual([code, out], [2, ""]);
    assert.match(err, /^Cannot run the query: .*"nope" not found/);
    assert.match(err, /\nLINE 1: select nope from run\n {15}\^\n/);
    assert.ok(err.endsWith(tables));
  });
});

Deno.test("an unknown run is refused", async () => {
  await withProject([], async (project) => {
    for (const args of [["query", "--run", "01ABC", "select 1"], ["programs", "01ABC"]]) {
      const { code, out, err } = await project.sluice(...args);
      assert.deepEqual([code, out], [2, ""]);
      assert.match(err, /^Cannot find the run: no run "01ABC" in PROJECT\n {2}mend: write last, /);
    }
  });
});

const outside = [
  "copy (select 1) to 'out.csv'",
  "select * from read_csv('data.csv')",
  "select * from 'data.csv'",
  "select * from read_text('/etc/hostname')",
  "attach 'other.db'",
  "install httpfs",
  "load httpfs",
  "set enable_external_access = true",
  "set lock_configuration = false",
];

for (const sql of outside) {
  Deno.test(`a query cannot leave the runs: ${sql}`, async () => {
    await withProject([], async (project) => {
      project.write("data.csv", "a,b\n1,2\n");
      const { code, out, err } = await project.sluice("query", sql);
      assert.deepEqual([code, out], [2, ""]);
      const why = /^Cannot run the query: .*(disabled (by|through) configuration|has been locked)/;
      assert.match(err, why);
      assert.deepEqual(project.list(), ["data.csv", "deno.json"]);
    });
  });
}

Deno.test("runs of a fresh project: none, and what to do next", async () => {
  await withProject([], async (project) => {
    const { code, out, err } = await project.sluice("runs");
    const head = "run_id  name  status  started  seconds  seed\n";
    assert.deepEqual([code, err], [0, "next: deno task sluice run PIPELINE.toml\n"]);
    assert.ok(out.startsWith(head));
    assert.equal((await project.sluice("runs", "--json")).out, "[]\n");
  });
});
