/** Speed of SmolLM2 by own kernels and by a library: `deno run -A bench/language_model_bench.ts`. */
import process from "node:process";
import { findBlas, ModelStore, openModel } from "../src/models/mod.ts";

/** Seconds of CPU that a function takes. */
function seconds(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

const found = findBlas();
const libraries = [undefined, ...("blas" in found ? [found.blas] : [])];
const ids = Array.from({ length: 128 }, (_, i) => (7919 * i + 504) % 49152);

for (const blas of libraries) {
  const name = blas?.name ?? "own kernels";
  let model!: ReturnType<typeof openModel>;
  const opened = seconds(() => model = openModel(new ModelStore("."), "smollm2-135m", { blas }));
  const { decoder } = model;
  const sequences = Array.from({ length: 8 }, () => ({ ids, from: 1 }));
  const scored = seconds(() => decoder.logProbabilities(sequences));
  const caches = Array.from({ length: 16 }, () => decoder.cache(96));
  decoder.advance(caches.map((cache) => ({ cache, ids: ids.slice(0, 8) })));
  const rounds = 16;
  const generated = seconds(() => {
    for (let i = 0; i < rounds; i++) {
      decoder.advance(caches.map((cache) => ({ cache, ids: [ids[i]] })));
    }
  });
  const rate = (16 * rounds / generated).toFixed(0);
  const memory = (Deno.memoryUsage().rss / 1e9).toFixed(2);
  console.log(
    `${name}: open ${opened.toFixed(2)} s, 8 × 128 tokens ${scored.toFixed(2)} s, ` +
      `16 sequences ${rate} tokens/s, ${memory} GB, all per second of CPU`,
  );
}
