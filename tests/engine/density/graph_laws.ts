/** Laws of all graphs, checked on random ones: same bits, same values, true gradients. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { gradientOf } from "../../../src/engine/inference/density/differentiate.ts";
import type { EvaluationPlan, Evaluator } from "../../../src/engine/inference/density/evaluator.ts";
import { plainEvaluator } from "../../../src/engine/inference/density/plain.ts";
import { SimplifyingBuilder } from "../../../src/engine/inference/density/simplify.ts";
import { wasmEvaluator } from "../../../src/engine/inference/density/wasm/evaluator.ts";
import { GraphBuilder } from "../../../src/engine/language/ir/builder.ts";
import type { NodeId } from "../../../src/engine/language/ir/node.ts";
import { sizeOf } from "../../../src/engine/language/ir/shape.ts";
import { assertGradient, valuesOf } from "./evaluating.ts";
import { anyPosition, anyRecipe, follow, inputSize, smoothFollower } from "./random_graphs.ts";

function wasm(plan: EvaluationPlan): Evaluator {
  const evaluator = wasmEvaluator(plan);
  assert.ok(evaluator);
  return evaluator;
}

/** Where the first of two lists of numbers differs in a bit; NaNs are alike, and so are zeros. */
function firstDifference(a: Float64Array, b: Float64Array): string | undefined {
  assert.equal(a.length, b.length);
  const at = a.findIndex((x, i) => !Object.is(x + 0, b[i] + 0));
  return at < 0 ? undefined : `element ${at}: ${a[at]} and ${b[at]}`;
}

/** The sum of everything, tamed, so that all nodes count in one gradient. */
function total(g: SimplifyingBuilder, nodes: readonly NodeId[]): NodeId {
  return nodes.slice(-6).reduce((sum, node) => g.add(sum, g.sum(node)), g.scalar(0));
}

/** Law: a module computes every graph with the bits of the plain kernels. */
export function moduleBits(numRuns: number, seed: number): void {
  fc.assert(
    fc.property(anyRecipe(25), anyPosition, (recipe, position) => {
      const g = new GraphBuilder() as SimplifyingBuilder;
      const nodes = follow(g, recipe).filter((id) => sizeOf(g.shapeOf(id)) > 0);
      const plain = valuesOf(g, nodes, position, plainEvaluator);
      assert.equal(firstDifference(valuesOf(g, nodes, position, wasm), plain), undefined);
    }),
    { numRuns, seed },
  );
}

/** Law: gradients have the same bits on both back ends. */
export function gradientBits(numRuns: number, seed: number): void {
  fc.assert(
    fc.property(anyRecipe(20), anyPosition, (recipe, position) => {
      const g = new SimplifyingBuilder();
      const root = total(g, follow(g, recipe));
      const inputs = [g.input(0, [5]), g.input(5, [5, 1]), g.input(10, [3]), g.input(13, [])];
      if (hasDigammaSlopes(g)) return;
      const roots = [root, ...gradientOf(g, root, inputs)];
      const plain = valuesOf(g, roots, position, plainEvaluator);
      assert.equal(firstDifference(valuesOf(g, roots, position, wasm), plain), undefined);
      assert.equal(plain.length, 1 + inputSize);
    }),
    { numRuns, seed },
  );
}

function hasDigammaSlopes(g: SimplifyingBuilder): boolean {
  return g.nodes.some((node) => node.kind === "map" && node.op === "trigamma");
}

/** Law: gradients of smooth graphs agree with finite differences. */
export function trueGradients(numRuns: number, seed: number): void {
  fc.assert(
    fc.property(anyRecipe(8), anyPosition, (recipe, position) => {
      const g = new SimplifyingBuilder();
      const inputs = [g.input(0, [5]), g.input(5, [5, 1]), g.input(10, [3]), g.input(13, [])];
      const nodes = [...inputs, g.array(Float64Array.of(0.5, -1, 2, 0.1, 1.3), [5])];
      for (const { first, second, detail } of recipe) {
        const [a, b] = [nodes[first % nodes.length], nodes[second % nodes.length]];
        const made = smoothFollower(g, a, b, detail);
        if (sizeOf(g.shapeOf(made)) <= 225) nodes.push(made);
      }
      const root = nodes.slice(-3).reduce(
        (sum, node) => g.add(sum, g.map("tanh", g.mul(g.scalar(0.1), g.sum(node)))),
        g.scalar(0),
      );
      assertGradient(g, root, inputs, position, JSON.stringify(recipe));
    }),
    { numRuns, seed },
  );
}

/** Law: simplified graphs have the values of what they were built from. */
export function simplifiedValues(numRuns: number, seed: number): void {
  fc.assert(
    fc.property(anyRecipe(25), anyPosition, (recipe, position) => {
      const [plain, simple] = [new GraphBuilder() as SimplifyingBuilder, new SimplifyingBuilder()];
      const [before, after] = [follow(plain, recipe), follow(simple, recipe)];
      assert.equal(before.length, after.length);
      before.forEach((id, k) => {
        assert.deepEqual(simple.shapeOf(after[k]), plain.shapeOf(id));
        const x = valuesOf(plain, [id], position);
        const y = valuesOf(simple, [after[k]], position);
        const size = x.reduce(
          (most, one) => Math.abs(one) < Infinity ? Math.max(most, Math.abs(one)) : most,
          1,
        );
        x.forEach((wanted, i) => {
          if (!(Math.abs(wanted) < 1e6) || isBrittle(plain, id)) return;
          assert.ok(Math.abs(y[i] - wanted) <= 1e-7 * size, `node ${k}: ${y[i]}, not ${wanted}`);
        });
      });
    }),
    { numRuns, seed },
  );
}

/** Whether a node depends on what rounding can turn over: floors, comparisons, cancellation. */
function isBrittle(g: GraphBuilder, id: NodeId): boolean {
  const seen = new Set<NodeId>();
  const visit = (at: NodeId): boolean => {
    if (seen.has(at)) return false;
    seen.add(at);
    const node = g.nodes[at];
    const jumps = node.kind === "map" &&
      ["floor", "lt", "eq", "and", "not", "div", "pow", "log", "lgamma", "log1p"].includes(node.op);
    return jumps || node.kind === "solve" || node.args.some(visit);
  };
  return visit(id);
}
