/** The tree of all prefixes of the enumerated objects, with mass pushed up from the leaves. */
import { exp, logAddExp } from "../../numerics/math/mod.ts";
import type { Actions, Environment } from "./environment.ts";

/**
 * Nodes are numbered so that a parent comes before its children; node 0 is the initial state.
 * Every object is a leaf, reached by its exit action.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { exp, log } from "../../numerics/math/elementary.ts";
 * import { PrefixTree } from "./prefix_tree.ts";
 * const tree = new PrefixTree([[1, 0], [2, 0], [2, 1, 0]]);
 * const mass = tree.logMass([0.5, 0.25, 0.25].map(log));
 * assert.ok(Math.abs(exp(mass[tree.find([2])!]) - 0.5) < 1e-15);
 * ```
 */
export class PrefixTree {
  readonly #parents: number[] = [-1];
  readonly #actions: number[] = [-1];
  readonly #children: Map<number, number>[] = [new Map()];
  /** The leaf of each object. */
  readonly leaves: Int32Array;

  /** Makes the tree of all prefixes of `objects`, which are sequences of actions, exit included. */
  constructor(objects: readonly Actions[]) {
    this.leaves = Int32Array.from(objects, (actions) => this.#insert(actions));
  }

  #insert(actions: Actions): number {
    let node = 0;
    for (const action of actions) {
      let child = this.#children[node].get(action);
      if (child === undefined) {
        child = this.#parents.push(node) - 1;
        this.#actions.push(action);
        this.#children.push(new Map());
        this.#children[node].set(action, child);
      }
      node = child;
    }
    return node;
  }

  /** Number of nodes. */
  get size(): number {
    return this.#parents.length;
  }

  /** The node after `actions`, or undefined if no object begins so. */
  find(actions: Actions): number | undefined {
    let node: number | undefined = 0;
    for (const action of actions) {
      node = this.#children[node].get(action);
      if (node === undefined) return undefined;
    }
    return node;
  }

  /** The actions that lead to a node. */
  prefix(node: number): number[] {
    const actions: number[] = [];
    for (let n = node; n > 0; n = this.#parents[n]) actions.unshift(this.#actions[n]);
    return actions;
  }

  /** `[nodes]`: log of the sum of e^value over the objects below each node. */
  logMass(logValues: ArrayLike<number>): Float64Array {
    const mass = new Float64Array(this.size).fill(-Infinity);
    this.leaves.forEach((leaf, x) => mass[leaf] = logValues[x]);
    for (let node = this.size - 1; node > 0; node--) {
      const parent = this.#parents[node];
      mass[parent] = logAddExp(mass[parent], mass[node]);
    }
    return mass;
  }

  /**
   * Splits KL(p‖q) = Σ p log (p / q) over the states by the chain rule: a state's share is the
   * mass with which p visits it times the divergence of the two choices there. The shares and
   * −log Σq sum to the whole.
   *
   * @returns `[nodes]`; 0 at leaves.
   */
  attribute(logP: ArrayLike<number>, logQ: ArrayLike<number>): Float64Array {
    const [p, q] = [this.logMass(logP), this.logMass(logQ)];
    const shares = new Float64Array(this.size);
    for (let node = 1; node < this.size; node++) {
      const parent = this.#parents[node];
      const mass = exp(p[node]);
      if (mass === 0) continue;
      shares[parent] += mass * (p[node] - p[parent] - (q[node] - q[parent]));
    }
    return shares;
  }
}

/** The names of a prefix's actions, or the text that its tokens spell; the initial state is "start". */
export function prefixName(environment: Environment, prefix: Actions): string {
  const names = prefix.map((action) => environment.actionNames[action]);
  if (names.length === 0) return "start";
  return environment.written ? endOf(names.join("")) : names.join(" · ");
}

/** End of a text, for messages: texts of one environment begin alike. */
function endOf(text: string): string {
  return JSON.stringify(text.length > 40 ? `…${text.slice(-40)}` : text);
}
