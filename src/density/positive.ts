/** Which nodes are positive wherever they are numbers: what allows powers to become exponentials. */
import type { GraphBuilder } from "../graph/builder.ts";
import type { GraphNode, NodeId } from "../graph/node.ts";

const positiveOf: ReadonlySet<string> = new Set(["exp", "sigmoid", "softplus"]);
const keepsPositive: ReadonlySet<string> = new Set(["sqrt", "log1p", "expm1", "abs", "tanh"]);
const joinsPositive: ReadonlySet<string> = new Set(["add", "mul", "div", "minimum", "pow"]);

/** Remembers what it has found out about the nodes of one graph. */
export class Positivity {
  readonly #known = new Map<NodeId, boolean>();

  constructor(readonly g: GraphBuilder) {}

  /** True if every element is positive (or a zero by underflow); false if that is not certain. */
  holds(x: NodeId): boolean {
    const known = this.#known.get(x);
    if (known !== undefined) return known;
    const result = this.#look(this.g.nodes[x]);
    this.#known.set(x, result);
    return result;
  }

  #look(node: GraphNode): boolean {
    const all = () => node.args.every((arg) => this.holds(arg));
    switch (node.kind) {
      case "constant":
        return node.values.every((value) => value > 0);
      case "map":
        if (positiveOf.has(node.op)) return true;
        if (keepsPositive.has(node.op) || joinsPositive.has(node.op)) return all();
        if (node.op === "maximum") return node.args.some((arg) => this.holds(arg));
        return node.op === "where" && this.holds(node.args[1]) && this.holds(node.args[2]);
      case "gather":
        return all() && node.index.every((at) => at >= 0);
      case "reduce":
      case "scan":
      case "reshape":
      case "join":
        return all();
      default:
        return false;
    }
  }
}
