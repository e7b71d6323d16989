/** Values that `sluice/engine` exports by name are values at run time. */
import assert from "node:assert/strict";
import {
  binaryOps,
  checkProgram,
  columnRoles,
  columnTypes,
  compileLogDensity,
  distributionNames,
  executionStatuses,
  familyNames,
  looMethods,
  reduceOps,
  sampleProgram,
  scoreNow,
  ternaryOps,
  unaryOps,
} from "sluice/engine";

Deno.test("sluice/engine has lists as values, each name once", () => {
  const lists = { columnRoles, columnTypes, distributionNames, executionStatuses, familyNames };
  const operations = { looMethods, reduceOps, unaryOps, binaryOps, ternaryOps };
  for (const [name, list] of Object.entries({ ...lists, ...operations })) {
    assert.ok(list.length > 0, name);
    assert.equal(new Set(list).size, list.length, name);
  }
});

Deno.test("sluice/engine checks, compiles, samples and scores", () => {
  for (const f of [checkProgram, compileLogDensity, sampleProgram, scoreNow]) {
    assert.equal(typeof f, "function");
  }
});
