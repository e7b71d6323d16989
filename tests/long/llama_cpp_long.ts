/**
 * llama.cpp as an oracle, beside the own decoder on the same weights: after `deno task sluice install llama` and
 * `deno task sluice model add smollm2-135m`, by `deno task test:llama`.
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { callOf, openBackend } from "../../src/oracle/backends.ts";
import { describeOracle } from "../../src/oracle/describe.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const model = "smollm2-135m";

/** Log probabilities of texts, and what the trial found. */
async function answersOf(config: Parameters<typeof describeOracle>[0], texts: readonly string[]) {
  const backend = openBackend(describeOracle(config, root), root);
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
];

Deno.test("llama.cpp is right about its own distribution, and near the dequantised weights", async () => {
  const llama = await answersOf({ kind: "llama_cpp", model, threads: 1, context: 256 }, texts);
  assert(llama.probe.largest_difference < 1e-3 && llama.probe.largest_mass_error < 1e-3);
  assert.deepEqual(llama.scores[0], llama.scores[2], "an answer depends on what was asked before");
  const own = await answersOf({ kind: "policy", model, backend: "fused" }, texts);
  assert(own.probe.largest_difference < 1e-4);
  const differences = llama.scores.flatMap((row, i) => {
    assert.equal(row.length, own.scores[i].length);
    return row.map((one, k) => Math.abs(one - own.scores[i][k]));
  });
  assert(Math.max(...differences) < 0.3, `${Math.max(...differences)} nats`); // Q4_1: activations, too
});
