/** An oracle on a server in a pipeline: consent by host, answers kept, another model under the same name. */
import assert from "node:assert/strict";
import { type CommandLine, withProject } from "../cli/command_line.ts";
import { addModel } from "../../src/models/store/add_model.ts";
import { ModelStore } from "../../src/models/store/model_store.ts";
import { writeRandomCheckpoint } from "../../src/models/store/random_checkpoint.ts";
import { addTiny, servedPipeline } from "./served_pipeline.ts";
import { logP, StubServer } from "./stub_server.ts";

/** Tokens of the tiny model: bytes, what begins a text, and what ends one. */
const [size, begin, end] = [258, 256, 257];

const pipeline = (url: string, more = "") =>
  servedPipeline(
    `oracle = { kind = "server", url = "${url}", model = "small", tokenizer = "tiny", retries = 1, pause = 0.01${more} }`,
  );

const asking = `import { defineStage } from "sluice";
import { z } from "npm:zod@4.6.7";
export default defineStage({
  kind: "asking", version: 1, description: "Asks a server that no oracle names.",
  params: z.strictObject({ url: z.string() }), inputs: {}, outputs: {}, uses: ["oracle"],
  async run(context, _inputs, { url }) {
    const oracle = { kind: "server", url, model: "small", tokenizer: "tiny", max_concurrency: 1,
      retries: 0, timeout: 1, pause: 1, price: 0, tolerance: 1 };
    await context.ask("oracle", { op: "open", oracle });
    return {};
  },
});
`;

Deno.test({
  name:
    "a served oracle rewards as its server does, once it is allowed, and only while it is the same",
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async () => {
    await using server = new StubServer("vllm", size);
    await withProject([], async (project) => {
      await addTiny(project);
      project.write("served.toml", pipeline(server.url));
      const host = new URL(server.url).host;
      const before = await project.sluice("run", "served.toml");
      assert.equal(before.code, 2);
      assert.match(before.err, new RegExp(`--allow-stage p=net:${host}`));
      assert.equal(server.asked("/v1/completions"), 0);

      const { code, err } = await project.sluice(
        "run",
        "served.toml",
        "--allow-stage",
        `p=net:${host}`,
      );
      assert.equal(code, 0, err);
      const rows = await project.query<{ program: string; lp: number; cost: number }>(
        "select program, list_sum(log_probs) as lp, cost from oracle_call",
      );
      assert.ok(rows.length >= 3);
      for (const { program, lp } of rows) {
        const ids = [begin, ...new TextEncoder().encode(program), end];
        const wanted = ids.slice(1).reduce((sum, id, i) => sum + logP(ids[i], id, size), 0);
        assert.ok(Math.abs(lp - wanted) < 1e-9, `${program}: ${lp} is not ${wanted}`);
      }
      const [row] = await project.query<{ kind: string; computes: string }>("select * from oracle");
      assert.deepEqual([row.kind, row.computes], ["server", `${server.url}, version 1.0, prompts`]);

      project.write("weights.toml", pipeline(server.url, `, weights = "random"`));
      writeRandomCheckpoint(project.path("random"), "weights");
      await addModel(new ModelStore(project.root), project.path("random"));
      const other = await project.sluice("run", "weights.toml", "--allow-stage", `p=net:${host}`);
      assert.equal(other.code, 2);
      assert.match(other.err, /for the weights of "random": it lies \d\S* nats a token/);

      await anotherModel(project, server);
      await wrongKeys(project, server);
      await behindTheBack(project, server);
    });
  },
});

const writing = (url: string, more: string) =>
  `${
    servedPipeline(
      `oracle = { kind = "server", url = "${url}", model = "small", tokenizer = "tiny", price = 1e6${more} }`,
    )
  }`.replace(
    `{ oracle = "p", of = "x" }`,
    `{ oracle = "p", of = "y|x", template = "n {{ x }}", answer = { generate = true, most_tokens = 5 } }`,
  );

Deno.test({
  name:
    "a server writes an answer to each object, and a run that has spent its budget goes on later",
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async () => {
    await using server = new StubServer("vllm", size);
    await withProject([], async (project) => {
      await addTiny(project);
      project.write("served.toml", writing(server.url, ", most_calls = 2"));
      const allowed = ["--allow-stage", `p=net:${new URL(server.url).host}`];
      const first = await project.sluice("run", "served.toml", ...allowed);
      assert.equal(first.code, 3);
      assert.match(first.err, /Cannot ask oracle "small" any more: 2 calls are left/);
      const { code, err } = await project.sluice("run", "served.toml");
      assert.equal(code, 0, err);
      const rows = await project.query<{ draw: string; ids: number; memo: boolean }>(
        "select draw, len(ids) as ids, memo from oracle_call order by memo",
      );
      assert.deepEqual(rows.map(({ draw, memo }) => [draw, memo]), [
        ["kept", false],
        ["kept", false],
        ["kept", true],
        ["kept", true],
      ]);
    });
  },
});

