/** Own kernels give the same bits on every machine: those of the machine that wrote the digests. */
import assert from "node:assert/strict";
import { learnedDigests } from "../../tools/golden/policy_bits.ts";
import golden from "../golden/policy_bits.json" with { type: "json" };

Deno.test("training on own kernels gives the recorded bits", async () => {
  assert.deepEqual(await learnedDigests(), golden.digests);
});
