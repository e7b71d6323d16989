/** Values of expressions over data alone: what NumPy would compute before the model exists. */
import type { Dataset } from "../base/dataset.ts";
import type { GraphNode, NodeId } from "./graph.ts";
import { binaryFunctions, type GraphBuilder, unaryFunctions } from "./graph_builder.ts";

/** Statistics of a column that become constants; `std` and `var` divide by n, as NumPy does. */
export const statistics: Readonly<Record<string, (values: Float64Array) => number>> = {
  mean,
  sum,
  min: (values) => values.reduce((a, b) => (b < a ? b : a), Infinity),
  max: (values) => values.reduce((a, b) => (b > a ? b : a), -Infinity),
  var: variance,
  std: (values) => Math.sqrt(variance(values)),
};

function sum(values: Float64Array): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

function mean(values: Float64Array): number {
  return sum(values) / values.length;
}

function variance(values: Float64Array): number {
  const centre = mean(values);
  let total = 0;
  for (const value of values) total += (value - centre) * (value - centre);
  return total / values.length;
}

/** Evaluates nodes that depend on no parameter; each node once. */
export class HostValues {
  private readonly known = new Map<NodeId, Float64Array | undefined>();

  constructor(private readonly graph: GraphBuilder, private readonly dataset: Dataset) {}

  /** `[rows]`, or `[1]` for a scalar; undefined where a parameter is involved. */
  of(node: NodeId): Float64Array | undefined {
    if (!this.known.has(node)) this.known.set(node, this.evaluate(this.graph.nodes[node]));
    return this.known.get(node);
  }

  private evaluate(node: GraphNode): Float64Array | undefined {
    switch (node.kind) {
      case "constant":
        return Float64Array.of(node.value);
      case "column":
        return this.dataset.columns.find(({ name }) => name === node.column)?.values;
      case "parameter":
        return undefined;
      case "unary":
        return this.of(node.argument)?.map(unaryFunctions[node.op]);
      case "binary": {
        const [a, b] = [this.of(node.left), this.of(node.right)];
        return a && b && combine(binaryFunctions[node.op], a, b);
      }
    }
  }
}

function combine(
  f: (x: number, y: number) => number,
  a: Float64Array,
  b: Float64Array,
): Float64Array {
  if (b.length === 1) return a.map((x) => f(x, b[0]));
  if (a.length === 1) return b.map((y) => f(a[0], y));
  return a.map((x, i) => f(x, b[i]));
}
