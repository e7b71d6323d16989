/** Rows that are computed for themselves are those of the whole array. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { reachable } from "../../../src/engine/inference/density/evaluator.ts";
import { FewRows, fewRows } from "../../../src/engine/inference/density/few_rows.ts";
import { SimplifyingBuilder } from "../../../src/engine/inference/density/simplify.ts";
import type { NodeId } from "../../../src/engine/language/ir/node.ts";
import { sizeOf } from "../../../src/engine/language/ir/shape.ts";
import { valuesOf } from "./evaluating.ts";
import { anyPosition, anyRecipe, follow } from "./random_graphs.ts";

function assertSame(g: SimplifyingBuilder, x: NodeId, rows: Int32Array, position: Float64Array) {
  const [count, ...rest] = g.shapeOf(x);
  const few = new FewRows(g, rows, count).of(x);
  assert.deepEqual(g.shapeOf(few), [rows.length, ...rest]);
  const [whole, found] = [valuesOf(g, [x], position), valuesOf(g, [few], position)];
  const width = whole.length / count;
  found.forEach((value, k) => {
    const wanted = whole[rows[Math.floor(k / width)] * width + k % width];
    assert.ok(Object.is(value + 0, wanted + 0), `element ${k} of rows ${rows} of node ${x}`);
  });
}

Deno.test("a few rows of random graphs have the bits that they have among all", () => {
  fc.assert(
    fc.property(anyRecipe(25), anyPosition, fc.nat(100), (recipe, position, at) => {
      const g = new SimplifyingBuilder();
      for (const x of follow(g, recipe)) {
        const [count = 1] = g.shapeOf(x);
        if (count < 2 || sizeOf(g.shapeOf(x)) === 0) continue;
        assertSame(g, x, Int32Array.of(at % count), position);
        assertSame(g, x, Int32Array.of((at + 2) % count, at % count), position);
      }
    }),
    { numRuns: 60, seed: 11 },
  );
});

Deno.test("rows of a mixture of components on a matrix of data are computed alone", () => {
  const g = new SimplifyingBuilder();
  const count = 120;
  const data = Float64Array.from({ length: count * 3 }, (_, k) => Math.sin(k));
  const matrix = g.matmul(g.array(data, [count, 3]), g.reshape(g.input(0, [3]), [3, 1]));
  const centres = g.reshape(g.input(3, [2]), [1, 2]);
  const terms = g.exp(g.sub(matrix, centres));
  const x = g.log(g.sum(terms, [1]));
  const rows = Int32Array.of(31, 4, 17);
  const position = Float64Array.of(0.5, -1, 0.25, 0.1, -0.7);
  assertSame(g, x, rows, position);
  const sizes = reachable(g.nodes, [fewRows(g, x, rows)]).map((id) => sizeOf(g.shapeOf(id)));
  assert.ok(Math.max(...sizes) <= 9, `${sizes}`);
});

Deno.test("many rows, or those of short arrays, are taken from the whole", () => {
  const g = new SimplifyingBuilder();
  const rowsOf = (count: number, few: number) => {
    const x = g.exp(g.input(0, [count]));
    return g.nodes[fewRows(g, x, Int32Array.from({ length: few }, (_, k) => 2 * k))].kind;
  };
  assert.equal(rowsOf(200, 51), "gather");
  assert.equal(rowsOf(200, 50), "map");
  assert.equal(rowsOf(99, 2), "gather");
});
