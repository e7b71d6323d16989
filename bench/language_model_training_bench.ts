/**
 * A training step of SmolLM2 with an adapter: `deno run -A bench/language_model_training_bench.ts`.
 * With a folder as its argument it writes the weights there first, for `language_model_training.py`.
 */
import process from "node:process";
import { findBlas, ModelStore, openModel, TrainedModel } from "../src/models/mod.ts";

/** Seconds of CPU that a function takes. */
function seconds(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** 8 sequences of 128 tokens, each token but the first scored over the vocabulary. */
function batch() {
  const [sequences, length] = [8, 128];
  const nodes = sequences * length;
  const ids = Int32Array.from({ length: nodes }, (_, i) => (7919 * i + 504) % 49152);
  const parents = Int32Array.from({ length: nodes }, (_, i) => i % length === 0 ? -1 : i - 1);
  const rows = Array.from({ length: nodes }, (_, node) => node)
    .filter((node) => node % length < length - 1)
    .map((node) => ({ node, legal: "all" as const, picked: Int32Array.of(ids[node + 1]) }));
  return { tree: { ids, parents }, rows };
}

const [folder] = Deno.args;
const found = findBlas();
const libraries = [...("blas" in found ? [found.blas] : []), undefined];
const base = openModel(new ModelStore("."), "smollm2-135m");
const { config, weights } = base.decoder;
const adapter = { rank: 16, alpha: 32, targets: "all-linear" as const };
const named = { name: "smollm2-135m", sha256: base.entry.sha256 };
const { tree, rows } = batch();

for (const blas of libraries) {
  const options = { config, weights, base: named, adapter, seedKey: "seed 20", blas };
  const model = new TrainedModel(options);
  if (folder !== undefined && blas === libraries[0]) {
    Deno.mkdirSync(folder, { recursive: true });
    for (const [name, bytes] of model.saveMerged()) Deno.writeFileSync(`${folder}/${name}`, bytes);
  }
  for (let step = 0; step < (blas ? 3 : 1); step++) {
    let loss = 0;
    const parts = { forward: 0, backward: 0, step: 0 };
    let pass!: ReturnType<TrainedModel["pass"]>;
    parts.forward = seconds(() => pass = model.pass(tree, rows, { grad: true }));
    const { logProbabilities } = pass;
    logProbabilities.forEach(([one]) => loss -= one / rows.length);
    const gradients = rows.map(() => Float64Array.of(-1 / rows.length));
    parts.backward = seconds(() => pass.backward(gradients));
    pass.release();
    parts.step = seconds(() => model.step({ learningRate: 1e-3, clipNorm: 1 }));
    const total = parts.forward + parts.backward + parts.step;
    const memory = (Deno.memoryUsage().rss / 1e9).toFixed(2);
    const shown = Object.entries(parts).map(([name, value]) => `${name} ${value.toFixed(2)}`);
    console.log(
      `${blas?.name ?? "own kernels"}: step ${total.toFixed(2)} s of CPU (${shown.join(", ")}), ` +
        `loss ${loss.toFixed(5)}, ${memory} GB`,
    );
  }
}
