/** The plain back end: every node one kernel over buffers, in the order of the graph. */
import type { ArrayValue } from "../../language/ir/array_value.ts";
import type { GraphNode, NodeId } from "../../language/ir/node.ts";
import { sizeOf } from "../../language/ir/shape.ts";
import { type EvaluationPlan, type Evaluator, reachable } from "./evaluator.ts";
import { type Kernel, kernelOf } from "../../language/ir/kernels.ts";

/** Compiles a plan to kernels; the reference for the bits of every other back end. */
export function plainEvaluator(plan: EvaluationPlan): Evaluator {
  return new PlainEvaluator(plan);
}

interface Task {
  readonly inputs: readonly { readonly offset: number; readonly values: Float64Array }[];
  readonly steps: readonly Kernel[];
  readonly out: Float64Array;
  readonly places: Int32Array;
  readonly roots: readonly Float64Array[];
}

class PlainEvaluator implements Evaluator {
  readonly #values = new Map<NodeId, Float64Array>();
  readonly #tasks: (Task | undefined)[];

  constructor(readonly plan: EvaluationPlan) {
    this.#tasks = plan.tasks.map(() => undefined);
  }

  run(task: number, position: Float64Array, offset: number): Float64Array {
    const { inputs, steps, out, places, roots } = this.#task(task);
    for (const input of inputs) {
      const { values } = input;
      const begin = offset + input.offset;
      for (let i = 0; i < values.length; i++) values[i] = position[begin + i];
    }
    for (const step of steps) step();
    roots.forEach((values, k) => out.set(values, places[k]));
    return out;
  }

  places(task: number): Int32Array {
    return this.#task(task).places;
  }

  #task(index: number): Task {
    return this.#tasks[index] ??= this.#prepare(this.plan.tasks[index]);
  }

  #prepare(ids: readonly NodeId[]): Task {
    const { nodes } = this.plan;
    const order = reachable(nodes, ids);
    const inputs = order.flatMap((id) => {
      const node = nodes[id];
      return node.kind === "input" ? [{ offset: node.offset, values: this.#valuesOf(id) }] : [];
    });
    const steps = order.flatMap((id) => {
      const node = nodes[id];
      const leaf = node.kind === "constant" || node.kind === "input";
      return leaf ? [] : [this.#step(node, this.#valuesOf(id))];
    });
    const roots = ids.map((id) => this.#valuesOf(id));
    const places = new Int32Array(ids.length);
    let total = 0;
    roots.forEach(({ length }, k) => {
      places[k] = total;
      total += length;
    });
    return { inputs, steps, out: new Float64Array(total), places, roots };
  }

  #valuesOf(id: NodeId): Float64Array {
    const known = this.#values.get(id);
    if (known) return known;
    const node = this.plan.nodes[id];
    const values = node.kind === "constant" ? node.values : new Float64Array(sizeOf(node.shape));
    this.#values.set(id, values);
    return values;
  }

  #step(node: GraphNode, out: Float64Array): Kernel {
    const args = node.args.map((id): ArrayValue => ({
      shape: this.plan.nodes[id].shape,
      values: this.#valuesOf(id),
    }));
    return kernelOf(node, args, out);
  }
}
