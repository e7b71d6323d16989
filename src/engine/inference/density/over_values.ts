/** Expressions at all values of discrete variables at once: an axis of those values in front. */
import type { GraphBuilder } from "../../language/ir/builder.ts";
import type { GraphNode, NodeId } from "../../language/ir/node.ts";
import type { CheckedProgram } from "../../language/ir/program.ts";
import { type Shape, sizeOf } from "../../language/ir/shape.ts";

/** An argument: its node, the shape that it has for one value, and whether it has the axis. */
interface Argument {
  /** In the graph that is built. */
  readonly node: NodeId;
  /** Without the axis of values. */
  readonly shape: Shape;
  /** Whether that axis stands in front. */
  readonly varies: boolean;
}

/** Whether each node of a program depends on a discrete variable that is summed out. */
export function dependsOnDiscrete({ nodes, parameters }: CheckedProgram): boolean[] {
  const depends: boolean[] = [];
  for (const node of nodes) {
    const own = node.kind === "parameter" && parameters[node.parameter].transform.kind === "summed";
    depends.push(own || node.args.some((arg) => depends[arg]));
  }
  return depends;
}

/**
 * The values of every discrete variable in all combinations, by parameter: `[combinations, …shape]`
 * row-major; `undefined` for other parameters. Later elements change faster.
 */
export function discreteValues({ parameters }: CheckedProgram): {
  readonly combinations: number;
  readonly values: readonly (Float64Array | undefined)[];
} {
  const ranges = parameters.map(({ transform, shape }) =>
    transform.kind === "summed" ? { ...transform, size: sizeOf(shape) } : undefined
  );
  const combinations = ranges.reduce(
    (all, range) => range ? all * range.count ** range.size : all,
    1,
  );
  let block = combinations;
  const values = ranges.map((range) => {
    if (!range) return undefined;
    const out = new Float64Array(combinations * range.size);
    for (let i = 0; i < range.size; i++) {
      block /= range.count;
      for (let k = 0; k < combinations; k++) {
        out[k * range.size + i] = range.lower + Math.floor(k / block) % range.count;
      }
    }
    return out;
  });
  return { combinations, values };
}

/** A node of a program, some of whose arguments have the axis of `count` values, with that axis. */
export function overValues(
  g: GraphBuilder,
  count: number,
  node: GraphNode,
  args: readonly Argument[],
): NodeId {
  const shape = [count, ...node.shape];
  const [first] = args;
  switch (node.kind) {
    case "map": {
      const aligned = args.map((arg) => alignedTo(g, arg, node.shape.length)) as [NodeId];
      return g.broadcast(g.map(node.op as "neg", ...aligned), shape);
    }
    case "reduce":
      return g.reduce(node.op, first.node, node.axes.map((axis) => axis + 1));
    case "scan":
      return g.scan(node.op, first.node, node.axis + 1);
    case "reshape":
      return g.reshape(first.node, shape);
    case "gather": {
      const size = sizeOf(first.shape);
      return g.gather(first.node, repeated(node.index, count, size), shape);
    }
    case "take":
      return taken(g, count, shape, args);
    case "join":
      return g.reshape(joined(g, count, args), shape);
    case "matmul":
      return product(g, count, args);
    default:
      throw new Error(`internal: a ${node.kind} of a discrete variable`);
  }
}

/** The argument with as many axes behind that of the values as the result has. */
export function alignedTo(
  g: GraphBuilder,
  { node, shape, varies }: Argument,
  rank: number,
): NodeId {
  if (!varies || shape.length >= rank) return node;
  const [count] = g.shapeOf(node);
  return g.reshape(node, [count, ...new Array<number>(rank - shape.length).fill(1), ...shape]);
}

/** Indices into each of `count` arrays of a size, one after another. */
function repeated(index: Int32Array, count: number, size: number): Int32Array {
  const out = new Int32Array(count * index.length);
  for (let k = 0; k < count; k++) {
    for (let i = 0; i < index.length; i++) {
      out[k * index.length + i] = index[i] < 0 ? -1 : k * size + index[i];
    }
  }
  return out;
}

function taken(
  g: GraphBuilder,
  count: number,
  shape: Shape,
  [x, index]: readonly Argument[],
): NodeId {
  if (!x.varies) return g.take(x.node, index.node);
  const starts = Float64Array.from({ length: count }, (_, k) => k * sizeOf(x.shape));
  const from = g.array(starts, [count, ...index.shape.map(() => 1)]);
  return g.take(x.node, g.broadcast(g.add(index.node, from), shape));
}

/** `[count, n, m]` from `[n, k] × [k, m]`, one or both for each value. */
function product(g: GraphBuilder, count: number, [a, b]: readonly Argument[]): NodeId {
  const [n, k] = a.shape;
  const m = b.shape[1];
  if (a.varies && b.varies) {
    const terms = g.mul(g.reshape(a.node, [count, n, k, 1]), g.reshape(b.node, [count, 1, k, m]));
    return g.sum(terms, [2]);
  }
  if (a.varies) {
    return g.reshape(g.matmul(g.reshape(a.node, [count * n, k]), b.node), [count, n, m]);
  }
  // Right factors side by side: one product gives all.
  const sideBySide = g.gather(b.node, swapped(count, k, m), [k, count * m]);
  return g.gather(g.matmul(a.node, sideBySide), swapped(n, count, m), [count, n, m]);
}

/** Where `[b, a, m]` finds its elements in `[a, b, m]`. */
function swapped(a: number, b: number, m: number): Int32Array {
  const index = new Int32Array(a * b * m);
  for (let at = 0; at < index.length; at++) {
    const [j, i] = [Math.floor(at / (a * m)), Math.floor(at / m) % a];
    index[at] = (i * b + j) * m + at % m;
  }
  return index;
}

/** Flat elements of all arguments one after another, for each value. */
function joined(g: GraphBuilder, count: number, args: readonly Argument[]): NodeId {
  const sizes = args.map(({ shape }) => sizeOf(shape));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const index = new Int32Array(count * total);
  let [start, at] = [0, 0];
  args.forEach(({ varies }, a) => {
    for (let k = 0; k < count; k++) {
      const from = varies ? start + k * sizes[a] : start;
      for (let i = 0; i < sizes[a]; i++) index[k * total + at + i] = from + i;
    }
    start += varies ? count * sizes[a] : sizes[a];
    at += sizes[a];
  });
  return g.gather(g.join(args.map(({ node }) => node)), index, [count, total]);
}
