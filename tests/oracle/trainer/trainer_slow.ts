/** Training on a server: gradients are those of the local model, and faults lose and double nothing. */
import assert from "node:assert/strict";
import { writeRandomCheckpoint } from "../../../src/models/store/random_checkpoint.ts";
import { openCheckpoint, readWeights } from "../../../src/models/mod.ts";
import { TrainedModel } from "../../../src/models/training/trained_model.ts";
import type { TrainerConfig, TrainerRequest } from "../../../src/models/training/mod.ts";
import { ServedModel } from "../../../src/gfn/policies/language_model/served_model.ts";
import { LanguageModelPolicy } from "../../../src/gfn/policies/language_model/language_model_policy.ts";
import type { Environment } from "../../../src/gfn/environments/environment.ts";
import { freeTokens } from "../../../src/gfn/environments/free_tokens.ts";
import { makeBatch } from "../../../src/gfn/trajectories/batch.ts";
import { RandomStream } from "../../../src/base/random.ts";
import { TinkerServer } from "../../../src/oracle/trainer/tinker_server.ts";
import { TrainedModels } from "../../../src/oracle/trainer/trained_models.ts";
import { temporaryFolder } from "../../temporary_folder.ts";
import { alpha, FakeTinker } from "./fake_tinker.ts";

const folder = temporaryFolder();
writeRandomCheckpoint(folder, "trainer");
const { config, file } = openCheckpoint(folder);
const weights = readWeights(file, config);
file.close();

const begin = 256;

/** A client of a server, without processes between. */
function clientOf(server: FakeTinker, more: Partial<TrainerConfig> = {}) {
  const trainer: TrainerConfig = {
    ...{ url: server.url, base_model: "fake", rank: 4, adapters: 2, max_concurrency: 4 },
    ...{ retries: 3, timeout: 5, pause: 0.001 },
    ...more,
  };
  const models = new TrainedModels(new TinkerServer({ ...trainer }));
  const link = async (request: TrainerRequest) =>
    await models.answer(JSON.parse(JSON.stringify(request)));
  const base = { name: "tiny", sha256: "", architecture: config.architecture };
  const another = () => new ServedModel({ link, trainer, seed: 7, config, base });
  return { models, another };
}

/** The same adapter here. */
function localModel() {
  return new TrainedModel({
    ...{ config, weights, base: { name: "tiny", sha256: "" }, seedKey: "7" },
    adapter: { rank: 4, alpha, targets: "all-linear" },
  });
}

/** Three texts that begin alike, one row over the vocabulary and one over three tokens. */
const tree = { ids: Int32Array.of(begin, 65, 66, 67), parents: Int32Array.of(-1, 0, 1, 1) };
const rows = [
  { node: 0, legal: "all" as const, picked: Int32Array.of(65) },
  { node: 1, legal: Int32Array.of(66, 67, 90) },
  { node: 2, legal: "all" as const, picked: Int32Array.of(68, 257) },
];
const gradients = [
  Float64Array.of(-1),
  Float64Array.of(0.5, -2, 0.25),
  Float64Array.of(1.5, -0.75),
];

/** Steps of either model along these gradients. */
async function trained(
  model: ServedModel | TrainedModel,
  steps: number,
  between: (step: number) => unknown = () => {},
): Promise<void> {
  for (let step = 1; step <= steps; step++) {
    const pass = await model.pass(tree, rows, { grad: true });
    await pass.backward(gradients);
    pass.release();
    await model.step({ learningRate: 0.01 });
    await between(step);
  }
}

const named = (tensors: readonly { name: string; values: ArrayLike<number> }[]) =>
  tensors.filter(({ name }) => name.endsWith(".weight"))
    .toSorted((a, b) => a.name < b.name ? -1 : 1)
    .map(({ values }) => Array.from(values));

Deno.test("a server's log probabilities and first step are those of the local adapter, however it divides losses", async () => {
  const local = localModel();
  const wanted = local.pass(tree, rows, { grad: false }).logProbabilities;
  const before = named(local.parameters());
  await trained(local, 1);
  const after = named(local.parameters());
  for (const divides of ["1", "length, sequences", "tokens"] as const) {
    await using server = new FakeTinker(config, weights);
    server.divides = divides;
    const { models, another } = clientOf(server);
    const served = another();
    assert.equal((await served.tried(begin)).divides, divides);
    const { logProbabilities } = await served.pass(tree, rows);
    wanted.forEach((row, r) =>
      row.forEach((value, k) => assert.ok(Math.abs(value - logProbabilities[r][k]) < 1e-6))
    );
    await trained(served, 1);
    const found = named(await served.parameters());
    let [apart, moved] = [0, 0];
    after.forEach((row, n) =>
      row.forEach((value, i) => {
        apart += (value - found[n][i]) ** 2;
        moved += (value - before[n][i]) ** 2;
      })
    );
    assert.ok(
      moved > 0 && Math.sqrt(apart / moved) < 1e-3,
      `${divides}: ${Math.sqrt(apart / moved)}`,
    );
    await models.close();
    assert.equal(server.loaded.length, 0, "models are let go");
  }
});

