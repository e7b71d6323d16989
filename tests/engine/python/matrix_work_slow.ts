/** Multiplications of matrices are counted: a text of one line could keep a check busy for minutes. */
import assert from "node:assert/strict";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { dugongs } from "../density/data.ts";

function codeOf(before: string): string {
  const text = `import numpy as np
import pymc as pm
${before}
with pm.Model() as model:
    a = pm.Normal("a", 2, 1)
    pm.Normal("length", a + 0 * y[0, 0], 1, observed=data["length"])
`;
  const checked = checkProgram(text, dugongs(0.01));
  return checked.ok ? "ok" : checked.diagnostics[0].code;
}

Deno.test("products, factors and inverses of large matrices end a check", () => {
  assert.equal(codeOf("y = np.ones((600, 600)) @ np.ones((600, 600))"), "limit/matrix-work");
  assert.equal(codeOf("y = np.linalg.inv(np.eye(400))"), "limit/matrix-work");
  assert.equal(codeOf("y = np.linalg.cholesky(np.eye(800))"), "limit/matrix-work");
  const often = "y = np.ones((100, 100))\nfor i in range(200):\n    y = y @ np.eye(100)";
  assert.equal(codeOf(often), "limit/matrix-work");
});

Deno.test("those of a course do not", () => {
  assert.equal(codeOf("y = np.ones((100, 40)) @ np.ones((40, 100))"), "ok");
  assert.equal(codeOf("y = np.linalg.inv(np.eye(60))"), "ok");
});
