/** A point mass beside a density is printed as PyMC takes it, and beside counts as whole numbers. */
import assert from "node:assert/strict";
import { type Column, makeDataset } from "../../../src/base/dataset.ts";
import { checkProgram } from "../../../src/engine/language/mod.ts";
import { printGraph } from "../../../src/engine/score/printed_graph.ts";

const column = (type: "real" | "count", ...values: readonly number[]): Column => ({
  ...{ name: "y", role: "response", type, values: Float64Array.from(values) },
  ...(type === "real" && { resolution: "continuous" as const }),
});

function printed(components: string, response: Column): string {
  const dataset = makeDataset("made", [response]);
  const text = "import pymc as pm\n\nwith pm.Model() as model:\n" +
    '    w = pm.Beta("w", alpha=1, beta=1)\n' +
    `    pm.Mixture("y", w=pm.math.stack([1 - w, w]), comp_dists=[${components}], ` +
    'observed=data["y"])\n';
  const checked = checkProgram(text, dataset);
  assert.ok(checked.ok, JSON.stringify(checked));
  return JSON.stringify(printGraph(checked.program, dataset));
}

Deno.test("beside a density it is a number, also where that is truncated", () => {
  const real = column("real", 0, 0.2, 0.7, 0, 0.4);
  const beta = "pm.Beta.dist(alpha=2, beta=3)";
  for (const other of [beta, `pm.Truncated.dist(${beta}, lower=1e-15)`]) {
    // PyMC 5.28.5 refuses a mixture of whole numbers and a density.
    assert.match(
      printed(`pm.DiracDelta.dist(0.0), ${other}`, real),
      /pm\.DiracDelta\.dist\(0\.0\)/,
    );
  }
});

Deno.test("beside counts it is a whole number", () => {
  const text = printed("pm.DiracDelta.dist(0), pm.Poisson.dist(mu=2)", column("count", 0, 1, 3, 0));
  assert.match(text, /pm\.DiscreteUniform\.dist\(/);
});
