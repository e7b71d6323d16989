/**
 * Measures a language model on an NVIDIA GPU; run.sh starts it. One JSON line for each figure.
 *
 * bench.js MODEL OUT check BACKEND PRECISION   numbers for peer.py to hold against PyTorch's
 * bench.js MODEL OUT time BACKEND PRECISION    seconds of a LoRA step, tokens per second of sampling
 * bench.js MODEL OUT learn BACKEND PRECISION   steps of pipelines/synthstats.toml, in this process
 */
import process from "node:process";
import type { Blas } from "../../src/numerics/blas/blas.ts";
import { findBlas } from "../../src/numerics/blas/blas_library.ts";
import { findCuda } from "../../src/numerics/cuda/find_cuda.ts";
import { encodeTensors, type NamedTensor } from "../../src/base/safetensors.ts";
import { openCheckpoint } from "../../src/models/decoder/checkpoint.ts";
import { Decoder } from "../../src/models/decoder/decoder.ts";
import { type Precision, readWeights } from "../../src/models/decoder/weights.ts";
import { TrainedModel } from "../../src/models/training/trained_model.ts";
import { learnGrowthCurves } from "./growth_curves.ts";

const [folder, out, task, backend, precision] = Deno.args as [
  string,
  string,
  "check" | "time" | "learn",
  "fused" | "blas" | "cuda",
  Precision,
];

/** Writes a figure with what it was measured on. */
function say(figures: Readonly<Record<string, unknown>>): void {
  const model = folder.split("/").at(-1);
  console.log(JSON.stringify({ tool: "sluice", model, task, backend, precision, ...figures }));
}

/** Seconds that products on the GPU take, copies included. */
let onDevice = 0;

function timed(device: Blas): Blas {
  return {
    name: device.name,
    hasBrainFloats: true,
    multiply(memory, product) {
      const before = performance.now();
      device.multiply(memory, product);
      onDevice += (performance.now() - before) / 1000;
    },
  };
}

function libraries(): { readonly blas?: Blas; readonly device?: Blas } {
  if (backend === "fused") return {};
  const library = findBlas();
  const blas = "blas" in library ? { blas: library.blas } : {};
  if ("problem" in library) say({ blas: library.problem });
  if (backend === "blas") return blas;
  const gpu = findCuda();
  if ("problem" in gpu) throw new Error(gpu.problem);
  return { ...blas, device: timed(gpu.device) };
}

const checkpoint = openCheckpoint(folder);
const { config } = checkpoint;
const computing = libraries();
const before = performance.now();
const weights = readWeights(checkpoint.file, config, precision);
say({
  read_s: (performance.now() - before) / 1000,
  by: Object.values(computing).map((b) => b.name),
});

function trained(): TrainedModel {
  const adapter = { rank: 16, alpha: 32, targets: "all-linear" as const };
  const base = { name: "random", sha256: "random" };
  return new TrainedModel({ config, weights, base, adapter, seedKey: "seed 20", ...computing });
}

/** Sequences one after the other, every token but the first scored over the vocabulary. */
function batch(sequences: number, length: number) {
  const nodes = sequences * length;
  const ids = Int32Array.from({ length: nodes }, (_, i) => (7919 * i + 504) % config.vocabulary);
  const parents = Int32Array.from({ length: nodes }, (_, i) => i % length === 0 ? -1 : i - 1);
  const rows = Array.from({ length: nodes }, (_, node) => node)
    .filter((node) => node % length < length - 1)
    .map((node) => ({ node, legal: "all" as const, picked: Int32Array.of(ids[node + 1]) }));
  return { tree: { ids, parents }, rows };
}

/** B of an adapter is zeros at first, and A then has no gradient: another B, the same everywhere. */
function spread(model: TrainedModel): NamedTensor[] {
  const tensors = model.parameters().map((one) => {
    const isB = one.name.includes("lora_B");
    return { ...one, values: Float32Array.from(one.values, (x, i) => isB ? (i % 7 - 3) / 300 : x) };
  });
  model.loadParameters(tensors);
  return tensors;
}

