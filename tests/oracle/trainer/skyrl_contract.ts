/**
 * SkyRL-tx as a server that trains, beside the own decoder, by `deno task contract:skyrl`. It wants
 * `python3` of 3.11 with `venv` and loads some 2 GB: `SKYRL_ENV=FOLDER` names an environment that is
 * there already. Its model is the random tiny one, or with `SLUICE_MODEL=smollm2-135m` one of the
 * project; each new length of texts is compiled, so that most of the time is spent there.
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { ModelStore } from "../../../src/models/store/mod.ts";
import { configOf, freeMemory, sharedWeights } from "../../../src/models/store/mod.ts";
import { openCheckpoint, readWeights } from "../../../src/models/mod.ts";
import { writeRandomCheckpoint } from "../../../src/models/store/random_checkpoint.ts";
import { TrainedModel } from "../../../src/models/training/trained_model.ts";
import type { TrainerConfig, TrainerRequest } from "../../../src/models/training/mod.ts";
import { ServedModel } from "../../../src/gfn/policies/language_model/served_model.ts";
import { TinkerServer } from "../../../src/oracle/trainer/tinker_server.ts";
import { TrainedModels } from "../../../src/oracle/trainer/trained_models.ts";
import { temporaryFolder } from "../../temporary_folder.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const [port, rank] = [8232, 8];
const wheels = [
  ...["skyrl-tx[tinker]==0.3.0", "transformers<5", "jax>=0.8,<1", "flax", "optax"],
  ...["tinker==0.15.0", "torch"],
];

/** It starts its engine by `uv run`, which wants a project of its own. */
const shim = (python: string) =>
  `#!/bin/sh
while [ "$1" != "-m" ]; do shift; done
exec ${python} "$@"
`;

/** The weights, as a folder that transformers 4 reads, and as the own decoder has them. */
function modelIn(folder: string) {
  const name = Deno.env.get("SLUICE_MODEL");
  writeRandomCheckpoint(folder, "contract");
  Deno.writeTextFileSync(
    join(folder, "tokenizer_config.json"),
    JSON.stringify({ tokenizer_class: "PreTrainedTokenizerFast" }),
  );
  if (name === undefined) {
    const { config, file } = openCheckpoint(folder);
    const weights = readWeights(file, config);
    file.close();
    return { config, weights };
  }
  const store = new ModelStore(root);
  const entry = store.find(name);
  const adapter = { rank, alpha: 32, targets: "all-linear" } as const;
  const [config, weights] = [
    configOf(entry),
    sharedWeights(store, entry, freeMemory(), adapter, "f32"),
  ];
  const whole = new TrainedModel({
    config,
    weights,
    base: { name, sha256: "" },
    adapter,
    seedKey: "",
  });
  for (const [file, bytes] of whole.saveMerged()) Deno.writeFileSync(join(folder, file), bytes);
  return { config, weights };
}

