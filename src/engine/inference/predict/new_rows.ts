/** A program's graph for other rows than those it was checked against. */
import { evaluateNode } from "../../language/ir/evaluate.ts";
import type { ArrayValue } from "../../language/ir/array_value.ts";
import type { GatherNode, GraphNode, NodeId } from "../../language/ir/node.ts";
import type { CheckedProgram, Distribution } from "../../language/ir/program.ts";
import {
  broadcastIndex,
  broadcastShapes,
  type Shape,
  sizeOf,
  stridesOf,
} from "../../language/ir/shape.ts";
import { inputError } from "../../../base/diagnostic.ts";
import { families } from "../../language/distributions/table.ts";
import { neededNodes, nodesOfDistribution } from "./interpreter.ts";

/** A graph whose row axis has another length. */
export interface GraphForRows {
  /** As many nodes as the program has, those that are not needed as they were. */
  readonly nodes: readonly GraphNode[];
  /** The distribution of the response at the new rows. */
  readonly distribution: Distribution;
}

/** A node at the new rows. */
interface Reshaped {
  readonly node: GraphNode;
  /** Which axis goes over rows, if one does. */
  readonly axis?: number;
}

/**
 * Rewrites the nodes that the distribution of the response needs, so that its row axis has `rows`
 * entries instead of those of the data. Values computed from data alone without a row axis, such as
 * the mean by which a predictor was centred, stay: predictions at new rows are those of the program
 * as it was fitted. `latent` is the parameter with one element per row; it grows with them.
 *
 * @throws InputError, if the program ties something to the rows of the data.
 */
export function graphForRows(
  program: CheckedProgram,
  columns: ReadonlyMap<string, Float64Array>,
  oldRows: number,
  rows: number,
  latent?: number,
): GraphForRows {
  const { column } = program.likelihood;
  const lagged = program.likelihood.from !== undefined ||
    program.nodes.some((node) => node.kind === "column" && node.column === column);
  if (lagged) refuse(`earlier rows of "${column}" predict later ones`);
  const rewriter = new Rewriter(program, columns, oldRows, rows, latent);
  const { distribution } = program.likelihood;
  const nodes = rewriter.rewrite(nodesOfDistribution(distribution));
  return { nodes, distribution: rewriter.distribution(distribution) };
}

class Rewriter {
  readonly #nodes: readonly GraphNode[];
  readonly #done = new Map<NodeId, Reshaped>();
  readonly #data = new Map<NodeId, ArrayValue>();

  constructor(
    readonly program: CheckedProgram,
    readonly columns: ReadonlyMap<string, Float64Array>,
    readonly oldRows: number,
    readonly rows: number,
    readonly latent: number | undefined,
  ) {
    this.#nodes = program.nodes;
  }

