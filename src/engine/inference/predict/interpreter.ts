/** Values of nodes, given values of the parameters and of the columns: plain, one draw at a time. */
import { evaluateInto } from "../../language/ir/evaluate.ts";
import { type Kernel, kernelOf } from "../../language/ir/kernels.ts";
import type { ArrayValue } from "../../language/ir/array_value.ts";
import type { GraphNode, NodeId } from "../../language/ir/node.ts";
import type { Distribution } from "../../language/ir/program.ts";
import { sizeOf } from "../../language/ir/shape.ts";

/** Values of nodes, given values of the parameters, one draw at a time. */
export interface NodeValues {
  /** Sets the value of a parameter `[sizeOf(shape)]`; one that is not needed is ignored. */
  setParameter(parameter: number, values: Float64Array): void;
  /** Computes everything that depends on parameters. */
  run(): void;
  /** The value of a node, as of the last run; overwritten by the next. */
  value(id: NodeId): ArrayValue;
  /** The value of a node that depends on no parameter. */
  fixed(id: NodeId): Float64Array | undefined;
}

/** Nodes that a distribution is made of, those of its components included. */
export function nodesOfDistribution(distribution: Distribution): NodeId[] {
  return [...distribution.args, ...(distribution.components ?? []).flatMap(nodesOfDistribution)];
}

/**
 * Evaluates the part of a graph that some nodes need. Nodes of data alone are computed once, the
 * rest on every `run`, after parameters were set.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { GraphBuilder } from "../../language/ir/builder.ts";
 * import { Interpreter } from "./interpreter.ts";
 * const g = new GraphBuilder();
 * const line = g.mul(g.parameter(0, []), g.column("x", [2]));
 * const columns = new Map([["x", Float64Array.of(1, 2)]]);
 * const interpreter = new Interpreter(g.nodes, columns, [line]);
 * interpreter.setParameter(0, Float64Array.of(3));
 * interpreter.run();
 * assert.deepEqual([...interpreter.value(line).values], [3, 6]);
 * ```
 */
export class Interpreter implements NodeValues {
  readonly #nodes: readonly GraphNode[];
  readonly #values: (ArrayValue | undefined)[];
  /** Kernels of the nodes to compute on every run, in order. */
  readonly #steps: Kernel[] = [];
  readonly #parameters = new Map<number, Float64Array[]>();
  readonly #varies: Uint8Array;

  /**
   * @param columns values by name, row-major, of every column that the needed nodes read.
   * @throws internal, if a column is missing.
   */
  constructor(
    nodes: readonly GraphNode[],
    columns: ReadonlyMap<string, Float64Array>,
    targets: readonly NodeId[],
  ) {
    this.#nodes = nodes;
    this.#values = new Array(nodes.length);
    const varies = this.#varies = new Uint8Array(nodes.length);
    for (const id of neededNodes(nodes, targets)) {
      const node = nodes[id];
      const out = node.kind === "column" ? columnOf(columns, node.column) : bufferOf(node);
      const value: ArrayValue = { shape: node.shape, values: out };
      this.#values[id] = value;
      if (node.kind === "column") continue;
      if (node.kind === "parameter") {
        varies[id] = 1;
        const known = this.#parameters.get(node.parameter) ?? [];
        this.#parameters.set(node.parameter, [...known, out]);
        continue;
      }
      const args = node.args.map((arg) => this.#values[arg]!);
      if (node.args.some((arg) => varies[arg] === 1)) {
        varies[id] = 1;
        this.#steps.push(kernelOf(node, args, out));
      } else if (node.kind !== "constant") evaluateInto(node, args, out);
    }
  }

  setParameter(parameter: number, values: Float64Array): void {
    for (const out of this.#parameters.get(parameter) ?? []) out.set(values);
  }

  run(): void {
    for (const compute of this.#steps) compute();
  }

  value(id: NodeId): ArrayValue {
    const value = this.#values[id];
    if (!value) throw new Error(`internal: node ${id} (${this.#nodes[id].kind}) was not asked for`);
    return value;
  }

  fixed(id: NodeId): Float64Array | undefined {
    return this.#varies[id] === 1 ? undefined : this.value(id).values;
  }
}

/** The targets and all that they are computed from, arguments first. */
export function neededNodes(nodes: readonly GraphNode[], targets: readonly NodeId[]): NodeId[] {
  const needed = new Uint8Array(nodes.length);
  for (const id of targets) needed[id] = 1;
  for (let id = nodes.length - 1; id >= 0; id--) {
    if (needed[id] === 1) { for (const arg of nodes[id].args) needed[arg] = 1; }
  }
  return Array.from({ length: nodes.length }, (_, id) => id).filter((id) => needed[id] === 1);
}

function bufferOf(node: GraphNode): Float64Array {
  return node.kind === "constant" ? node.values : new Float64Array(sizeOf(node.shape));
}

function columnOf(columns: ReadonlyMap<string, Float64Array>, name: string): Float64Array {
  const values = columns.get(name);
  if (!values) throw new Error(`internal: there is no column "${name}"`);
  return values;
}