Deno.test("SkyRL-tx trains an adapter as the own decoder does", async (test) => {
  const folder = temporaryFolder();
  const environment = Deno.env.get("SKYRL_ENV") ?? join(folder, "env");
  const python = join(environment, "bin/python");
  if (Deno.env.get("SKYRL_ENV") === undefined) {
    await run("python3", "-m", "venv", environment);
    await run(join(environment, "bin/pip"), "install", "--quiet", ...wheels);
  }
  const base = join(folder, "base");
  const { config, weights } = modelIn(base);
  const bin = join(folder, "bin");
  Deno.mkdirSync(bin);
  Deno.writeTextFileSync(join(bin, "uv"), shim(python), { mode: 0o755 });
  const settings = {
    ...{ max_lora_adapters: 4, max_lora_rank: rank, train_micro_batch_size: 1 },
    ...{ sample_max_num_sequences: 1 },
  };
  const log = Deno.openSync(join(folder, "log"), { write: true, create: true });
  log.close();
  const server = new Deno.Command("/bin/sh", {
    args: [
      "-c",
      `exec ${python} -m tx.tinker.api --base-model ${base} --host 127.0.0.1 --port ${port} ` +
      `--checkpoints-base ${join(folder, "kept")} --backend-config '${JSON.stringify(settings)}' ` +
      `> ${join(folder, "log")} 2>&1`,
    ],
    env: {
      ...{ TX_DATABASE_URL: `sqlite:///${join(folder, "tinker.db")}`, JAX_PLATFORMS: "cpu" },
      ...{ HF_HUB_OFFLINE: "1", PATH: `${bin}:${Deno.env.get("PATH")}` },
    },
    stdin: "null",
  }).spawn();
  const trainer: TrainerConfig = {
    ...{ url: `http://127.0.0.1:${port}`, base_model: base, rank, adapters: 2 },
    ...{ max_concurrency: 1, retries: 8, timeout: 330, pause: 1 },
  };
  const models = new TrainedModels(new TinkerServer(trainer));
  const link = async (request: TrainerRequest) => await models.answer(request);
  const about = { name: "contract", sha256: "", architecture: config.architecture };
  const served = new ServedModel({ link, trainer, seed: 7, config, base: about });
  const begin = 0;
  const ids = [begin, 5, 9, 14, 7, 3];
  const tree = { ids: Int32Array.from(ids), parents: Int32Array.from(ids, (_, i) => i - 1) };
  const rows = ids.slice(1).map((id, node) => ({
    ...{ node, legal: "all" as const, picked: Int32Array.of(id) },
  }));
  const local = new TrainedModel({
    ...{ config, weights, base: { name: "contract", sha256: "" }, seedKey: "7" },
    adapter: { rank, alpha: 32, targets: "all-linear" },
  });
  const take = async () =>
    local.loadParameters((await served.parameters()).filter(({ name }) => name.endsWith("weight")));
  const gradients = rows.map((_, i) => Float64Array.of([-1, 0.5, -2, 0.75, 1.25][i]));
  try {
    await test.step("it divides its losses as it did, and answers alike twice", async () => {
      const { divides, twice } = await served.tried(begin);
      console.log(`losses are divided by ${divides}; asked twice ${twice} nats apart`);
      assert.equal(divides, "length, sequences");
      assert.ok(twice < 1e-4);
    });
    await test.step("its log probabilities are those of the own decoder, before a step and after", async () => {
      for (const step of [0, 1]) {
        await take();
        const [there, here] = [
          await served.pass(tree, rows),
          local.pass(tree, rows, { grad: false }),
        ];
        const apart = here.logProbabilities.map(([one], i) => {
          return Math.abs(one - there.logProbabilities[i][0]);
        });
        console.log(`after ${step} steps: farthest ${Math.max(...apart).toExponential(1)} nats`);
        assert.ok(Math.max(...apart) < 1e-3);
        await there.backward(gradients);
        await served.step({ learningRate: 1e-3 });
      }
    });
    await test.step("one step along a gradient moves the adapter as the own decoder's gradient does, within 1e-3", async () => {
      await take();
      const before = new Map(local.parameters().map(({ name, values }) => [name, values]));
      const pass = local.pass(tree, rows, { grad: true });
      pass.backward(gradients);
      const logProbs = pass.logProbabilities.map(([one]) => one);
      const text = { ids, logProbs, gradients: gradients.map(([one]) => one) };
      const from = (await served.saveOptimizer(), await served.parameters());
      const again = new ServedModel({ link, trainer, seed: 7, config, base: about });
      again.loadParameters(from);
      await again.pass(tree, rows);
      const handle = "contract";
      const named = from.find(({ name }) => name === "server.checkpoint")!;
      const { weights: at } = JSON.parse(String.fromCodePoint(...named.values));
      const adam = { learning_rate: 1e3, beta1: 0, beta2: 0, eps: 1e6, weight_decay: 0 };
      const place = { trainer, handle, from: at, seed: 7 };
      await models.answer({ op: "train", ...place, texts: [text], adam });
      const saved = await models.answer({ op: "save", ...place });
      const moved = new ServedModel({
        ...{ trainer, seed: 7, config, base: about },
        link: () => Promise.resolve(saved),
      });
      const after = new Map((await moved.parameters()).map(({ name, values }) => [name, values]));
      let [apart, length] = [0, 0];
      for (const { name, gradient } of local.trained) {
        const [old, now] = [before.get(name)!, after.get(name)!];
        gradient().forEach((g, i) => {
          apart += ((old[i] - now[i]) * 1e3 - g) ** 2;
          length += g * g;
        });
      }
      const relative = Math.sqrt(apart / length);
      console.log(`gradients: ${relative.toExponential(1)} of their length apart`);
      assert.ok(relative < 1e-3);
    });
    await test.step("it writes texts whose log probabilities a pass gives as well", async () => {
      const seeds = [0, 1, 0].map((i) => ({ prompt: [begin, 5], most: 4, end: 2, seed: `${i}` }));
      const written = await served.write(seeds, { temperature: 1, topP: 1 });
      assert.deepEqual(written[0], written[2]);
      let gap = 0;
      for (const { ids: own, logProbs } of written) {
        const path = [begin, 5, ...own];
        const chain = {
          ids: Int32Array.from(path),
          parents: Int32Array.from(path, (_, i) => i - 1),
        };
        const scored = own.map((id, i) => ({
          ...{ node: i + 1, legal: "all" as const, picked: Int32Array.of(id) },
        }));
        const found = (await served.pass(chain, scored)).logProbabilities;
        logProbs.forEach((one, i) => gap = Math.max(gap, Math.abs(one - found[i][0])));
      }
      console.log(`written and scored: ${gap.toExponential(1)} nats apart`);
      assert.ok(gap < 1e-3);
    });
  } catch (error) {
    console.log(Deno.readTextFileSync(join(folder, "log")).slice(-4000));
    throw error;
  } finally {
    await models.close();
    server.kill("SIGTERM");
    await server.status;
  }
});

async function run(command: string, ...args: readonly string[]): Promise<void> {
  const { code, stderr } = await new Deno.Command(command, { args: [...args] }).output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
}
