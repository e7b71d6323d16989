/** Ranges of versions, as `requires` writes them. */
import assert from "node:assert/strict";
import project from "../../deno.json" with { type: "json" };
import { satisfies, sluiceVersion } from "../../src/base/version.ts";

Deno.test("the version is that of deno.json", () => {
  assert.equal(sluiceVersion, project.version);
});

const table: readonly (readonly [string, string, boolean | undefined])[] = [
  ["0.1.0", ">=0.1", true],
  ["0.1.0", "<0.1", false],
  ["1.2.3", ">= 1.2 <2", true],
  ["2.0.0", ">=1.2 <2", false],
  ["0.2.0", "^0.1.5", false],
  ["0.1.9", "^0.1.5", true],
  ["1.9.0", "^1.2", true],
  ["1.3.0", "~1.2", false],
  ["1.2.3", "1.2.3", true],
  ["3.0.0", "^1 || ^3", true],
  ["1.0.0", "latest", undefined],
  ["1.0.0", "", undefined],
];
for (const [version, range, wanted] of table) {
  Deno.test(`satisfies("${version}", "${range}") is ${wanted}`, () => {
    assert.equal(satisfies(version, range), wanted);
  });
}
