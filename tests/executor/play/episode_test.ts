/** Tests of episodes: paired worlds, refusals that cost nothing, and information that is worth having. */
import assert from "node:assert/strict";
import { Episode, type PlaySettings } from "../../../src/executor/play/episode.ts";
import { readExperiment } from "../../../src/executor/play/read_experiment.ts";
import { localTheories, shippedExperiments } from "./local_theories.ts";

const settings: PlaySettings = { budget: 3, particles: 300, draws: 128, candidates: 8, fresh: 20 };
const experiments = shippedExperiments();
const begin = (name: string, episode = 0) =>
  Episode.begin(experiments.get(name)!, localTheories, settings, ["test", name, episode], [0]);

Deno.test("worlds of one key are the same, whoever asks", async () => {
  const [one, two, other] = [
    await begin("discounting"),
    await begin("discounting"),
    await begin("discounting", 1),
  ];
  assert.deepEqual(one.latents, two.latents);
  assert.deepEqual(one.truths, two.truths);
  assert.notDeepEqual(one.latents, other.latents);
  const query = { immediate: 50, delayed: 60, days: 20 };
  assert.deepEqual(await one.ask(query), await two.ask(query));
});

Deno.test("a view has no latents, questions or keys", async () => {
  const episode = await begin("discounting");
  const told = JSON.stringify(episode.view());
  for (const [k, name] of episode.latents.names.entries()) {
    assert.ok(!told.includes(`${episode.latents.parameters[k][0]}`) && !told.includes(`"${name}"`));
  }
  assert.deepEqual(Object.keys(episode.view()).sort(), ["budget", "inputs", "response", "story"]);
});

Deno.test("a refusal costs nothing, and three in a row end the turn", async () => {
  const episode = await begin("discounting");
  for (let k = 0; k < 2; k++) assert.equal((await episode.ask({ days: 1 })).left, 3);
  const third = await episode.ask("seed?");
  assert.ok(third.kind === "refused" && third.left === 2);
  const good = await episode.ask({ immediate: 1, delayed: 2, days: 3 });
  assert.ok(good.kind === "observation" && good.left === 1);
  await episode.ask({ immediate: 1, delayed: 2, days: 3 });
  const spent = await episode.ask({ immediate: 1, delayed: 2, days: 3 });
  assert.ok(spent.kind === "refused" && /budget is spent/.test(spent.reason));
});

Deno.test("what is advised is the best of the candidates, and its answers are scored beside the oracle's", async () => {
  const episode = await begin("discounting", 2);
  for (let turn = 0; turn < 3; turn++) await episode.ask(await episode.advise());
  for (const { nats, best_nats } of episode.turns) assert.equal(nats, best_nats);
  const judged = await episode.answer({ kind: "theory" }, 3, true);
  assert.equal(judged.status, "ok");
  assert.ok(judged.log_score! < judged.oracle_log_score! + 3 * judged.mcse!);
  assert.equal(episode.questions.length, 10);
});

Deno.test("numbers are read as numbers, and what is none is refused", async () => {
  const episode = await begin("discounting", 3);
  const numbers = ["0.31", 1, "1", 0, 0, 0, 0, 0, 0, 0];
  assert.equal((await episode.answer({ kind: "values", numbers }, 0, false)).status, "ok");
  assert.equal(episode.questions[0].answer, 0.31);
  const words = { kind: "values", numbers: [...numbers.slice(0, 9), "between 0 and 1"] } as const;
  const refused = await episode.answer(words, 1, false);
  assert.ok(refused.status === "refused" && /answer 10/.test(refused.reason!));
});

Deno.test("an entry of a catalogue is asked once, and questions are withheld from it", async () => {
  const episode = await begin("irt");
  const [first] = episode.view().catalogue!;
  assert.equal(episode.view().catalogue!.length, 36 - 10);
  assert.equal((await episode.ask(first)).kind, "observation");
  const again = await episode.ask(first);
  assert.ok(again.kind === "refused" && /once/.test(again.reason));
  const { student, question } = episode.questionRows[0];
  const withheld = await episode.ask({ student, question });
  assert.ok(withheld.kind === "refused" && /asked about in the end/.test(withheld.reason));
});

/** Discounting with as many questions of either answer. */
function balanced(count: number, edit: (toml: string) => string = (toml) => toml) {
  const url = new URL("../../../experiments/discounting.toml", import.meta.url);
  const toml = Deno.readTextFileSync(url).replace(
    "count = 10",
    `count = ${count}\nbalanced = true`,
  );
  return readExperiment(edit(toml), "discounting.toml");
}

Deno.test("balanced questions have as many answers of either kind, the same for all who play", async () => {
  const play = (count: number, episode: number) =>
    Episode.begin(balanced(count), localTheories, settings, ["balanced", episode], [0]);
  for (const [count, ones] of [[10, 5], [7, 4]]) {
    const { truths, questionRows, oracle } = await play(count, 0);
    assert.equal(truths.filter((one) => one === 1).length, ones);
    assert.deepEqual([truths.length, questionRows.length, oracle.length], [count, count, count]);
  }
  assert.deepEqual((await play(10, 1)).questionRows, (await play(10, 1)).questionRows);
});

Deno.test("questions of one answer alone cannot be balanced, nor those of a measurement", async () => {
  const never = balanced(4, (toml) => toml.replace("p=p", "p=0 * p"));
  await assert.rejects(
    () => Episode.begin(never, localTheories, settings, ["never"], [0]),
    /in 20 worlds its questions had one answer nearly always/,
  );
  const measured = (toml: string) => toml.replace('type = "binary"', 'type = "real"');
  assert.throws(
    () => balanced(4, measured),
    /questions are balanced, and choice is of the type real/,
  );
});
