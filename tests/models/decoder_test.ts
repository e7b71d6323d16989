/** The forward pass of every architecture against PyTorch, whole, in parts, and side by side. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { type FrozenNumbers, singlesOf } from "../../src/numerics/blas/brain_floats.ts";
import { findBlas } from "../../src/numerics/blas/blas_library.ts";
import { openCheckpoint } from "../../src/models/decoder/checkpoint.ts";
import { Decoder } from "../../src/models/decoder/decoder.ts";
import { readWeights } from "../../src/models/decoder/weights.ts";
import golden from "../golden/decoders.json" with { type: "json" };
import { farthest, tinyFolder, type TinyName } from "./checkpoints.ts";
import { temporaryFolder } from "../temporary_folder.ts";

/** Float32 of both sides, sums in other orders: measured 2e-6 at most, on logits up to 20. */
const tolerance = 2e-5;

function openTiny(name: TinyName, options = {}): Decoder {
  const { config, file } = openCheckpoint(tinyFolder(name));
  const weights = readWeights(file, config);
  file.close();
  return new Decoder(config, weights, options);
}

for (const name of Object.keys(golden.cases) as TinyName[]) {
  const { ids, logits, log_probabilities } = golden.cases[name];
  Deno.test(`logits and log probabilities of ${name} are those of PyTorch`, () => {
    const decoder = openTiny(name);
    const all = decoder.logits(ids);
    for (const [t, wanted] of Object.entries(logits)) {
      assert(farthest(all[Number(t)], wanted) < tolerance, `logits after ${t}`);
    }
    const [scores] = decoder.logProbabilities([{ ids, from: 1 }]);
    assert(farthest(scores, log_probabilities) < tolerance);
  });

  Deno.test(`tokens of ${name} one by one, in chunks and beside others give the bits of all`, () => {
    const decoder = openTiny(name);
    const all = decoder.logits(ids);
    const [cache, other] = [decoder.cache(ids.length), decoder.cache(8)];
    for (const [begin, end] of [[0, 1], [1, 2], [2, 12], [12, 21]]) {
      const chunk = { cache, ids: ids.slice(begin, end) };
      const [last] = decoder.advance([chunk, { cache: other, ids: [begin] }]);
      assert.equal(farthest(last, all[end - 1]), 0, `after ${end}`);
    }
    cache.truncate(12);
    const [again] = decoder.advance([{ cache, ids: ids.slice(12) }]);
    assert.equal(farthest(again, all[20]), 0);
    const sequences = [{ ids, from: 5 }, { ids: ids.slice(0, 9), from: 1 }, { ids: [3], from: 1 }];
    const [first, second, none] = decoder.logProbabilities(sequences);
    assert(farthest(first, log_probabilities.slice(4)) < tolerance);
    assert(farthest(second, log_probabilities.slice(0, 8)) < tolerance);
    assert.equal(none.length, 0);
  });
}

Deno.test("scores of a decoder do not grow its memory with the number of calls", () => {
  const decoder = openTiny("qwen3");
  const { ids } = golden.cases.qwen3;
  const score = () => decoder.logProbabilities([{ ids, from: 1 }]);
  score();
  const before = decoder.memoryBytes;
  for (let i = 0; i < 50; i++) score();
  assert.equal(decoder.memoryBytes, before);
});

/** A library by plain loops, which checks where operands lie. */
function plainBlas() {
  return {
    name: "plain loops",
    multiply(
      memory: ArrayBuffer,
      product: import("../../src/numerics/blas/blas.ts").Product,
    ): void {
      const { rows, columns, depth, a, b, c, accumulate } = product;
      const at = ({ values, address }: { values?: FrozenNumbers; address: number }) =>
        values ? singlesOf(values).subarray(address / 4) : new Float32Array(memory, address);
      const [left, right, out] = [at(a), at(b), at(c)];
      for (let i = 0; i < rows; i++) {
        for (let j = 0; j < columns; j++) {
          let sum = accumulate ? out[i * c.stride + j] : 0;
          for (let k = 0; k < depth; k++) {
            sum += left[i * a.stride + k] *
              right[b.transposed ? j * b.stride + k : k * b.stride + j];
          }
          out[i * c.stride + j] = sum;
        }
      }
    },
  };
}

