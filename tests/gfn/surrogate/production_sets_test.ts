/** How a surrogate tells objects apart: by their productions, and where these repeat by their order. */
import assert from "node:assert/strict";
import type { Environment } from "../../../src/gfn/environments/environment.ts";
import {
  defaultRegressions,
  regressionsEnvironment,
} from "../../../src/gfn/environments/regressions.ts";
import { ProductionSets } from "../../../src/gfn/evaluation/surrogate/production_sets.ts";
import { grammarEnvironment } from "../../../src/gfn/grammar/environment.ts";
import { kernels } from "../grammar/nested/kernel_grammar.ts";

const nested = grammarEnvironment(kernels(3, 2)) as Environment;
const objects = [...nested.enumerate()];

function codesOf(sets: ProductionSets, some = objects): string[] {
  const codes = sets.encode(some);
  const pieces = codes.length / some.length;
  return some.map((_, x) => codes.slice(x * pieces, (x + 1) * pieces).join(" "));
}

Deno.test("derivations of the same productions in another order are told apart", () => {
  const names = objects.map(({ features }) => [...new Set(features)].sort().join(" "));
  const told = new Set(codesOf(new ProductionSets(nested))).size;
  assert.ok(new Set(names).size < objects.length / 4, "as sets of names most are alike");
  assert.ok(told > 0.9 * objects.length, `${told} of ${objects.length}`);
});

Deno.test("where no production stands twice, its names are all that there is", () => {
  const regressions = regressionsEnvironment({ ...defaultRegressions, terms: 4 }) as Environment;
  const sets = new ProductionSets(regressions);
  sets.encode([...regressions.enumerate()]);
  assert.deepEqual(sets.names.toSorted(), ["x0", "x1", "x2", "x3"]);
});

Deno.test("by the names of an artifact objects are described as they were", () => {
  const sets = new ProductionSets(nested);
  const codes = codesOf(sets);
  assert.deepEqual(codesOf(new ProductionSets(nested, sets.names)), codes);
  const older = new ProductionSets(nested, sets.names.filter((name) => /^[a-z_]+$/.test(name)));
  codesOf(older);
  assert.ok(older.names.every((name) => !name.includes("›")), "names without pairs stay without");
});
