/**
 * llama.cpp as an oracle, beside the own decoder on the same weights: after `deno task sluice install llama` and
 * `deno task sluice model add smollm2-135m`, by `deno task test:llama`.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { callOf, openBackend } from "../../src/oracle/backends.ts";
import { describeOracle } from "../../src/oracle/describe.ts";
import { addModel } from "../../src/models/store/add_model.ts";
import { ModelStore } from "../../src/models/store/model_store.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { writePlainGguf } from "./plain_gguf.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const model = "smollm2-135m";

/** Log probabilities of texts by an oracle of a project, and what its trial found. */
async function answersOf(config: Parameters<typeof describeOracle>[0], project = root) {
  const backend = openBackend(describeOracle(config, project), project);
  try {
    const encoded = await backend.encode(texts.map((scored) => ({ scored })));
    const answers = await backend.score(encoded.map(({ ids, from }) => callOf(ids, from)));
    return { probe: await backend.probe(), scores: answers.map(({ log_probs }) => log_probs) };
  } finally {
    await backend.close();
  }
}

const texts = [
  "The capital of France is Paris.",
  "Is water wet?",
  "The capital of France is Paris.",
  "It was a bright cold day in April, and the clocks were striking thirteen.",
];

/** |difference| of each token. */
function differences(one: readonly (readonly number[])[], other: readonly (readonly number[])[]) {
  return one.flatMap((row, i) => {
    assert.equal(row.length, other[i].length);
    return row.map((x, k) => Math.abs(x - other[i][k]));
  });
}

const llama = { kind: "llama_cpp", threads: 1, context: 256 } as const;

Deno.test("llama.cpp is right about its own distribution, and near the dequantised weights", async () => {
  const own = await answersOf({ kind: "policy", model, backend: "fused" });
  assert(own.probe.largest_difference < 1e-4);
  const quantised = await answersOf({ ...llama, model });
  assert(quantised.probe.largest_difference < 1e-3 && quantised.probe.largest_mass_error < 1e-3);
  assert.deepEqual(quantised.scores[0], quantised.scores[2], "an answer depends on an earlier one");
  // Kernels for Q4_1 round activations to eight bits, each processor's in blocks of its own.
  const rounded = differences(quantised.scores, own.scores);
  const mean = rounded.reduce((a, b) => a + b, 0) / rounded.length;
  assert(mean < 0.2 && Math.max(...rounded) < 1, `${mean} and ${Math.max(...rounded)} nats`);
});

Deno.test("on the same weights in single precision llama.cpp and the own decoder agree", async () => {
  const store = new ModelStore(root);
  const entry = store.find(model);
  const project = temporaryFolder();
  const plain = join(project, "plain.gguf");
  writePlainGguf(join(store.folder, entry.sha256, entry.files[0].name), plain);
  await addModel(new ModelStore(project), plain);
  const [own, theirs] = [
    await answersOf({ kind: "policy", model: "plain", backend: "fused" }, project),
    await answersOf({ ...llama, model: "plain" }, project),
  ];
  const largest = Math.max(...differences(theirs.scores, own.scores));
  assert(largest < 0.02, `${largest} nats`); // llama.cpp keeps keys and values in half precision
});
