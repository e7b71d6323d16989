/** A LoRA adapter of one map against PEFT: its addition to the output, and all gradients. */
import assert from "node:assert/strict";
import { findBlas } from "../../src/numerics/blas/blas_library.ts";
import { Adapter } from "../../src/models/decoder/adapter.ts";
import { DecoderMemory } from "../../src/models/decoder/decoder_memory.ts";
import { Products } from "../../src/models/decoder/products.ts";
import golden from "../golden/adapter.json" with { type: "json" };
import { farthest } from "./checkpoints.ts";

const [rows, inputs, outputs] = [7, 12, 20];
const { rank, alpha } = golden;
/** Single precision on both sides; numbers are of the order of 10. */
const tolerance = 1e-5;
const floats = (values: readonly number[]) => Float32Array.from(values);

const found = findBlas();
const libraries = [undefined, ...("blas" in found ? [found.blas] : [])];

for (const blas of libraries) {
  Deno.test(`an adapter by ${blas?.name ?? "own kernels"} has PEFT's outputs and gradients`, () => {
    const memory = new DecoderMemory({ blas });
    const products = new Products(memory);
    const [a, b] = [golden.a, golden.b].map((values) => memory.place(floats(values)));
    const [aGradient, bGradient] = [rank * inputs, outputs * rank].map((n) => memory.zeros(n));
    const places = { a, b, aGradient, bGradient };
    const adapter = new Adapter(products, { inputs, outputs, rank, alpha }, places);
    const ofA = () => memory.f32(aGradient, rank * inputs);
    const [x, dy] = [golden.x, golden.dy].map((values) => memory.place(floats(values)));
    const [y, dx] = [outputs, inputs].map((width) => memory.zeros(rows * width));
    const weight = floats(golden.weight);
    const at = (address: number, stride: number) => ({ address, stride });
    const forward = { rows, columns: outputs, depth: inputs };
    products.affine(at(x, inputs), weight, at(y, outputs), forward);
    adapter.forward(rows, x, y);
    assert(farthest(memory.f32(y, rows * outputs), golden.y) < tolerance);
    const backward = { rows, columns: inputs, depth: outputs };
    products.affineBackward(at(dy, outputs), weight, at(dx, inputs), backward);
    adapter.backward(rows, x, dy, dx);
    assert(farthest(memory.f32(dx, rows * inputs), golden.dx) < tolerance);
    assert(farthest(ofA(), golden.da) < tolerance);
    assert(farthest(memory.f32(bGradient, outputs * rank), golden.db) < tolerance);
    // A second pass adds the same again.
    adapter.backward(rows, x, dy, dx);
    assert(farthest(ofA(), golden.da.map((g) => 2 * g)) < 2 * tolerance);
  });
}
