/** Answers that an oracle writes: on servers, by the own decoder, kept or fresh, within a budget. */
import assert from "node:assert/strict";
import { addModel } from "../../src/models/store/add_model.ts";
import { openModel } from "../../src/models/store/language_model.ts";
import { ModelStore } from "../../src/models/store/model_store.ts";
import { writeRandomCheckpoint } from "../../src/models/store/random_checkpoint.ts";
import { Budget } from "../../src/oracle/budget.ts";
import { CallMemo } from "../../src/oracle/call_memo.ts";
import { drawAnswers, scoreAtTemperature } from "../../src/oracle/draw_answers.ts";
import type { OracleBackend, OracleDraw, OracleRecord } from "../../src/oracle/oracle.ts";
import { OracleSession, type ScoreByOracle } from "../../src/oracle/service.ts";
import { scoreCalls } from "../../src/oracle/shared_beginnings.ts";
import { ServerScorer } from "../../src/oracle/server/server_scorer.ts";
import type { Row } from "../../src/pipeline/contract/stage.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { logP, type Manner, StubServer, vocabulary } from "./stub_server.ts";

const trial = { text: "abc", ids: [0, 1, 2, 3, 5] };
const draw = (seed: string, more: Partial<OracleDraw> = {}): OracleDraw => ({
  ...{ prompt_ids: [0, 4], end: 5, most_tokens: 6, temperature: 1, seed, ...more },
});
const test = (name: string, fn: () => Promise<void>) =>
  Deno.test({ name, fn, sanitizeOps: false, sanitizeResources: false });

async function opened(server: StubServer, temperature = 1) {
  const scorer = new ServerScorer({
    ...{ url: server.url, model: "small", concurrency: 4, vocabulary, price: 1e6 },
    ...{ retries: 3, timeout: 5, pause: 0.001, temperature },
  });
  await scorer.identify(trial);
  return scorer;
}

for (const manner of ["vllm", "llama"] as Manner[]) {
  test(`a server as ${manner} writes answers, each by a seed of its own, with log p of every token`, async () => {
    await using server = new StubServer(manner);
    const scorer = await opened(server);
    const draws = Array.from({ length: 40 }, (_, i) => draw(`draw ${i}`));
    const answers = await scorer.draw(draws);
    assert.ok(new Set(answers.map(({ ids }) => ids.join())).size > 10);
    for (const { ids, log_probs, cost } of answers) {
      assert.ok(ids.length === 6 || ids.at(-1) === 5, "it ends, or is cut off");
      ids.forEach((id, k) => assert.ok(Math.abs(log_probs[k] - logP(ids[k - 1] ?? 4, id)) < 1e-12));
      assert.ok(cost >= 2 + ids.length, "writing is paid");
    }
    assert.deepEqual((await scorer.draw([draws[3]]))[0].ids, answers[3].ids, "the same draw again");
  });

  test(`a server as ${manner} scores at another temperature by all candidates`, async () => {
    await using server = new StubServer(manner);
    const scorer = await opened(server, 2);
    const [{ log_probs }] = await scorer.score([{ prompt_ids: [0, 4], ids: [2] }]);
    const all = Array.from({ length: vocabulary }, (_, id) => Math.exp(logP(4, id) / 2));
    const wanted = Math.log(all[2] / all.reduce((sum, one) => sum + one, 0));
    assert.ok(Math.abs(log_probs[0] - wanted) < 1e-12, `${log_probs[0]} ${wanted}`);
  });
}

test("log probabilities beside an answer are believed where they are the model's, and asked for where not", async () => {
  for (const tells of ["raw", "sampled", "none"] as const) {
    await using server = new StubServer("vllm");
    server.tells = tells;
    const scorer = await opened(server);
    const before = server.asked("/v1/completions");
    const draws = Array.from({ length: 10 }, (_, i) => draw(`draw ${i}`, { temperature: 0.5 }));
    const answers = await scorer.draw(draws);
    for (const { ids, log_probs } of answers) {
      ids.forEach((id, k) => assert.ok(Math.abs(log_probs[k] - logP(ids[k - 1] ?? 4, id)) < 1e-12));
    }
    const asked = server.asked("/v1/completions") - before;
    assert.equal(asked, tells === "raw" ? 10 : 20, tells);
  }
});

