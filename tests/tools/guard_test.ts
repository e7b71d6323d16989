/** The guard: growth is an error, a fall is reported, and bytes may differ a little. */
import assert from "node:assert/strict";
import { describe, differences } from "../../tools/guard/compare.ts";
import { countLines } from "../../tools/guard/counts.ts";

const counts = { files: 10, modules: 5, databases: 2, commits: 3, writtenKib: 100 };
const of = (more: Partial<typeof counts>) => ({ a: { ...counts, ...more } });

Deno.test("a figure that grew is red, one that fell is not, and both are told", () => {
  const table = of({});
  assert.deepEqual(differences(table, of({})), []);
  const told = (more: Partial<typeof counts>) => differences(table, of(more)).map(describe);
  assert.deepEqual(told({ databases: 3 }), ["✗ a: databases 2 -> 3"]);
  assert.deepEqual(told({ commits: 2 }), ["· a: commits 3 -> 2"]);
  assert.deepEqual(told({ writtenKib: 105 }), []);
  assert.deepEqual(told({ writtenKib: 106 }), ["✗ a: writtenKib 100 -> 106"]);
  assert.equal(
    differences({}, of({})).filter(({ grew }) => grew).length,
    5,
    "a case without a row",
  );
});

Deno.test("system calls are counted as what they are", () => {
  const lines = [
    'openat(AT_FDCWD</p>, ""..., O_RDONLY) = 3</s/src/cli/main.ts>',
    'openat(AT_FDCWD</p>, ""..., O_RDWR) = 4</p/runs/A/run.duckdb>',
    'openat(AT_FDCWD</p>, ""..., O_RDONLY) = -1 ENOENT (No such file or directory)',
    'openat(AT_FDCWD</p>, ""..., O_RDONLY) = 5</proc/self/maps>',
    'openat(AT_FDCWD</p>, ""..., O_RDONLY) = 5</home/u/.cache/deno/gen/x.js>',
    'write(4</p/runs/A/run.json>, ""..., 1000) = 1000',
    'pwrite64(4</p/runs/A/run.duckdb>, ""..., 4096, 0) = 4096',
    'write(1</tmp/out>, ""..., 9) = 9',
    "fsync(4</p/runs/A/run.duckdb>) = 0",
    "fsync(4</home/u/.cache/deno/x.db>) = 0",
    "fdatasync(4</p/runs/A/run.duckdb>) = 0",
  ];
  const expected = { files: 2, modules: 1, databases: 1, commits: 2, writtenKib: 5 };
  assert.deepEqual(countLines(lines, { project: "/p", home: "/s/" }), expected);
});
