/** Frozen weights in bfloat16, and on a device: results of every backend, and their errors. */
import assert from "node:assert/strict";
import type { Blas } from "../../src/numerics/blas/blas.ts";
import { findBlas, type OpenLibrary, searchBlas } from "../../src/numerics/blas/blas_library.ts";
import { brainFloatsOf, singlesOf } from "../../src/numerics/blas/brain_floats.ts";
import { CudaBlas } from "../../src/numerics/cuda/cuda_blas.ts";
import { openCheckpoint } from "../../src/models/decoder/checkpoint.ts";
import { Decoder } from "../../src/models/decoder/decoder.ts";
import { type Affine, readWeights, type Weights } from "../../src/models/decoder/weights.ts";
import { TrainedModel } from "../../src/models/training/trained_model.ts";
import { fakeCuda } from "../base/fake_cuda.ts";
import { writeRandomCheckpoint } from "../../src/models/store/random_checkpoint.ts";
import golden from "../golden/decoders.json" with { type: "json" };
import { farthest, tinyFolder, type TinyName } from "./checkpoints.ts";
import { temporaryFolder } from "../temporary_folder.ts";

const names = Object.keys(golden.cases) as TinyName[];

function opened(name: TinyName, precision: "f32" | "bf16" = "f32") {
  const { config, file } = openCheckpoint(tinyFolder(name));
  const weights = readWeights(file, config, precision);
  file.close();
  return { config, weights };
}

/** The same weights in single precision, rounded. */
function rounded({ embedding, head, layers, ...rest }: Weights): Weights {
  const round = (values: Weights["head"]) => singlesOf(brainFloatsOf(singlesOf(values)));
  const isMap = (part: object): part is Affine => "weight" in part;
  const words = round(embedding);
  return {
    ...rest,
    embedding: words,
    head: head === embedding ? words : round(head),
    layers: layers.map((layer) =>
      Object.fromEntries(
        Object.entries(layer).filter(([, part]) => part).map(([name, part]) => [
          name,
          isMap(part) ? { ...part, weight: round(part.weight) } : part,
        ]),
      ) as unknown as typeof layer
    ),
  };
}

function scores(decoder: Decoder, name: TinyName): Float64Array {
  return decoder.logProbabilities([{ ids: golden.cases[name].ids, from: 1 }])[0];
}

/** OpenBLAS with `cblas_sbgemm`, which no build at hand has: its contract in plain code. */
function blasWithBrainFloats(fault = 0): Blas {
  const gemm = (type: "f32" | "bf16") => (...given: readonly unknown[]) => {
    const [, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc] = given.map(Number);
    const at = (address: number, count: number) => {
      const pointer = Deno.UnsafePointer.create(BigInt(address))!;
      const size = type === "bf16" ? 2 : 4;
      const bytes = Deno.UnsafePointerView.getArrayBuffer(pointer, size * count);
      return singlesOf(type === "bf16" ? new Uint16Array(bytes) : new Float32Array(bytes));
    };
    const [left, right] = [
      at(a, ta === 112 ? k * lda : m * lda),
      at(b, tb === 112 ? n * ldb : k * ldb),
    ];
    const target = Deno.UnsafePointer.create(BigInt(c))!;
    const out = new Float32Array(Deno.UnsafePointerView.getArrayBuffer(target, 4 * m * ldc));
    for (let i = 0; i < m; i++) {
      for (let j = 0; j < n; j++) {
        let sum = type === "bf16" ? fault : 0;
        for (let l = 0; l < k; l++) {
          sum += left[ta === 112 ? l * lda + i : i * lda + l] *
            right[tb === 112 ? j * ldb + l : l * ldb + j];
        }
        out[i * ldc + j] = alpha * sum + (beta === 0 ? 0 : beta * out[i * ldc + j]);
      }
    }
  };
  const symbols = { cblas_sgemm: gemm("f32"), cblas_sbgemm: gemm("bf16") };
  const found = searchBlas(["plain code"], (() => symbols) as unknown as OpenLibrary);
  assert("blas" in found);
  return found.blas;
}

