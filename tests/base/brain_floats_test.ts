/** Numbers in bfloat16: rounding against PyTorch, and rows with gaps. */
import assert from "node:assert/strict";
import {
  brainFloatsOf,
  BrainRows,
  copyWide,
  singlesOf,
} from "../../src/numerics/blas/brain_floats.ts";

// python -c "import torch; x = torch.tensor([1.00390625, 1.01171875, -1.00390626, 3.3895314e38, 1e-40,
// 65280.5, 0.1, float('inf'), float('nan')]); print(x.to(torch.bfloat16).view(torch.int16).tolist())"
// PyTorch 2.13.0: ties to even, past the largest number to infinity, subnormals rounded.
const numbers = [1.00390625, 1.01171875, -1.00390626, 3.3895314e38, 1e-40, 65280.5, 0.1];
const ofPyTorch = [16256, 16258, -16512, 32639, 1, 18303, 15821];

Deno.test("rounding to bfloat16 is PyTorch's", () => {
  const values = Float32Array.from([...numbers, Infinity, NaN, -NaN]);
  const [infinite, ...none] = [...brainFloatsOf(values)].slice(numbers.length);
  assert.deepEqual([...new Int16Array(brainFloatsOf(values).buffer)].slice(0, 7), ofPyTorch);
  assert.equal(infinite, 0x7f80);
  assert(singlesOf(Uint16Array.from(none)).every(Number.isNaN));
});

Deno.test("every bfloat16 becomes a single and comes back as it was", () => {
  const all = Uint16Array.from({ length: 1 << 16 }, (_, i) => i);
  const wide = new Float32Array(all.length);
  copyWide(all, wide);
  const back = brainFloatsOf(wide);
  const changed = all.filter((bits, i) => back[i] !== bits && !Number.isNaN(wide[i]));
  assert.equal(changed.length, 0);
});

Deno.test("rows with gaps are rounded without them, again and again in the same room", () => {
  const memory = Float32Array.of(9, 1, 2, 9, 3, 4, 9).buffer;
  const rows = new BrainRows();
  const round = () => [...singlesOf(rows.round(memory, { address: 4, stride: 3 }, 2, 2))];
  assert.deepEqual(round(), [1, 2, 3, 4]);
  assert.equal(rows.round(memory, { address: 0, stride: 1 }, 1, 1).length, 1);
  assert.deepEqual(round(), [1, 2, 3, 4]);
});
