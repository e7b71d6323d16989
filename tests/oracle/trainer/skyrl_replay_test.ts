/** Recorded traffic of SkyRL-tx, answered again: its steps are those of the own decoder on the same adapter. */
import assert from "node:assert/strict";
import { temporaryFolder } from "../../temporary_folder.ts";
import { ReplayServer } from "../recording.ts";
import { requireAsLocal, skyrlExchanges, tinyModel, trainAt } from "./trainer_talk.ts";

Deno.test({
  name: "the client asks what was recorded of SkyRL-tx, whose steps are those of the own decoder",
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async () => {
    await using server = new ReplayServer(skyrlExchanges());
    const local = tinyModel(temporaryFolder());
    const asked = { url: server.url, base: "base", config: local.config };
    const talk = await trainAt(asked).catch((error) => {
      throw server.unknown.length === 0 ? error : new Error(`not recorded: ${server.unknown[0]}`);
    });
    const again = "record it again: SLUICE_RECORD=1 deno task contract:skyrl";
    assert.deepEqual(server.unknown, [], again);
    await requireAsLocal(talk, local);
  },
});
