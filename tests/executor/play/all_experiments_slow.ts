/** Tests of the experiments that ship: each is drawn, asked, believed and judged. */
import assert from "node:assert/strict";
import { Episode } from "../../../src/executor/play/episode.ts";
import { localTheories, shippedExperiments } from "./local_theories.ts";

const settings = { budget: 2, particles: 100, draws: 64, candidates: 3, fresh: 10 };

for (const [name, experiment] of shippedExperiments()) {
  Deno.test(`${name} is played to its end`, async () => {
    const episode = await Episode.begin(experiment, localTheories, settings, ["test", name], [0]);
    for (let turn = 0; turn < 2; turn++) {
      const found = await episode.ask(await episode.advise());
      assert.equal(found.kind, "observation", JSON.stringify(found));
    }
    for (const { nats, nats_low, nats_high } of episode.turns) {
      assert.ok(
        nats! >= 0 && nats_low! <= nats! && nats! <= nats_high!,
        `${nats_low} ${nats} ${nats_high}`,
      );
    }
    const judged = await episode.answer({ kind: "theory" }, 2, true);
    assert.ok(judged.status === "ok" && Number.isFinite(judged.log_score) && judged.mcse! > 0);
    assert.ok(
      episode.questions.every(({ error, oracle_error }) => error! >= 0 && oracle_error >= 0),
    );
  });
}
