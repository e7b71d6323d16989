/** Dropout before adapters: its share, its gradients, and the same masks wherever a pass goes again. */
import assert from "node:assert/strict";
import { Dropout } from "../../../src/models/decoder/dropout.ts";
import type { TrainedModel } from "../../../src/models/training/trained_model.ts";
import { alpha, goldenTree, rank, setWaves, trainTiny } from "./golden_tree.ts";

const adapter = { rank, alpha, targets: "all-linear" as const, dropout: 0.3 };

Deno.test("a share of the numbers is left out, others make up for it, and each map and pass has its own", () => {
  const dropout = new Dropout(0.3);
  const count = 20_000;
  const masks = [[0, 0], [0, 0], [0, 1], [1, 0]].map(([pass, map]) => {
    dropout.pass = pass;
    const numbers = new Float32Array(count).fill(1);
    dropout.apply({ f32: () => numbers } as never, 0, count, map);
    return numbers;
  });
  for (const mask of masks) {
    const left = mask.filter((one) => one === 0).length / count;
    assert.ok(Math.abs(left - 0.3) < 4 * Math.sqrt(0.21 / count), `${left}`);
    const mean = mask.reduce((sum, one) => sum + one, 0) / count;
    assert.ok(Math.abs(mean - 1) < 4 * Math.sqrt(0.3 / 0.7 / count), `${mean}`);
  }
  assert.deepEqual(masks[0], masks[1]);
  for (const other of masks.slice(2)) {
    const both = other.filter((one, i) => one === 0 && masks[0][i] === 0).length / count;
    assert.ok(Math.abs(both - 0.09) < 4 * Math.sqrt(0.09 * 0.91 / count), `${both}`);
  }
});

for (const tiny of ["llama", "qwen3", "gpt2"] as const) {
  const { tree, rows, weights } = goldenTree(tiny);
  const made = (more = {}) => {
    const model = trainTiny(tiny, { adapter, ...more });
    setWaves(model);
    return model;
  };
  const loss = (model: TrainedModel, grad = true) => {
    const pass = model.pass(tree, rows, { grad });
    const sum = pass.logProbabilities.reduce((total, row, r) => {
      return total + row.reduce((part, one, k) => part + one * weights[r][k], 0);
    }, 0);
    return { pass, sum };
  };

  Deno.test(`gradients through dropout are differences of the same pass: ${tiny}`, () => {
    const model = made();
    const { pass, sum } = loss(model);
    pass.backward(weights);
    assert.ok(Math.abs(sum - loss(model, false).sum) > 1e-3, "something is left out");
    assert.notEqual(loss(model).sum, sum, "the next pass leaves out something else");
    for (const [t, i] of [[0, 3], [1, 5], [4, 2], [7, 1]]) {
      const at = (shift: number) => {
        const other = made();
        other.trained[t].values()[i] += shift;
        return loss(other).sum;
      };
      const between = (h: number) => at(h) - at(-h);
      const slope = (8 * between(0.005) - between(0.01)) / 0.06;
      const found = model.trained[t].gradient()[i];
      assert.ok(
        Math.abs(slope - found) < 2e-3 * (1 + Math.abs(found)),
        `${t} ${i}: ${slope} ${found}`,
      );
    }
  });

  Deno.test(`layers that are computed again leave out the same, to the bit: ${tiny}`, () => {
    const gradients = [0, 1e9].map((keptBytes) => {
      const model = made({ keptBytes });
      loss(model).pass.backward(weights);
      return model.trained.map(({ gradient }) => gradient().slice());
    });
    assert.deepEqual(gradients[0], gradients[1]);
  });
}

Deno.test("a model that goes on leaves out what it would have left out", () => {
  const { tree, rows, weights } = goldenTree("llama");
  const step = (model: TrainedModel) => {
    const pass = model.pass(tree, rows, { grad: true });
    pass.backward(weights);
    pass.release();
    model.step({ learningRate: 0.01 });
  };
  const whole = trainTiny("llama", { adapter });
  for (let i = 0; i < 3; i++) step(whole);
  const half = trainTiny("llama", { adapter });
  step(half);
  const again = trainTiny("llama", { adapter, seedKey: "replaced" });
  again.loadParameters(half.parameters());
  again.loadOptimizer(half.saveOptimizer());
  for (let i = 0; i < 2; i++) step(again);
  assert.deepEqual(again.parameters(), whole.parameters());
  const settings = JSON.parse(
    new TextDecoder().decode(whole.saveAdapter().get("adapter_config.json")),
  );
  assert.equal(settings.lora_dropout, 0.3);
});
