/** Trees, caches and sequences one by one give the same numbers; passes give their memory back. */
import assert from "node:assert/strict";
import { findBlas } from "../../../src/numerics/blas/blas_library.ts";
import { decodeTensors, encodeTensors } from "../../../src/base/safetensors.ts";
import type { TrainedModel } from "../../../src/models/training/trained_model.ts";
import golden from "../../golden/decoder_gradients.json" with { type: "json" };
import { farthest } from "../checkpoints.ts";
import {
  backward,
  goldenSequences,
  goldenTree,
  setWaves,
  tinyNames,
  trainTiny,
} from "./golden_tree.ts";

const found = findBlas();
const libraries = [undefined, ...("blas" in found ? [found.blas] : [])];

function bitsOf(model: TrainedModel): number[] {
  return model.trained.flatMap(({ gradient }) => [...gradient()]);
}

for (const name of tinyNames) {
  for (const blas of libraries) {
    const by = blas?.name ?? "own kernels";
    Deno.test(`${name} by ${by} scores a tree as it samples it, token by token behind a cache`, () => {
      const model = trainTiny(name, { blas });
      setWaves(model);
      const legal = Int32Array.from(golden.legal);
      const { tree, rows } = goldenTree(name);
      // After every node: some legal tokens, and one of the vocabulary.
      const nodes = rows.filter(({ picked }) => picked);
      const asked = [...nodes, ...nodes.map(({ node }) => ({ node, legal }))];
      const pass = model.pass(tree, asked, { grad: false });
      const scores = pass.logProbabilities;
      pass.release();
      for (const sequence of goldenSequences(name)) {
        const [one, other] = [0, 1].map(() => model.cache(sequence.length));
        let parent = -1;
        sequence.slice(0, -1).forEach((id, t) => {
          const ids = [id];
          const node = tree.parents.findIndex((p, n) => p === parent && tree.ids[n] === id);
          const [few, all] = model.advance([
            { cache: one, ids, legal },
            { cache: other, ids, legal: "all" },
          ]);
          const row = nodes.findIndex((row) =>
            row.node === node && row.picked![0] === sequence[t + 1]
          );
          const distance = farthest(few, scores[nodes.length + row]);
          assert.equal(distance, 0, `${t} of ${sequence.length}: ${distance}`);
          assert(Math.abs(all[sequence[t + 1]] - scores[row][0]) < 1e-5);
          parent = node;
        });
        for (const cache of [one, other]) cache.dispose();
      }
    });
  }

  Deno.test(`gradients of a tree of ${name} are sums of those of its sequences`, () => {
    const [together, apart] = [trainTiny(name), trainTiny(name)];
    for (const model of [together, apart]) setWaves(model);
    backward(together, goldenTree(name));
    // Of three sequences more than of two are the edges of the third alone.
    for (let count = 1; count <= 4; count++) {
      const [more, less] = [goldenTree(name, count), goldenTree(name, count - 1)];
      const own = more.rows.slice(less.rows.length);
      const used = { ...more, rows: own, weights: more.weights.slice(less.rows.length) };
      backward(apart, used);
    }
    const [a, b] = [bitsOf(together), bitsOf(apart)];
    assert(farthest(a, b) < 1e-4 * Math.max(...a.map(Math.abs)));
  });

  Deno.test(`what layers of ${name} keep has the bits of what they compute again`, () => {
    const gradients = [0, 16_000, 1 << 28].map((keptBytes) => {
      const model = trainTiny(name, { keptBytes });
      setWaves(model);
      backward(model, goldenTree(name));
      return bitsOf(model);
    });
    assert.deepEqual(gradients[0], gradients[1]);
    assert.deepEqual(gradients[0], gradients[2]);
  });
}

Deno.test("a parent's later child does not disturb an earlier one", () => {
  const model = trainTiny("qwen3");
  // 5 → 6 → 7 and 5 → 8 → 9, in two orders of nodes.
  const orders = [
    { ids: [5, 6, 7, 8, 9], parents: [-1, 0, 1, 0, 3], leaves: [2, 4] },
    { ids: [5, 8, 6, 9, 7], parents: [-1, 0, 0, 1, 2], leaves: [4, 3] },
  ];
  const [first, second] = orders.map(({ ids, parents, leaves }) => {
    const tree = { ids: Int32Array.from(ids), parents: Int32Array.from(parents) };
    const rows = leaves.map((node) => ({ node, legal: Int32Array.of(1, 2) }));
    const pass = model.pass(tree, rows, { grad: false });
    pass.release();
    return pass.logProbabilities.map((one) => [...one]);
  });
  assert.deepEqual(first, second);
});

Deno.test("passes give their memory back, with gradients and without", () => {
  const model = trainTiny("llama");
  const { tree, ...one } = goldenTree("llama");
  // Rows enough that whatever they leave makes the memory grow.
  const [rows, weights] = [one.rows, one.weights].map((all) => Array(20).fill(all).flat());
  const weighted = { tree, rows, weights };
  const once = () => {
    backward(model, weighted);
    const pass = model.pass(weighted.tree, weighted.rows, { grad: true });
    pass.release();
    pass.release();
  };
  once();
  const before = model.memoryBytes;
  for (let i = 0; i < 20; i++) once();
  assert.equal(model.memoryBytes, before);
});

for (const adapter of ["full", { rank: 8, alpha: 16, targets: ["q_proj", "v_proj"] }] as const) {
  const what = adapter === "full" ? "all weights" : "an adapter";
  Deno.test(`training of ${what} that goes on from files has the bits of one that never stopped`, () => {
    const weighted = goldenTree("qwen3");
    const options = { learningRate: 0.01, weightDecay: 0.1, clipNorm: 1 };
    const train = (model: TrainedModel, steps: number) => {
      for (let i = 0; i < steps; i++) {
        backward(model, weighted);
        model.step(options);
      }
    };
    const whole = trainTiny("qwen3", { adapter });
    train(whole, 4);
    const stopped = trainTiny("qwen3", { adapter });
    train(stopped, 2);
    const files = [stopped.parameters(), stopped.saveOptimizer()].map((tensors) =>
      decodeTensors(encodeTensors(tensors, {})).tensors
    );
    const resumed = trainTiny("qwen3", { adapter, seedKey: "another" });
    resumed.loadParameters(files[0]);
    resumed.loadOptimizer(files[1]);
    train(resumed, 2);
    assert.deepEqual(resumed.parameters(), whole.parameters());
    assert.deepEqual(resumed.saveOptimizer(), whole.saveOptimizer());
  });
}

Deno.test("a model learns: likelihood of a sequence rises, legal tokens keep their sum", () => {
  const model = trainTiny("gpt2");
  const tree = { ids: Int32Array.of(5, 6, 7), parents: Int32Array.of(-1, 0, 1) };
  const legal = Int32Array.of(6, 7, 8);
  const rows = [{ node: 0, legal }, { node: 1, legal }];
  const score = () => {
    const pass = model.pass(tree, rows, { grad: true });
    const [[first], [, second]] = pass.logProbabilities;
    for (const one of pass.logProbabilities) {
      assert(Math.abs(one.reduce((sum, x) => sum + Math.exp(x), 0) - 1) < 1e-12);
    }
    pass.backward([Float64Array.of(-1, 0, 0), Float64Array.of(0, -1, 0)]);
    pass.release();
    return first + second;
  };
  const before = score();
  model.zeroGradients();
  for (let i = 0; i < 20; i++) {
    score();
    model.step({ learningRate: 0.02 });
  }
  assert(before < -0.5 && score() > -0.05);
});