const remote = (url: string, mask: string) =>
  `format = 1
name = "remote"
[stages.p]
kind = "oracle"
oracle = { kind = "server", url = "${url}", model = "small", tokenizer = "tiny" }
[stages.texts]
kind = "tokens"
model = "tiny"
mask = "${mask}"
most_tokens = 6
[stages.target]
kind = "target"
inputs = { environment = "texts" }
log_reward = [{ oracle = "p", of = "x" }]
[stages.start]
kind = "policy"
inputs = { environment = "texts" }
policy = { kind = "language_model", model = "tiny", adapter = "full", context = 32 }
[stages.train]
kind = "loop"
steps = 3
state = { policy = "start.policy" }
next = { policy = "learn.policy" }
[stages.train.stages.write]
kind = "remote_sample"
inputs = { oracle = "p", policy = "state.policy", environment = "texts" }
batch_size = 8
[stages.train.stages.judge]
kind = "judge"
inputs = { trajectories = "write.trajectories", target = "target" }
[stages.train.stages.learn]
kind = "learn"
inputs = { policy = "state.policy", trajectories = "write.trajectories", log_reward = "judge.log_reward" }
objective = "trajectory_balance"
`;

Deno.test({
  name:
    "a policy learns from what a server writes, with the server's log probabilities beside its own",
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async () => {
    await using server = new StubServer("vllm", size);
    await withProject([], async (project) => {
      writeRandomCheckpoint(project.path("tiny"), "served");
      await addModel(new ModelStore(project.root), project.path("tiny"));
      project.write("remote.toml", remote(server.url, "none"));
      const allowed = ["--allow-stage", `p=net:${new URL(server.url).host}`];
      const { code, err } = await project.sluice("run", "remote.toml", ...allowed);
      assert.equal(code, 0, err);
      const rows = await project.query<{ tokens: number[]; log_pf: number; own: number }>(
        `select tokens, log_pf from trajectory where stage = 'train.judge'`,
      );
      assert.equal(rows.length, 24);
      for (const { tokens, log_pf } of rows) {
        const drawn = tokens.length === 6 ? tokens.slice(0, 5) : tokens;
        const wanted = drawn.reduce((sum, id, i) => sum + logP(drawn[i - 1] ?? begin, id, size), 0);
        assert.ok(Math.abs(log_pf - wanted) < 1e-9, `${log_pf} is not ${wanted}`);
      }
      const gaps = await project.query<{ value: number }>(
        "select value from metric where name = 'log_pf_gap' order by step",
      );
      assert.ok(gaps.length === 3 && gaps[0].value !== 0, "two models differ");
      await walkedByEdges(project, server, allowed);
      await adapted(project, server, allowed);
      project.write("remote.toml", remote(server.url, "language"));
      const masked = await project.sluice("run", "remote.toml", ...allowed);
      assert.equal(masked.code, 2);
      assert.match(masked.err, /the server knows no mask/);
    });
  },
});

/** Each step sends what the policy has learnt under a name of its own, and two stay on the server. */
async function adapted(
  project: CommandLine,
  server: StubServer,
  allowed: readonly string[],
): Promise<void> {
  const own = remote(server.url, "none").replace('adapter = "full"', "adapter = { rank = 4 }")
    .replace("batch_size = 8", 'batch_size = 8\nweights = "policy"');
  project.write("remote.toml", own);
  const without = await project.sluice("run", "remote.toml", ...allowed);
  assert.equal(without.code, 2);
  assert.match(without.err, /Cannot send an adapter to http[^]*VLLM_ALLOW_RUNTIME_LORA_UPDATING/);
  [server.adapters] = [new Map()];
  server.writers.clear();
  const { code, err } = await project.sluice("run", "remote.toml", ...allowed);
  assert.equal(code, 0, err);
  const versions = [...server.writers].filter((name) => name.startsWith("sluice-"));
  assert.equal(versions.length, 3, `${versions}`);
  const files = "adapter_config.json,adapter_model.safetensors";
  assert.deepEqual([...server.adapters!.values()], [files, files]);
  project.write("remote.toml", own.replace("adapter = { rank = 4 }", 'adapter = "full"'));
  const full = await project.sluice("run", "remote.toml", ...allowed);
  assert.match(full.err, /Cannot write an adapter: all weights of the model learned/);
}