test("an end that the answer leaves out is asked for alone", async () => {
  await using server = new StubServer("vllm");
  server.tells = "raw";
  const scorer = await opened(server);
  const logprobs = { tokens: ["token_id:2"], token_logprobs: [logP(4, 2)] };
  const ended = { token_ids: [2], logprobs, finish_reason: "stop" };
  server.instead = {
    "/v1/completions": async (request) => {
      const { max_tokens } = await request.clone().json();
      return max_tokens > 1 ? Response.json({ choices: [ended] }) : undefined as never;
    },
  };
  const before = server.asked("/v1/completions");
  const [{ ids, log_probs }] = await scorer.draw([draw("ended")]);
  assert.deepEqual([ids, log_probs], [[2, 5], [logP(4, 2), logP(2, 5)]]);
  assert.equal(server.asked("/v1/completions") - before, 2);
});

test("an answer without ids, and too few candidates for a temperature, are refused", async () => {
  await using server = new StubServer("vllm");
  const scorer = await opened(server);
  server.instead = { "/v1/completions": () => Response.json({ choices: [{ text: "a" }] }) };
  await assert.rejects(scorer.draw([draw("a")]), /they come without token ids/);
  server.instead = {};
  const hot = new ServerScorer({ ...scorer.options, vocabulary: 9, temperature: 2 });
  await assert.rejects(hot.identify(trial), /it gives 6 candidates of 9 tokens/);
});

