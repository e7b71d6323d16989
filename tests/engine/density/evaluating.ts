/** Evaluates nodes of graphs in tests, and compares gradients with finite differences. */
import assert from "node:assert/strict";
import { gradientOf } from "../../../src/engine/inference/density/differentiate.ts";
import type { EvaluationPlan, Evaluator } from "../../../src/engine/inference/density/evaluator.ts";
import { plainEvaluator } from "../../../src/engine/inference/density/plain.ts";
import type { SimplifyingBuilder } from "../../../src/engine/inference/density/simplify.ts";
import type { NodeId } from "../../../src/engine/language/ir/node.ts";
import { sizeOf } from "../../../src/engine/language/ir/shape.ts";

/** The values of nodes one after another. */
export function valuesOf(
  g: SimplifyingBuilder,
  roots: readonly NodeId[],
  position: Float64Array,
  evaluator: (plan: EvaluationPlan) => Evaluator = plainEvaluator,
): Float64Array {
  const plan = { nodes: g.nodes, inputSize: position.length, tasks: [roots] };
  const run = evaluator(plan);
  const result = run.run(0, position, 0);
  const places = run.places(0);
  return Float64Array.from(
    roots.flatMap((root, k) => [
      ...result.subarray(places[k], places[k] + sizeOf(g.shapeOf(root))),
    ]),
  );
}

/** Asserts that ∂root/∂leaf agrees with central differences at a position. */
export function assertGradient(
  g: SimplifyingBuilder,
  root: NodeId,
  leaves: readonly NodeId[],
  position: Float64Array,
  what: string,
): void {
  const slopes = valuesOf(g, gradientOf(g, root, leaves), position);
  const plan = { nodes: g.nodes, inputSize: position.length, tasks: [[root]] };
  const run = plainEvaluator(plan);
  const at = (i: number, x: number) => run.run(0, position.with(i, x), 0)[0];
  const coordinates = leaves.flatMap((leaf) => {
    const node = g.nodes[leaf];
    assert.equal(node.kind, "input");
    const begin = node.kind === "input" ? node.offset : 0;
    return Array.from({ length: sizeOf(node.shape) }, (_, i) => begin + i);
  });
  assert.equal(slopes.length, coordinates.length, what);
  coordinates.forEach((i, k) => {
    const wanted = richardson((x) => at(i, x), position[i]);
    const allowed = 1e-6 * Math.max(1, Math.abs(wanted), Math.abs(at(i, position[i])));
    const near = Math.abs(slopes[k] - wanted) <= allowed;
    assert.ok(near, `${what}: d/d${i} is ${slopes[k]}, by differences ${wanted}`);
  });
}

/** Central differences at two steps, extrapolated. */
function richardson(f: (x: number) => number, x: number): number {
  const h = 1e-3 * Math.max(1, Math.abs(x));
  const central = (step: number) => (f(x + step) - f(x - step)) / (2 * step);
  return (4 * central(h / 2) - central(h)) / 3;
}
