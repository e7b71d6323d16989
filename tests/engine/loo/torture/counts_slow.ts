/** A sample of the random count programs against quadrature; `deno task torture:counts` has all. */
import assert from "node:assert/strict";
import { countTrial } from "./counts.ts";

/** Every kind of structure and of response; their quadrature is quick. */
const sample = [0, 4, 5, 12, 17, 23, 24, 27, 28, 35];

for (const seed of sample) {
  Deno.test(`random count program ${seed} scores as by quadrature`, () => {
    const { name, fault } = countTrial(seed);
    assert.equal(fault, undefined, name);
  });
}