test("the own decoder draws by its own distribution, at a temperature too", async () => {
  const root = temporaryFolder();
  try {
    writeRandomCheckpoint(`${root}/tiny`, "seed 1");
    await addModel(new ModelStore(root), `${root}/tiny`);
    const { decoder } = openModel(new ModelStore(root), "tiny");
    const prompt_ids = [256, 65];
    for (const temperature of [1, 0.5]) {
      const draws = Array.from(
        { length: 400 },
        (_, i) => draw(`${i}`, { prompt_ids, end: 257, most_tokens: 1, temperature }),
      );
      const drawn = drawAnswers(decoder, draws);
      const ids = Array.from({ length: 258 }, (_, id) => id);
      const calls = ids.map((id) => ({ prompt_ids, ids: [id] }));
      const p = scoreAtTemperature(decoder, calls, temperature).map(([one]) => Math.exp(one));
      assert.ok(Math.abs(p.reduce((sum, one) => sum + one, 0) - 1) < 1e-9);
      // Twenty groups of tokens of some 5 % each, compared with what was drawn.
      const order = ids.toSorted((a, b) => p[b] - p[a]);
      let [chi, share, count, groups] = [0, 0, 0, 0];
      for (const id of order) {
        share += p[id];
        count += drawn.filter((one) => one.ids[0] === id).length;
        if (share < 0.05 && id !== order.at(-1)) continue;
        if (share > 0.01) {
          [chi, groups] = [chi + (count - 400 * share) ** 2 / (400 * share), groups + 1];
        }
        [share, count] = [0, 0];
      }
      assert.ok(chi < groups + 5 * Math.sqrt(2 * groups), `${chi} of ${groups} groups`);
    }
    const [long] = drawAnswers(decoder, [draw("long", { prompt_ids, end: 257, most_tokens: 9 })]);
    const [scored] = scoreCalls(decoder.body, [{ prompt_ids, ids: long.ids }]);
    scored.forEach((one, k) => assert.ok(Math.abs(one - long.log_probs[k]) < 1e-4));
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
});

const record: OracleRecord = {
  config: {
    ...{ kind: "server", url: "http://127.0.0.1:1", model: "m", tokenizer: "t", price: 1e6 },
    ...{ max_concurrency: 1, retries: 0, timeout: 1, pause: 1, tolerance: 1 },
  },
  ...{ model: "m", model_sha256: "ab", computes: "fake", begin: null, begin_is_added: false },
  ...{ end: { id: 5, token: "end" }, system_text: null, chat_template: null },
};

/** A session whose oracle writes its number of draws so far, and the rows that came of it. */
function session(root: string, budget?: Budget) {
  const rows: Row[] = [];
  let drawn = 0;
  const backend: OracleBackend = {
    encode: (texts) =>
      Promise.resolve(texts.map(({ given = "" }) => ({ ids: [0, given.length], from: 2 }))),
    score: () => assert.fail("nothing is given to be scored"),
    draw: (draws) =>
      Promise.resolve(draws.map(() => ({
        ...{ ids: [++drawn, 5], log_probs: [-drawn, -0.5], seconds: 0, cost: 4 },
      }))),
    probe: () => assert.fail("it is not tried"),
    close: () => Promise.resolve(),
  };
  const append = (table: string, added: readonly Row[]) =>
    void (table === "oracle_call" && rows.push(...added));
  const made = { backend, memo: new CallMemo(root, record), ...(budget && { budget }) };
  const caller = { append, onProgress: () => {} };
  return { session: new OracleSession(root, () => made, caller), rows, drawn: () => drawn };
}

const request = (names: readonly string[], ...texts: readonly string[]): ScoreByOracle => ({
  ...{ op: "score", oracle: record, programs: texts, logPriors: texts.map(() => 0) },
  ...{ texts: texts.map((given) => ({ given, scored: "", isDrawn: true })), term: { term: 0 } },
  generate: { temperature: 1, most_tokens: 4, draws: names },
});
const { signal } = new AbortController();

test("a kept answer is written once for each prompt, a fresh one for each draw", async () => {
  const root = temporaryFolder();
  const { session: one, rows, drawn } = session(root);
  const kept = ["kept", "kept"];
  assert.deepEqual(await one.answer(request(kept, "a", "bb"), signal), [[-1, -0.5], [-2, -0.5]]);
  assert.deepEqual(await one.answer(request(kept, "a", "bb"), signal), [[-1, -0.5], [-2, -0.5]]);
  assert.deepEqual(await one.answer(request(["1", "2"], "a", "a"), signal), [[-3, -0.5], [
    -4,
    -0.5,
  ]]);
  assert.equal(drawn(), 4);
  assert.deepEqual(rows.map(({ ids, draw: name, memo }) => [ids, name, memo]), [
    [[1, 5], "kept", false],
    [[2, 5], "kept", false],
    [[1, 5], "kept", true],
    [[2, 5], "kept", true],
    [[3, 5], "1", false],
    [[4, 5], "2", false],
  ]);
  const later = session(root);
  assert.deepEqual(await later.session.answer(request(["kept"], "bb"), signal), [[-2, -0.5]]);
  assert.equal(later.drawn(), 0);
});

test("a budget that is spent in the middle of a batch keeps what was answered, and says how to go on", async () => {
  const root = temporaryFolder();
  const texts = ["a", "bb", "ccc", "dddd"];
  const names = texts.map(() => "kept");
  const limited = (most: object) => session(root, new Budget(root, "m", "m", most));
  const first = limited({ most_calls: 3 });
  await assert.rejects(
    first.session.answer(request(names, ...texts), signal),
    (error: Error & { remedy?: string }) => {
      assert.match(
        error.message,
        /Cannot ask oracle "m" any more: 1 calls are left, and most_calls = 3/,
      );
      assert.match(error.remedy!, /^run again, or raise most_calls: what was answered is kept/);
      return true;
    },
  );
  assert.equal(first.drawn(), 3);
  const second = limited({ most_calls: 3 });
  await second.session.answer(request(names, ...texts), signal);
  assert.equal(second.drawn(), 1, "three are remembered");
});

Deno.test("a day's budget is that of all runs of the project, and begins again the next day", () => {
  const root = temporaryFolder();
  let now = new Date("2026-03-01T23:59:00Z");
  const budget = () =>
    new Budget(root, "m", "http://h m", { most_cost_per_day: 1, most_tokens: 100 }, () => now);
  const each = [1, 2, 3].map(() => ({ tokens: 10, cost: 0.4 }));
  const one = budget();
  assert.equal(one.room(each), 2);
  one.spend({ calls: 2, tokens: 20, cost: 0.8 });
  assert.equal(one.room(each), 0);
  assert.equal(budget().room(each), 0, "another run of the same day");
  assert.match(one.spentError(each).message, /most_cost_per_day = 1 is spent/);
  assert.match(one.spentError(each).remedy, /^run again on 2026-03-02 \(UTC\), or raise/);
  now = new Date("2026-03-02T00:01:00Z");
  assert.equal(one.room(each), 2);
  assert.equal(budget().room(Array(20).fill({ tokens: 10, cost: 0 })), 10, "tokens of a run");
  assert.equal(new Budget(root, "m", "o", {}).room(each), 3);
});
