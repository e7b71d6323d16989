/** Ten kills of the runner and ten of a server that trains, at moments over the whole run: nothing is lost or doubled. */
import assert from "node:assert/strict";
import { divergenceOf } from "../oracle/trainer/trained_runs.ts";

Deno.test({
  name: "twenty kills leave the bits of a run without",
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async () => {
    const { value, requests } = await divergenceOf();
    for (let kill = 1; kill <= 10; kill++) {
      const at = Math.floor(requests * kill / 11);
      const when = kill % 2 === 0 ? "after" : "before";
      const [runner, server] = [
        await divergenceOf({ runner: at }),
        await divergenceOf({ server: { at, when } }),
      ];
      console.log(
        `request ${at} of ${requests}: runner killed: ${runner.value}, ${runner.requests} requests; ` +
          `server killed ${when} it answered: ${server.value}, ${server.requests} requests`,
      );
      assert.deepEqual([runner.value, server.value], [value, value]);
    }
  },
});
