/** Scores and rows keep their bits through every change that is not meant to change them. */
import assert from "node:assert/strict";
import { goldenBits, rowsOfMainJob, scoreBits } from "./bits.ts";

const remedy = "where scores are meant to change: raise engineVersion, " +
  "then deno run -A tests/reproducibility/bits_main.ts";

Deno.test("every golden program has the graph and the score that it had, bit by bit", () => {
  assert.deepEqual(scoreBits(), goldenBits().scores, remedy);
});

Deno.test("the small main job writes the rows that it wrote", async () => {
  assert.deepEqual(await rowsOfMainJob("@configs/fast.toml"), goldenBits().rows.small, remedy);
});