Deno.test("own kernels give a model in bfloat16 the bits of its rounded weights", () => {
  const folder = temporaryFolder();
  writeRandomCheckpoint(folder, "seed 20", { layers: 3, width: 32, inner: 64 });
  const { config, file } = openCheckpoint(folder);
  const [weights, short] = [readWeights(file, config), readWeights(file, config, "bf16")];
  file.close();
  assert(short.layers[0].up.weight instanceof Uint16Array && short.head === short.embedding);
  const scored = (some: Weights) => {
    return new Decoder(config, some).logProbabilities([{
      ids: [1, 2, 3, 4, 5, 6, 7, 8],
      from: 1,
    }])[0];
  };
  const found = scored(short);
  assert.deepEqual(found, scored(rounded(weights)));
  const off = farthest(found, scored(weights));
  assert(off > 1e-4 && off < 0.05, `${off}`);
});

for (const name of names) {
  Deno.test(`a GPU gives ${name} the scores of single precision, and of bfloat16 near them`, () => {
    const exact = golden.cases[name].log_probabilities;
    for (const [precision, most] of [["f32", 1e-4], ["bf16", 0.1]] as const) {
      const { config, weights } = opened(name, precision);
      const device = new CudaBlas("fake", fakeCuda().symbols);
      const off = farthest(scores(new Decoder(config, weights, { device }), name), exact);
      assert(off < most, `${precision}: ${off}`);
    }
  });
}

Deno.test("cblas_sbgemm computes bfloat16 where a library has it and it is right", () => {
  const blas = blasWithBrainFloats();
  assert.equal(blas.hasBrainFloats, true);
  assert.equal(blasWithBrainFloats(0.1).hasBrainFloats, false, "proved before it is used");
  const { config, weights } = opened("qwen3", "bf16");
  const device = new CudaBlas("fake", fakeCuda().symbols);
  const [found, wanted] = [{ blas }, { device }].map((by) => {
    return scores(new Decoder(config, weights, by), "qwen3");
  });
  assert(farthest(found, wanted) < 1e-5); // the same roundings; sums in another order
});

Deno.test("a library without cblas_sbgemm multiplies bfloat16 as single precision", () => {
  const found = findBlas();
  const { config, weights } = opened("qwen3", "bf16");
  const blas = "blas" in found && !found.blas.hasBrainFloats ? found.blas : undefined;
  const own = scores(new Decoder(config, weights), "qwen3");
  assert(farthest(scores(new Decoder(config, weights, { blas }), "qwen3"), own) < 1e-5);
});

Deno.test("gradients of adapters on a GPU are those of own kernels; bfloat16 is near them", () => {
  const adapter = { rank: 4, alpha: 8, targets: "all-linear" as const };
  const tree = { ids: Int32Array.of(5, 6, 7, 8), parents: Int32Array.of(-1, 0, 1, 0) };
  const rows = [
    { node: 0, legal: Int32Array.of(6, 8) },
    { node: 1, legal: "all" as const, picked: Int32Array.of(7) },
  ];
  const gradients = (precision: "f32" | "bf16", by: { readonly device?: Blas }) => {
    const base = { name: "tiny", sha256: "of its files" };
    const model = new TrainedModel({
      ...opened("qwen3", precision),
      base,
      adapter,
      seedKey: "s",
      ...by,
    });
    const pass = model.pass(tree, rows, { grad: true });
    pass.backward([Float64Array.of(-1, 0), Float64Array.of(-1)]);
    pass.release();
    return model.trained.flatMap(({ gradient }) => [...gradient()]);
  };
  const own = gradients("f32", {});
  const norm = Math.hypot(...own);
  const off = (found: readonly number[]) => Math.hypot(...found.map((x, i) => x - own[i])) / norm;
  const device = new CudaBlas("fake", fakeCuda().symbols);
  assert(off(gradients("f32", { device })) < 1e-5);
  const short = off(gradients("bf16", { device }));
  assert(short > 1e-5 && short < 0.05, `${short}`);
});

Deno.test("all weights learn in single precision only, and not where a GPU has copies", () => {
  const base = { name: "tiny", sha256: "of its files" };
  const train = (precision: "f32" | "bf16", by: { readonly device?: Blas }) => () =>
    new TrainedModel({ ...opened("qwen3", precision), base, adapter: "full", seedKey: "s", ...by });
  assert.throws(train("bf16", {}), /Cannot train all weights of a model: they are in bfloat16/);
  const device = new CudaBlas("fake", fakeCuda().symbols);
  assert.throws(train("f32", { device }), /Cannot train all weights of a model: fake keeps copies/);
});
