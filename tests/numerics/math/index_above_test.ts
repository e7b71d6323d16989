/** Draws by cumulative sums, against a walk from the left. */
import assert from "node:assert/strict";
import { indexAbove } from "../../../src/numerics/math/index_above.ts";

Deno.test("an index is the first whose cumulative sum is above", () => {
  for (const cumulative of [[0.1, 0.1, 0.1, 0.7, 1], [0, 0, 2], [3], [0.5, 1, 1]]) {
    for (let u = 0; u < cumulative.at(-1)!; u += 0.01) {
      assert.equal(indexAbove(cumulative, u), cumulative.findIndex((sum) => sum > u), `${u}`);
    }
  }
});

Deno.test("beyond the last sum it is the last, and what has no mass is never drawn", () => {
  assert.equal(indexAbove([0.25, 0.5], 0.5), 1);
  assert.equal(indexAbove([0, 0, 1, 1], 0), 2);
});
