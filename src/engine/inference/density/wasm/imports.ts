/** Imports of a module, and the numbers of its functions. */
import type { NodeId } from "../../../language/ir/node.ts";
import {
  applyBinary,
  applyTernary,
  applyUnary,
  type MapOp,
} from "../../../language/ir/operations.ts";
import {
  type FunctionBody,
  FunctionLibrary,
  type FunctionType,
  type ImportedFunction,
  libraryExports,
  type OwnFunction,
  type ValueType,
} from "../../../../numerics/wasm/mod.ts";
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

/** Functions that an operation calls. */
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

/** A loop that is a function of another module. */
interface LoopType {
  readonly number: number;
  readonly body: FunctionType;
}

/** Numbers of functions: imports first, then the module's own, then its tasks. */
export class FunctionTable {
  readonly #declared: ImportedFunction[] = [];
  readonly #hosted: string[] = [];
  readonly #own: FunctionLibrary;
  readonly #isShared: boolean;

  /**
   * @param ids the nodes of the module.
   * @param loops functions that it calls for loops; elementary functions are then imported as well.
   */
  constructor(roles: Roles, ids: readonly NodeId[], loops?: readonly LoopType[]) {
    this.#isShared = loops !== undefined;
    const needed = new Set<OwnFunction>();
    for (const id of ids) {
      const node = roles.nodes[id];
      if (node.kind !== "map") continue;
      for (const name of calls[node.op] ?? []) needed.add(name);
      if (!native.has(node.op) && !this.#hosted.includes(node.op)) this.#hosted.push(node.op);
    }
    this.#declared.push(...this.#hosted.map(onNumbers));
    if (ids.some((id) => roles.of(id) === "hosted")) {
      this.#declared.push({ name: "step", parameters: ["i32"], results: [] });
    }
    if (loops) {
      this.#declared.push(
        ...loops.map(({ number, body: { parameters, results } }) => (
          { name: `loop${number}`, parameters, results }
        )),
        ...[...needed].map(onLanes),
      );
    }
    this.#own = new FunctionLibrary(loops ? [] : needed, this.#declared.length);
  }

  #index(name: string): number {
    const index = this.#declared.findIndex((one) => one.name === name);
    if (index < 0) throw new Error(`internal: ${name} is not imported`);
    return index;
  }

  /** The type of an import, by its index. */
  typeOf(index: number): FunctionType {
    return this.#declared[index];
  }

  /** Index of the imported function of an operation on numbers. */
  imported(op: string): number {
    return this.#index(op);
  }

  /** Index of the import that computes a step by the plain kernel. */
  get step(): number {
    return this.#index("step");
  }

  /** Index of an imported loop. */
  loop(k: number): number {
    return this.#index(`loop${k}`);
  }

  /** Index of a function on two lanes. */
  own(name: OwnFunction): number {
    return this.#isShared ? this.#index(name) : this.#own.index(name);
  }

  /** Index of a task. */
  task(k: number): number {
    return this.#declared.length + this.#own.count + k;
  }

  /** The bodies of the functions on two lanes. */
  ownBodies(): readonly FunctionBody[] {
    return this.#own.bodies();
  }

  /** Declarations, as the module wants them. */
  declarations(): readonly ImportedFunction[] {
    return this.#declared;
  }

  /** The functions themselves but for steps and loops, as an instance wants them. */
  imports(): WebAssembly.ModuleImports {
    const onNumbers = Object.fromEntries(this.#hosted.map((name) => [name, hosted[name]]));
    return this.#isShared ? { ...libraryExports(), ...onNumbers } : onNumbers;
  }
}

function onNumbers(name: string): ImportedFunction {
  const parameters: ValueType[] = new Array(arityOf(name)).fill("f64");
  return { name, parameters, results: ["f64"] };
}

function onLanes(name: OwnFunction): ImportedFunction {
  return { name, parameters: ["v128"], results: ["v128"] };
}

function arityOf(name: string): number {
  return name in applyUnary ? 1 : name in applyBinary ? 2 : 3;
}
