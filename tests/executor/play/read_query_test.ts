/** Tests of queries: bad ones are refused with a reason, whatever an agent sends. */
import assert from "node:assert/strict";
import { readQuery } from "../../../src/executor/play/read_query.ts";
import { shippedExperiments } from "./local_theories.ts";

const experiments = shippedExperiments();
const dugongs = experiments.get("dugongs")!;
const discounting = experiments.get("discounting")!;

const refusals: readonly (readonly [string, unknown, RegExp])[] = [
  ["out of bounds", { age: 7 }, /from 0 to 5/],
  ["a wrong type", { age: true }, /wanted a number/],
  ["another key", { years: 1 }, /"years" is no input/],
  ["a further key", { age: 1, seed: 2 }, /"seed" is no input/],
  ["no key", {}, /lacks "age"/],
  ["a number with a unit", { age: "3 years" }, /without unit or words/],
  ["a range", { age: "between 3 and 4" }, /without unit or words/],
  ["not a number", { age: NaN }, /wanted a number/],
  ["the text NaN", { age: "NaN" }, /wanted a number/],
  ["infinity", { age: "1e999" }, /wanted a number/],
  ["text", "age 3", /wanted an object such as \{"age":0\}/],
  ["nothing", null, /wanted an object/],
  ["a list", [3], /wanted an object/],
  ["ten kilobytes", { age: "3".repeat(10_000) }, /at most 4096 letters/],
];

for (const [what, query, reason] of refusals) {
  Deno.test(`a query with ${what} is refused`, () => {
    const read = readQuery(query, dugongs);
    assert.equal(read.kind, "refused");
    if (read.kind === "refused") assert.match(read.reason, reason);
  });
}

Deno.test("whole numbers are whole, and rules hold", () => {
  const part = readQuery({ immediate: 10.5, delayed: 20, days: 3 }, discounting);
  assert.ok(part.kind === "refused" && /whole number/.test(part.reason));
  const less = readQuery({ immediate: 30, delayed: 20, days: 3 }, discounting);
  assert.ok(less.kind === "refused" && /breaks the rule immediate <= delayed/.test(less.reason));
  assert.equal(readQuery({ immediate: "10", delayed: 20, days: 3 }, discounting).kind, "row");
});
