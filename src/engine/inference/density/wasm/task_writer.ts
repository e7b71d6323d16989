/** Writes the function of one task: levels of scalars, steps and loops. */
import type { MapNode, NodeId } from "../../../language/ir/node.ts";
import { FunctionBody, type LocalIndex as Local } from "../../../../numerics/wasm/mod.ts";
import { Lanes } from "./lanes.ts";
import { callLoop, type LoopFunction } from "./loop_function.ts";
import { type LoopScalars, LoopWriter } from "./loop_writer.ts";
import type { ModuleContext } from "./module_context.ts";
import type { Loop, Schedule } from "./schedule.ts";

/**
 * The body of a function without parameters and results; values go to their places in memory.
 *
 * @param functions loops that are called; all others are written into the body.
 */
export function writeTask(
  context: ModuleContext,
  schedule: Schedule,
  functions: ReadonlyMap<Loop, LoopFunction>,
): FunctionBody {
  const f = new FunctionBody();
  const scalars = new ScalarCode(f, context, schedule.stored);
  for (const level of schedule.levels) {
    for (const id of level.scalars) scalars.compute(id);
    for (const id of level.steps) writeStep(f, context, scalars, id);
    for (const loop of level.loops) {
      const called = functions.get(loop);
      if (called) callLoop(f, context, scalars, called);
      else new LoopWriter(f, context, scalars, schedule, loop).write();
    }
  }
  return f;
}

/** Numbers in straight-line code, each of them in both lanes of a variable. */
class ScalarCode extends Lanes implements LoopScalars {
  constructor(
    f: FunctionBody,
    readonly context: ModuleContext,
    readonly stored: ReadonlySet<NodeId>,
  ) {
    super(f, context.nodes, context.functions, true);
  }

  compute(id: NodeId): void {
    const node = this.nodes[id];
    if (node.kind === "map") this.map(id, node);
    else if (node.kind === "gather") {
      const address = this.context.memory.of(node.args[0]) + 8 * node.index[0];
      this.define(id, this.f.i32(address).loadSplat(0).hold());
    } else throw new Error(`internal: a ${node.kind} is no scalar`);
    this.keep(id);
  }

  /** Stores a number that others read from memory. */
  keep(id: NodeId): void {
    if (!this.stored.has(id)) return;
    this.f.i32(this.context.memory.of(id));
    this.push(id);
    this.f.extract(0).storeNumber(0);
  }

  override operand(id: NodeId, _node: MapNode): void {
    this.push(id);
  }

  override key(id: NodeId): string {
    return `${this.context.roles.resolve(id)}`;
  }

  /** Pushes a number. */
  push(id: NodeId): void {
    const source = this.context.roles.resolve(id);
    // Numbers are no part of the code: programs that differ in them alone share a module.
    if (this.nodes[source].kind !== "constant") this.f.get(this.variable(source));
    else this.f.i32(this.context.memory.of(source)).loadSplat(0);
  }

  /** The variable of a number that is not constant. */
  variable(id: NodeId): Local {
    const source = this.context.roles.resolve(id);
    return this.valueOf(source) ??
      this.define(source, this.f.i32(this.context.memory.of(source)).loadSplat(0).hold());
  }
}

/** Copies behind each other, or a call of the plain kernel. */
function writeStep(
  f: FunctionBody,
  context: ModuleContext,
  scalars: ScalarCode,
  id: NodeId,
): void {
  const { nodes, roles, memory } = context;
  if (roles.of(id) === "hosted") {
    const { functions } = context;
    f.i32(context.stepNumber(id)).call(functions.step, functions.typeOf(functions.step));
    return;
  }
  let to = memory.of(id);
  for (const arg of nodes[id].args) {
    const size = roles.size(arg);
    if (size === 1) {
      f.i32(to);
      scalars.push(arg);
      f.extract(0).storeNumber(0);
    } else f.copy(to, memory.of(arg), 8 * size);
    to += 8 * size;
  }
}
