/** Requests of Ctrl-C and SIGTERM to a run. */
import assert from "node:assert/strict";
import { interruptControl } from "../../../src/pipeline/run/interrupt.ts";

Deno.test("a Ctrl-C that `deno task` hands on is the same one; a second ends the run at once", () => {
  let now = 0;
  const { control, press } = interruptControl(() => now);
  press();
  now = 120;
  press();
  assert.deepEqual([control.stop.aborted, control.kill.aborted], [true, false]);
  now = 900;
  press();
  assert.equal(control.kill.aborted, true);
});

Deno.test("a SIGTERM that is handed on is the same one; a later one ends the run at once", () => {
  let now = 0;
  const { control, terminate } = interruptControl(() => now);
  terminate();
  now = 300;
  terminate();
  assert.deepEqual([control.stop.aborted, control.kill.aborted], [true, false]);
  now = 5000;
  terminate();
  assert.equal(control.kill.aborted, true);
});

Deno.test("Ctrl-C after a SIGTERM ends the run at once", () => {
  const { control, press, terminate } = interruptControl();
  terminate();
  press();
  assert.equal(control.kill.aborted, true);
});