  rewrite(targets: readonly NodeId[]): readonly GraphNode[] {
    const nodes = [...this.#nodes];
    for (const id of neededNodes(this.#nodes, targets)) {
      this.#rememberData(id);
      const reshaped = this.#reshape(id, this.#nodes[id]);
      this.#done.set(id, reshaped);
      nodes[id] = reshaped.node;
    }
    return nodes;
  }

  /** A distribution whose rows are the new ones, and its components likewise. */
  distribution(distribution: Distribution): Distribution {
    const shape = distribution.shape.map((extent, i) => i === 0 ? this.rows : extent);
    if (distribution.shape[0] !== this.oldRows) {
      refuse("the response does not have one value per row");
    }
    const { eventRank, parameterRanks } = families[distribution.family];
    for (const [k, id] of distribution.args.entries()) {
      const own = this.#nodes[id].shape;
      const rank = eventRank === 0 ? parameterRanks[k] : 0; // cutpoints are no rows
      const tied = own.length - rank === distribution.shape.length && own[0] !== 1;
      if (tied && this.#axisOf(id) === undefined) refuse(numberPerRow);
    }
    const components = distribution.components?.map((one) =>
      one.shape[0] === this.oldRows && one.shape.length === distribution.shape.length
        ? this.distribution(one)
        : one
    );
    return { ...distribution, shape, ...(components ? { components } : {}) };
  }

  /** Keeps the values of nodes that depend on data alone. */
  #rememberData(id: NodeId): void {
    const node = this.#nodes[id];
    if (node.kind === "parameter" || node.kind === "input") return;
    if (node.kind === "constant") {
      this.#data.set(id, { shape: node.shape, values: node.values });
      return;
    }
    if (node.kind === "column") {
      const values = this.columns.get(node.column);
      if (values) this.#data.set(id, { shape: node.shape, values });
      return;
    }
    const args = node.args.map((arg) => this.#data.get(arg));
    if (args.some((arg) => arg === undefined)) return;
    const values = evaluateNode(node, args as ArrayValue[]);
    this.#data.set(id, { shape: node.shape, values });
  }

  #reshape(id: NodeId, node: GraphNode): Reshaped {
    if (node.kind === "column") {
      const hasRows = node.shape[0] === this.oldRows && node.shape.length > 0;
      return hasRows ? { node: this.#withRows(node, 0), axis: 0 } : this.#kept(id, node);
    }
    if (node.kind === "parameter") {
      const grows = node.parameter === this.latent;
      return grows ? { node: this.#withRows(node, 0), axis: 0 } : { node };
    }
    if (node.args.every((arg) => this.#axisOf(arg) === undefined)) {
      return this.#spreadOverRows(node) ?? this.#kept(id, node);
    }
    return this.#withRowAxis(id, node);
  }

  /**
   * A node without a row axis: a constant with its value if data alone decide it. One number for every
   * row, such as `np.zeros(len(data))`, is that number for the new rows.
   */
  #kept(id: NodeId, node: GraphNode): Reshaped {
    const value = this.#data.get(id);
    if (value && this.#isSameInEachRow(value)) {
      const values = new Float64Array(this.rows).fill(value.values[0]);
      return { node: { kind: "constant", args: [], shape: [this.rows], values }, axis: 0 };
    }
    if (!value || node.kind === "constant") return { node };
    return { node: { kind: "constant", args: [], shape: value.shape, values: value.values } };
  }

  #isSameInEachRow({ shape, values }: ArrayValue): boolean {
    const [first] = values;
    return this.oldRows > 1 && shape.length === 1 && shape[0] === this.oldRows &&
      values.every((one) => one === first);
  }

  /** A broadcast of something without rows to one copy per row. */
  #spreadOverRows(node: GraphNode): Reshaped | undefined {
    if (node.kind !== "gather" || node.shape[0] !== this.oldRows) return undefined;
    const from = this.#done.get(node.args[0])!.node.shape;
    const known = broadcastShapes(from, node.shape);
    if (!known || sizeOf(known) !== sizeOf(node.shape) || from.length >= node.shape.length) {
      return undefined;
    }
    const whole = broadcastIndex(from, node.shape);
    if (!node.index.every((at, i) => at === whole[i])) return undefined;
    const shape = this.#rowShape(node.shape, 0);
    return { node: { ...node, shape, index: broadcastIndex(from, shape) }, axis: 0 };
  }

  #withRowAxis(id: NodeId, node: GraphNode): Reshaped {
    switch (node.kind) {
      case "map":
        return this.#map(node);
      case "reduce":
        return this.#reduce(id, node);
      case "scan":
        if (node.axis === this.#axisOf(node.args[0])) refuse("it accumulates over the rows");
        return this.#sameAxis(node, node.args[0]);
      case "reshape":
        return this.#reshaped(node);
      case "gather":
        return this.#gather(node);
      case "take":
        if (this.#axisOf(node.args[0]) !== undefined) refuse("it indexes by row");
        return this.#sameAxis(node, node.args[1]);
      case "matmul":
        if (this.#axisOf(node.args[0]) !== 0 || this.#axisOf(node.args[1]) !== undefined) {
          refuse("it multiplies over the rows");
        }
        return this.#sameAxis(node, node.args[0]);
      case "join":
        return this.#join(node);
      default:
        return refuse(`it has a ${node.kind} over the rows`);
    }
  }

  #map(node: GraphNode): Reshaped {
    let axis: number | undefined;
    for (const arg of node.args) {
      const own = this.#axisOf(arg);
      if (own === undefined) continue;
      const seen = node.shape.length - this.#nodes[arg].shape.length + own;
      if (axis !== undefined && axis !== seen) refuse("two of its axes go over rows");
      axis = seen;
    }
    for (const arg of node.args) {
      const { shape } = this.#nodes[arg];
      const at = axis! - (node.shape.length - shape.length);
      if (this.#axisOf(arg) === undefined && at >= 0 && shape[at] !== 1) {
        refuse(numberPerRow);
      }
    }
    return { node: this.#withRows(node, axis!), axis };
  }

  #reduce(id: NodeId, node: Extract<GraphNode, { kind: "reduce" }>): Reshaped {
    const axis = this.#axisOf(node.args[0])!;
    if (node.axes.includes(axis)) {
      if (!this.#data.has(id)) refuse("it sums over the rows");
      return this.#kept(id, node);
    }
    const left = axis - node.axes.filter((other) => other < axis).length;
    return { node: this.#withRows(node, left), axis: left };
  }

  #reshaped(node: GraphNode): Reshaped {
    const from = this.#nodes[node.args[0]].shape;
    const axis = this.#axisOf(node.args[0])!;
    const before = sizeOf(from.slice(0, axis));
    for (let i = 0; i < node.shape.length; i++) {
      const fits = node.shape[i] === this.oldRows && sizeOf(node.shape.slice(0, i)) === before;
      if (fits) return { node: this.#withRows(node, i), axis: i };
    }
    return refuse("it joins the rows with another axis");
  }

  /** Picks the same elements of every row, or turns axes around. */
  #gather(node: GatherNode): Reshaped {
    const [arg] = node.args;
    const from = this.#nodes[arg].shape;
    const axis = this.#axisOf(arg)!;
    for (let to = 0; to < node.shape.length; to++) {
      if (node.shape[to] !== this.oldRows) continue;
      const index = this.#regathered(node, from, axis, to);
      if (index) {
        return { node: { ...node, index, shape: this.#rowShape(node.shape, to) }, axis: to };
      }
    }
    return refuse("it picks rows of the data");
  }

  /** The index at the new rows, if row i of the result reads row i of the argument alone. */
  #regathered(
    node: GatherNode,
    from: Shape,
    axis: number,
    to: number,
  ): Int32Array | undefined {
    const fromStrides = stridesOf(from);
    const toStrides = stridesOf(node.shape);
    const shape = this.#rowShape(node.shape, to);
    const newFrom = stridesOf(this.#rowShape(from, axis));
    const newTo = stridesOf(shape);
    const out = new Int32Array(sizeOf(shape));
    for (let flat = 0; flat < node.index.length; flat++) {
      const row = Math.floor(flat / toStrides[to]) % this.oldRows;
      const source = node.index[flat];
      if (source < 0 || Math.floor(source / fromStrides[axis]) % this.oldRows !== row) {
        return undefined;
      }
      const first = source - row * fromStrides[axis];
      if (node.index[flat - row * toStrides[to]] !== first) return undefined;
      if (row > 0) continue;
      const target = moved(flat, toStrides, newTo, node.shape);
      const origin = moved(first, fromStrides, newFrom, from);
      for (let i = 0; i < this.rows; i++) out[target + i * newTo[to]] = origin + i * newFrom[axis];
    }
    return out;
  }

  /** Vectors over rows, stacked: `[k, rows]` or `[k · rows]` split later. */
  #join(node: GraphNode): Reshaped {
    const vectors = node.args.every((arg) =>
      this.#axisOf(arg) === 0 && this.#nodes[arg].shape.length === 1
    );
    const stacked = node.shape.length === 2 && node.shape[0] === node.args.length;
    if (!vectors || !stacked) refuse("it joins rows end to end");
    return { node: this.#withRows(node, 1), axis: 1 };
  }

  #sameAxis(node: GraphNode, arg: NodeId): Reshaped {
    const axis = this.#axisOf(arg)!;
    return { node: this.#withRows(node, axis), axis };
  }

  #axisOf(id: NodeId): number | undefined {
    return this.#done.get(id)!.axis;
  }

  #withRows(node: GraphNode, axis: number): GraphNode {
    return { ...node, shape: this.#rowShape(node.shape, axis) };
  }

  #rowShape(shape: Shape, axis: number): Shape {
    return shape.map((extent, i) => (i === axis ? this.rows : extent));
  }
}

const numberPerRow = "it has a number or a parameter for each row of the data";

/** A flat index under other strides. */
function moved(
  flat: number,
  strides: readonly number[],
  to: readonly number[],
  shape: Shape,
): number {
  let sum = 0;
  for (let i = 0; i < shape.length; i++) sum += (Math.floor(flat / strides[i]) % shape[i]) * to[i];
  return sum;
}

function refuse(why: string): never {
  throw inputError(
    "predict/rows",
    `Cannot predict at new rows: the program is tied to the rows of its data, for ${why}`,
    undefined,
    "write it with columns of the data and one number per parameter or group",
  );
}
