/** Builds the nodes of an extracted graph in the engine's graph, each once. */
import type { Column, Dataset } from "../base/dataset.ts";
import type { GraphBuilder } from "../graph/builder.ts";
import type { NodeId, ReduceOp } from "../graph/node.ts";
import type { BinaryOp, MapOp, UnaryOp } from "../graph/operations.ts";
import { broadcastShapes, sameShape, type Shape } from "../graph/shape.ts";
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
    const same = this.#columns.find((column) =>
      sameShape(column.shape ?? [column.values.length], shape) &&
      column.values.every((value, i) => Object.is(value, values[i]))
    );
    return same ? this.graph.column(same.name, shape) : this.graph.array(values, shape);
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
        return this.#map(op as MapOp, args, shape);
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

  /** PyTensor spells broadcasting out; the engine's maps broadcast by themselves. */
  #map(op: MapOp, args: readonly NodeId[], shape: Shape): NodeId {
    const plain = args.map((arg) => this.#withoutLeadingOnes(arg));
    const joint = broadcastShapes(...plain.map((arg) => this.graph.shapeOf(arg)));
    const chosen = joint && sameShape(joint, shape) ? plain : args;
    if (chosen.length === 1) return this.graph.map(op as UnaryOp, chosen[0]);
    if (chosen.length === 2) return this.graph.map(op as BinaryOp, chosen[0], chosen[1]);
    return this.graph.map("where", chosen[0], chosen[1], chosen[2]);
  }

  #withoutLeadingOnes(x: NodeId): NodeId {
    const node = this.graph.nodes[x];
    if (node.kind !== "reshape") {
      if (node.kind !== "constant" || node.shape.length === 0) return x;
      const first = node.shape.findIndex((extent) => extent !== 1);
      return first === 0 ? x : this.graph.reshape(x, first < 0 ? [] : node.shape.slice(first));
    }
    const inner = this.graph.shapeOf(node.args[0]);
    const added = node.shape.length - inner.length;
    const leading = added >= 0 && node.shape.slice(0, added).every((extent) => extent === 1) &&
      sameShape(node.shape.slice(added), inner);
    return leading ? node.args[0] : x;
  }
}
