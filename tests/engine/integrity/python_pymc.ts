/** The whole catalogue of attempts through real PyMC; needs `sluice doctor --install-python`. */
import assert from "node:assert/strict";
import { surprises, tried } from "./through_pymc.ts";

Deno.test("through PyMC, each attempt ends as the catalogue says", async () => {
  assert.deepEqual(await surprises(tried), []);
});
