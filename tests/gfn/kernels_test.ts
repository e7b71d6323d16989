/** Own WebAssembly kernels: against plain code, the self-test itself, and the memory's heap. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { RandomStream } from "../../src/base/random.ts";
import { assemble, i32, Kernel } from "../../src/numerics/wasm/assembler.ts";
import { Heap } from "../../src/numerics/wasm/kernels/heap.ts";
import { Linear, PackingRoom } from "../../src/gfn/kernels/linear.ts";
import { kernelBytes, kernelNames, Machine } from "../../src/gfn/kernels/machine.ts";
import type { KernelName } from "../../src/gfn/kernels/machine.ts";
import { causalSoftmax, type Matrix, matrix, product } from "../../src/gfn/kernels/plain.ts";
import { transpose } from "../../src/gfn/kernels/plain.ts";
import { selfTest } from "../../src/gfn/kernels/self_test.ts";

Deno.test("the assembler encodes integers of every size as they are", () => {
  const values = [0, 1, -1, 63, 64, -64, -65, 127, 128, 8191, 8192, -8193, 2 ** 31 - 1, -(2 ** 31)];
  const kernels = values.map((value, i) => new Kernel(`f${i}`, "i32").define([], i32.of(value)));
  const module = new WebAssembly.Module(assemble(kernels));
  const memory = new WebAssembly.Memory({ initial: 1 });
  const { exports } = new WebAssembly.Instance(module, { host: { memory } });
  const found = values.map((_, i) => (exports[`f${i}`] as () => number)());
  assert.deepEqual(found, values);
});

Deno.test("the module exports the kernels that the machine names, and nothing else", () => {
  const exports = WebAssembly.Module.exports(new WebAssembly.Module(kernelBytes()));
  assert.deepEqual(exports.map(({ name }) => name).sort(), [...kernelNames].sort());
});

Deno.test("the self-test finds nothing wrong here", () => {
  assert.equal(selfTest(), "");
});

/** A machine in which one kernel does nothing. */
function broken(name: KernelName): Machine {
  const machine = new Machine();
  Object.defineProperty(machine, "kernels", { value: { ...machine.kernels, [name]: () => 0 } });
  return machine;
}

for (const name of kernelNames) {
  Deno.test(`the self-test notices a ${name} that does nothing`, () => {
    assert.match(selfTest(() => broken(name)), /^wrong results of /);
  });
}

Deno.test("a machine that cannot be made is a reason, not an error", () => {
  const open = () => {
    throw new Error("no SIMD here");
  };
  assert.equal(selfTest(open), "no SIMD here");
});

function normals(rows: number, columns: number, random: RandomStream): Matrix {
  return matrix(rows, columns, () => Math.fround(2 * random.uniform() - 1));
}

function largestDifference(wanted: Matrix, found: Float32Array): number {
  return found.reduce((max, x, i) => Math.max(max, Math.abs(x - wanted.values[i])), 0);
}

Deno.test("products of any shape are those of plain code", () => {
  const size = fc.integer({ min: 1, max: 37 });
  fc.assert(
    fc.property(size, size, size, fc.nat(), (rows, inputs, outputs, seed) => {
      const machine = new Machine();
      const random = new RandomStream("products", seed);
      const [x, w] = [normals(rows, inputs, random), normals(inputs, outputs, random)];
      const dy = normals(rows, outputs, random);
      const put = ({ values }: Matrix) => {
        const address = machine.allocate(values.length);
        machine.f32(address, values.length).set(values);
        return address;
      };
      const [weight, weightGradient] = [put(w), machine.zeros(inputs * outputs)];
      const room = new PackingRoom(machine);
      const map = new Linear(machine, room, inputs, outputs, { weight, weightGradient });
      map.pack();
      const source = { address: put(x), stride: inputs };
      const above = { address: put(dy), stride: outputs };
      const [y, dx] = [machine.zeros(rows * outputs), machine.zeros(rows * inputs)];
      map.forward(source, { address: y, stride: outputs }, rows);
      map.backward(above, { address: dx, stride: inputs }, rows);
      map.addGradients(source, above, rows);
      const pairs: [Matrix, number][] = [
        [product(x, w), y],
        [product(dy, transpose(w)), dx],
        [product(transpose(x), dy), weightGradient],
      ];
      for (const [wanted, address] of pairs) {
        const found = machine.f32(address, wanted.values.length);
        assert.ok(largestDifference(wanted, found) < 1e-5, `${rows} ${inputs} ${outputs}`);
      }
    }),
    { numRuns: 60 },
  );
});

Deno.test("the causal softmax is exact to single precision over a wide range of scores", () => {
  const machine = new Machine();
  const [T, random] = [64, new RandomStream("softmax")];
  const scores = matrix(T, T, () => Math.fround(300 * random.uniform() - 150));
  const address = machine.allocate(T * T);
  machine.f32(address, T * T).set(scores.values);
  machine.kernels.softmaxCausal(address, 4 * T, T, 0.5);
  const found = machine.f32(address, T * T);
  const wanted = causalSoftmax(scores, 0.5).values;
  found.forEach((p, at) => {
    if (at % T > at / T) assert.equal(p, 0);
    // A score near 75 carries an error of 75 · 2^-24 into its exponential.
    else assert.ok(Math.abs(p - wanted[at]) <= 2e-5 * wanted[at] + 1e-37, `${p} ${wanted[at]}`);
  });
});

Deno.test("blocks of the heap never overlap, and all of it comes back", () => {
  const operation = fc.record({ size: fc.integer({ min: 0, max: 3000 }), free: fc.nat() });
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
      const heap = new Heap(new WebAssembly.Memory({ initial: 1 }));
      const live = new Map<number, number>();
      for (const { size, free } of operations) {
        const address = heap.allocate(size);
        assert.ok(address > 0 && address % 64 === 0);
        for (const [other, length] of live) {
          assert.ok(address + size <= other || other + length <= address);
        }
        assert.ok(address + size <= heap.memory.buffer.byteLength);
        live.set(address, Math.max(size, 1));
        if (free % 3 > 0) release(heap, live, free);
      }
      while (live.size > 0) release(heap, live, 0);
      assert.equal(heap.used, 0);
      assert.equal(heap.allocate(1), 64);
    }),
  );
});

function release(heap: Heap, live: Map<number, number>, choice: number): void {
  const address = [...live.keys()][choice % live.size];
  heap.free(address);
  live.delete(address);
  assert.throws(() => heap.free(address), /internal: no block/);
}
