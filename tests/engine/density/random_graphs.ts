/** Random graphs for laws that hold for all: recipes that fast-check can shrink. */
import fc from "fast-check";
import type { GraphBuilder } from "../../../src/engine/language/ir/builder.ts";
import type { NodeId } from "../../../src/engine/language/ir/node.ts";
import type { BinaryOp, UnaryOp } from "../../../src/engine/language/ir/operations.ts";
import { broadcastShapes, type Shape, sizeOf } from "../../../src/engine/language/ir/shape.ts";

/** One step of a recipe: which operation, on which of the nodes so far. */
export interface Step {
  readonly op: number;
  readonly first: number;
  readonly second: number;
  readonly detail: number;
}

const shapes: readonly Shape[] = [[], [1], [2], [3], [5], [5, 1], [5, 3], [3, 3], [2, 1, 3]];
const unary: readonly UnaryOp[] = [
  "neg",
  "sigmoid",
  "softplus",
  "tanh",
  "sin",
  "exp",
  "log1p",
  "abs",
  "sqrt",
  "log",
  "lgamma",
  "floor",
  "not",
];
const binary: readonly BinaryOp[] = [
  "add",
  "mul",
  "sub",
  "div",
  "maximum",
  "lt",
  "eq",
  "and",
  "pow",
];

/** How many numbers the inputs of a random graph take. */
export const inputSize = 5 + 5 + 3 + 1;

/** The inputs, and some data. */
function leaves(g: GraphBuilder): NodeId[] {
  const data = (n: number, at: number) =>
    Float64Array.from({ length: n }, (_, i) => ((i * 7 + at) % 11) / 4 - 1);
  return [
    g.input(0, [5]),
    g.input(5, [5, 1]),
    g.input(10, [3]),
    g.input(13, []),
    g.array(data(5, 1), [5]),
    g.array(data(15, 2), [5, 3]),
    g.array(data(9, 3), [3, 3]),
    g.scalar(1.25),
    g.scalar(-1),
  ];
}

/** Builds all nodes of a recipe. */
export function follow(g: GraphBuilder, steps: readonly Step[]): NodeId[] {
  const nodes = leaves(g);
  for (const step of steps) {
    const made = follower(g, nodes, step);
    if (made !== undefined && sizeOf(g.shapeOf(made)) <= 225) nodes.push(made);
  }
  return nodes;
}

function follower(g: GraphBuilder, nodes: readonly NodeId[], step: Step): NodeId | undefined {
  const a = nodes[step.first % nodes.length];
  const b = nodes[step.second % nodes.length];
  const fits = broadcastShapes(g.shapeOf(a), g.shapeOf(b)) !== undefined;
  switch (step.op % 10) {
    case 0:
    case 1:
      return g.map(unary[step.detail % unary.length], a);
    case 2:
    case 3:
    case 4:
      return fits ? g.map(binary[step.detail % binary.length], a, b) : undefined;
    case 5:
      return fits ? g.where(g.map("lt", a, g.scalar(0.3)), a, b) : undefined;
    case 6:
      return reduced(g, a, step.detail);
    case 7:
      return moved(g, a, b, step.detail);
    case 8:
      return product(g, a, b);
    default:
      return matrix(g, a, step.detail);
  }
}

function reduced(g: GraphBuilder, a: NodeId, detail: number): NodeId {
  const rank = g.shapeOf(a).length;
  const op = (["sum", "sum", "max", "min", "prod"] as const)[detail % 5];
  const axis = Math.floor(detail / 5) % (rank + 1);
  return g.reduce(op, a, axis === rank ? undefined : [axis]);
}

