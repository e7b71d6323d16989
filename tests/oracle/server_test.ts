/** Oracles on servers: three shapes of log probabilities, answers that are none, and connections that fail. */
import assert from "node:assert/strict";
import { InputError, MissingPartError } from "../../src/base/diagnostic.ts";
import { digestOfServer, isSameServer } from "../../src/oracle/server/known_servers.ts";
import type { ServerIdentity } from "../../src/oracle/oracle.ts";
import { type ServerOptions, ServerScorer } from "../../src/oracle/server/server_scorer.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { selfSigned } from "./self_signed.ts";
import { logP, type Manner, StubServer, vocabulary } from "./stub_server.ts";

const trial = { text: "abc", ids: [0, 1, 2, 3, 5] };
const call = { prompt_ids: [0, 4], ids: [2, 2, 5] };
const right = [logP(4, 2), logP(2, 2), logP(2, 5)];

const optionsOf = ({ url }: StubServer, more: Partial<ServerOptions> = {}): ServerOptions => ({
  ...{ url, model: "small", concurrency: 4, vocabulary, price: 0 },
  ...{ retries: 3, timeout: 5, pause: 0.001, ...more },
});

/** A scorer that knows its server. */
async function opened(server: StubServer, more: Partial<ServerOptions> = {}) {
  const scorer = new ServerScorer(optionsOf(server, more));
  return { scorer, identity: await scorer.identify(trial) };
}

const test = (name: string, run: () => Promise<void>) =>
  Deno.test({ name, fn: run, sanitizeOps: false, sanitizeResources: false });

async function refused(run: Promise<unknown>, message: RegExp, kind = InputError as unknown) {
  await assert.rejects(run, (error: Error) => {
    assert.match(error.message, message);
    return error instanceof (kind as new () => Error);
  });
}

for (const [manner, way] of [["vllm", "prompt"], ["echo", "echo"], ["llama", "token"]] as const) {
  test(`a server that answers as ${manner} scores ids, and says what it is`, async () => {
    await using server = new StubServer(manner);
    const { scorer, identity } = await opened(server);
    assert.equal(identity.way, way);
    assert.deepEqual(identity.version, manner === "echo" ? null : "1.0");
    const [{ ids, log_probs }] = await scorer.score([call]);
    assert.deepEqual([ids, log_probs], [call.ids, right]);
    const { tokens, largest_difference, largest_mass_error } = await scorer.probe([call]);
    assert.deepEqual([tokens, largest_difference, largest_mass_error < 1e-12], [3, 0, true]);
  });
}