Deno.test("a server that clips gradients clips them by clip_norm; of others it is said that they do not", async () => {
  const moved = async (model: ServedModel | TrainedModel, clipNorm: number) => {
    const before = named(await model.parameters());
    for (const scale of [1, 20]) {
      const pass = await model.pass(tree, rows, { grad: true });
      await pass.backward(gradients.map((row) => row.map((one) => scale * one)));
      await model.step({ learningRate: 0.01, clipNorm });
    }
    return named(await model.parameters()).flatMap((row, n) => row.map((v, i) => v - before[n][i]));
  };
  const clipped = await moved(localModel(), 0.5);
  const whole = await moved(localModel(), Infinity);
  assert.ok(relative(whole, clipped) > 0.05, "clipping makes a difference here");
  for (const clips of ["gradients", "nothing", "refuses"] as const) {
    await using server = new FakeTinker(config, weights);
    server.clips = clips;
    const { models, another } = clientOf(server);
    const served = another();
    assert.equal((await served.tried(begin)).clips, clips === "gradients");
    const apart = relative(await moved(served, 0.5), clips === "gradients" ? clipped : whole);
    assert.ok(apart < 1e-3, `${clips}: ${apart}`);
    await models.close();
  }
});

function relative(found: readonly number[], wanted: readonly number[]): number {
  const length = (numbers: readonly number[]) =>
    Math.sqrt(numbers.reduce((sum, one) => sum + one * one, 0));
  return length(found.map((one, i) => one - wanted[i])) / length(wanted);
}

Deno.test("kills of a server, before or after it did what it was asked, leave the bits of a run without", async () => {
  const run = async (kill?: FakeTinker["kill"]) => {
    await using server = new FakeTinker(config, weights);
    const { models, another } = clientOf(server);
    const served = another();
    await served.tried(begin);
    const from = server.requests;
    if (kill) server.kill = { ...kill, at: kill.at + from };
    await trained(served, 3, (step) => step === 1 ? served.parameters() : undefined);
    const found = named(await served.parameters());
    await models.close();
    return { found, requests: server.requests - from };
  };
  const { found: wanted, requests } = await run();
  for (let kill = 0; kill < 4; kill++) {
    const at = 1 + Math.floor(kill * (requests - 8) / 3);
    const { found } = await run({ at, when: kill % 2 === 0 ? "after" : "before" });
    assert.deepEqual(found, wanted, `kill ${kill} at request ${at}`);
  }
});

Deno.test("kills while the divisor of losses is measured leave it as it is", async () => {
  let requests = 0;
  for (let kill = 0; kill < 4; kill++) {
    await using server = new FakeTinker(config, weights);
    const { models, another } = clientOf(server);
    if (kill > 0) server.kill = { at: Math.floor(requests * kill / 4), when: "after" };
    assert.equal((await another().tried(begin)).divides, "length, sequences");
    requests = Math.max(requests, server.requests);
    await models.close();
  }
});

Deno.test("a policy goes on from its file in another process, with its moments; an expired session is begun anew", async () => {
  await using server = new FakeTinker(config, weights);
  server.room = 9;
  const whole = clientOf(server);
  const one = whole.another();
  await trained(one, 4);
  const wanted = named(await one.parameters());
  const first = clientOf(server);
  const half = first.another();
  await trained(half, 2);
  const [parameters, optimizer] = [await half.parameters(), await half.saveOptimizer()];
  await trained(half, 1); // lost with its process
  await whole.models.close();
  await first.models.close();
  server.expire();
  const second = clientOf(server);
  const again = second.another();
  again.loadParameters(parameters);
  again.loadOptimizer(optimizer);
  await trained(again, 1, () => server.expire());
  await trained(again, 1);
  assert.deepEqual(named(await again.parameters()), wanted);
  await second.models.close();
});

Deno.test("more models than a server has room for take turns", async () => {
  await using server = new FakeTinker(config, weights);
  const { models, another } = clientOf(server, { adapters: 2 });
  const several = [another(), another(), another()];
  for (const one of several) await trained(one, 1);
  for (const one of several) await trained(one, 1);
  const found = await Promise.all([
    named(await several[0].parameters()),
    named(await several[2].parameters()),
  ]);
  assert.deepEqual(found[0], found[1]);
  assert.ok((server.asked.get("load_weights") ?? 0) > 0);
  await models.close();
});

