/** Frozen parameters of a policy, as a pipeline writes them. */
import assert from "node:assert/strict";
import { policyConfig } from "../../stages/policy/config.ts";

Deno.test("a pipeline names frozen parameters, and one without them has no such key", () => {
  const frozen = ["layers.0."];
  for (const kind of ["mlp", "transformer", "./mine.ts"]) {
    const read = policyConfig.parse({ kind, frozen });
    assert.deepEqual("frozen" in read && read.frozen, frozen);
    assert.ok(!("frozen" in policyConfig.parse({ kind })), "artifacts keep their bytes");
  }
  assert.throws(() => policyConfig.parse({ kind: "table", frozen }));
});
