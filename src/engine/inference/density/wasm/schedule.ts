/** Which nodes of a task are computed where and when: scalars, loops over elements, steps apart. */
import type { GraphNode, NodeId } from "../../../language/ir/node.ts";
import { sizeOf } from "../../../language/ir/shape.ts";
import { reachable } from "../evaluator.ts";

/** As many terms at most are written out within one round of a loop. */
const mostTerms = 128;

/** How a node is computed. */
type Role =
  | "constant"
  | "input"
  /** One element, from other scalars, in straight-line code. */
  | "scalar"
  /** One element of an array in memory. */
  | "element"
  /** Elements of its argument. */
  | "alias"
  /** Element by element, in a loop. */
  | "elementwise"
  /** Rows of data times coefficients: one element for each round of a loop. */
  | "rows"
  /** Columns of data times an array that runs along the loop: one sum for each column. */
  | "columns"
  /** Sum, product or extreme of all elements of an array, in the loop over them. */
  | "reduction"
  /** Sums and the like over some axes: one element for each round of a loop over the others. */
  | "fold"
  /** Adds each element to a place of its own, in the loop over them. */
  | "scatter"
  /** Scalars and arrays copied behind each other. */
  | "join"
  /** By the plain back end's kernel, through a call out of the module. */
  | "hosted";

/** One pass over `count` elements. */
export interface Loop {
  readonly count: number;
  readonly nodes: NodeId[];
}

/** Nodes to compute before the next level: scalars, then steps apart, then loops. */
export interface Level {
  readonly scalars: NodeId[];
  readonly steps: NodeId[];
  readonly loops: Loop[];
}

/** A task in order. */
export interface Schedule {
  readonly levels: readonly Level[];
  /** Nodes whose elements are read from memory, by another loop, a step or the caller. */
  readonly stored: ReadonlySet<NodeId>;
}

/** Roles of nodes, and what aliases stand for. */
export class Roles {
  readonly #known = new Map<NodeId, Role>();

  constructor(readonly nodes: readonly GraphNode[]) {}

  /** The node whose elements these are. */
  resolve(id: NodeId): NodeId {
    let at = id;
    while (this.of(at) === "alias") at = this.nodes[at].args[0];
    return at;
  }

  size(id: NodeId): number {
    return sizeOf(this.nodes[id].shape);
  }

  /** How a node is computed. */
  of(id: NodeId): Role {
    const known = this.#known.get(id);
    if (known) return known;
    const role = this.#look(id, this.nodes[id]);
    this.#known.set(id, role);
    return role;
  }

  #look(id: NodeId, node: GraphNode): Role {
    const size = this.size(id);
    const from = node.args.length > 0 ? this.size(node.args[0]) : 0;
    switch (node.kind) {
      case "constant":
      case "input":
        return node.kind;
      case "map":
        return size === 1 ? "scalar" : size === 0 ? "hosted" : "elementwise";
      case "reshape":
        return "alias";
      case "gather":
        if (size === 1 && node.index[0] >= 0) return from === 1 ? "alias" : "element";
        return size === 1 || size === 0 ? "hosted" : "elementwise";
      case "reduce":
        if (size === 1) return from > 1 ? "reduction" : "hosted";
        return size > 1 && from / size <= mostTerms ? "fold" : "hosted";
      case "scatter":
        return from > 1 ? "scatter" : "hosted";
      case "join":
        return "join";
      case "matmul":
        return this.#productRole(node);
      default:
        return "hosted";
    }
  }

  /** Products of data with one column. */
  #productRole(node: GraphNode): Role {
    const [a, b] = node.args;
    const [n, k] = this.nodes[a].shape;
    if (this.nodes[a].kind !== "constant" || this.nodes[b].shape[1] !== 1) return "hosted";
    if (n > 1 && k <= mostTerms && n >= k) return "rows";
    return k > 1 && n <= mostTerms ? "columns" : "hosted";
  }

  /** How many rounds the loop has in which a node is computed. */
  rounds(id: NodeId): number {
    const node = this.nodes[id];
    switch (this.of(id)) {
      case "reduction":
      case "scatter":
        return this.size(node.args[0]);
      case "columns":
        return this.size(node.args[1]);
      default:
        return this.size(id);
    }
  }

  inLoop(id: NodeId): boolean {
    const role = this.of(id);
    return role === "elementwise" || role === "rows" || role === "columns" ||
      role === "reduction" || role === "fold" || role === "scatter";
  }
}

