/** Tests of what a stage's process touched, compared with what its kind declared. */
import assert from "node:assert/strict";
import { readAudit, unusedGrants } from "../../../src/pipeline/process/audit.ts";
import { noGrants } from "../../../src/pipeline/process/permissions.ts";

function audit(lines: readonly object[]): string {
  const path = Deno.makeTempFileSync();
  Deno.writeTextFileSync(path, lines.map((line) => JSON.stringify(line)).join("\n"));
  globalThis.addEventListener("unload", () => Deno.removeSync(path));
  return path;
}

const touched = audit([
  { permission: "net", value: "127.0.0.1:0" },
  { permission: "env", value: "HOME" },
  { permission: "env", value: null },
  { permission: "read", value: "/data/x.csv" },
]);

Deno.test("a declaration of all covers everything, and is used by anything", () => {
  const grants = { ...noGrants, net: ["*"], env: ["*"], read: ["/data"] };
  const accesses = readAudit(touched, grants);
  assert.deepEqual(accesses.map(({ declared }) => declared), [true, true, true, true]);
  assert.deepEqual(unusedGrants(grants, accesses), []);
});

Deno.test("what was not declared says so, and what was not used is named", () => {
  const grants = { ...noGrants, net: ["example.org"], env: ["TOKEN"], sys: ["*"] };
  const accesses = readAudit(touched, grants);
  assert.deepEqual(accesses.map(({ declared }) => declared), [false, false, false, false]);
  assert.deepEqual(unusedGrants(grants, accesses), [
    ["net", "example.org"],
    ["env", "TOKEN"],
    ["sys", "*"],
  ]);
});
