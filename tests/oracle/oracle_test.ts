/** Oracles: requirements of an answer, kept calls, and a bypass of llama.cpp's filter. */
import assert from "node:assert/strict";
import { log } from "../../src/numerics/math/mod.ts";
import { InputError } from "../../src/base/diagnostic.ts";
import { callKey, CallMemo } from "../../src/oracle/call_memo.ts";
import { ggufOf } from "../../src/oracle/describe.ts";
import { LlamaScorer, type LlamaSequence } from "../../src/oracle/llama_scorer.ts";
import type { OracleAnswer, OracleBackend, OracleRecord } from "../../src/oracle/oracle.ts";
import { oracleService, OracleSession, type ScoreByOracle } from "../../src/oracle/service.ts";
import { TableOracle } from "../../src/oracle/table_oracle.ts";
import type { Row } from "../../src/pipeline/contract/stage.ts";
import { trainerService } from "../../src/oracle/trainer/trainer_service.ts";
import { temporaryFolder } from "../temporary_folder.ts";

const record: OracleRecord = {
  config: { kind: "table", entries: [] },
  ...{ model: "fake", model_sha256: "ab", computes: "fake", begin: null, begin_is_added: false },
  ...{ end: null, system_text: null, chat_template: null },
};

/** A session whose oracle answers by `answer`; texts are one token per letter after token 0. */
function session(root: string, answer: (ids: readonly number[]) => Partial<OracleAnswer>) {
  const asked: number[] = [];
  const rows: [string, readonly Row[]][] = [];
  const backend: OracleBackend = {
    encode: (texts) =>
      Promise.resolve(texts.map(({ scored }) => {
        return { ids: [0, ...[...scored].map((one) => one.charCodeAt(0))], from: 1 };
      })),
    score: (calls) => {
      asked.push(calls.length);
      return Promise.resolve(calls.map(({ ids }) => {
        return { ids, log_probs: ids.map(() => -1), seconds: 0, cost: 0, ...answer(ids) };
      }));
    },
    probe: () => Promise.resolve({ tokens: 1, largest_difference: 1, largest_mass_error: 0 }),
    close: () => Promise.resolve(),
  };
  const memo = new CallMemo(root, record);
  const append = (table: string, added: readonly Row[]) => void rows.push([table, added]);
  const caller = { append, onProgress: () => {} };
  return { session: new OracleSession(root, () => ({ backend, memo }), caller), asked, rows };
}

const request = (...texts: readonly string[]): ScoreByOracle => ({
  ...{ op: "score", oracle: record, programs: texts, logPriors: texts.map(() => 0) },
  ...{ texts: texts.map((scored) => ({ scored })), term: { target: "t", term: 0, weight: 2 } },
});

