/** A mend names a flag of the command that was run. */
import assert from "node:assert/strict";
import { limitHint } from "../../../src/pipeline/basics/sql_limits.ts";

Deno.test("commands without limits of their own do not name flags that they lack", () => {
  assert.match(limitHint("--timeout 600", true), /raise the limit: --timeout 600$/);
  const hint = limitHint("--timeout 600", false);
  assert.match(hint, /sluice query --timeout 600 "select/);
  assert.doesNotMatch(hint, /raise the limit/);
});
