/** Values of nodes by generated code, given values of the parameters: the bits of the interpreter, for many draws. */
import { evaluateNode } from "../../language/ir/evaluate.ts";
import type { ArrayValue } from "../../language/ir/array_value.ts";
import type { GraphNode, NodeId } from "../../language/ir/node.ts";
import { sizeOf } from "../../language/ir/shape.ts";
import { compilePlan } from "./backend.ts";
import { type Evaluator, reachable } from "./evaluator.ts";

/**
 * Evaluates the part of a graph that some nodes need, as `Interpreter` does. Values of nodes lie in a memory that all
 * generated code shares: they are there until other code runs.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { GraphBuilder } from "../../language/ir/builder.ts";
 * import { CompiledNodes } from "./compiled_nodes.ts";
 * const g = new GraphBuilder();
 * const line = g.mul(g.parameter(0, []), g.column("x", [2]));
 * const columns = new Map([["x", Float64Array.of(1, 2)]]);
 * const compiled = new CompiledNodes(g.nodes, columns, [line]);
 * compiled.setParameter(0, Float64Array.of(3));
 * compiled.run();
 * assert.deepEqual([...compiled.value(line).values], [3, 6]);
 * ```
 */
export class CompiledNodes {
  readonly #evaluator: Evaluator;
  readonly #inputs: Float64Array;
  readonly #parts = new Map<number, { readonly offset: number; readonly size: number }>();
  /** Nodes that depend on no parameter. */
  readonly #fixed = new Map<NodeId, ArrayValue>();
  /** Places of the others among the roots. */
  readonly #roots = new Map<NodeId, number>();
  readonly #shapes: readonly (readonly number[])[];
  #values: Float64Array = new Float64Array(0);

  /** @param columns values by name, row-major, of every column that the needed nodes read. */
  constructor(
    nodes: readonly GraphNode[],
    columns: ReadonlyMap<string, Float64Array>,
    targets: readonly NodeId[],
  ) {
    this.#shapes = nodes.map(({ shape }) => shape);
    const own = [...nodes];
    for (const id of reachable(nodes, targets)) own[id] = this.#placed(nodes[id], id, columns);
    const roots = [...new Set(targets)].filter((id) => !this.#fixed.has(id));
    roots.forEach((id, k) => this.#roots.set(id, k));
    const inputSize = this.#sizeOfParts();
    this.#inputs = new Float64Array(inputSize);
    this.#evaluator = compilePlan({ nodes: own, inputSize, tasks: [roots] }, "wasm");
  }

  /** Parameters become inputs, and all that depends on none of them a constant. */
  #placed(node: GraphNode, id: NodeId, columns: ReadonlyMap<string, Float64Array>): GraphNode {
    const { shape } = node;
    if (node.kind === "parameter") {
      const fresh = { offset: this.#sizeOfParts(), size: sizeOf(shape) };
      const part = this.#parts.get(node.parameter) ?? fresh;
      this.#parts.set(node.parameter, part);
      return { kind: "input", args: [], shape, offset: part.offset };
    }
    const values = this.#dataOf(node, columns);
    if (!values) return node;
    this.#fixed.set(id, { shape, values });
    return { kind: "constant", args: [], shape, values };
  }

  #sizeOfParts(): number {
    return [...this.#parts.values()].reduce((sum, { size }) => sum + size, 0);
  }

  #dataOf(node: GraphNode, columns: ReadonlyMap<string, Float64Array>): Float64Array | undefined {
    if (node.kind === "constant") return node.values;
    if (node.kind === "column") return columns.get(node.column)!;
    if (node.args.some((arg) => !this.#fixed.has(arg))) return undefined;
    return evaluateNode(node, node.args.map((arg) => this.#fixed.get(arg)!));
  }

  setParameter(parameter: number, values: Float64Array): void {
    const part = this.#parts.get(parameter);
    if (part) this.#inputs.set(values, part.offset);
  }

  run(): void {
    this.#values = this.#evaluator.run(0, this.#inputs, 0);
  }

  value(id: NodeId): ArrayValue {
    const fixed = this.#fixed.get(id);
    if (fixed) return fixed;
    const from = this.#evaluator.places(0)[this.#roots.get(id)!];
    const shape = this.#shapes[id];
    return { shape, values: this.#values.subarray(from, from + sizeOf(shape)) };
  }

  fixed(id: NodeId): Float64Array | undefined {
    return this.#fixed.get(id)?.values;
  }
}