function moved(g: GraphBuilder, a: NodeId, b: NodeId, detail: number): NodeId {
  const size = sizeOf(g.shapeOf(a));
  const to = shapes[detail % shapes.length];
  const index = Int32Array.from(
    { length: sizeOf(to) },
    (_, i) => (i * (1 + detail % 3) + detail) % (size + 1) - 1,
  );
  switch (detail % 4) {
    case 0:
      return g.gather(a, index, to);
    case 1: {
      const places = Int32Array.from({ length: size }, (_, i) => (i * 3 + detail) % 5 - 1);
      return g.scatter(a, places, [4]);
    }
    case 2:
      return g.join([a, b]);
    default:
      return g.reshape(a, [size]);
  }
}

/** A product of matrices, where the sizes allow it. */
function product(g: GraphBuilder, a: NodeId, b: NodeId): NodeId | undefined {
  const [n, k] = g.shapeOf(a);
  if (g.shapeOf(a).length !== 2) return undefined;
  const size = sizeOf(g.shapeOf(b));
  if (size === k) return g.matmul(a, g.reshape(b, [k, 1]));
  return g.shapeOf(b)[0] === k && g.shapeOf(b).length === 2 && n > 0 ? g.matmul(a, b) : undefined;
}

/** A scan, or a factor of what is made positive definite. */
function matrix(g: GraphBuilder, a: NodeId, detail: number): NodeId | undefined {
  const shape = g.shapeOf(a);
  if (shape.length === 0) return undefined;
  if (detail % 2 === 0) {
    return g.scan(detail % 4 === 0 ? "cumsum" : "cumprod", a, detail % shape.length);
  }
  if (shape.length !== 2 || shape[0] !== shape[1]) return undefined;
  const n = shape[0];
  const eye = Float64Array.from({ length: n * n }, (_, i) => i % (n + 1) === 0 ? 4 : 0);
  const small = g.map("tanh", a);
  const factor = g.cholesky(
    g.add(g.mul(small, g.gather(small, transpose(n), [n, n])), g.array(eye, [n, n])),
  );
  return detail % 3 === 0 ? factor : g.solve(factor, small, detail % 3 === 1);
}

function transpose(n: number): Int32Array {
  return Int32Array.from({ length: n * n }, (_, i) => (i % n) * n + Math.floor(i / n));
}

const anyStep: fc.Arbitrary<Step> = fc.record({
  op: fc.nat(9),
  first: fc.nat(60),
  second: fc.nat(60),
  detail: fc.nat(60),
});

/** A step that can be differentiated everywhere, on arrays that stay of moderate size. */
export function smoothFollower(g: GraphBuilder, a: NodeId, b: NodeId, detail: number): NodeId {
  const small = g.map("tanh", a);
  const fits = broadcastShapes(g.shapeOf(a), g.shapeOf(b)) !== undefined;
  const rank = g.shapeOf(a).length;
  switch (detail % 9) {
    case 0:
      return g.exp(small);
    case 1:
      return g.log(g.map("softplus", a));
    case 2:
      return fits ? g.mul(small, g.map("sigmoid", b)) : g.map("sin", a);
    case 3:
      return fits ? g.div(small, g.add(g.scalar(1.5), g.map("sin", b))) : g.map("cos", a);
    case 4:
      return fits ? g.map("pow", g.exp(small), b) : g.map("log1p", g.exp(small));
    case 5:
      return reduced(g, small, detail % 2 === 0 ? 5 * rank : 4 + 5 * rank);
    case 6:
      return moved(g, small, b, detail);
    case 7:
      return product(g, small, b) ?? g.sub(small, g.square(small));
    default:
      // The slope of a cumulative product divides by its factors: they must not be 0.
      return matrix(g, g.exp(small), detail) ?? g.map("lgamma", g.exp(small));
  }
}

/** Recipes of up to `most` steps. */
export const anyRecipe = (most: number): fc.Arbitrary<Step[]> =>
  fc.array(anyStep, { minLength: 1, maxLength: most });

/** Positions of the inputs. */
export const anyPosition: fc.Arbitrary<Float64Array> = fc.array(
  fc.double({ min: -3, max: 3, noNaN: true }),
  { minLength: inputSize, maxLength: inputSize },
).map((numbers) => Float64Array.from(numbers));
