/** The WebAssembly back end: one module per plan, on a memory that all plans share in turn. */
import type { ArrayValue } from "../../../language/ir/array_value.ts";
import type { NodeId } from "../../../language/ir/node.ts";
import { sizeOf } from "../../../language/ir/shape.ts";
import {
  assembleModule,
  type FunctionBody,
  isTenant,
  moduleOf,
  moveIn,
  sharedMemory,
  type Tenant,
} from "../../../../numerics/wasm/mod.ts";
import {
  type EvaluationPlan,
  type Evaluator,
  type GeneratedGradient,
  reachable,
} from "../evaluator.ts";
import { type Kernel, kernelOf } from "../../../language/ir/kernels.ts";
import { type PlacedPart, writeGradient } from "./gradient_writer.ts";
import { FunctionTable } from "./imports.ts";
import { exportOf, type LoopFunction, loopFunction } from "./loop_function.ts";
import { MemoryMap } from "./memory_map.ts";
import type { ModuleContext } from "./module_context.ts";
import { type Loop, Roles, type Schedule, scheduleOf } from "./schedule.ts";
import { splitLoops } from "./split_loops.ts";
import { writeTask } from "./task_writer.ts";

// Nothing but constants has to survive between two runs, so a plan that finds another in its place
// in the memory writes its constants again.

/** More than this many nodes are left to the plain back end: compiling them costs too much. */
const mostNodes = 20000;
/** As large as memory and functions may become. */
const mostBytes = 1 << 28;
const mostCode = 4 << 20;

/** Compiles a plan to a module; undefined if it is too large for one. */
export function wasmEvaluator(plan: EvaluationPlan): Evaluator | undefined {
  const ids = reachable(plan.nodes, plan.tasks.flat());
  if (ids.length > mostNodes) return undefined;
  const generated = generate(plan, ids);
  const bodies = [...generated.bodies, ...generated.loops.map(({ body }) => body)];
  const code = bodies.reduce((sum, body) => sum + body.size, 0);
  if (generated.context.memory.size > mostBytes || code > mostCode) return undefined;
  return new WasmEvaluator(plan, ids, generated);
}

interface Generated {
  readonly context: ModuleContext;
  readonly loops: readonly LoopFunction[];
  readonly bodies: readonly FunctionBody[];
  readonly steps: readonly NodeId[];
  readonly places: readonly Int32Array[];
}

function generate(plan: EvaluationPlan, ids: readonly NodeId[]): Generated {
  const { nodes, tasks } = plan;
  const roles = new Roles(nodes);
  const memory = new MemoryMap(roles);
  const steps: NodeId[] = [];
  const stepNumber = (id: NodeId) => {
    const known = steps.indexOf(id);
    return known < 0 ? steps.push(id) - 1 : known;
  };
  const schedules = tasks.map((roots) => splitLoops(roles, scheduleOf(roles, roots)));
  const shared = { nodes, roles, memory, stepNumber };
  const loops = plan.parts ? new Map<Loop, LoopFunction>() : loopFunctions(shared, schedules);
  const elsewhere = new Set([...loops.keys()].flatMap((loop) => loop.nodes));
  const own = ids.filter((id) => !elsewhere.has(id));
  const functions = new FunctionTable(roles, own, plan.parts ? undefined : [...loops.values()]);
  const context: ModuleContext = { ...shared, functions };
  const tasksBodies = schedules.map((schedule) => writeTask(context, schedule, loops));
  const places = tasks.map((roots) => Int32Array.from(roots, (id) => memory.of(id) / 8));
  // Every argument of a step has an address, before the size of the memory is final.
  for (const id of steps) for (const arg of [id, ...nodes[id].args]) memory.of(arg);
  for (const id of ids) if (nodes[id].kind === "input") memory.of(id);
  const bodies = [...functions.ownBodies(), ...tasksBodies, ...gradientBodies(plan, ids, context)];
  return { context, loops: [...loops.values()], bodies, steps, places };
}

/** All loops, before anything else has a place in memory. */
function loopFunctions(
  context: Omit<ModuleContext, "functions">,
  schedules: readonly Schedule[],
): ReadonlyMap<Loop, LoopFunction> {
  const found = new Map<Loop, LoopFunction>();
  for (const schedule of schedules) {
    for (const loop of schedule.levels.flatMap(({ loops }) => loops)) {
      const written = loopFunction(context, schedule, loop, found.size);
      if (written) found.set(loop, written);
    }
  }
  return found;
}

