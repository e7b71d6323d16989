/** The plain back end: every node one kernel over buffers, in the order of the graph. */
import { type ArrayValue, evaluateInto } from "../graph/evaluate.ts";
import type { GraphNode, MapNode, NodeId } from "../graph/node.ts";
import { applyBinary, applyTernary, applyUnary } from "../graph/operations.ts";
import { broadcastIndex, sameShape, type Shape, sizeOf } from "../graph/shape.ts";
import { type EvaluationPlan, type Evaluator, reachable } from "./evaluator.ts";

/** Compiles a plan to kernels; the reference for the bits of every other back end. */
export function plainEvaluator(plan: EvaluationPlan): Evaluator {
  return new PlainEvaluator(plan);
}

interface Task {
  readonly inputs: readonly { readonly offset: number; readonly values: Float64Array }[];
  readonly steps: readonly (() => void)[];
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

  #step(node: GraphNode, out: Float64Array): () => void {
    const args = node.args.map((id): ArrayValue => ({
      shape: this.plan.nodes[id].shape,
      values: this.#valuesOf(id),
    }));
    return node.kind === "map" ? mapKernel(node, args, out) : () => evaluateInto(node, args, out);
  }
}

/** An operand of an elementwise kernel: element i of the result reads `values[at(i)]`. */
interface Operand {
  readonly values: Float64Array;
  /** 1: its own element; 0: always the first. */
  readonly stride: 0 | 1;
}

function mapKernel(node: MapNode, args: readonly ArrayValue[], out: Float64Array): () => void {
  const spread = args.map((arg) => spreadOperand(arg, node.shape));
  const [a, b, c] = spread.map(({ operand }) => operand);
  const kernel = kernelOf(node, out, a, b, c);
  const moves = spread.flatMap(({ move }) => move ?? []);
  if (moves.length === 0) return kernel;
  return () => {
    for (const move of moves) move();
    kernel();
  };
}

/** Arrays that are broadcast along some axes are first copied out. */
function spreadOperand(
  { shape, values }: ArrayValue,
  to: Shape,
): { readonly operand: Operand; readonly move?: () => void } {
  if (values.length === 1) return { operand: { values, stride: 0 } };
  if (sameShape(shape, to) || values.length === sizeOf(to)) {
    return { operand: { values, stride: 1 } };
  }
  const index = broadcastIndex(shape, to);
  const copy = new Float64Array(index.length);
  const move = () => {
    for (let i = 0; i < index.length; i++) copy[i] = values[index[i]];
  };
  return { operand: { values: copy, stride: 1 }, move };
}

function kernelOf(
  { op, args }: MapNode,
  out: Float64Array,
  a: Operand,
  b: Operand,
  c: Operand,
): () => void {
  if (args.length === 1) return unaryKernel(applyUnary[op as keyof typeof applyUnary], out, a);
  if (args.length === 2) {
    return binaryKernels[op]?.(out, a, b) ??
      binaryKernel(applyBinary[op as keyof typeof applyBinary], out, a, b);
  }
  return ternaryKernel(applyTernary[op as keyof typeof applyTernary], out, a, b, c);
}

function unaryKernel(f: (x: number) => number, out: Float64Array, a: Operand): () => void {
  return () => {
    for (let i = 0; i < out.length; i++) out[i] = f(a.values[i * a.stride]);
  };
}

function binaryKernel(
  f: (x: number, y: number) => number,
  out: Float64Array,
  a: Operand,
  b: Operand,
): () => void {
  return () => {
    for (let i = 0; i < out.length; i++) {
      out[i] = f(a.values[i * a.stride], b.values[i * b.stride]);
    }
  };
}

function ternaryKernel(
  f: (x: number, y: number, z: number) => number,
  out: Float64Array,
  a: Operand,
  b: Operand,
  c: Operand,
): () => void {
  return () => {
    for (let i = 0; i < out.length; i++) {
      out[i] = f(a.values[i * a.stride], b.values[i * b.stride], c.values[i * c.stride]);
    }
  };
}

type BinaryKernel = (out: Float64Array, a: Operand, b: Operand) => () => void;

/** Arithmetic, without a call for each element. */
const binaryKernels: Readonly<Record<string, BinaryKernel | undefined>> = {
  add: (out, { values: x, stride: s }, { values: y, stride: t }) => () => {
    for (let i = 0; i < out.length; i++) out[i] = x[i * s] + y[i * t];
  },
  sub: (out, { values: x, stride: s }, { values: y, stride: t }) => () => {
    for (let i = 0; i < out.length; i++) out[i] = x[i * s] - y[i * t];
  },
  mul: (out, { values: x, stride: s }, { values: y, stride: t }) => () => {
    for (let i = 0; i < out.length; i++) out[i] = x[i * s] * y[i * t];
  },
  div: (out, { values: x, stride: s }, { values: y, stride: t }) => () => {
    for (let i = 0; i < out.length; i++) out[i] = x[i * s] / y[i * t];
  },
};
