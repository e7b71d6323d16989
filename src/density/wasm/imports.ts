/** What a module imports, and the numbers of its functions. */
import type { GraphNode, NodeId } from "../../graph/node.ts";
import { applyBinary, applyTernary, applyUnary, type MapOp } from "../../graph/operations.ts";
import type { FunctionBody, ValueType } from "../../math/wasm/function_body.ts";
import type { ImportedFunction } from "../../math/wasm/module.ts";
import { exponential, logarithm, logOnePlus } from "../../math/wasm/functions.ts";
import { exponentialLessOne, hyperbolicTangent } from "../../math/wasm/hyperbolic.ts";

/** Operations with instructions of their own; all others are called out of the module. */
const native: ReadonlySet<MapOp> = new Set<MapOp>([
  "neg",
  "exp",
  "log",
  "log1p",
  "expm1",
  "tanh",
  "sqrt",
  "abs",
  "sign",
  "floor",
  "ceil",
  "sigmoid",
  "softplus",
  "not",
  "is_nan",
  "add",
  "sub",
  "mul",
  "div",
  "maximum",
  "minimum",
  "lt",
  "le",
  "gt",
  "ge",
  "eq",
  "ne",
  "and",
  "or",
  "where",
]);

/** Functions that a module has if it needs them, in the order of their indices. */
const own = ["exp", "log", "log1p", "expm1", "tanh"] as const;
/** A function on two lanes. */
export type OwnFunction = (typeof own)[number];

/** Their bodies are the same in every module: what they call out for has the first numbers. */
const bodies = new Map<OwnFunction, FunctionBody>();

function bodyOf(name: OwnFunction): FunctionBody {
  const known = bodies.get(name);
  if (known) return known;
  const imported = (name: OwnFunction) => own.indexOf(name);
  const body = {
    exp: () => exponential(imported("exp")),
    log: () => logarithm(imported("log")),
    log1p: () => logOnePlus(imported("log1p")),
    expm1: () => exponentialLessOne(imported("expm1")),
    tanh: () => hyperbolicTangent(imported("expm1")),
  }[name]();
  bodies.set(name, body);
  return body;
}

/** What an operation calls. */
const calls: { readonly [op in MapOp]?: readonly OwnFunction[] } = {
  exp: ["exp"],
  sigmoid: ["exp"],
  softplus: ["exp", "log1p"],
  log: ["log"],
  log1p: ["log1p"],
  expm1: ["expm1"],
  tanh: ["tanh"],
};

const hosted: Readonly<Record<string, (...args: number[]) => number>> = {
  ...applyUnary,
  ...applyBinary,
  ...applyTernary,
};

/** Numbers of functions: imports first, then the module's own, then its tasks. */
export class FunctionTable {
  readonly #names: string[] = [...own];
  readonly #own: readonly OwnFunction[];

  /** @param ids the nodes that are computed by elementwise code. */
  constructor(nodes: readonly GraphNode[], ids: Iterable<NodeId>) {
    const needed = new Set<OwnFunction>();
    for (const id of ids) {
      const node = nodes[id];
      if (node.kind !== "map") continue;
      for (const name of calls[node.op] ?? []) needed.add(name);
      if (native.has(node.op)) continue;
      if (!this.#names.includes(node.op)) this.#names.push(node.op);
    }
    this.#own = own.filter((name) => needed.has(name));
  }

  /** Index of the imported function of an operation on numbers. */
  imported(op: string): number {
    const index = this.#names.indexOf(op);
    if (index < 0) throw new Error(`internal: ${op} is not imported`);
    return index;
  }

  /** Index of the import that computes a step by the plain kernel. */
  get step(): number {
    return this.#names.length;
  }

  /** Index of a function on two lanes. */
  own(name: OwnFunction): number {
    const index = this.#own.indexOf(name);
    if (index < 0) throw new Error(`internal: ${name} is not in the module`);
    return this.step + 1 + index;
  }

  /** Index of a task. */
  task(k: number): number {
    return this.step + 1 + this.#own.length + k;
  }

  /** The bodies of the functions on two lanes. */
  ownBodies(): readonly FunctionBody[] {
    return this.#own.map(bodyOf);
  }

  /** Declarations, as the module wants them. */
  declarations(): ImportedFunction[] {
    const numbers = (name: string): ValueType[] => new Array(arityOf(name)).fill("f64");
    return [
      ...this.#names.map((name): ImportedFunction => ({
        name,
        parameters: numbers(name),
        results: ["f64"],
      })),
      { name: "step", parameters: ["i32"], results: [] },
    ];
  }

  /** The functions themselves, as an instance wants them. */
  functions(): Record<string, (...args: number[]) => number> {
    return Object.fromEntries(this.#names.map((name) => [name, hosted[name]]));
  }
}

function arityOf(name: string): number {
  return name in applyUnary ? 1 : name in applyBinary ? 2 : 3;
}
