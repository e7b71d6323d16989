/** A sample of the random linear-Gaussian programs against brute force; `deno task torture` has all. */
import assert from "node:assert/strict";
import { trial } from "./torture.ts";

/** One of each kind of field, and scales of both sorts. */
const sample = [1, 6, 8, 15, 18, 19, 20, 24, 29, 31, 34, 39, 44, 45, 50, 60, 64, 72];

for (const seed of sample) {
  Deno.test(`random linear-Gaussian program ${seed} scores as by brute force`, () => {
    const { name, fault } = trial(seed);
    assert.equal(fault, undefined, name);
  });
}
