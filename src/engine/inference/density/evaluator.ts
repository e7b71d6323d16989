/** Interface of both back ends: tasks over one graph, run at positions. */
import type { GraphNode, NodeId } from "../../language/ir/node.ts";

/** A piece of the unconstrained vector. */
export interface VectorPart {
  /** Where it begins. */
  readonly offset: number;
  /** How many numbers it has. */
  readonly size: number;
}

/** A graph, and lists of nodes that are wanted together. */
export interface EvaluationPlan {
  readonly nodes: readonly GraphNode[];
  /** Length of what `run` reads: the unconstrained vector, and further inputs behind it. */
  readonly inputSize: number;
  /** By task, the nodes whose values it gives. */
  readonly tasks: readonly (readonly NodeId[])[];
  /** The vector's parts, if the first task is a log density and its slopes, part by part. */
  readonly parts?: readonly VectorPart[];
}

/** Runs tasks. */
export interface Evaluator {
  /**
   * Computes the nodes of a task at `position[offset … offset + inputSize)`. Their elements lie in
   * the result from `places(task)[k]` on, until the next run of any evaluator.
   */
  run(task: number, position: Float64Array, offset: number): Float64Array;
  /** Where the k-th node of a task begins in its result. */
  places(task: number): Int32Array;
  /** The first task for other code on the same memory, if that is what it is. */
  readonly generated?: GeneratedGradient;
}

/** A log density with its gradient as a function in the memory that generated code shares. */
export interface GeneratedGradient {
  /** (address of the position, address for the gradient) → log density. */
  readonly gradient: (position: number, gradient: number) => number;
  /** Moves into the memory; returns whether someone else was there meanwhile. */
  enter(): boolean;
  /** Writes all inputs, also those that follow the position; after `enter`. */
  write(inputs: Float64Array): void;
}

/** The nodes that the roots need, in ascending order. */
export function reachable(nodes: readonly GraphNode[], roots: readonly NodeId[]): NodeId[] {
  const needed = new Uint8Array(nodes.length);
  let last = -1;
  for (const root of roots) {
    needed[root] = 1;
    if (root > last) last = root;
  }
  const found: NodeId[] = [];
  for (let id = last; id >= 0; id--) {
    if (needed[id] === 0) continue;
    found.push(id);
    for (const arg of nodes[id].args) needed[arg] = 1;
  }
  return found.reverse();
}
