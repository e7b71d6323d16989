/** Products on a GPU, with a fake for the libraries: bytes sent to it, and its failures. */
import assert from "node:assert/strict";
import { brainFloatsOf } from "../../src/numerics/blas/brain_floats.ts";
import { provesProducts } from "../../src/numerics/blas/prove_products.ts";
import { CudaBlas } from "../../src/numerics/cuda/cuda_blas.ts";
import { cudaCandidates } from "../../src/numerics/cuda/cuda_library.ts";
import { searchCuda } from "../../src/numerics/cuda/find_cuda.ts";
import { fakeCuda, type FakeFaults } from "./fake_cuda.ts";

const candidates = cudaCandidates("linux");

function problemOf(faults: FakeFaults): string {
  const found = searchCuda(candidates, () => fakeCuda(faults).symbols);
  return "problem" in found ? found.problem : "";
}

Deno.test("a GPU is found, proved in both precisions, and named with its versions", () => {
  const { symbols } = fakeCuda();
  const found = searchCuda(candidates, () => symbols);
  assert("device" in found);
  assert.equal(found.device.name, "Fake GPU, CUDA 13.1, cuBLAS 13.1.0");
});

Deno.test("a folder that was chosen comes first, and only Linux is looked at", () => {
  assert.equal(cudaCandidates("linux", "/opt/c")[0].products, "/opt/c/libcublas.so.13");
  assert.deepEqual(cudaCandidates("darwin"), []);
  const opened: string[] = [];
  const found = searchCuda(candidates, ({ runtime }) => {
    opened.push(runtime);
    throw new Error("not found");
  });
  assert.equal(opened.length, candidates.length);
  assert("problem" in found);
  assert.match(found.problem, /neither libcudart.so.13 .* see `deno task sluice install cuda`/);
});

Deno.test("TensorFloat-32 in the place of single precision is noticed", () => {
  assert.match(problemOf({ short: true }), /products of .* in f32 are wrong by 0.000/);
});

Deno.test("no GPU, and what the driver says, are told", () => {
  assert.equal(problemOf({ devices: 0 }), "the driver knows no GPU");
  assert.match(problemOf({ copy: 700 }), /cudaMemcpy says: an illegal memory access.*error 700/);
});

Deno.test("weights go to the GPU once, however many products and parts of them are asked for", () => {
  const { symbols, sent } = fakeCuda();
  const gpu = new CudaBlas("fake", symbols);
  const weights = new Float32Array(12 * 8).fill(0.5);
  const memory = new ArrayBuffer(4 * 64);
  const multiply = (values: Float32Array<ArrayBuffer>) => {
    const b = { address: 0, stride: 8, transposed: true, values };
    const [a, c] = [{ address: 0, stride: 8 }, { address: 128, stride: 6 }];
    gpu.multiply(memory, { rows: 2, columns: 6, depth: 8, a, b, c, accumulate: false });
  };
  multiply(weights.subarray(0, 48));
  assert.deepEqual(sent, { up: 4 * (96 + 16), down: 4 * 12 });
  multiply(weights.subarray(48));
  assert.deepEqual(sent, { up: 4 * (96 + 32), down: 4 * 24 });
});

Deno.test("rows between what is multiplied, and behind it, stay as they are", () => {
  const gpu = new CudaBlas("fake", fakeCuda().symbols);
  const memory = new ArrayBuffer(4 * 40);
  const all = new Float32Array(memory).fill(7);
  all.set([1, 2, 0, 3, 4], 0); // two rows of two, three apart
  const values = brainFloatsOf(Float32Array.of(1, 0, 0, 1));
  const [a, b] = [{ address: 0, stride: 3 }, { address: 0, stride: 2, values }];
  const c = { address: 80, stride: 5 };
  gpu.multiply(memory, { rows: 2, columns: 2, depth: 2, a, b, c, accumulate: true });
  assert.deepEqual([...all.subarray(20, 30)], [8, 9, 7, 7, 7, 10, 11, 7, 7, 7]);
});

Deno.test("too little of its memory is said with the numbers, before and when it happens", () => {
  const { symbols } = fakeCuda({ bytes: 1000 });
  const gpu = new CudaBlas("fake", symbols);
  assert.equal(gpu.freeBytes, 1000);
  const values = new Float32Array(1000);
  const place = { address: 0, stride: 1 };
  const product = { rows: 1, columns: 1000, depth: 1, a: place, c: { address: 4, stride: 1000 } };
  const b = { address: 0, stride: 1000, values };
  assert.throws(
    () => gpu.multiply(new ArrayBuffer(8000), { ...product, b, accumulate: false }),
    /Cannot compute on the GPU: 0.00 GB of its memory are wanted, fake has 0.00 GB free/,
  );
});

Deno.test("a wrong product is found, whatever computes it", () => {
  const { symbols } = fakeCuda();
  const right = new CudaBlas("fake", symbols);
  const wrong = {
    name: "wrong",
    multiply(...[memory, product]: Parameters<CudaBlas["multiply"]>) {
      right.multiply(memory, product);
      const { c, columns, rows } = product;
      const last = c.address / 4 + (rows - 1) * c.stride + columns - 1;
      new Float32Array(memory)[last] += product.accumulate ? 1e-3 : 0;
    },
  };
  assert.match(provesProducts(wrong, "f32"), /are wrong by/);
});
