/** Gradients against finite differences of the same models in double precision. */
import assert from "node:assert/strict";
import { RandomStream } from "../../../src/base/random.ts";
import { openCheckpoint } from "../../../src/models/decoder/checkpoint.ts";
import { readWeights } from "../../../src/models/decoder/weights.ts";
import type { TrainedModel } from "../../../src/models/training/trained_model.ts";
import { tinyFolder, type TinyName } from "../checkpoints.ts";
import {
  alpha,
  backward,
  goldenTree,
  rank,
  setWaves,
  tinyNames,
  trainTiny,
} from "./golden_tree.ts";
import {
  logProbability,
  type PlainAffine,
  plainLogits,
  type PlainWeights,
} from "./plain_decoder.ts";

/** Numbers by the names that are trained. */
type Values = ReadonlyMap<string, Float64Array>;

function valuesOf(model: TrainedModel): Values {
  return new Map(model.trained.map((one) => [one.name, Float64Array.from(one.values())]));
}

/** Adds a step along a direction. */
function moved(values: Values, direction: Values, step: number): Values {
  return new Map([...values].map(([name, all]) => [
    name,
    all.map((x, i) => x + step * direction.get(name)![i]),
  ]));
}

/** The model with adapters, or with other weights, in double precision. */
function plainWeights(name: TinyName, values: Values): PlainWeights {
  const { config, file } = openCheckpoint(tinyFolder(name));
  const weights = readWeights(file, config);
  file.close();
  const replaced = (value: unknown, path: string): unknown => {
    if (value instanceof Float32Array) return values.get(path) ?? value;
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(([key, part]) => {
      return [key, replaced(part, path === "" ? key : `${path}.${key}`)] as const;
    });
    return Array.isArray(value) ? entries.map(([, part]) => part) : Object.fromEntries(entries);
  };
  const all = replaced(weights, "") as PlainWeights;
  const plain = config.tied ? { ...all, head: all.embedding } : all;
  return { ...plain, layers: plain.layers.map((layer, index) => adapted(layer, index, values)) };
}

type Layer = PlainWeights["layers"][number];

/** Where adapters are called by the parts of a layer; GPT-2's lie one behind the other. */
const modules: readonly (readonly [string, readonly (keyof Layer)[]])[] = [
  ["self_attn.q_proj", ["query"]],
  ["self_attn.k_proj", ["key"]],
  ["self_attn.v_proj", ["value"]],
  ["self_attn.o_proj", ["output"]],
  ["mlp.gate_proj", ["gate"]],
  ["mlp.up_proj", ["up"]],
  ["mlp.down_proj", ["down"]],
  ["attn.c_attn", ["query", "key", "value"]],
  ["attn.c_proj", ["output"]],
  ["mlp.c_fc", ["up"]],
  ["mlp.c_proj", ["down"]],
];

function adapted(layer: Layer, index: number, values: Values): Layer {
  const out: Record<string, unknown> = { ...layer };
  for (const [module, parts] of modules) {
    const end = `.${index}.${module}.lora_A.weight`;
    const name = [...values.keys()].find((one) => one.endsWith(end));
    if (name === undefined) continue;
    const [a, b] = [values.get(name)!, values.get(name.replace("lora_A", "lora_B"))!];
    let before = 0;
    for (const part of parts) {
      const map = layer[part] as PlainAffine;
      const inputs = a.length / rank;
      const outputs = map.weight.length / inputs;
      const weight = Float64Array.from(map.weight, (w, i) => {
        const [row, column] = [before + Math.floor(i / inputs), i % inputs];
        let sum = 0;
        for (let r = 0; r < rank; r++) sum += b[row * rank + r] * a[r * inputs + column];
        return w + alpha / rank * sum;
      });
      out[part] = { ...map, weight };
      before += outputs;
    }
  }
  return out as unknown as Layer;
}

/** The loss of the golden's first sequence, of plain formulas. */
function plainLoss(name: TinyName, values: Values): number {
  const { config, file } = openCheckpoint(tinyFolder(name));
  file.close();
  const { tree, rows, weights } = goldenTree(name, 1);
  const logits = plainLogits(config, plainWeights(name, values), [...tree.ids]);
  return rows.reduce((total, { node, legal, picked }, i) => {
    const tokens = legal === "all" ? [...picked!] : [...legal];
    const open = legal === "all" ? undefined : [...legal];
    const scores = tokens.map((token) => logProbability(logits[node], token, open));
    return total + scores.reduce((sum, score, j) => sum + weights[i][j] * score, 0);
  }, 0);
}

for (const name of tinyNames) {
  for (const adapter of ["full", { rank, alpha, targets: "all-linear" }] as const) {
    const what = adapter === "full" ? "all weights" : "adapters";
    Deno.test(`gradients of ${what} of ${name} are differences in double precision`, () => {
      const model = trainTiny(name, { adapter });
      if (adapter !== "full") setWaves(model);
      const values = valuesOf(model);
      const loss = backward(model, goldenTree(name, 1));
      assert(Math.abs(loss - plainLoss(name, values)) < 1e-4);
      const stream = new RandomStream("seed 20", "direction", name);
      const direction: Values = new Map(
        model.trained.map(({ name, gradient }) => {
          const all = gradient();
          // Half along the gradient, half anywhere, so that the derivative is not near 0.
          const size = Math.sqrt(all.reduce((sum, x) => sum + x * x, 0) / all.length);
          return [name, Float64Array.from(all, (g) => g + 2 * size * (stream.uniform() - 0.5))];
        }),
      );
      let [along, length] = [0, 0];
      for (const { name, gradient } of model.trained) {
        const d = direction.get(name)!;
        gradient().forEach((g, i) => along += g * d[i]);
        d.forEach((x) => length += x * x);
      }
      const step = 1e-5 / Math.sqrt(length);
      const ends = [step, -step].map((one) => plainLoss(name, moved(values, direction, one)));
      const difference = (ends[0] - ends[1]) / (2 * step);
      assert(Math.abs(difference / along - 1) < 1e-4, `${difference} and ${along}`);
    });
  }
}