Deno.test("a library's products with weights outside of the memory give the same scores", () => {
  const found = findBlas();
  const libraries = [plainBlas(), ...("blas" in found ? [found.blas] : [])];
  for (const blas of libraries) {
    const { ids, log_probabilities } = golden.cases.qwen3;
    const [scores] = openTiny("qwen3", { blas }).logProbabilities([{ ids, from: 1 }]);
    assert(farthest(scores, log_probabilities) < tolerance, blas.name);
  }
});

/** The first message. */
function complaint(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as Error).message.replace(/\S*\//g, "");
  }
  return "nothing";
}

/** A tiny model whose config.json says something else. */
function changedConfig(name: TinyName, changes: Record<string, unknown>): () => unknown {
  return () => {
    const folder = tinyFolder(name);
    const path = join(folder, "config.json");
    const config = JSON.parse(Deno.readTextFileSync(path));
    Deno.writeTextFileSync(path, JSON.stringify({ ...config, ...changes }));
    const checkpoint = openCheckpoint(folder);
    try {
      return readWeights(checkpoint.file, checkpoint.config);
    } finally {
      checkpoint.file.close();
    }
  };
}

const wrongModels: Record<string, [() => unknown, RegExp]> = {
  "an unknown architecture": [
    changedConfig("llama", { model_type: "mamba" }),
    /config.json: its architecture is "mamba", computed are llama, qwen3, gpt2$/,
  ],
  "a size that is missing": [
    changedConfig("llama", { num_hidden_layers: null }),
    /num_hidden_layers is missing, a positive number is wanted$/,
  ],
  "another activation": [
    changedConfig("qwen3", { hidden_act: "gelu" }),
    /hidden_act is "gelu", computed is "silu"$/,
  ],
  "scaled rotary positions": [
    changedConfig("qwen3", { rope_parameters: { rope_type: "yarn", rope_theta: 1e6 } }),
    /rope_scaling is "yarn", computed is "default"$/,
  ],
  "a width of an odd size": [
    changedConfig("llama", { intermediate_size: 25 }),
    /inner is 25 numbers, a multiple of 4 is wanted$/,
  ],
  "heads in unequal groups": [
    changedConfig("llama", { num_key_value_heads: 3 }),
    /it has 4 heads for 3 of keys, equal groups are wanted$/,
  ],
  "a tensor of another shape": [
    changedConfig("llama", { intermediate_size: 32 }),
    /tensor "model.layers.0.mlp.gate_proj.weight" is \[24, 16\], \[32, 16\] is wanted$/,
  ],
  "a tensor that is missing": [
    changedConfig("llama", { num_hidden_layers: 3 }),
    /no tensor "model.layers.2.self_attn.q_proj.weight", one of \[32, 16\] is wanted$/,
  ],
  "a folder without a model": [
    () => openCheckpoint(temporaryFolder()),
    /it has no safetensors, and 0 GGUF files, one of them is wanted$/,
  ],
};

for (const [name, [open, message]] of Object.entries(wrongModels)) {
  Deno.test(`${name} is refused with what was found and wanted`, () => {
    assert.match(complaint(open), message);
  });
}

Deno.test("ids beyond the vocabulary and sequences beyond the context are refused", () => {
  const decoder = openTiny("gpt2");
  assert.match(
    complaint(() => decoder.logProbabilities([{ ids: [3, 99], from: 1 }])),
    /^Cannot score tokens: id 99 at place 2 is beyond the vocabulary of 99$/,
  );
  assert.match(
    complaint(() => decoder.logits(new Array(65).fill(1))),
    /^Cannot score a sequence of 65 tokens: there is room for 64$/,
  );
  const cache = decoder.cache(2);
  assert.match(
    complaint(() => decoder.advance([{ cache, ids: [1, 2, 3] }])),
    /a sequence of 3 tokens: there is room for 2$/,
  );
});