test("support is read from answers: a 200 without log probabilities is none", async () => {
  await using server = new StubServer("deaf");
  await refused(
    opened(server),
    /gives no log probabilities of given tokens \(.*gives none of prompts/,
  );
});

test("a token that is half a character is read off all candidates by its id", async () => {
  await using server = new StubServer("llama");
  server.halves = [2];
  const { scorer } = await opened(server);
  const [{ log_probs }] = await scorer.score([call]);
  assert.deepEqual(log_probs, right);
});

const choice = (own: object) => () => Response.json({ choices: [own] });
const sent = [0, 4, 2, 2, 5];
const cells = (value: unknown) => [
  null,
  ...sent.slice(1).map((id) => ({ [id]: { logprob: value } })),
];
const wrong: [string, object, RegExp][] = [
  ["NaN as null", { prompt_logprobs: cells(null) }, /log p of id 4 is NaN/],
  ["what is above 0", { prompt_logprobs: cells(0.01) }, /log p of id 4 is 0\.01/],
  ["−9999 for −∞", { prompt_logprobs: cells(-9999) }, /log p of id 4 is -9999/],
  [
    "other ids",
    { prompt_logprobs: cells(-1), prompt_token_ids: [0, 4, 2, 3, 5] },
    /for id 3 at place 4/,
  ],
  ["another length", { prompt_logprobs: cells(-1).slice(0, 4) }, /4 numbers for 5 tokens/],
  ["cells without the id", { prompt_logprobs: [null, ...sent.slice(1).map(() => ({}))] }, /NaN/],
  ["a hole", { prompt_logprobs: [null, null, ...cells(-1).slice(2)] }, /none for id 4 at place 2/],
  ["nothing", { logprobs: null }, /lacks the log probabilities that it gave when it was tried/],
  ["texts for ids", { logprobs: { tokens: ["a"], token_logprobs: [-1] } }, /lacks the log prob/],
  [
    "arrays of unequal length",
    { logprobs: { tokens: sent.map((id) => `token_id:${id}`), token_logprobs: [null, -1] } },
    /2 numbers for 5 tokens/,
  ],
];

for (const [what, own, message] of wrong) {
  test(`a server that gives ${what} is refused`, async () => {
    await using server = new StubServer("vllm");
    const { scorer } = await opened(server);
    server.instead = { "/v1/completions": choice(own) };
    await refused(scorer.score([call]), message);
  });
}

/** An answer of the first attempts; then as it would. */
const first = (times: number, response: () => Response | Promise<Response>) => {
  let left = times;
  return () => left-- > 0 ? response() : undefined;
};

const passing: [string, () => Response | Promise<Response>][] = [
  [
    "429 with Retry-After",
    () => new Response("slow", { status: 429, headers: { "retry-after": "0" } }),
  ],
  ["429 without", () => new Response("slow", { status: 429 })],
  [
    "503 while it loads",
    () => Response.json({ error: { message: "Loading model" } }, { status: 503 }),
  ],
  ["500 once", () => new Response("Internal Server Error", { status: 500 })],
  ["half a body", () => new Response('{"choices": [{"prompt_log', { status: 200 })],
  ["a hang", () => new Promise((resolve) => setTimeout(() => resolve(new Response("{}")), 400))],
];

for (const [what, response] of passing) {
  test(`a server is asked again after ${what}`, async () => {
    await using server = new StubServer("vllm");
    const { scorer } = await opened(server, { timeout: what === "a hang" ? 0.2 : 5 });
    server.instead = { "/v1/completions": first(1, response) };
    const [{ log_probs }] = await scorer.score([call]);
    assert.deepEqual(log_probs, right);
  });
}

test("Retry-After is waited for, as seconds or as a date", async () => {
  await using server = new StubServer("vllm");
  const { scorer } = await opened(server);
  for (const after of ["0.2", new Date(Date.now() + 1200).toUTCString()]) {
    const headers = { "retry-after": after };
    server.instead = {
      "/v1/completions": first(1, () => new Response("", { status: 429, headers })),
    };
    const asked = server.asked("/v1/completions");
    const began = performance.now();
    await scorer.score([call]);
    assert.equal(server.asked("/v1/completions"), asked + 2);
    assert.ok(performance.now() - began >= (after === "0.2" ? 190 : 0));
  }
});

test("a second 500 is a dead server, and attempts have an end", async () => {
  await using server = new StubServer("vllm");
  const { scorer } = await opened(server);
  const fault = (status: number) => () => Response.json({ detail: "engine died" }, { status });
  for (const [status, attempts] of [[500, 2], [503, 4]] as const) {
    server.instead = { "/v1/completions": fault(status) };
    const before = server.asked("/v1/completions");
    await refused(
      scorer.score([call]),
      new RegExp(`status ${status}: engine died`),
      MissingPartError,
    );
    assert.equal(server.asked("/v1/completions") - before, attempts);
  }
});

test("nobody there ends with what to start", async () => {
  const server = new StubServer("vllm");
  const options = optionsOf(server, { retries: 1 });
  await server[Symbol.asyncDispose]();
  const asking = new ServerScorer(options).identify(trial);
  await refused(asking, /Cannot reach the server at http:\/\/127.*2 attempts/s, MissingPartError);
});

test("400 and 404 are not asked again; a redirect is not followed", async () => {
  await using elsewhere = new StubServer("vllm");
  await using server = new StubServer("vllm");
  const { scorer } = await opened(server);
  const ends: [Response, RegExp][] = [
    [
      Response.json({ error: { message: "too long: 9 > 8" } }, { status: 400 }),
      /400: too long: 9 > 8/,
    ],
    [
      Response.json({ detail: [{ msg: "gone" }] }, { status: 404 }),
      /status 404: \[\{"msg":"gone"\}\]/,
    ],
    [Response.redirect(`${elsewhere.url}/v1/completions`), /sends its callers to http:\/\/127/],
  ];
  for (const [response, message] of ends) {
    server.instead = { "/v1/completions": () => response };
    const before = server.asked("/v1/completions");
    await refused(scorer.score([call]), message);
    assert.equal(server.asked("/v1/completions") - before, 1);
  }
  assert.equal(elsewhere.asked("/v1/completions"), 0);
});

test("a server with a certificate that nobody vouches for is not asked, once or again", async () => {
  await using known = new StubServer("vllm");
  let asked = 0;
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {}, ...selfSigned },
    () => {
      asked++;
      return new Response("{}");
    },
  );
  const url = `https://127.0.0.1:${server.addr.port}`;
  const scorer = new ServerScorer({ ...optionsOf(known), url });
  await refused(scorer.identify(trial), /^Cannot trust https:\/\/127\.0\.0\.1.*certificate/s);
  assert.equal(asked, 0);
  await server.shutdown();
});

test("a key is sent, never shown, and asked for where it is missing", async () => {
  await using server = new StubServer("vllm");
  await opened(server, { key: "sk-secret" });
  assert.deepEqual([...server.keys], ["Bearer sk-secret"]);
  const echoes = () => Response.json({ error: { message: "bad key sk-secret" } }, { status: 401 });
  server.instead = { "/v1/models": echoes };
  await refused(opened(server, { key: "sk-secret" }), /status 401: bad key …$/);
  await assert.rejects(opened(server), (error: InputError) => {
    return /write key = "NAME"/.test(error.diagnostics[0].hint!);
  });
});