/** Where a value can be read from: as a scalar, from memory, or within the loop that makes it. */
interface Ready {
  /** The level in which it is computed. */
  readonly level: number;
  /** The first level whose scalars may read it. */
  readonly asScalar: number;
  /** The first level whose steps and loops may read it from memory. */
  readonly inMemory: number;
}

/**
 * Every node is computed as early as its arguments allow. Loops of one level over equally many
 * elements are one loop, so a likelihood, its sum and its adjoints are computed in one pass.
 */
export function scheduleOf(roles: Roles, roots: readonly NodeId[]): Schedule {
  return new Scheduler(roles).run(roots);
}

class Scheduler {
  readonly #levels: Level[] = [];
  readonly #ready = new Map<NodeId, Ready>();
  readonly #stored = new Set<NodeId>();

  constructor(readonly roles: Roles) {}

  run(roots: readonly NodeId[]): Schedule {
    const { roles } = this;
    for (const id of reachable(roles.nodes, roots)) this.#place(id);
    for (const root of roots) this.#stored.add(roles.resolve(root));
    return { levels: this.#levels, stored: this.#stored };
  }

  #place(id: NodeId): void {
    const { roles } = this;
    const role = roles.of(id);
    switch (role) {
      case "constant":
      case "input":
        this.#ready.set(id, { level: 0, asScalar: 0, inMemory: 0 });
        return;
      case "alias":
        return;
      case "scalar":
        return this.#scalar(id, this.#latest(id, "asScalar"));
      case "element":
        this.#keep(roles.nodes[id].args[0]);
        return this.#scalar(id, this.#latest(id, "asScalar"));
      case "join":
      case "hosted":
        return this.#step(id);
      default:
        return this.#looped(id);
    }
  }

  #readyOf(arg: NodeId): Ready {
    return this.#ready.get(this.roles.resolve(arg))!;
  }

  #latest(id: NodeId, by: "asScalar" | "inMemory"): number {
    let level = 0;
    for (const arg of this.roles.nodes[id].args) level = Math.max(level, this.#readyOf(arg)[by]);
    return level;
  }

  #level(index: number): Level {
    while (this.#levels.length <= index) this.#levels.push({ scalars: [], steps: [], loops: [] });
    return this.#levels[index];
  }

  #keep(arg: NodeId): void {
    this.#stored.add(this.roles.resolve(arg));
  }

  #scalar(id: NodeId, level: number): void {
    this.#level(level).scalars.push(id);
    this.#ready.set(id, { level, asScalar: level, inMemory: level });
  }

  #step(id: NodeId): void {
    const level = this.#latest(id, "inMemory");
    for (const arg of this.roles.nodes[id].args) this.#keep(arg);
    this.#level(level).steps.push(id);
    this.#stored.add(id);
    this.#ready.set(id, { level, asScalar: level + 1, inMemory: level });
  }

  #looped(id: NodeId): void {
    const { roles } = this;
    const rounds = roles.rounds(id);
    let level = 0;
    for (const arg of roles.nodes[id].args) {
      const ready = this.#readyOf(arg);
      const source = roles.resolve(arg);
      if (this.#runsAlong(id, source, rounds)) level = Math.max(level, ready.level);
      else if (roles.size(source) === 1) level = Math.max(level, ready.asScalar);
      else level = Math.max(level, ready.inMemory);
    }
    for (const arg of roles.nodes[id].args) {
      const source = roles.resolve(arg);
      const along = this.#runsAlong(id, source, rounds) && this.#readyOf(arg).level === level;
      const indexed = roles.nodes[id].kind === "gather";
      if (!along && (roles.size(source) > 1 || indexed)) this.#stored.add(source);
    }
    this.#loop(level, rounds).nodes.push(id);
    const role = roles.of(id);
    if (role === "scatter" || role === "columns") this.#stored.add(id);
    this.#ready.set(id, { level, asScalar: level + 1, inMemory: level + 1 });
  }

  /** Whether an argument is made by rounds of the same loop, and read at the same place. */
  #runsAlong(id: NodeId, source: NodeId, rounds: number): boolean {
    const { roles } = this;
    const role = roles.of(source);
    if (role !== "elementwise" && role !== "rows" && role !== "fold") return false;
    const own = roles.of(id);
    if (roles.nodes[id].kind === "gather" || own === "rows" || own === "fold") return false;
    return roles.size(source) === rounds;
  }

  #loop(level: number, count: number): Loop {
    const { loops } = this.#level(level);
    let loop = loops.find((one) => one.count === count);
    if (!loop) loops.push(loop = { count, nodes: [] });
    return loop;
  }
}
