/** Recorded traffic of servers, answered again: the client's requests, and its reading of the answers. */
import assert from "node:assert/strict";
import { driftOf, recordingOf, talkTo } from "./recorded_talk.ts";
import { ReplayServer } from "./recording.ts";

for (const [name, way] of [["llama", "token"], ["vllm", "prompt"]] as const) {
  const recording = recordingOf(name);
  Deno.test({
    name:
      `the client asks what was recorded of ${name}, and reads the same log probabilities and answers`,
    sanitizeOps: false,
    sanitizeResources: false,
    fn: async () => {
      await using server = new ReplayServer(recording.exchanges);
      const talk = await talkTo(server.url, recording.ids);
      const again = `record it again: SLUICE_RECORD=1 deno task contract:${name}`;
      assert.deepEqual(server.unknown, [], again);
      assert.equal(talk.identity.way, way);
      assert.deepEqual(driftOf(talk, recording.talk), { scored: 0, drawn: 0 });
      assert.ok(talk.scored[0].log_probs.every((one) => one < 0 && one > -20));
    },
  });
}

Deno.test("both servers give one text the same log probabilities, and a drift and other answers are seen", () => {
  const [llama, { talk }] = [recordingOf("llama"), recordingOf("vllm")];
  assert.deepEqual(llama.ids, recordingOf("vllm").ids);
  const apart = driftOf(llama.talk, talk).scored;
  assert.ok(apart > 0 && apart < 1e-3, `${apart} nats`);
  const shifted = talk.scored.map((one) => ({
    ...one,
    log_probs: one.log_probs.map((value) => value - 0.01),
  }));
  assert.ok(Math.abs(driftOf({ ...talk, scored: shifted }, talk).scored - 0.01) < 1e-9);
  const other = talk.drawn.map((one) => ({ ...one, ids: [...one.ids, 0] }));
  assert.equal(driftOf({ ...talk, drawn: other }, talk).drawn, Infinity);
});
