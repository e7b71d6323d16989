/** A small explicit tree for tests: some states are complete, every object has a log reward. */
import { log } from "../../src/numerics/math/elementary.ts";
import { digestOf } from "../../src/base/digest.ts";
import type { Environment, TerminalObject } from "../../src/gfn/environments/environment.ts";

/** A node: children by action, weights for the prior, and a log reward where it may end. */
export interface TreeNode {
  readonly children?: Readonly<Record<number, TreeNode>>;
  /** If present, exit is legal here. */
  readonly logReward?: number;
}

/** Action 0 is the exit; actions 1 … n are named a, b, c … */
export class TreeEnvironment implements Environment<TreeNode> {
  readonly kind = "test_tree";
  readonly spec = null;
  readonly exitAction = 0;
  readonly actionNames: readonly string[];
  readonly digest: string;
  readonly maxActions: number;
  readonly #paths = new Map<TreeNode, readonly number[]>();
  readonly #logPriors = new Map<TreeNode, number>();

  constructor(readonly root: TreeNode, actions: number) {
    const letters = Array.from({ length: actions }, (_, i) => String.fromCharCode(97 + i));
    this.actionNames = ["exit", ...letters];
    this.digest = digestOf({ root, actions });
    this.maxActions = this.#visit(root, [], 0) + 1;
  }

  #visit(node: TreeNode, path: readonly number[], logPrior: number): number {
    this.#paths.set(node, path);
    this.#logPriors.set(node, logPrior);
    const prior = this.logPrior(node);
    const below = Object.entries(node.children ?? {}).map(([action, child]) =>
      this.#visit(child, [...path, Number(action)], logPrior + prior[Number(action)])
    );
    return Math.max(path.length, ...below);
  }

  initialState(): TreeNode {
    return this.root;
  }

  legalActions(node: TreeNode): Uint8Array {
    const mask = new Uint8Array(this.actionNames.length);
    for (const action of Object.keys(node.children ?? {})) mask[Number(action)] = 1;
    if (node.logReward !== undefined) mask[this.exitAction] = 1;
    return mask;
  }

  step(node: TreeNode, action: number): TreeNode {
    const child = node.children?.[action];
    if (!child) throw new Error(`internal: action ${action} is illegal`);
    return child;
  }

  /** Action a has weight a + 1. */
  logPrior(node: TreeNode): Float64Array {
    const mask = this.legalActions(node);
    const total = mask.reduce((sum, legal, a) => sum + legal * (a + 1), 0);
    return Float64Array.from(mask, (legal, a) => legal ? log((a + 1) / total) : -Infinity);
  }

  terminal(node: TreeNode): TerminalObject {
    const path = this.#paths.get(node);
    if (!path || node.logReward === undefined) throw new Error("internal: exit is illegal");
    const text = path.map((action) => this.actionNames[action]).join("") || "nothing";
    const logPrior = this.#logPriors.get(node)! + this.logPrior(node)[this.exitAction];
    const features = [...new Set(path.map((action) => this.actionNames[action]))];
    const actions = [...path, this.exitAction];
    return { text, logPrior, actions, features, logReward: node.logReward };
  }

  logReward(node: TreeNode): number {
    if (node.logReward === undefined) throw new Error("internal: exit is illegal");
    return node.logReward;
  }

  *enumerate(): Iterable<TerminalObject> {
    for (const node of this.#paths.keys()) {
      if (node.logReward !== undefined) yield this.terminal(node);
    }
  }

  /** Log rewards in the order of `enumerate`. */
  logRewards(): Float64Array {
    const nodes = [...this.#paths.keys()].filter((node) => node.logReward !== undefined);
    return Float64Array.from(nodes, (node) => node.logReward!);
  }
}

/** Three leaves below one decision: the smallest tree on which a wrong objective shows. */
export function threeLeaves(): TreeEnvironment {
  return new TreeEnvironment({
    children: { 1: { logReward: log(1) }, 2: { logReward: log(2) }, 3: { logReward: log(5) } },
  }, 3);
}

/** Seven objects of one to four actions; the empty object and some inner states are complete. */
export function mixedTree(): TreeEnvironment {
  return new TreeEnvironment({
    logReward: -1.5,
    children: {
      1: {
        logReward: 0.5,
        children: {
          2: { logReward: 1.25, children: { 3: { logReward: -0.75 } } },
          3: { children: { 1: { logReward: 2 } } },
        },
      },
      2: { children: { 1: { logReward: -2.5 }, 3: { logReward: 0.25 } } },
    },
  }, 3);
}
