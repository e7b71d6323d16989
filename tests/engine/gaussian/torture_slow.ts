/** A sample of the random linear-Gaussian programs against brute force; `deno task torture` has all. */
import assert from "node:assert/strict";
import { trial } from "./torture.ts";

/** One of each kind of field, and scales of both sorts. */
const sample = [1, 3, 4, 6, 8, 9, 10, 19, 22, 23, 34, 37];

for (const seed of sample) {
  Deno.test(`random linear-Gaussian program ${seed} scores as by brute force`, () => {
    const { name, fault } = trial(seed);
    assert.equal(fault, undefined, name);
  });
}
