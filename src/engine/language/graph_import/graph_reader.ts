/** Builds the nodes of an extracted graph in the engine's graph, each once. */
import type { Column, Dataset } from "../../../base/dataset.ts";
import type { GraphBuilder } from "../ir/builder.ts";
import type { NodeId, ReduceOp } from "../ir/node.ts";
import type { BinaryOp, MapOp, UnaryOp } from "../ir/operations.ts";
import { sameShape, type Shape } from "../ir/shape.ts";
import type { ExtractedNode } from "./extraction.ts";

/** Reads nodes on demand; undefined where a parameter could not be checked. */
export class GraphReader {
  readonly #known = new Map<number, NodeId | undefined>();
  readonly #columns: readonly Column[];

  constructor(
    private readonly nodes: readonly ExtractedNode[],
    private readonly graph: GraphBuilder,
    dataset: Dataset,
    private readonly parameter: (index: number) => NodeId | undefined,
  ) {
    this.#columns = dataset.columns.filter(({ role }) => role !== "response");
  }

  /** The engine's node for an extracted one. */
  node(index: number): NodeId | undefined {
    if (!this.#known.has(index)) this.#known.set(index, this.#make(this.nodes[index]));
    return this.#known.get(index);
  }

  #make(node: ExtractedNode): NodeId | undefined {
    if (node.op === "parameter") return this.parameter(node.parameter!);
    if (node.op === "constant") return this.#constant(node.values!, node.shape);
    const args: NodeId[] = [];
    for (const index of node.args) {
      const arg = this.node(index);
      if (arg === undefined) return undefined;
      args.push(arg);
    }
    return this.#operation(node, args);
  }

  /** Numbers that are those of a predictor are the predictor, as in the native language. */
  #constant(values: Float64Array, shape: Shape): NodeId {
    const same = shape.length > 0 &&
      this.#columns.find((column) =>
        sameShape(column.shape ?? [column.values.length], shape) &&
        column.values.every((value, i) => Object.is(value, values[i]))
      );
    if (same) return this.graph.column(same.name, shape);
    const node = this.graph.array(values, shape);
    this.graph.written.add(node);
    return node;
  }

  #operation(node: ExtractedNode, args: readonly NodeId[]): NodeId {
    const { graph: g } = this;
    const { op, shape } = node;
    switch (op) {
      case "gather":
        return this.#gather(args[0], node.index!, shape);
      case "reshape":
        return g.reshape(args[0], shape);
      case "join":
        return g.join(args, shape);
      case "sum":
      case "prod":
      case "max":
      case "min":
        return g.reduce(op as ReduceOp, args[0], node.axes);
      case "cumsum":
      case "cumprod":
        return g.scan(op, args[0], node.axis!);
      case "softmax":
      case "log_softmax":
        return this.#softmax(op, args[0], node.axis!);
      case "matmul":
        return g.matmul(args[0], args[1]);
      case "cholesky":
        return g.cholesky(args[0]);
      case "solve":
        return g.solve(args[0], args[1], node.transposed);
      default:
        return this.#map(op as MapOp, args);
    }
  }

  /** An index that is a column of codes stays the column, so that new rows can be predicted. */
  #gather(x: NodeId, index: Int32Array, shape: Shape): NodeId {
    const { graph: g } = this;
    const code = g.shapeOf(x).length === 1 && shape.length === 1
      ? this.#columns.find(({ values }) =>
        values.length === index.length && values.every((value, i) => value === index[i])
      )
      : undefined;
    const identity = index.every((at, i) => at === i);
    return code && !identity ? g.take(x, g.column(code.name, shape)) : g.gather(x, index, shape);
  }

  #softmax(op: string, x: NodeId, axis: number): NodeId {
    const { graph: g } = this;
    const kept = g.shapeOf(x).map((extent, i) => i === axis ? 1 : extent);
    const top = g.reshape(g.reduce("max", x, [axis]), kept);
    const shifted = g.sub(x, top);
    const total = g.reshape(g.sum(g.exp(shifted), [axis]), kept);
    return op === "softmax" ? g.div(g.exp(shifted), total) : g.sub(shifted, g.log(total));
  }

  /** PyTensor spells broadcasting out; the builder takes what it adds away again. */
  #map(op: MapOp, args: readonly NodeId[]): NodeId {
    if (args.length === 1) return this.graph.map(op as UnaryOp, args[0]);
    if (args.length === 2) return this.graph.map(op as BinaryOp, args[0], args[1]);
    return this.graph.map("where", args[0], args[1], args[2]);
  }
}
