/**
 * llama.cpp's own server, from the wheel xllamacpp, as an oracle beside the own decoder: after
 * `deno task sluice model add smollm2-135m`, by `deno task contract:llama`. It wants `python3` with
 * `venv`, and loads 117 MB from PyPI, or `LLAMA_ENV=FOLDER` names an environment that is there already. The weights are those of the model, dequantised: products of packed
 * ones differ by some .1 nats a token.
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { ModelStore } from "../../src/models/store/model_store.ts";
import { callOf, openBackend, openServer } from "../../src/oracle/backends.ts";
import { describeOracle, describeServer } from "../../src/oracle/describe.ts";
import type { OracleBackend, ServerConfig } from "../../src/oracle/oracle.ts";
import { requireNoDrift, trialText } from "./recorded_talk.ts";
import { ggufOf, llamaWheels, PythonServer, pythonWith, run, serveLlama } from "./python_server.ts";
import { temporaryFolder } from "../temporary_folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const [tokenizer, port] = ["smollm2-135m", 8231];
/** The packed weights in single precision, as a GGUF file of their own: 540 MB. */
const dequantise = `
import sys
from gguf import GGUFReader, GGUFValueType, GGUFWriter, dequantize
r = GGUFReader(sys.argv[1])
w = GGUFWriter(sys.argv[2], r.fields["general.architecture"].contents())
left = ("general.architecture", "general.file_type", "general.quantization_version")
for name, field in r.fields.items():
    if name.startswith("GGUF.") or name in left: continue
    kind = field.types[0]
    sub = field.types[-1] if kind == GGUFValueType.ARRAY else None
    w.add_key_value(name, field.contents(), kind, sub_type=sub)
w.add_file_type(0)
for t in r.tensors: w.add_tensor(t.name, dequantize(t.data, t.tensor_type))
w.write_header_to_file(); w.write_kv_data_to_file(); w.write_tensors_to_file(); w.close()
`;

const config: ServerConfig = {
  ...{ kind: "server", url: `http://127.0.0.1:${port}`, model: "smollm2", tokenizer },
  ...{ max_concurrency: 2, retries: 8, timeout: 120, pause: 0.5, price: 0, tolerance: 0.01 },
};

const texts = [
  "The capital of France is Paris.",
  "Is water wet?",
  "\u{1f9a9} and é: halves of characters.", // some of its tokens are no characters
];

async function scoresOf(backend: OracleBackend): Promise<(readonly number[])[]> {
  const encoded = await backend.encode(texts.map((scored) => ({ scored })));
  const answers = await backend.score(encoded.map(({ ids, from }) => callOf(ids, from)));
  return answers.map(({ log_probs }) => log_probs);
}

Deno.test("llama.cpp's server is an oracle token by token, with the log probabilities of the own decoder", async (test) => {
  const folder = temporaryFolder();
  const python = await pythonWith("LLAMA_ENV", folder, { wheels: llamaWheels });
  const store = new ModelStore(root);
  const entry = store.find(tokenizer);
  const singles = `${folder}/singles.gguf`;
  await run(python, "-c", dequantise, ggufOf(store, entry), singles);
  await using _server = new PythonServer(`${folder}/log`, [
    ...[python, "-c", serveLlama, singles, `${port}`],
  ]);
  const backend = openServer(config, root);
  const own = openBackend(
    describeOracle({ kind: "policy", model: tokenizer, backend: "fused" }, root),
    root,
  );
  try {
    await test.step("it says what it is once it has loaded, and its digest is no local model's", async () => {
      const identity = await backend.identify();
      assert.equal(identity.way, "token");
      const record = describeServer(config, root, identity);
      assert.notEqual(record.model_sha256, entry.sha256);
    });
    await test.step("asked twice and in parts it answers alike", async () => {
      const { largest_difference, largest_mass_error } = await backend.probe();
      assert.ok(largest_difference < 1e-3 && largest_mass_error < 1e-3);
    });
    await test.step("its log probabilities are those of the own decoder within 1e-3", async () => {
      const [served, local] = [await scoresOf(backend), await scoresOf(own)];
      const differences = served.flatMap((row, i) =>
        row.map((one, k) => Math.abs(one - local[i][k]))
      );
      const farthest = Math.max(...differences);
      console.log(`${differences.length} tokens, farthest ${farthest.toExponential(1)} nats`);
      assert.ok(farthest < 1e-3);
    });
    await test.step("it writes answers, whose tokens have the log probabilities of the own decoder", async () => {
      const encoded = await own.encode([{ given: texts[0], scored: "", isDrawn: true }]);
      const draws = Array.from({ length: 8 }, (_, i) => ({
        ...{ prompt_ids: encoded[0].ids, end: entry.end!.id, most_tokens: 12 },
        ...{ temperature: 1, seed: `contract ${i}` },
      }));
      const answers = await backend.draw(draws);
      assert.equal(new Set(answers.map(({ ids }) => ids.join())).size, draws.length);
      const local = await own.score(
        answers.map(({ ids }) => ({ prompt_ids: encoded[0].ids, ids })),
      );
      const sums = (all: typeof answers) =>
        all.map(({ log_probs }) => log_probs.reduce((sum, one) => sum + one, 0));
      const gaps = sums(answers).map((one, i) => one - sums(local)[i]);
      console.log(`server less own, nats an answer: ${gaps.map((one) => one.toExponential(1))}`);
      assert.ok(gaps.every((one) => Math.abs(one) < 5e-3));
      assert.deepEqual((await backend.draw([draws[2]]))[0].ids, answers[2].ids);
    });
    await test.step("its answers are those that were recorded, or the drift is said", async () => {
      const encoded = await own.encode(
        [trialText, texts[0]].map((scored) => ({ scored, ends: false })),
      );
      const [trial, text] = encoded.map(({ ids }) => ids);
      const ids = { trial, text, end: entry.end!.id };
      await requireNoDrift("llama", { url: config.url, ids, folder });
    });
    await test.step("another tokenizer's size, and a name that it does not serve, are refused", async () => {
      const other = openServer({ ...config, model: "smollm3" }, root);
      await assert.rejects(other.identify(), /serves no model "smollm3"/);
      await other.close();
    });
  } finally {
    await Promise.all([backend.close(), own.close()]);
  }
});