/** New objects are asked of what is another model now: nothing of it is believed. */
async function anotherModel(project: CommandLine, server: StubServer): Promise<void> {
  project.edit("served.toml", "max = 3", "max = 7");
  server.shift = -0.1;
  const { code, err } = await project.sluice("run", "served.toml");
  assert.equal(code, 2);
  assert.match(err, /it gives other log probabilities to the text by which it is known/);
  server.shift = 0;
  assert.equal((await project.sluice("run", "served.toml")).code, 0);
}

/** A key stands in a variable, which its process alone reads; one in the pipeline is refused. */
async function wrongKeys(project: CommandLine, server: StubServer): Promise<void> {
  project.write("keyed.toml", pipeline(server.url, ', key = "sk-very-secret"'));
  assert.match(
    (await project.sluice("check", "keyed.toml")).err,
    /name of a variable, never a key/,
  );
  project.write("keyed.toml", pipeline(server.url, ', key = "SERVER_KEY"'));
  const allowed = ["--allow-stage", `p=net:${new URL(server.url).host},env:SERVER_KEY`];
  const without = await project.sluice("run", "keyed.toml", ...allowed);
  assert.match(without.err, /the variable SERVER_KEY is empty/);
  const env = { SERVER_KEY: "sk-very-secret" };
  assert.equal((await project.sluiceWith(env, "run", "keyed.toml")).code, 0);
  assert.ok(server.keys.has("Bearer sk-very-secret"));
  const grep = new Deno.Command("grep", {
    args: ["-rl", "sk-very-secret", "runs", ".sluice"],
    cwd: project.root,
  });
  assert.equal(new TextDecoder().decode((await grep.output()).stdout), "");
}

/** A kind of one's own cannot reach what the user never saw. */
async function behindTheBack(project: CommandLine, server: StubServer): Promise<void> {
  project.write("asking.ts", asking);
  project.write(
    "asking.toml",
    `format = 1\nname = "asking"\n[stages.a]\nkind = "./asking.ts"\nurl = "${server.url}"\n`,
  );
  const asked = server.asked("/v1/models");
  const { err } = await project.sluice("run", "asking.toml");
  assert.match(err, /no stage has leave to reach 127\.0\.0\.1/);
  assert.equal(server.asked("/v1/models"), asked);
}

/** Under a trie each legal token is scored as an edge: draws follow the server's model restricted to numbers. */
async function walkedByEdges(
  project: CommandLine,
  server: StubServer,
  allowed: readonly string[],
): Promise<void> {
  const listed = remote(server.url, "trie")
    .replace('mask = "trie"\nmost_tokens = 6', 'inputs = { environment = "digits" }')
    .replace("[stages.texts]", '[stages.digits]\nkind = "numbers"\nmax = 12\n[stages.texts]')
    .replace("batch_size = 8", "batch_size = 200");
  project.write("remote.toml", listed);
  const { code, err } = await project.sluice("run", "remote.toml", ...allowed);
  assert.equal(code, 0, err);
  const rows = await project.query<{ program: string; log_pf: number }>(
    "select program, log_pf from trajectory where stage = 'train.judge'",
  );
  const edges = (before: number, legal: readonly number[]) => {
    const total = legal.reduce((sum, id) => sum + Math.exp(logP(before, id, size)), 0);
    return (id: number) => logP(before, id, size) - Math.log(total);
  };
  const code0 = "0".charCodeAt(0);
  const digits = Array.from({ length: 10 }, (_, i) => code0 + i);
  const wantedOf = (text: string): number => {
    const ids = [...text].map((letter) => letter.charCodeAt(0));
    const first = edges(begin, digits)(ids[0]);
    if (ids[0] !== code0 + 1) return first;
    const next = edges(ids[0], [code0, code0 + 1, code0 + 2, end]);
    return first + next(ids[1] ?? end);
  };
  const counts = new Map<string, number>();
  for (const { program, log_pf } of rows) {
    assert.ok(Math.abs(log_pf - wantedOf(program)) < 1e-9, `${program}: ${log_pf}`);
    counts.set(program, (counts.get(program) ?? 0) + 1 / rows.length);
  }
  let distance = 0;
  for (let n = 0; n <= 12; n++) {
    distance += Math.abs((counts.get(`${n}`) ?? 0) - Math.exp(wantedOf(`${n}`))) / 2;
  }
  assert.ok(rows.length === 600 && distance < 0.08, `${distance}`);
}