Deno.test("a server writes texts by a seed for each, with log probabilities that a pass gives as well", async () => {
  await using server = new FakeTinker(config, weights);
  const { models, another } = clientOf(server);
  const served = another();
  const text = (i: number) => ({ prompt: [begin], most: 5, end: 257, seed: `seed ${i}` });
  const how = { temperature: 1, topP: 1 };
  const written = await served.write([0, 1, 2, 0].map(text), how);
  assert.deepEqual(written[0], written[3]);
  assert.notDeepEqual(written[0].ids, written[1].ids);
  for (const { ids, logProbs } of written) {
    const path = [begin, ...ids];
    const chain = {
      ids: Int32Array.from(path),
      parents: Int32Array.from(path, (_, i) => i - 1),
    };
    const rows = ids.map((id, node) => ({
      node,
      legal: "all" as const,
      picked: Int32Array.of(id),
    }));
    const { logProbabilities } = await served.pass(chain, rows);
    logProbs.forEach((value, i) => assert.ok(Math.abs(value - logProbabilities[i][0]) < 1e-5));
  }
  await trained(served, 3);
  const later = await served.write([text(0)], how);
  assert.notDeepEqual(
    later[0].logProbs,
    written[0].logProbs,
    "what is sampled from is what learned",
  );
  await models.close();
});

Deno.test("what a server may not do is refused: other losses, numbers that are none, halves of adapters, full memories", async () => {
  const refuses = async (
    prepare: (server: FakeTinker) => void,
    use: (served: ServedModel) => Promise<unknown>,
    wanted: RegExp,
    more: Partial<TrainerConfig> = {},
  ) => {
    await using server = new FakeTinker(config, weights);
    prepare(server);
    const { models, another } = clientOf(server, { retries: 1, ...more });
    await assert.rejects(use(another()), wanted);
    await models.close();
  };
  await refuses(
    (one) => one.divides = "something",
    (one) => one.tried(begin),
    /neither a sum nor a mean/,
  );
  await refuses(
    (one) => one.isSound = false,
    (one) => one.pass(tree, rows),
    /log p of id 65 at place 2 is null/,
  );
  await refuses(
    (one) => one.archive = "half",
    (one) => one.parameters(),
    /has one map of two/,
  );
  await refuses((one) => one.room = 1, (one) => one.pass(tree, rows), /Maximum number[\s\S]*/);
  await refuses(
    () => {},
    async (one) => {
      one.loadParameters([{
        name: "server.checkpoint",
        shape: [1],
        values: Int32Array.from(
          '{"weights":"tinker://model_9/weights/gone"}',
          (c) => c.charCodeAt(0),
        ),
      }]);
      return await one.pass(tree, rows);
    },
    /Checkpoint not found/,
  );
  await refuses(() => {}, (one) => one.pass(tree, [{ node: 0, legal: "all" }]), /token by token/);
});

Deno.test("an adapter that a server does not hand out leaves a name, from which training goes on", async () => {
  await using server = new FakeTinker(config, weights);
  server.archive = "none";
  const { models, another } = clientOf(server);
  const served = another();
  await trained(served, 1);
  const tensors = await served.parameters();
  assert.deepEqual(tensors.map(({ name }) => name), ["server.checkpoint"]);
  assert.throws(() => served.saveAdapter(), /did not hand it out/);
  const again = another();
  again.loadParameters(tensors);
  assert.deepEqual(
    (await again.pass(tree, rows)).logProbabilities,
    (await served.pass(tree, rows)).logProbabilities,
  );
  await models.close();
});

Deno.test("a policy of free texts on a server samples what it scores, and cannot explore", async () => {
  await using server = new FakeTinker(config, weights);
  const { models, another } = clientOf(server);
  const source = {
    ...{ digest: "bytes", vocabulary: 258, context: 32, end: 257 },
    encode: (text: string) => [...new TextEncoder().encode(text)],
    decode: (ids: readonly number[]) => String.fromCharCode(...ids),
    spell: (id: number) => String.fromCharCode(id),
  };
  const spec = {
    ...{ of: null, mask: "none" as const, model: "tiny", sha256: "", tokenizer: "bytes" },
    ...{ vocabulary: 258, end: 257, most: 5 },
  };
  const environment = freeTokens(undefined, source, spec) as Environment;
  const header = {
    ...{ config: { kind: "tinker" }, environment: environment.digest, actions: 258 },
    ...{ positions: 5, backward: 0, features: 0 },
  };
  const about = { header, begin, context: 32, backend: "server", computes: "" };
  const policy = new LanguageModelPolicy({ model: another(), another, ...about });
  const options = { count: 6, epsilon: 0, temperature: 1, random: new RandomStream("free") };
  const trajectories = await policy.sample(environment, options);
  const batch = makeBatch(environment, trajectories);
  const { logPf } = await policy.score(batch, { grad: false });
  trajectories.forEach(({ logPf: said }, b) => {
    const sum = logPf.subarray(b * batch.T, (b + 1) * batch.T).reduce(
      (total, one) => total + one,
      0,
    );
    assert.ok(Math.abs(said - sum) < 1e-5, `${said} is not ${sum}`);
  });
  await assert.rejects(
    policy.sample(environment, { ...options, epsilon: 0.1 }),
    /exploration wants/,
  );
  await models.close();
});
