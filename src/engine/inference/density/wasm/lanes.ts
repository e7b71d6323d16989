/** Elementwise operations written for two lanes: two elements of arrays, or one number twice. */
import type { GraphNode, MapNode, NodeId } from "../../../language/ir/node.ts";
import type { MapOp } from "../../../language/ir/operations.ts";
import { sameShape } from "../../../language/ir/shape.ts";
import {
  type FunctionBody,
  type LocalIndex as Local,
  pushExponential,
  type SimdOp,
} from "../../../../numerics/wasm/mod.ts";
import type { FunctionTable } from "./imports.ts";

/** Where operands come from, and what is known within straight-line code or one round of a loop. */
export abstract class Lanes {
  readonly #values = new Map<NodeId, Local>();
  readonly #masks = new Map<NodeId, Local>();
  readonly #shared = new Map<string, Local>();

  /** @param single whether both lanes hold the same number. */
  constructor(
    readonly f: FunctionBody,
    readonly nodes: readonly GraphNode[],
    readonly functions: FunctionTable,
    readonly single: boolean,
  ) {}

  /** Pushes an operand of `node`. */
  abstract operand(id: NodeId, node: MapNode): void;

  /** Key of an operand, unique within this code. */
  abstract key(id: NodeId, node: MapNode): string;

  /** The variable of a node that has been computed here. */
  valueOf(id: NodeId): Local | undefined {
    const known = this.#values.get(id);
    if (known !== undefined) return known;
    const mask = this.#masks.get(id);
    if (mask === undefined) return undefined;
    return this.define(id, this.f.get(mask).constant(1).op("v128.and").hold());
  }

  /** Names a variable as the value of a node. */
  define(id: NodeId, local: Local): Local {
    this.#values.set(id, local);
    return local;
  }

  /** Computes an elementwise node. */
  map(id: NodeId, node: MapNode): void {
    const comparison = comparisons[node.op];
    if (comparison !== undefined) {
      for (const arg of node.args) this.operand(arg, node);
      this.#masks.set(id, this.f.op(comparison).hold());
      return;
    }
    if (this.#logic(id, node)) return;
    this.#push(node);
    this.define(id, this.f.hold());
  }

  /** Operations whose results are truth values stay masks until they are read as numbers. */
  #logic(id: NodeId, node: MapNode): boolean {
    const [a, b] = node.args;
    switch (node.op) {
      case "and":
      case "or":
        this.#mask(a, node);
        this.#mask(b, node);
        this.f.op(node.op === "and" ? "v128.and" : "v128.or");
        break;
      case "not":
        this.operand(a, node);
        this.f.constant(0).op("f64x2.eq");
        break;
      case "is_nan":
        this.operand(a, node);
        this.operand(a, node);
        this.f.op("f64x2.ne");
        break;
      default:
        return false;
    }
    this.#masks.set(id, this.f.hold());
    return true;
  }