/** The function for other code on the memory, if the plan wants it. */
function gradientBodies(
  { nodes, tasks, parts }: EvaluationPlan,
  ids: readonly NodeId[],
  { memory, functions }: ModuleContext,
): FunctionBody[] {
  if (!parts) return [];
  const inputs = new Map<number, number>();
  for (const id of ids) {
    const node = nodes[id];
    if (node.kind === "input") inputs.set(node.offset, memory.of(id));
  }
  const [value, ...slopes] = tasks[0];
  const placed = parts.map((part, k): PlacedPart => ({
    ...part,
    input: inputs.get(part.offset),
    slopes: memory.of(slopes[k]),
  }));
  return [writeGradient(functions.task(0), memory.of(value), placed)];
}

class WasmEvaluator implements Evaluator, Tenant {
  readonly generated?: GeneratedGradient;
  readonly #tasks: readonly (() => void)[];
  /** Nodes that are called out for, and their kernels on views of the memory. */
  readonly #steps: readonly NodeId[];
  #kernels: readonly Kernel[] = [];
  readonly #memory: MemoryMap;
  readonly #places: readonly Int32Array[];
  /** Where every number of the position goes, in elements; the last of an odd array goes twice. */
  readonly #targets: Int32Array;
  readonly #sources: Int32Array;
  #values: Float64Array = new Float64Array(0);

  constructor(readonly plan: EvaluationPlan, ids: readonly NodeId[], generated: Generated) {
    const { context: { functions, memory }, loops, bodies, steps, places } = generated;
    this.#memory = memory;
    this.#places = places;
    this.#steps = steps;
    [this.#targets, this.#sources] = this.#inputs(ids);
    const tasks = plan.tasks.map((_, k) => ({ name: `task${k}`, index: functions.task(k) }));
    const gradient = { name: "gradient", index: functions.task(tasks.length) };
    const exports = plan.parts ? [...tasks, gradient] : tasks;
    const bytes = assembleModule(functions.declarations(), bodies, exports);
    const host = {
      memory: sharedMemory(),
      ...functions.imports(),
      ...Object.fromEntries(loops.map((loop) => [`loop${loop.number}`, exportOf(loop)])),
      step: (k: number) => this.#kernels[k](),
    };
    const instance = new WebAssembly.Instance(moduleOf(bytes), { host });
    this.#tasks = tasks.map(({ name }) => instance.exports[name] as () => void);
    if (plan.parts) {
      this.generated = {
        gradient: instance.exports.gradient as GeneratedGradient["gradient"],
        enter: () => this.#enter(),
        write: (inputs) => this.#write(inputs, 0),
      };
    }
  }

  run(task: number, position: Float64Array, offset: number): Float64Array {
    this.#enter();
    this.#write(position, offset);
    this.#tasks[task]();
    return this.#values;
  }

  #write(position: Float64Array, offset: number): void {
    const values = this.#values;
    const targets = this.#targets;
    const sources = this.#sources;
    for (let j = 0; j < targets.length; j++) values[targets[j]] = position[offset + sources[j]];
  }

  places(task: number): Int32Array {
    return this.#places[task];
  }

  #inputs(ids: readonly NodeId[]): [Int32Array, Int32Array] {
    const [targets, sources]: [number[], number[]] = [[], []];
    for (const id of ids) {
      const node = this.plan.nodes[id];
      if (node.kind !== "input") continue;
      const size = sizeOf(node.shape);
      const base = this.#memory.of(id) / 8;
      const padded = size === 1 ? 1 : size + (size & 1);
      for (let i = 0; i < padded; i++) {
        targets.push(base + i);
        sources.push(node.offset + Math.min(i, size - 1));
      }
    }
    return [Int32Array.from(targets), Int32Array.from(sources)];
  }

  #enter(): boolean {
    if (isTenant(this)) return false;
    moveIn(this, this.#memory.size);
    this.renew();
    const { buffer } = sharedMemory();
    this.#values.fill(0, 0, 2);
    for (const { address, values } of this.#memory.fixed) {
      if (values instanceof Float64Array) this.#values.set(values, address / 8);
      else new Int32Array(buffer, address, values.length).set(values);
    }
    return true;
  }

  renew(): void {
    this.#values = new Float64Array(sharedMemory().buffer);
    this.#kernels = this.#steps.map((id) => {
      const node = this.plan.nodes[id];
      return kernelOf(node, node.args.map((arg) => this.#view(arg)), this.#view(id).values);
    });
  }

  #view(id: NodeId): ArrayValue {
    const { shape } = this.plan.nodes[id];
    const values = new Float64Array(sharedMemory().buffer, this.#memory.of(id), sizeOf(shape));
    return { shape, values };
  }
}
