/** Recorded traffic of llama.cpp's own server, answered again: what the client asks, and how it reads that. */
import assert from "node:assert/strict";
import { driftOf, type Recording, recordingFile, talkTo } from "./recorded_talk.ts";
import { ReplayServer } from "./recording.ts";

const recording: Recording = JSON.parse(Deno.readTextFileSync(recordingFile));

Deno.test({
  name: "the client asks what was recorded, and reads the same log probabilities and answers",
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async () => {
    await using server = new ReplayServer(recording.exchanges);
    const talk = await talkTo(server.url, recording.ids);
    assert.deepEqual(
      server.unknown,
      [],
      "record it again: SLUICE_RECORD=1 deno task contract:llama",
    );
    assert.equal(talk.identity.way, "token");
    assert.deepEqual(driftOf(talk, recording.talk), { scored: 0, drawn: 0 });
    assert.ok(talk.scored[0].log_probs.every((one) => one < 0 && one > -20));
  },
});

Deno.test("a drift of log probabilities, and another answer, are seen", () => {
  const { talk } = recording;
  const shifted = talk.scored.map((one) => ({
    ...one,
    log_probs: one.log_probs.map((value) => value - 0.01),
  }));
  assert.ok(Math.abs(driftOf({ ...talk, scored: shifted }, talk).scored - 0.01) < 1e-9);
  const other = talk.drawn.map((one) => ({ ...one, ids: [...one.ids, 0] }));
  assert.equal(driftOf({ ...talk, drawn: other }, talk).drawn, Infinity);
});