  #mask(id: NodeId, node: MapNode): void {
    const known = this.#masks.get(id);
    if (known !== undefined) return void this.f.get(known);
    this.operand(id, node);
    this.f.constant(0).op("f64x2.ne");
  }

  #push(node: MapNode): void {
    const { f } = this;
    const [a, b, c] = node.args;
    const simple = arithmetic[node.op];
    if (simple) {
      for (const arg of node.args) this.operand(arg, node);
      f.op(simple);
      return;
    }
    switch (node.op) {
      case "exp": {
        const size = this.#negatedSize(a);
        if (size) return void f.get(this.#decay(size.args[0], size));
        this.operand(a, node);
        return this.#exponential();
      }
      case "log":
      case "log1p":
      case "expm1":
      case "tanh":
        this.operand(a, node);
        f.call(this.functions.own(node.op));
        return;
      case "sigmoid":
        return this.#sigmoid(a, node);
      case "softplus":
        return this.#softplus(a, node);
      case "sign":
        return this.#sign(a, node);
      case "where":
        this.operand(b, node);
        this.operand(c, node);
        this.#mask(a, node);
        f.op("v128.bitselect");
        return;
      default:
        return this.#callOut(node);
    }
  }

  /** x > 0 ? 1 : x < 0 ? −1 : x. */
  #sign(x: NodeId, node: MapNode): void {
    const { f } = this;
    const compare = (op: SimdOp) => {
      this.operand(x, node);
      f.constant(0).op(op, "v128.bitselect");
    };
    f.constant(1).constant(-1);
    this.operand(x, node);
    compare("f64x2.lt");
    compare("f64x2.gt");
  }

  /** (x ≥ 0 ? 1 : e) / (1 + e) with e = e^−|x|. */
  #sigmoid(x: NodeId, node: MapNode): void {
    const e = this.#decay(x, node);
    this.f.constant(1).get(e);
    this.operand(x, node);
    this.f.constant(0).op("f64x2.ge", "v128.bitselect");
    this.f.constant(1).get(e).op("f64x2.add", "f64x2.div");
  }

  /** (x > 0 ? x + l : l) with l = log(1 + e^−|x|). */
  #softplus(x: NodeId, node: MapNode): void {
    const l = this.#share(`log1p decay ${this.#sizeKey(x, node)}`, () => {
      this.f.get(this.#decay(x, node)).call(this.functions.own("log1p"));
    });
    this.operand(x, node);
    this.f.get(l).op("f64x2.add").get(l);
    this.operand(x, node);
    this.f.constant(0).op("f64x2.gt", "v128.bitselect");
  }

  /** e^−|x|, shared by what is computed from x and −x. */
  #decay(x: NodeId, node: MapNode): Local {
    return this.#share(`decay ${this.#sizeKey(x, node)}`, () => {
      this.operand(x, node);
      this.f.op("f64x2.abs", "f64x2.neg");
      this.#exponential();
    });
  }

  /** e to what is on the stack; in loops without a call. */
  #exponential(): void {
    if (this.single) this.f.call(this.functions.own("exp"));
    else pushExponential(this.f, this.f.hold(), this.functions.own("farExp"));
  }

  /** |x|, if the node is −|x|. */
  #negatedSize(id: NodeId): MapNode | undefined {
    const node = this.nodes[id];
    if (node.kind !== "map" || (node.op !== "neg" && node.op !== "mul")) return undefined;
    if (node.op === "mul" && !node.args.some((arg) => this.#isMinusOne(arg))) return undefined;
    const inner = node.args.map((arg) => this.nodes[arg]).find((arg) => arg.kind !== "constant");
    const size = inner?.kind === "map" && inner.op === "abs" ? inner : undefined;
    return size && sameShape(size.shape, node.shape) ? size : undefined;
  }

  /** The key of |x|: that of y if x is −y. */
  #sizeKey(x: NodeId, node: MapNode): string {
    const inner = this.nodes[x];
    if (inner.kind === "map" && this.nodes[x].shape.length === node.shape.length) {
      const [a, b] = inner.args;
      if (inner.op === "neg") return this.key(a, inner);
      if (inner.op === "mul" && this.#isMinusOne(a)) return this.key(b, inner);
      if (inner.op === "mul" && this.#isMinusOne(b)) return this.key(a, inner);
    }
    return this.key(x, node);
  }

  #isMinusOne(id: NodeId): boolean {
    const node = this.nodes[id];
    return node.kind === "constant" && node.values.length === 1 && node.values[0] === -1;
  }

  #share(key: string, push: () => void): Local {
    const known = this.#shared.get(key);
    if (known !== undefined) return known;
    push();
    const local = this.f.hold();
    this.#shared.set(key, local);
    return local;
  }

  /** Calls the function on numbers, once or for each lane. */
  #callOut(node: MapNode): void {
    const { f } = this;
    const index = this.functions.imported(node.op);
    const call = (lane: 0 | 1) => {
      for (const arg of node.args) {
        this.operand(arg, node);
        f.extract(lane);
      }
      f.call(index, this.functions.typeOf(index));
    };
    call(0);
    f.op("f64x2.splat");
    if (this.single) return;
    call(1);
    f.replaceHigh();
  }
}

const comparisons: { readonly [op in MapOp]?: SimdOp } = {
  lt: "f64x2.lt",
  le: "f64x2.le",
  gt: "f64x2.gt",
  ge: "f64x2.ge",
  eq: "f64x2.eq",
  ne: "f64x2.ne",
};

const arithmetic: { readonly [op in MapOp]?: SimdOp } = {
  neg: "f64x2.neg",
  sqrt: "f64x2.sqrt",
  abs: "f64x2.abs",
  floor: "f64x2.floor",
  ceil: "f64x2.ceil",
  add: "f64x2.add",
  sub: "f64x2.sub",
  mul: "f64x2.mul",
  div: "f64x2.div",
  maximum: "f64x2.max",
  minimum: "f64x2.min",
};
