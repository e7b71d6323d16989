/** Parts long loops: linear predictors, then what is made of them, then the slopes of coefficients. */
import type { NodeId } from "../../../language/ir/node.ts";
import type { MapOp } from "../../../language/ir/operations.ts";
import type { Level, Loop, Roles, Schedule } from "./schedule.ts";

// A processor has 16 vector registers. A round with ten coefficients, an exponential and ten sums
// keeps most of that on the stack; each part of it fits, and one array between two parts is cheap.

/** Products with data, or sums of them, from which they are a loop of their own. */
const fewestProducts = 6;
/** Sums of products in one loop at most. */
const mostSums = 10;
/** Elements from which it pays. */
const fewestElements = 64;

const costly: ReadonlySet<MapOp> = new Set<MapOp>([
  ...["exp", "log", "log1p", "expm1", "tanh", "sigmoid", "softplus"] as const,
]);

/** Splits such loops of a schedule into parts. Every sum keeps its order, so no bit changes. */
export function splitLoops(roles: Roles, { levels, stored }: Schedule): Schedule {
  const crossing = new Set(stored);
  const parted = levels.map((level): Level => ({
    ...level,
    loops: level.loops.flatMap((loop) => new LoopParts(roles, loop).split(crossing)),
  }));
  return { levels: parted, stored: crossing };
}

class LoopParts {
  readonly #inLoop: ReadonlySet<NodeId>;
  /** Nodes of the loop by what they read in it. */
  readonly #readers = new Map<NodeId, NodeId[]>();

  constructor(readonly roles: Roles, readonly loop: Loop) {
    this.#inLoop = new Set(loop.nodes);
  }

  /** Consecutive loops; nodes that one reads of another are added to `stored`. */
  split(stored: Set<NodeId>): Loop[] {
    const { loop: { count, nodes }, roles } = this;
    const isCostly = (id: NodeId) => {
      const node = roles.nodes[id];
      return node.kind === "map" && costly.has(node.op);
    };
    if (count < fewestElements || !nodes.some(isCostly)) return [this.loop];
    for (const id of nodes) {
      for (const arg of this.#argsOf(id)) this.#readers.set(arg, [...this.#readersOf(arg), id]);
    }
    const predictor = this.#predictor(isCostly);
    const sums = this.#sumsOfProducts(predictor);
    const rest = nodes.filter((id) => !predictor.has(id) && !sums.has(id));
    const parts = [[...predictor], rest, ...chunks(roles, [...sums])].filter(({ length }) =>
      length
    );
    this.#keepCrossing(parts, stored);
    return parts.map((part) => ({ count, nodes: part }));
  }

  /** Arguments that the loop itself makes. */
  #argsOf(id: NodeId): NodeId[] {
    return this.roles.nodes[id].args.map((arg) => this.roles.resolve(arg))
      .filter((arg) => this.#inLoop.has(arg));
  }

  #readersOf(id: NodeId): readonly NodeId[] {
    return this.#readers.get(id) ?? [];
  }

  /** Ancestors of one node, and itself, with many products, none costly, and read by no other node. */
  #predictor(isCostly: (id: NodeId) => boolean): ReadonlySet<NodeId> {
    let best: ReadonlySet<NodeId> = new Set();
    for (const id of this.loop.nodes) {
      if (this.#readersOf(id).length === 0) continue;
      const made = this.#madeOf(id);
      if (made.size <= best.size || this.#productsIn(made) < fewestProducts) continue;
      const closed = [...made].every((one) =>
        !isCostly(one) && (one === id || this.#readersOf(one).every((reader) => made.has(reader)))
      );
      if (closed) best = made;
    }
    return best;
  }

  /** A node and all of the loop that it depends on, in order. */
  #madeOf(id: NodeId): ReadonlySet<NodeId> {
    const made = new Set([id]);
    for (const one of [...this.loop.nodes].reverse()) {
      if (made.has(one)) { for (const arg of this.#argsOf(one)) made.add(arg); }
    }
    return new Set(this.loop.nodes.filter((one) => made.has(one)));
  }

  #productsIn(nodes: ReadonlySet<NodeId>): number {
    let products = 0;
    for (const id of nodes) {
      const node = this.roles.nodes[id];
      if (this.roles.of(id) === "rows") products += this.roles.size(node.args[1]);
      else if (node.kind === "map" && node.op === "mul") products += 1;
    }
    return products;
  }

  /** Sums of data times something, with those products, if there are many. */
  #sumsOfProducts(others: ReadonlySet<NodeId>): ReadonlySet<NodeId> {
    const { roles, loop } = this;
    const found = new Set<NodeId>();
    let count = 0;
    for (const id of loop.nodes) {
      const node = roles.nodes[id];
      if (roles.of(id) === "columns") {
        found.add(id);
        count += roles.size(id);
      } else if (node.kind === "reduce" && node.op === "sum" && roles.of(id) === "reduction") {
        const product = roles.resolve(node.args[0]);
        if (others.has(product) || !this.#isProductOfData(product)) continue;
        found.add(product).add(id);
        count += 1;
      }
    }
    return count >= fewestProducts ? found : new Set();
  }

  #isProductOfData(id: NodeId): boolean {
    const { nodes } = this.roles;
    const node = nodes[id];
    return this.#inLoop.has(id) && this.#readersOf(id).length === 1 && node.kind === "map" &&
      node.op === "mul" && node.args.some((arg) => nodes[arg].kind === "constant");
  }

  #keepCrossing(parts: readonly (readonly NodeId[])[], stored: Set<NodeId>): void {
    for (const part of parts) {
      const own = new Set(part);
      for (const id of part) {
        for (const arg of this.#argsOf(id)) if (!own.has(arg)) stored.add(arg);
      }
    }
  }
}

/** Sums with their products, so many at a time. */
function chunks(roles: Roles, nodes: readonly NodeId[]): NodeId[][] {
  const parts: NodeId[][] = [];
  let sums = mostSums;
  for (const id of nodes) {
    if (sums >= mostSums) {
      parts.push([]);
      sums = 0;
    }
    parts.at(-1)!.push(id);
    if (roles.of(id) !== "elementwise") sums += roles.of(id) === "columns" ? roles.size(id) : 1;
  }
  return parts;
}
