/** Distributions with constant arguments, as PyMC treats them. */
import assert from "node:assert/strict";
import { families } from "../../../src/engine/language/distributions/table.ts";
import { GraphBuilder } from "../../../src/engine/language/ir/builder.ts";
import { canonicalOf } from "./evaluate.ts";

Deno.test("constant chances that do not sum to one are rescaled, as PyMC does", () => {
  const g = new GraphBuilder();
  const p = g.array(Float64Array.of(1, 1, 2), [3]);
  const args = canonicalOf(g, families.categorical, { p });
  const codes = g.array(Float64Array.of(0, 2), [2]);
  const distribution = { family: "categorical" as const, args, shape: [2] };
  const density = g.valueOf(families.categorical.logDensity(g, codes, distribution))!;
  // pm.logp(pm.Categorical.dist(p=[1, 1, 2]), [0, 2]).eval(), PyMC 5.28.5
  assert.deepEqual([...density.values], [Math.log(0.25), Math.log(0.5)]);
});

Deno.test("chances that are computed are not: a sum apart from one has no density", () => {
  const g = new GraphBuilder();
  const p = g.mul(g.exp(g.input(0, [])), g.array(Float64Array.of(0.5, 0.5), [2]));
  const args = canonicalOf(g, families.categorical, { p });
  assert.deepEqual(args, [p]);
});
