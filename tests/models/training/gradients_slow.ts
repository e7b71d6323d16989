/** Gradients of adapters and of all weights, and steps of AdamW, against PyTorch and PEFT. */
import assert from "node:assert/strict";
import { findBlas } from "../../../src/numerics/blas/blas_library.ts";
import { openCheckpoint } from "../../../src/models/decoder/checkpoint.ts";
import { publishedTensors } from "../../../src/models/decoder/published_weights.ts";
import { readWeights, type Weights } from "../../../src/models/decoder/weights.ts";
import type { TrainedModel } from "../../../src/models/training/trained_model.ts";
import golden from "../../golden/decoder_gradients.json" with { type: "json" };
import { farthest, tinyFolder, type TinyName } from "../checkpoints.ts";
import { backward, goldenTree, setWaves, summary, tinyNames, trainTiny } from "./golden_tree.ts";

/** Both sides in single precision. */
const relative = 1e-3;

const found = findBlas();
const libraries = [undefined, ...("blas" in found ? [found.blas] : [])];
type Summaries = Readonly<Record<string, readonly number[]>>;

function assertClose(found: ReadonlyMap<string, number[]>, wanted: Summaries, bound: number): void {
  assert.deepEqual([...found.keys()].sort(), Object.keys(wanted).sort());
  for (const [name, numbers] of found) {
    const away = farthest(numbers, wanted[name]) / wanted[name][0];
    assert(away < bound, `${name} is ${away} away`);
  }
}

/** Gradients by name. */
function gradientsOf(model: TrainedModel): Map<string, number[]> {
  return new Map(model.trained.map(({ name, gradient }) => [name, summary(gradient())]));
}

for (const name of tinyNames) {
  for (const blas of libraries) {
    const by = blas?.name ?? "own kernels";
    Deno.test(`adapters of ${name} by ${by} have PEFT's gradients, and AdamW's steps`, () => {
      const wanted = golden.cases[name];
      const model = trainTiny(name, { blas });
      setWaves(model);
      const weighted = goldenTree(name);
      assert(Math.abs(backward(model, weighted) - wanted.losses[0]) < 1e-4);
      assertClose(gradientsOf(model), wanted.gradients, relative);
      const options = { learningRate: 0.01, weightDecay: 0.1, clipNorm: 5 };
      const first = model.step(options).gradientNorm;
      assert(Math.abs(backward(model, weighted) - wanted.losses[1]) < 1e-4);
      const second = model.step(options).gradientNorm;
      assert(farthest([first / wanted.norms[0], second / wanted.norms[1]], [1, 1]) < relative);
      assert(Math.abs(backward(model, weighted) - wanted.losses[2]) < 1e-3);
      const tensors = model.parameters().map(({ name, values }) =>
        [name, summary(values)] as const
      );
      assertClose(new Map(tensors), wanted.stepped, relative);
    });
  }

  Deno.test(`all weights of ${name} have PyTorch's gradients`, () => {
    const model = trainTiny(name, { adapter: "full" });
    backward(model, goldenTree(name));
    const tensors = publishedTensors(gradientWeights(model, name), model.config);
    const found = tensors.map(({ name, values }) => [name, summary(values)] as const);
    assertClose(new Map(found), golden.cases[name].full, relative);
  });
}

/** Gradients instead of weights. */
function gradientWeights(model: TrainedModel, name: TinyName): Weights {
  const { config, file } = openCheckpoint(tinyFolder(name));
  const weights = readWeights(file, config);
  file.close();
  const gradients = new Map(model.trained.map((one) => [one.name, one.gradient()]));
  const fill = (value: unknown, path: string): unknown => {
    if (value instanceof Float32Array) return gradients.get(path);
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(([key, part]) => {
      return [key, fill(part, path === "" ? key : `${path}.${key}`)] as const;
    });
    return Array.isArray(value) ? entries.map(([, part]) => part) : Object.fromEntries(entries);
  };
  return fill(weights, "") as Weights;
}
