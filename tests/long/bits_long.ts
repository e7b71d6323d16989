/** The main job at full size writes the rows that it wrote when its golden file was made. */
import assert from "node:assert/strict";
import { goldenBits, rowsOfMainJob } from "../reproducibility/bits.ts";

Deno.test("the main job with seed 20 writes the rows that it wrote", async () => {
  assert.deepEqual(await rowsOfMainJob(), goldenBits().rows.full);
});