async function inProject(test: (root: string) => Promise<void>): Promise<void> {
  const root = temporaryFolder();
  try {
    await test(root);
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
}

const { signal } = new AbortController();

/** A session of the service itself, in a run whose stages name one server and no variable. */
const asked = async (root: string, request: object) => {
  const service = oracleService({ root }).open({ warn: () => {}, hosts: ["127.0.0.1:9"] });
  const caller = { append: () => {}, onProgress: () => {} };
  try {
    return await service.session(caller).answer(request, signal);
  } finally {
    await service.close();
  }
};

Deno.test("a stage sends no variable to a server that no stage names", () =>
  inProject(async (root) => {
    const server = { kind: "server", url: "http://127.0.0.1:9", key: "HOME", model: "m" };
    const wanted = /Cannot send the variable HOME: no stage has leave/;
    await assert.rejects(asked(root, { op: "open", oracle: server }), wanted);
    const run = { warn: () => {}, hosts: ["127.0.0.1:9"], variables: ["OTHER"] };
    const trainer = trainerService().open(run)
      .session({ append: () => {}, onProgress: () => {} });
    await assert.rejects(trainer.answer({ trainer: server }, signal), wanted);
  }));

Deno.test("answers of a table are not kept as those of another oracle", () =>
  inProject(async (root) => {
    const entries = [{ text: "a", log_prob: -1 }];
    const { record: own } = await asked(root, {
      op: "open",
      oracle: { kind: "table", entries },
    }) as {
      record: OracleRecord;
    };
    const scored = (oracle: OracleRecord) => asked(root, { ...request("a"), oracle });
    assert.deepEqual(await scored(own), [[-1]]);
    const others = [
      { ...own, model_sha256: "ab".repeat(32) },
      { ...own, computes: "decoder 2, own kernels" },
      { ...own, config: { kind: "table", entries: [{ text: "a", log_prob: 0 }] } } as const,
    ];
    for (const other of others) await assert.rejects(scored(other), /describes another one/);
  }));

Deno.test("what was answered is never asked again, by no later run either", async () => {
  await inProject(async (root) => {
    const first = session(root, () => ({ log_probs: [-0.1, -1 / 3] }));
    const answers = await first.session.answer(request("ab", "ba", "ab"), signal);
    assert.deepEqual(answers, [[-0.1, -1 / 3], [-0.1, -1 / 3], [-0.1, -1 / 3]]);
    assert.deepEqual(first.asked, [2]);
    const second = session(root, () => assert.fail("it was known"));
    assert.deepEqual(await second.session.answer(request("ba"), signal), [[-0.1, -1 / 3]]);
    assert.deepEqual(second.session.counts, { executed: 0, recalled: 1, batch: undefined });
    const [[, programs], [table, [row]]] = second.rows;
    assert.deepEqual([programs[0].text, table, row.memo], ["ba", "oracle_call", true]);
    assert.deepEqual([row.prompt_ids, row.ids, row.weight], [[0], [98, 97], 2]);
  });
});

Deno.test("a line of the memo that nobody sealed, or that was altered, counts as absent", async () => {
  await inProject(async (root) => {
    const key = callKey(record, { prompt_ids: [0], ids: [1] });
    const answer = { ids: [1], log_probs: [-2], seconds: 1, cost: 0 };
    new CallMemo(root, record).put(key, answer);
    assert.deepEqual(new CallMemo(root, record).get(key), answer);
    const again = new CallMemo(root, record);
    again.put(key, { ...answer, log_probs: [-2.0001] });
    assert.deepEqual(again.get(key), answer, "the first that was kept is what all have");
    const folder = `${root}/.sluice/oracle/${
      [...Deno.readDirSync(`${root}/.sluice/oracle`)][0].name
    }`;
    const [{ name }] = [...Deno.readDirSync(folder)];
    const { checkedLine, checkedLineValue } = await import("../../src/base/checked_lines.ts");
    const line = checkedLineValue(Deno.readTextFileSync(`${folder}/${name}`).trim()) as Row;
    Deno.writeTextFileSync(`${folder}/${name}`, checkedLine({ ...line, log_probs: [-1] }));
    assert.equal(new CallMemo(root, record).get(key), undefined);
  });
});

const wrongAnswers: [string, (ids: readonly number[]) => Partial<OracleAnswer>, RegExp][] = [
  ["−∞", (ids) => ({ log_probs: ids.map(() => -Infinity) }), /log p of id 97 .* is -Infinity/],
  ["NaN", () => ({ log_probs: [-1, NaN] }), /log p of id 98 at place 2 of 2 is NaN/],
  ["probabilities", () => ({ log_probs: [-1, 0.5] }), /is 0\.5/],
  ["other ids", () => ({ ids: [97, 99] }), /answers for id 99 at place 2, sent was 98/],
  ["fewer ids", () => ({ ids: [97] }), /answers for id none at place 2, sent was 98/],
  ["fewer numbers", () => ({ log_probs: [-1] }), /1 numbers for 2 ids/],
];

for (const [what, answer, message] of wrongAnswers) {
  Deno.test(`an oracle that gives ${what} is refused, and nothing of it is kept`, async () => {
    await inProject(async (root) => {
      const { session: one } = session(root, answer);
      await assert.rejects(one.answer(request("ab"), signal), message);
      const known = session(root, () => ({}));
      await known.session.answer(request("ab"), signal);
      assert.deepEqual(known.asked, [1]);
    });
  });
}

Deno.test("an oracle that is far from its own full distribution is refused when it starts", async () => {
  await inProject(async (root) => {
    const { session: one } = session(root, () => ({}));
    const open = { op: "open", oracle: { kind: "table", entries: [{ text: "a", log_prob: -1 }] } };
    await assert.rejects(one.answer(open, signal), /lie 1 nats from its own full distribution/);
  });
});

Deno.test("a table answers what it lists, given what it lists, and nothing else", async () => {
  const table = new TableOracle([
    { text: "a", log_prob: -1 },
    { given: "Q", text: "a", log_prob: -2 },
  ]);
  const encoded = await table.encode([{ scored: "a" }, { given: "Q", scored: "a" }]);
  const calls = encoded.map(({ ids, from }) => {
    return { prompt_ids: ids.slice(0, from), ids: ids.slice(from) };
  });
  const answers = await table.score(calls);
  assert.deepEqual(answers.map(({ log_probs }) => log_probs), [[-1], [-2]]);
  assert.throws(() => table.encode([{ scored: "b" }]), /does not list "b"/);
  assert.throws(() => table.encode([{ given: "a", scored: "Q" }]), /does not list "Q" given "a"/);
});

Deno.test("a table whose entries contradict one another is none", () => {
  const twice = [{ text: "a", log_prob: -1 }, { text: "a", log_prob: -2 }];
  assert.throws(() => new TableOracle(twice), /entry 2, "a", is there twice/);
  assert.throws(() => new TableOracle([{ text: "", log_prob: -1 }]), /has an empty text/);
  assert.throws(() => new TableOracle([{ text: "a", log_prob: 0.1 }]), /"a", is 0\.1/);
  assert.throws(() => new TableOracle([{ text: "a", log_prob: -Infinity }]), InputError);
});

/** Logits of a vocabulary of four after every token, as node-llama-cpp 3.22.1 filters them. */
const logits = [1, 3, 0.5, 2];
const weight = logits.reduce((sum, one) => sum + Math.exp(one - 3), 0);

/** The filter leaves the largest logit out where `includeMax` asks for it, and the token is not listed. */
const sequence: LlamaSequence = {
  clearHistory: () => Promise.resolve(),
  controlledEvaluate: (input) =>
    Promise.resolve(input.map((item) => {
      if (typeof item === "number") return undefined;
      const { logits: asked, probabilities, options } = (item as unknown as readonly [number, {
        generateNext: {
          logits?: { filter: { tokens: number[]; includeSelected?: boolean } };
          probabilities?: boolean;
          options: { temperature: number };
        };
      }])[1].generateNext;
      assert.equal(options.temperature, 0);
      const listed = new Map((asked?.filter.tokens ?? []).map((id) => [id, logits[id]]));
      if (asked?.filter.includeSelected) listed.set(1, logits[1]);
      const all = new Map(logits.map((one, id) => [id, Math.exp(one - 3) / weight]));
      const next = { token: 1, logits: listed, totalLogitWeight: weight };
      return { next: probabilities ? { ...next, probabilities: all } : next };
    })),
};

Deno.test("llama.cpp's largest logit comes from greedy choice, so that log p is that of all tokens", async () => {
  const scorer = new LlamaScorer(sequence, 5);
  const call = { prompt_ids: [3, 3], ids: [0, 2, 1] };
  const [{ ids, log_probs }] = await scorer.score([call]);
  assert.deepEqual(ids, call.ids);
  const expected = [1, 0.5, 3].map((one) => one - 3 - log(weight));
  assert.deepEqual(log_probs, expected);
  const probe = await scorer.probe([call]);
  assert.equal(probe.tokens, 3);
  assert(probe.largest_difference < 1e-12 && probe.largest_mass_error < 1e-12);
  const long = { prompt_ids: [3, 3, 3], ids: [0, 2, 1] };
  await assert.rejects(scorer.score([long]), /of 6 tokens: the oracle's context is of 5/);
});

Deno.test("llama.cpp reads GGUF, and a model without one is said to have none", () => {
  const file = { name: "m.gguf", bytes: 1, sha256: "" };
  assert.equal(ggufOf({ name: "m", files: [file] }), file);
  assert.throws(() => ggufOf({ name: "m", files: [] }), /it reads GGUF, the model is safetensors/);
});
