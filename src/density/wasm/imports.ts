/** What a module imports, and the numbers of its functions. */
import type { NodeId } from "../../graph/node.ts";
import { applyBinary, applyTernary, applyUnary, type MapOp } from "../../graph/operations.ts";
import type { FunctionBody, ValueType } from "../../math/wasm/function_body.ts";
import { FunctionLibrary, type OwnFunction } from "../../math/wasm/library.ts";
import type { ImportedFunction } from "../../math/wasm/module.ts";
import type { Roles } from "./schedule.ts";

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
  readonly #names: string[] = [];
  readonly #hasSteps: boolean;
  readonly #own: FunctionLibrary;

  /** @param ids the nodes of the module. */
  constructor(roles: Roles, ids: readonly NodeId[]) {
    this.#hasSteps = ids.some((id) => roles.of(id) === "hosted");
    const needed = new Set<OwnFunction>();
    for (const id of ids) {
      const node = roles.nodes[id];
      if (node.kind !== "map") continue;
      for (const name of calls[node.op] ?? []) needed.add(name);
      if (native.has(node.op)) continue;
      if (!this.#names.includes(node.op)) this.#names.push(node.op);
    }
    this.#own = new FunctionLibrary(needed, this.#importCount);
  }

  get #importCount(): number {
    return this.#names.length + (this.#hasSteps ? 1 : 0);
  }

  /** Index of the imported function of an operation on numbers. */
  imported(op: string): number {
    const index = this.#names.indexOf(op);
    if (index < 0) throw new Error(`internal: ${op} is not imported`);
    return index;
  }

  /** Index of the import that computes a step by the plain kernel. */
  get step(): number {
    if (!this.#hasSteps) throw new Error("internal: there are no steps");
    return this.#names.length;
  }

  /** Index of a function on two lanes. */
  own(name: OwnFunction): number {
    return this.#own.index(name);
  }

  /** Index of a task. */
  task(k: number): number {
    return this.#importCount + this.#own.count + k;
  }

  /** The bodies of the functions on two lanes. */
  ownBodies(): readonly FunctionBody[] {
    return this.#own.bodies();
  }

  /** Declarations, as the module wants them. */
  declarations(): ImportedFunction[] {
    const numbers = (name: string): ValueType[] => new Array(arityOf(name)).fill("f64");
    const functions = this.#names.map((name): ImportedFunction => ({
      name,
      parameters: numbers(name),
      results: ["f64"],
    }));
    const step: ImportedFunction = { name: "step", parameters: ["i32"], results: [] };
    return this.#hasSteps ? [...functions, step] : functions;
  }

  /** The functions themselves, as an instance wants them. */
  functions(): Record<string, (...args: number[]) => number> {
    return Object.fromEntries(this.#names.map((name) => [name, hosted[name]]));
  }
}

function arityOf(name: string): number {
  return name in applyUnary ? 1 : name in applyBinary ? 2 : 3;
}
