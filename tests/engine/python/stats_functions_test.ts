/** `scipy.stats` on data: ranks that share ties, and standard scores. */
import assert from "node:assert/strict";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { datasetOf } from "../density/data.ts";

const data = datasetOf("ties", {
  x: [3, 1, 3, 2, 2, 3, 9, 4],
  y: [1.2, 0.7, 1.9, 1.1, 0.4, 1.6, 2.2, 2.0],
});

function constantsOf(expression: string): number[][] {
  const checked = checkProgram(
    `import numpy as np
import pymc as pm
from scipy import stats
r = ${expression}
with pm.Model() as model:
    b = pm.Normal("b", 0, 1)
    pm.Normal("y", b * r, 1, observed=data["y"])
`,
    data,
  );
  assert.ok(checked.ok, JSON.stringify(checked));
  return checked.program.nodes.flatMap((node) =>
    node.kind === "constant" && node.shape.length === 1 ? [[...node.values]] : []
  );
}

Deno.test("ranks share ties, and rows may change places", () => {
  // scipy.stats.rankdata([3, 1, 3, 2, 2, 3, 9, 4]), SciPy 1.17.
  assert.deepEqual(constantsOf('stats.rankdata(data["x"])'), [[5, 1, 5, 2.5, 2.5, 5, 8, 7]]);
});

Deno.test("standard scores divide by n", () => {
  const [scores] = constantsOf('stats.zscore(data["x"])');
  // (3 - 3.375) / 2.2883..., as NumPy's std has it.
  const deviation = Math.sqrt(
    [3, 1, 3, 2, 2, 3, 9, 4].reduce((s, v) => s + (v - 3.375) ** 2, 0) / 8,
  );
  assert.ok(Math.abs(scores[0] - (3 - 3.375) / deviation) < 1e-12);
});

Deno.test("a variable for each row is refused with the one variable to write", () => {
  const checked = checkProgram(
    `import pymc as pm
with pm.Model() as model:
    u = [pm.Normal(f"u{i}", 0, 1) for i in range(8)]
    pm.Normal("y", pm.math.stack(u), 1, observed=data["y"])
`,
    data,
  );
  assert.ok(!checked.ok);
  const [{ code, hint }] = checked.diagnostics;
  assert.equal(code, "lh/row-table");
  assert.match(hint!, /one variable that has an element for each/);
});
