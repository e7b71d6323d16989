/** Adapters of the last layers alone: keeping the outputs of frozen layers changes no bit. */
import assert from "node:assert/strict";
import type { Blas, Operand } from "../../../src/numerics/blas/blas.ts";
import type { KeyValueCache } from "../../../src/models/decoder/key_value_cache.ts";
import { openCheckpoint } from "../../../src/models/decoder/checkpoint.ts";
import { readWeights } from "../../../src/models/decoder/weights.ts";
import { writeRandomCheckpoint } from "../../../src/models/store/random_checkpoint.ts";
import { trainingBytes } from "../../../src/models/training/training_memory.ts";
import { RememberedRows } from "../../../src/models/training/remembered_rows.ts";
import { TrainedModel } from "../../../src/models/training/trained_model.ts";
import { temporaryFolder } from "../../temporary_folder.ts";

const folder = temporaryFolder();
writeRandomCheckpoint(folder, "seed 20");
const { config, file } = openCheckpoint(folder);
const weights = readWeights(file, config);
file.close();
Deno.removeSync(folder, { recursive: true });

const base = { name: "tiny", sha256: "0" };
const open = (lastLayers?: number, remembered?: RememberedRows, blas?: Blas) =>
  new TrainedModel({
    ...{ config, weights, base, seedKey: "seed 1", remembered, blas },
    adapter: { rank: 4, alpha: 8, targets: "all-linear", ...(lastLayers && { lastLayers }) },
  });

const tree = {
  ids: Int32Array.of(5, 6, 7, 8, 9, 7),
  parents: Int32Array.of(-1, 0, 1, 0, 3, 3),
};
const rows = [0, 2, 4, 5].map((node) => ({ node, legal: Int32Array.of(4, 6, 8, 9) }));

/** log p, and gradients by name, of one pass. */
function passOf(model: TrainedModel, part = tree, scored = rows) {
  const pass = model.pass(part, scored, { grad: true });
  pass.backward(pass.logProbabilities.map((row) => row.map((_, i) => i === 1 ? 1 : 0)));
  pass.release();
  const gradients = new Map(
    model.trained.map(({ name, gradient }) => [name, gradient().slice()] as const),
  );
  model.zeroGradients();
  return { logs: pass.logProbabilities, gradients };
}

assert.ok(config.layers >= 2);

Deno.test("gradients of the last layer are those that it has among adapters of all layers", () => {
  const [all, last] = [passOf(open()), passOf(open(1))];
  assert.deepEqual(last.logs, all.logs);
  const names = [...last.gradients.keys()];
  assert.ok(names.length > 0 && names.length * config.layers === all.gradients.size);
  assert.ok(names.every((name) => name.includes(`layers.${config.layers - 1}.`)), names[0]);
  for (const name of names) assert.deepEqual(last.gradients.get(name), all.gradients.get(name));
  const moved = [...last.gradients.values()].some((one) => one.some((x) => x !== 0));
  assert.ok(moved);
});

Deno.test("a second pass, and one of other branches, have the bits of a first one", () => {
  const model = open(1);
  const first = passOf(model);
  model.step({ learningRate: 0 });
  assert.deepEqual(passOf(model), first);
  const other = { ids: Int32Array.of(5, 8, 9, 9, 3), parents: Int32Array.of(-1, 0, 1, 2, 0) };
  const scored = [2, 3, 4].map((node) => ({ node, legal: Int32Array.of(2, 7) }));
  assert.deepEqual(passOf(model, other, scored), passOf(open(1), other, scored));
});

Deno.test("sampling remembers too, with the bits of a pass, in chunks and one by one", () => {
  const model = open(1);
  const { logs } = passOf(model);
  const fresh = open(1);
  const cache = fresh.cache(8, { isListed: true });
  assert.equal(cache.firstLayer, config.layers - 1);
  const legal = rows[0].legal;
  const [afterFive] = fresh.advance([{ cache, ids: [5], legal }]);
  const fork: KeyValueCache = cache.fork();
  const [afterSeven] = fresh.advance([{ cache, ids: [6, 7], legal }]);
  const [afterNine] = fresh.advance([{ cache: fork, ids: [8, 9], legal }]);
  assert.deepEqual([afterFive, afterSeven, afterNine], logs.slice(0, 3));
  assert.deepEqual([...fork.ids], [5, 8, 9]);
});

/** Rows, and how many of them were told. */
class Counted extends RememberedRows {
  told = 0;
  override remember(parent: number | "", id: number, row: Float32Array): number {
    this.told++;
    return super.remember(parent, id, row);
  }
}

Deno.test("models that share what is remembered compute it once, and have the bits of their own", () => {
  const shared = new Counted(config.width);
  const [first, second] = [open(1, shared), open(1, shared)];
  const own = passOf(first);
  assert.equal(shared.told, tree.ids.length);
  assert.deepEqual(passOf(second), own);
  assert.equal(shared.told, tree.ids.length);
  const small = open(1, new RememberedRows(config.width, 0));
  assert.deepEqual(passOf(small), own);
});

/** A library whose sums depend on where a row stands, as those of OpenBLAS with AVX2 do. */
const unlike: Blas = {
  name: "unlike",
  multiply(memory, { rows, columns, depth, a, b, c, accumulate }) {
    const numbers = new Float32Array(memory);
    const of = (
      { address, stride, transposed, values = numbers }: Operand,
      row: number,
      k: number,
    ) => Number(values[address / 4 + (transposed ? k * stride + row : row * stride + k)]);
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        let sum = (row % 12) * 1e-6;
        for (let k = 0; k < depth; k++) sum += of(a, row, k) * of(b, k, column);
        const at = c.address / 4 + row * c.stride + column;
        numbers[at] = accumulate ? numbers[at] + sum : sum;
      }
    }
  },
};

Deno.test("what is remembered has the same bits whatever came before, by such a library too", () => {
  const [fresh, later] = [open(1, undefined, unlike), open(1, undefined, unlike)];
  const other = { ids: Int32Array.of(3, 5, 8, 9), parents: Int32Array.of(-1, -1, 1, 1) };
  passOf(later, other, [{ node: 3, legal: Int32Array.of(2, 7) }]);
  assert.deepEqual(passOf(later), passOf(fresh));
});

Deno.test("there is room for so many rows, and what is beyond is not known", () => {
  const rows = new RememberedRows(1, 4 * 1024);
  const row = (value: number) => Float32Array.of(value);
  for (let id = 0; id < 1024; id++) assert.equal(rows.remember("", id, row(id)), id);
  assert.equal(rows.remember("", 1024, row(0)), -1);
  assert.equal(rows.remember(-1, 5, row(0)), -1);
  assert.deepEqual([rows.placeOf("", 1024), rows.placeOf(-1, 5)], [-1, -1]);
  assert.equal(rows.remember("", 7, row(99)), 7);
  assert.deepEqual([...rows.at(7)], [7]);
});

Deno.test("a layer that is not there is refused, and memory grows with what is trained", () => {
  for (const wrong of [config.layers + 1, -1]) assert.throws(() => open(wrong), /last_layers is/);
  const [one, all, full] = [{ rank: 4, lastLayers: 1 }, { rank: 4 }, "full" as const]
    .map((part) => trainingBytes(config, part));
  assert.ok(one < all && all < full);
});
