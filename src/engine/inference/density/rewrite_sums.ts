/** Sums taken apart: factors and scalar terms leave them, data-only terms are folded. */
import type { NodeId } from "../../language/ir/node.ts";
import { sameShape, sizeOf } from "../../language/ir/shape.ts";
import type { RewritingBuilder } from "./rewriting_builder.ts";

/** Arrays under one common scalar factor. */
interface Group {
  readonly factor: NodeId;
  readonly terms: { readonly sign: 1 | -1; readonly node: NodeId }[];
}

/**
 * Σ x over axes as Σ of scalars · Σ of arrays; undefined if the sum is in that form already.
 * Σ (v + s) = Σ v + n s; Σ s v = s Σ v; Σ (v ± d) = Σ v ± Σ d for data d, which is folded;
 * Σ where(c, v, w) = where(c, Σ v, Σ w) for a scalar condition; Σ where(d, s, t) = n s + m t for
 * data d; Σ_j A_ij b_j = A b.
 */
export function rewriteSum(
  g: RewritingBuilder,
  x: NodeId,
  axes: readonly number[],
): NodeId | undefined {
  const product = asMatrixProduct(g, x, axes);
  if (product !== undefined) return product;
  const sum = new Decomposition(g, x, axes);
  return sum.trivial ? undefined : sum.build();
}

class Decomposition {
  readonly #groups: Group[] = [];
  readonly #others: { readonly sign: 1 | -1; readonly node: NodeId }[] = [];
  readonly #count: number;

  constructor(
    readonly g: RewritingBuilder,
    readonly x: NodeId,
    readonly axes: readonly number[],
  ) {
    this.#count = axes.reduce((count, axis) => count * g.shapeOf(x)[axis], 1);
    this.#collect(x, g.scalar(1), 1);
  }

  /** Nothing was taken apart. */
  get trivial(): boolean {
    const [only, ...rest] = this.#groups;
    return this.#others.length === 0 && rest.length === 0 && only?.terms.length === 1 &&
      only.terms[0].node === this.x;
  }

  #collect(x: NodeId, factor: NodeId, sign: 1 | -1): void {
    const { g } = this;
    const node = g.nodes[x];
    if (g.isScalar(x)) return this.#scalar(g.mul(factor, g.mul(g.scalar(this.#count), x)), sign);
    const number = g.uniform(x);
    if (number !== undefined) return this.#collect(number, factor, sign);
    if (!g.splitsSums && x !== this.x) return this.#array(x, factor, sign);
    if (node.kind === "constant" && node.values.every(Number.isFinite)) {
      return this.#scalar(g.mul(factor, g.plainSum(x, this.axes)), sign);
    }
    const [s, v] = g.factored(x);
    if (v !== x && this.#fits(v)) return this.#collect(v, g.mul(factor, s), sign);
    if (g.splitsSums && node.kind === "map" && (node.op === "add" || node.op === "sub")) {
      const [a, b] = node.args;
      if (this.#fits(a) && this.#fits(b)) {
        this.#collect(a, factor, sign);
        return this.#collect(b, factor, node.op === "add" ? sign : sign === 1 ? -1 : 1);
      }
    }
    if (node.kind === "map" && node.op === "where" && g.isScalar(node.args[0])) {
      const [c, a, b] = node.args;
      if (this.#fits(a) && this.#fits(b)) {
        return this.#scalar(g.mul(factor, g.where(c, this.#sumOf(a), this.#sumOf(b))), sign);
      }
    }
    const choice = this.#counted(x);
    if (choice !== undefined) return this.#scalar(g.mul(factor, choice), sign);
    this.#array(x, factor, sign);
  }

