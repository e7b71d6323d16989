/** Loops as functions of modules of their own: programs with equal loops share what V8 makes of them. */
import type { NodeId } from "../../../language/ir/node.ts";
import {
  assembleModule,
  FunctionBody,
  instanceOf,
  type LocalIndex as Local,
  sharedMemory,
} from "../../../../numerics/wasm/mod.ts";
import { FunctionTable } from "./imports.ts";
import { type LoopScalars, LoopWriter } from "./loop_writer.ts";
import type { ModuleContext } from "./module_context.ts";
import type { Loop, Schedule } from "./schedule.ts";

// Programs of one grammar differ in priors more than in likelihoods, and the likelihood is what takes
// V8's optimising compiler long. A loop gets numbers as arguments and gives its sums as results; its
// arrays have places in memory that depend on nothing but the loops of a program.

/** As many arguments and results at most. */
const mostNumbers = 200;

/** A loop that other modules call. */
export interface LoopFunction {
  /** Which of the loops that a module imports. */
  readonly number: number;
  /** Numbers that it is given, each in both lanes. */
  readonly inputs: readonly NodeId[];
  /** Numbers that it returns. */
  readonly results: readonly NodeId[];
  readonly body: FunctionBody;
  readonly functions: FunctionTable;
}

/** Writes the loop as a function; `undefined` if it would have too many arguments. */
export function loopFunction(
  context: Omit<ModuleContext, "functions">,
  schedule: Schedule,
  loop: Loop,
  number: number,
): LoopFunction | undefined {
  const inputs = inputsOf(context, loop);
  const results = loop.nodes.filter((id) => context.roles.of(id) === "reduction");
  if (inputs.length + results.length > mostNumbers) return undefined;
  const functions = new FunctionTable(context.roles, loop.nodes);
  const lanes = (ids: readonly NodeId[]) => ids.map(() => "v128" as const);
  const body = new FunctionBody(lanes(inputs), lanes(results));
  const own = { ...context, functions };
  const scalars = new Arguments(body, own, inputs);
  new LoopWriter(body, own, scalars, schedule, loop).write();
  for (const id of results) body.get(scalars.variable(id));
  return { number, inputs, results, body, functions };
}

/** Numbers that a loop reads, in the order in which it does. */
function inputsOf(
  { nodes, roles }: Omit<ModuleContext, "functions">,
  loop: Loop,
): readonly NodeId[] {
  const found = new Set<NodeId>();
  for (const id of loop.nodes) {
    for (const arg of nodes[id].args) {
      const source = roles.resolve(arg);
      if (roles.size(arg) === 1 && nodes[source].kind !== "constant") found.add(source);
    }
  }
  return [...found];
}

/** The exported function, for modules to import. */
export function exportOf({ body, functions }: LoopFunction): WebAssembly.ExportValue {
  const exported = [{ name: "loop", index: functions.task(0) }];
  const bytes = assembleModule(
    functions.declarations(),
    [...functions.ownBodies(), body],
    exported,
  );
  return instanceOf(bytes, { memory: sharedMemory(), ...functions.imports() }).exports.loop;
}

/** Calls a loop; its results become numbers of the code around it. */
export function callLoop(
  f: FunctionBody,
  { functions }: ModuleContext,
  scalars: LoopScalars,
  { number, inputs, results }: LoopFunction,
): void {
  const locals = inputs.map((id) => scalars.variable(id));
  const index = functions.loop(number);
  f.get(...locals).call(index, functions.typeOf(index));
  for (const id of results.toReversed()) scalars.define(id, f.hold());
  for (const id of results) scalars.keep(id);
}

/** Numbers of a loop that is a function: its arguments, and what it computes. */
class Arguments implements LoopScalars {
  readonly #locals = new Map<NodeId, Local>();

  constructor(
    readonly f: FunctionBody,
    readonly context: ModuleContext,
    inputs: readonly NodeId[],
  ) {
    inputs.forEach((id, k) => this.#locals.set(id, k));
  }

  push(id: NodeId): void {
    const { nodes, roles, memory } = this.context;
    const source = roles.resolve(id);
    if (nodes[source].kind !== "constant") this.f.get(this.variable(source));
    else this.f.i32(memory.of(source)).loadSplat(0);
  }

  variable(id: NodeId): Local {
    const local = this.#locals.get(this.context.roles.resolve(id));
    if (local === undefined) throw new Error(`internal: node ${id} is no argument of the loop`);
    return local;
  }

  define(id: NodeId, local: Local): void {
    this.#locals.set(id, local);
  }

  /** Left to the caller of the loop. */
  keep(): void {}
}
