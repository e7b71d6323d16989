/** Tests of each distribution's entry in the table. */
import assert from "node:assert/strict";
import { families, familyNames } from "../../../src/engine/language/distributions/table.ts";

Deno.test("each family stands in the table under its own names", () => {
  assert.deepEqual(familyNames, Object.keys(families));
  const names = Object.values(families).flatMap(({ signature }) => signature.names);
  assert.equal(new Set(names).size, names.length);
});

Deno.test("what a distribution requires is a distribution or a size", () => {
  for (const [family, { requires = [], signature }] of Object.entries(families)) {
    for (const name of requires) {
      assert.match(signature.domains[name], /^(distribution|size)$/, `${family}: ${name}`);
    }
  }
});

Deno.test("a location is followed by its scale, which is the spread", () => {
  const located = Object.entries(families).filter(([, { location }]) => location !== undefined);
  assert.deepEqual(
    located.map(([family]) => family),
    ["normal", "student_t", "cauchy", "laplace", "logistic", "gumbel"],
  );
  const values = [3, 5, 7, 11] as const;
  for (const [family, { location, centre, spread }] of located) {
    assert.equal(centre!(...values), values[location!], family);
    assert.equal(spread!(...values), values[location! + 1], family);
  }
});

Deno.test("chains start at a finite value inside of bounds", () => {
  const { truncated_normal: bounded, pareto } = families;
  assert.equal(bounded.centre!(0, 1, -1, 2), 0);
  assert.equal(bounded.centre!(-5, 0.5, 0, 10), 0.5);
  assert.equal(bounded.centre!(9, 100, 0, 4), 2);
  assert.equal(pareto.centre!(2, 4, 0, 0), 6);
});
