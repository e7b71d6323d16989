/** A few rows of an array, computed without the others. */
import type { NodeId, ReduceNode } from "../../language/ir/node.ts";
import { type Shape, sizeOf } from "../../language/ir/shape.ts";
import type { SimplifyingBuilder } from "./simplify.ts";

/** Rows from which it pays to compute a few of them apart; below, a second pass is cheap. */
const worthwhile = 100;

/**
 * The rows `[rows, …]` of `x` `[n, …]`, from the same rows of what `x` is made of: a second, short
 * array beside the whole one, so that what else reads `x`, and its adjoint, need not wait for the
 * few. If more than a quarter of the rows are wanted, they are taken from the whole.
 */
export function fewRows(g: SimplifyingBuilder, x: NodeId, rows: Int32Array): NodeId {
  const few = new FewRows(g, rows, g.shapeOf(x)[0]);
  const apart = few.count >= worthwhile && 4 * rows.length <= few.count;
  return apart ? few.of(x) : few.taken(x);
}

/** Rows of nodes that have as many rows as the first. */
export class FewRows {
  readonly #known = new Map<NodeId, NodeId>();

  /** @param count how many rows there are. */
  constructor(
    readonly g: SimplifyingBuilder,
    readonly rows: Int32Array,
    readonly count: number,
  ) {}

  /** The rows of a node. */
  of(x: NodeId): NodeId {
    const made = this.#known.get(x) ?? this.#make(x) ?? this.taken(x);
    this.#known.set(x, made);
    return made;
  }

  /** The rows, once the whole is there. */
  taken(x: NodeId): NodeId {
    const { g, rows } = this;
    const shape = this.#fewer(g.shapeOf(x));
    const width = sizeOf(shape) / rows.length;
    const index = Int32Array.from(
      { length: rows.length * width },
      (_, k) => rows[Math.floor(k / width)] * width + k % width,
    );
    return g.gather(x, index, shape);
  }

  #fewer(shape: Shape): Shape {
    return [this.rows.length, ...shape.slice(1)];
  }

  #make(x: NodeId): NodeId | undefined {
    const { g } = this;
    const node = g.nodes[x];
    switch (node.kind) {
      case "map":
        return g.plainMap(node.op, node.args.map((arg) => this.#operand(arg, node.shape)));
      case "reshape":
        if (g.shapeOf(node.args[0])[0] !== this.count) return undefined;
        return g.reshape(this.of(node.args[0]), this.#fewer(node.shape));
      case "matmul":
        return g.matmul(this.of(node.args[0]), node.args[1]);
      case "reduce":
        return this.#reduced(node);
      default:
        return undefined;
    }
  }

  /** An operand of an elementwise node; one that is broadcast along the rows stays. */
  #operand(x: NodeId, whole: Shape): NodeId {
    const shape = this.g.shapeOf(x);
    return shape.length === whole.length && shape[0] === this.count ? this.of(x) : x;
  }

  #reduced({ op, args, axes }: ReduceNode): NodeId | undefined {
    return axes.includes(0) ? undefined : this.g.reduce(op, this.of(args[0]), axes);
  }
}