test("another model, or another tokenizer, is refused with what is there", async () => {
  await using server = new StubServer("vllm");
  await assert.rejects(opened(server, { model: "large" }), (error: InputError) => {
    assert.match(error.message, /serves no model "large"/);
    return /it serves small/.test(error.diagnostics[0].hint!);
  });
  server.instead = { "/tokenize": () => Response.json({ tokens: [1, 2, 4] }) };
  await refused(opened(server), /it reads "abc" as 1 2 4/);
  const meta = { id: "small", meta: { n_vocab: 9 } };
  server.instead = { "/v1/models": () => Response.json({ data: [meta] }) };
  await refused(opened(server), /it has 9 tokens, the tokenizer of the project 6/);
});

test("so many calls are under way, no more; what they cost adds up; the order is theirs", async () => {
  for (const manner of ["vllm", "llama"] satisfies Manner[]) {
    await using server = new StubServer(manner);
    const { scorer } = await opened(server, { concurrency: 3, price: 2e6 });
    const calls = Array.from({ length: 12 }, (_, i) => ({ prompt_ids: [0], ids: [i % 6, 5] }));
    const answers = await scorer.score(calls);
    assert.equal(server.mostUnderWay, 3);
    answers.forEach(({ log_probs }, i) => assert.equal(log_probs[0], logP(0, i % 6)));
    const tokens = manner === "vllm" ? 3 : 2 + 3; // token by token the beginning is paid again
    assert.equal(answers[0].cost, 2 * tokens);
  }
});

test("a token behind others is asked once, whichever calls share it, and paid by the first", async () => {
  await using server = new StubServer("llama");
  const { scorer } = await opened(server, { price: 1e6 });
  const before = server.asked("/completion");
  const shared = [[1, 2, 5], [1, 2, 4], [1, 2, 5]].map((ids) => ({ prompt_ids: [4], ids }));
  const answers = await scorer.score(shared);
  assert.equal(server.asked("/completion") - before, 4);
  assert.deepEqual(answers.map(({ cost }) => cost), [2 + 3 + 4, 4, 0]);
  assert.deepEqual(answers[2].log_probs, [logP(4, 1), logP(1, 2), logP(2, 5)]);
});

test("probes tell a server whose answers do not add up, or change", async () => {
  await using server = new StubServer("vllm");
  const { scorer } = await opened(server);
  server.instead = {
    "/v1/completions": () => {
      server.shift -= 0.01;
      return undefined;
    },
  };
  assert.ok((await scorer.probe([call])).largest_difference > 0.005);
});

test("a server whose models answer for one another when they are asked together is refused", async () => {
  for (const isMixing of [false, true]) {
    await using server = new StubServer("vllm");
    const models = { data: [{ id: "small" }, { id: "adapter", parent: "small" }] };
    const underWay: string[] = [];
    const complete = async (request: Request) => {
      const { model, prompt } = await request.clone().json();
      underWay.push(model);
      await new Promise((done) => setTimeout(done, 5));
      const isTaken = isMixing && underWay.filter((one) => one === "adapter").length > 2;
      const shift = model === "adapter" || isTaken ? -0.5 : 0;
      underWay.splice(underWay.indexOf(model), 1);
      const cells = prompt.map((id: number, i: number) =>
        i === 0 ? null : { [id]: { logprob: logP(prompt[i - 1], id) + shift } }
      );
      return Response.json({ choices: [{ prompt_token_ids: prompt, prompt_logprobs: cells }] });
    };
    server.instead = { "/v1/models": () => Response.json(models), "/v1/completions": complete };
    const { scorer } = await opened(server);
    if (!isMixing) assert.equal((await scorer.probe([call])).largest_difference, 0);
    else await refused(scorer.probe([call]), /"small" and "adapter" answer for one another/);
  }
});

Deno.test("a server is its version and what it answers; memos of others are not its own", () => {
  const root = temporaryFolder();
  const served = { url: "http://127.0.0.1:1", model: "small", tokenizer: "aa" };
  const identity = { version: "1", way: "prompt", trial: [-1, -2] } as const;
  const digestOf = (own: ServerIdentity, at = served, tolerance = 0.01) =>
    digestOfServer(root, at, { identity: own, tolerance });
  const digest = digestOf(identity);
  assert.equal(digestOf({ ...identity, trial: [-1.01, -2] }), digest);
  const others = [
    digestOf({ ...identity, version: "2" }),
    digestOf({ ...identity, trial: [-1.1, -2] }),
    digestOf(identity, { ...served, url: "http://127.0.0.1:2" }),
    digestOf(identity, { ...served, tokenizer: "bb" }),
  ];
  assert.equal(new Set([digest, ...others]).size, 5);
  assert.equal(digestOf(identity), digest);
  // Packed weights are rounded by batches: so far as its oracle lets calls differ it is the same.
  assert.equal(digestOf({ ...identity, trial: [-1.2, -2.2] }, served, 0.3), digest);
  assert.ok(!isSameServer(identity, { ...identity, trial: [-1] }, 0.01));
  Deno.removeSync(root, { recursive: true });
});