function check(): void {
  const model = trained();
  const adapter = spread(model);
  const { tree, rows } = batch(2, 64);
  const pass = model.pass(tree, rows, { grad: true });
  const scored = Float32Array.from(pass.logProbabilities, ([one]) => one);
  pass.backward(rows.map(() => Float64Array.of(-1 / rows.length)));
  pass.release();
  const gradients = model.trained.map(({ name, shape, gradient }) => ({
    name: `gradient.${name}`,
    shape,
    values: gradient().slice(),
  }));
  const ids = tree.ids.slice(0, 16);
  const logits = new Decoder(config, weights, computing).logits(ids);
  const all = new Float32Array(16 * config.vocabulary);
  logits.forEach((row, i) => all.set(row, i * config.vocabulary));
  const tensors: NamedTensor[] = [
    ...adapter,
    ...gradients,
    { name: "ids", shape: [2, 64], values: tree.ids },
    { name: "log_probabilities", shape: [scored.length], values: scored },
    { name: "logits", shape: [16, config.vocabulary], values: all },
  ];
  Deno.writeFileSync(`${out}/${backend}_${precision}.safetensors`, encodeTensors(tensors, {}));
}

/** Wall seconds, those of processor time, and those of products on the GPU. */
function measure(run: () => void) {
  const [start, cpu, device] = [performance.now(), process.cpuUsage(), onDevice];
  run();
  const { user, system } = process.cpuUsage(cpu);
  return {
    wall_s: (performance.now() - start) / 1000,
    cpu_s: (user + system) / 1e6,
    device_s: onDevice - device,
  };
}

function time(): void {
  const model = trained();
  spread(model);
  const { tree, rows } = batch(8, 128);
  const steps = backend === "cuda" ? 3 : 1;
  for (let step = 0; step < steps; step++) {
    let pass!: ReturnType<TrainedModel["pass"]>;
    const forward = measure(() => pass = model.pass(tree, rows, { grad: true }));
    const loss = -pass.logProbabilities.reduce((sum, [one]) => sum + one, 0) / rows.length;
    const gradients = rows.map(() => Float64Array.of(-1 / rows.length));
    const backward = measure(() => pass.backward(gradients));
    pass.release();
    const update = measure(() => model.step({ learningRate: 1e-3, clipNorm: 1 }));
    const rss_gb = Deno.memoryUsage().rss / 1e9;
    say({ what: "step 8 x 128", step, loss, rss_gb, forward, backward, update });
  }
  for (const sequences of backend === "cuda" ? [16, 64] : [16]) sampleTokens(model, sequences);
}

/** Tokens one by one behind caches, then the same sequences in one pass: is a token worth the same? */
function sampleTokens(model: TrainedModel, sequences: number): void {
  const length = backend === "cuda" ? 24 : 8;
  const caches = Array.from({ length: sequences }, () => model.cache(length + 1));
  const sampled: number[] = [];
  const idOf = (s: number, t: number) => (7919 * s + 104_729 * t + 504) % config.vocabulary;
  const took = measure(() => {
    for (let t = 0; t < length; t++) {
      const chunks = caches.map((cache, s) => ({
        cache,
        ids: [idOf(s, t)],
        legal: "all" as const,
      }));
      model.advance(chunks).forEach((logP, s) => sampled[s * length + t] = logP[idOf(s, t + 1)]);
    }
  });
  caches.forEach((cache) => cache.dispose());
  const nodes = sequences * length;
  const ids = Int32Array.from(
    { length: nodes },
    (_, i) => idOf(Math.floor(i / length), i % length),
  );
  const parents = Int32Array.from(ids, (_, i) => i % length === 0 ? -1 : i - 1);
  const rows = Array.from(ids, (_, node) => ({
    node,
    legal: "all" as const,
    picked: Int32Array.of(idOf(Math.floor(node / length), node % length + 1)),
  }));
  const pass = model.pass({ ids, parents }, rows, { grad: false });
  const apart = pass.logProbabilities.map(([one], i) => Math.abs(one - sampled[i]));
  pass.release();
  const tokens_per_s = nodes / took.wall_s;
  say({ what: "sampling", sequences, tokens_per_s, farthest_scored: Math.max(...apart), ...took });
}

if (task === "check") check();
else if (task === "time") time();
else {
  await learnGrowthCurves({ folder, backend, precision, say });
}