  /** Σ of a choice, known from data, between two numbers: each as often as it is chosen. */
  #counted(x: NodeId): NodeId | undefined {
    const { g } = this;
    const node = g.asMap(x, "where");
    if (!node || this.axes.length < g.shapeOf(x).length) return undefined;
    const [c, a, b] = node.args;
    const condition = g.nodes[c];
    if (condition.kind !== "constant" || !g.isScalar(a) || !g.isScalar(b)) return undefined;
    const chosen = condition.values.reduce((count, value) => value === 0 ? count : count + 1, 0);
    const times = this.#count / condition.values.length;
    const part = (count: number, y: NodeId) =>
      count === 0 ? g.scalar(0) : g.mul(g.scalar(count * times), g.reshape(y, []));
    return g.add(part(chosen, a), part(condition.values.length - chosen, b));
  }

  #fits(v: NodeId): boolean {
    const { g } = this;
    if (g.isScalar(v)) return g.shapeOf(v).length <= g.shapeOf(this.x).length;
    return sameShape(g.shapeOf(v), g.shapeOf(this.x));
  }

  #sumOf(v: NodeId): NodeId {
    const { g } = this;
    return g.isScalar(v) ? g.mul(g.scalar(this.#count), g.reshape(v, [])) : g.sum(v, this.axes);
  }

  #scalar(node: NodeId, sign: 1 | -1): void {
    const { g } = this;
    this.#others.push({ sign, node: g.isScalar(node) ? g.reshape(node, []) : node });
  }

  #array(node: NodeId, factor: NodeId, sign: 1 | -1): void {
    const shape = this.g.isScalar(factor) ? this.g.reshape(factor, []) : factor;
    const group = this.#groups.find((one) => one.factor === shape);
    if (group) group.terms.push({ sign, node });
    else this.#groups.push({ factor: shape, terms: [{ sign, node }] });
  }

  build(): NodeId {
    const { g } = this;
    let total: NodeId | undefined;
    for (const { factor, terms } of this.#groups) {
      total = joined(g, total, g.mul(factor, g.plainSum(signedSum(g, terms), this.axes)), 1);
    }
    for (const { node, sign } of this.#others) total = joined(g, total, node, sign);
    return this.#shaped(total!);
  }

  /** Scalars alone do not know the shape of the sum. */
  #shaped(total: NodeId): NodeId {
    const shape = this.g.shapeOf(this.x).filter((_, i) => !this.axes.includes(i));
    return sizeOf(shape) === sizeOf(this.g.shapeOf(total))
      ? this.g.reshape(total, shape)
      : this.g.broadcast(total, shape);
  }
}

function joined(
  g: RewritingBuilder,
  total: NodeId | undefined,
  node: NodeId,
  sign: 1 | -1,
): NodeId {
  if (total === undefined) return sign === 1 ? node : g.neg(node);
  return g.map(sign === 1 ? "add" : "sub", total, node);
}

/** v₁ ± v₂ ± …, beginning with one that is added, where there is one. */
function signedSum(
  g: RewritingBuilder,
  terms: readonly { readonly sign: 1 | -1; readonly node: NodeId }[],
): NodeId {
  const ordered = [...terms].sort((a, b) => b.sign - a.sign);
  return ordered.reduce<NodeId | undefined>(
    (total, { node, sign }) => {
      if (total === undefined) return sign === 1 ? node : g.plainMap("mul", [g.scalar(-1), node]);
      return g.plainMap(sign === 1 ? "add" : "sub", [total, node]);
    },
    undefined,
  )!;
}

/** Σ_j A_ij b_j of data A `[n, k]` as a product, so that nothing of size n·k is computed. */
function asMatrixProduct(
  g: RewritingBuilder,
  x: NodeId,
  axes: readonly number[],
): NodeId | undefined {
  const product = g.asMap(x, "mul");
  const [n, k] = g.shapeOf(x);
  if (!product || g.shapeOf(x).length !== 2 || axes.length !== 1 || axes[0] !== 1) return undefined;
  const at = product.args.findIndex((arg) =>
    g.nodes[arg].kind === "constant" && sizeOf(g.shapeOf(arg)) === n * k
  );
  const other = product.args[1 - at];
  if (at < 0 || n === 1 || sizeOf(g.shapeOf(other)) !== k || g.shapeOf(other).at(-1) !== k) {
    return undefined;
  }
  return g.reshape(g.matmul(product.args[at], g.reshape(other, [k, 1])), [n]);
}
