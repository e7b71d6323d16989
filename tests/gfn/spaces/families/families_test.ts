/** Simulated families: each has data that its family may have, and tables count what they say. */
import assert from "node:assert/strict";
import { spaceGrammar } from "../../../../src/gfn/spaces/space.ts";
import { familySets, foundIn } from "./found.ts";
import { readLines } from "./records.ts";
import { simulatedFamilies, simulatedSet } from "./simulated.ts";
import { coverageTable, foundTable } from "./tables.ts";

Deno.test("every simulated family has data that suit its space", () => {
  for (const [family, { space, trials }] of Object.entries(simulatedFamilies)) {
    const left = space === "survival" ? "y | event(d)" : trials ? "y | trials(n)" : "y";
    const families = [family.replace(/^survival_/, "")];
    for (const set of [0, 7]) {
      const asked = { space, formula: `${left} ~ x`, families };
      assert.ok(spaceGrammar(simulatedSet(family, set), asked).holes.length > 0, family);
    }
  }
});

Deno.test("sets that maximum likelihood decides are found, and of one that it leaves open nothing is said", () => {
  const sets = familySets();
  const decided = sets.findIndex(({ inner, nats }) => inner === "exponential" && nats > 8);
  const open = sets.findIndex(({ inner, nats }) => inner === "exponential" && Math.abs(nats) < 0.8);
  assert.ok(foundIn(decided, sets[decided]).elpd! > 4);
  assert.ok(Math.abs(foundIn(open, sets[open]).elpd!) < 4);
});

Deno.test("tables count intervals that hold, and families that agree", () => {
  const effects = [0.4, 0.5, 0.9].map((mean, set) => ({ family: "normal", set, mean, sd: 0.1 }));
  assert.match(coverageTable(effects), /`normal` \| 3 of 3 \| 2 of 3: 67 ± 28 % \| 1\.00/);
  const found = [[8, 7], [-7, 2], [0.5, 3], [0.2, -5]].map(([nats, elpd], set) => ({
    ...{ set, pair: "a, b", nats, elpd },
  }));
  assert.match(foundTable(found), /\| a, b \| 4 \| 1 of 2: 50 ± 35 % \| 1 of 2: 50 ± 35 %/);
});

Deno.test("a last line without an end is none", () => {
  const file = Deno.makeTempFileSync();
  Deno.writeTextFileSync(file, '{"set":1}\n{"se');
  assert.deepEqual(readLines(file), [{ set: 1 }]);
  assert.equal(Deno.readTextFileSync(file), '{"set":1}\n');
  Deno.removeSync(file);
});
