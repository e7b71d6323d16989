/** Responses that were computed: the lattice of what was recorded is found, and ties are never continuous. */
import assert from "node:assert/strict";
import { cellEnds, type Column } from "../../src/base/dataset.ts";
import { RandomStream } from "../../src/base/random.ts";
import { latticeOf } from "../../src/data/lattice.ts";
import { describeResolution, inferCells, recordedColumn } from "../../src/data/resolution.ts";

const random = new RandomStream("lattice");
const counts = Array.from(
  { length: 60 },
  () => 1 + Math.floor(-4 * Math.log(1 - random.uniform())),
);
const lengths = Array.from({ length: 27 }, () => Number((1.7 + random.uniform()).toFixed(2)));
const standardised = (values: readonly number[]) => {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  const sd = Math.sqrt(values.reduce((sum, y) => sum + (y - mean) ** 2, 0) / (values.length - 1));
  return { sd, scores: values.map((y) => (y - mean) / sd) };
};
const response = (values: readonly number[]): Column => ({
  ...{ name: "y", role: "response", type: "real" },
  values: Float64Array.from(values),
});

const maps: readonly (readonly [string, (k: number) => number, (y: number) => number])[] = [
  ["the logarithm", Math.log, Math.exp],
  ["the common logarithm", Math.log10, (y) => 10 ** y],
  ["the binary logarithm", Math.log2, (y) => 2 ** y],
  ["log1p", Math.log1p, (y) => Math.exp(y)],
  ["the root", Math.sqrt, (y) => y * y],
  ["the reciprocal", (k) => 1 / k, (y) => 1 / y],
];

for (const [name, map, back] of maps) {
  Deno.test(`${name} of counts has the cells of the counts`, () => {
    const column = recordedColumn("d", response(counts.map(map)));
    const ends = cellEnds(column, column.values, column.resolution as number);
    for (const [i, { low, high }] of ends.entries()) {
      const [a, b] = [back(low), back(high)].sort((x, y) => x - y);
      const wanted = back(map(counts[i]));
      assert(Math.abs(b - (wanted + 0.5)) < 1e-9 && Math.abs(a - (wanted - 0.5)) < 1e-9, `${i}`);
    }
    assert.match(describeResolution(column)!, /lattice of step 1, \d+ of them tie/);
  });
}

Deno.test("z-scores have the step of what was recorded, in doubles and in six digits", () => {
  const { scores, sd } = standardised(lengths);
  assert(Math.abs(inferCells(scores)!.step - 0.01 / sd) < 1e-12);
  const short = scores.map((y) => Number(y.toFixed(6)));
  assert(Math.abs(inferCells(short)!.step - 0.01 / sd) < 1e-6);
  assert.equal(recordedColumn("d", response(scores)).cells, undefined, "all cells are as wide");
});

Deno.test("values that tie without a lattice have the cell up to half their smallest gap", () => {
  const raw = Array.from({ length: 20 }, () => Math.exp(3 * random.uniform() - 1) + Math.PI ** 3);
  const tied = [...raw, raw[3], raw[7]];
  const column = recordedColumn("d", response(tied));
  const ends = cellEnds(column, column.values, column.resolution as number);
  const sorted = [...raw].sort((a, b) => a - b);
  for (const [i, { low, high }] of ends.entries()) {
    const at = sorted.indexOf(tied[i]);
    const gap = Math.min(
      sorted[at] - (sorted[at - 1] ?? -1e9),
      (sorted[at + 1] ?? 1e9) - sorted[at],
    );
    assert(Math.abs(high - low - gap) < 1e-12 && low < tied[i] && tied[i] < high);
  }
  assert.throws(
    () => recordedColumn("d", { ...response(tied), resolution: "continuous" }),
    /4 of 22 values tie/,
  );
  assert.equal(
    recordedColumn("d", { ...response(raw), resolution: "continuous" }).resolution,
    "continuous",
  );
});

Deno.test("no lattice is seen in continuous samples, nor in a thousand of them rounded to six digits", () => {
  for (let k = 0; k < 1000; k++) {
    const sample = Array.from({ length: 12 }, () => 5 * random.uniform() + 0.1);
    assert.equal(latticeOf(sample), undefined);
    assert.equal(latticeOf(sample.map((y) => Number(y.toFixed(6))), 6), undefined);
  }
});

Deno.test("a table of cells follows its rows in any order", () => {
  const column = recordedColumn("d", response(counts.map(Math.log)));
  const reversed = { ...column, values: column.values.toReversed() };
  const ends = (one: Column) => cellEnds(one, one.values, one.resolution as number);
  assert.deepEqual(ends(reversed), ends(column).toReversed());
});
