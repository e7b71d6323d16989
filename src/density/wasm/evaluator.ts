/** The WebAssembly back end: one module per plan, on a memory that all plans share in turn. */
import type { ArrayValue } from "../../graph/evaluate.ts";
import type { NodeId } from "../../graph/node.ts";
import { sizeOf } from "../../graph/shape.ts";
import { isTenant, moveIn, sharedMemory, type Tenant } from "../../math/wasm/memory.ts";
import {
  type EvaluationPlan,
  type Evaluator,
  type GeneratedGradient,
  reachable,
} from "../evaluator.ts";
import { type Kernel, kernelOf } from "../kernels.ts";
import type { FunctionBody } from "../../math/wasm/function_body.ts";
import { assembleModule } from "../../math/wasm/module.ts";
import { moduleOf } from "../../math/wasm/module_cache.ts";
import { type PlacedPart, writeGradient } from "./gradient_writer.ts";
import { FunctionTable } from "./imports.ts";
import { MemoryMap } from "./memory_map.ts";
import { Roles, scheduleOf } from "./schedule.ts";
import { splitLoops } from "./split_loops.ts";
import { type ModuleContext, writeTask } from "./task_writer.ts";

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
  const code = generated.bodies.reduce((sum, body) => sum + body.size, 0);
  if (generated.context.memory.size > mostBytes || code > mostCode) return undefined;
  return new WasmEvaluator(plan, ids, generated);
}

interface Generated {
  readonly context: ModuleContext;
  readonly bodies: readonly FunctionBody[];
  readonly steps: readonly NodeId[];
  readonly places: readonly Int32Array[];
}

function generate(plan: EvaluationPlan, ids: readonly NodeId[]): Generated {
  const { nodes, tasks } = plan;
  const roles = new Roles(nodes);
  const memory = new MemoryMap(roles);
  const functions = new FunctionTable(roles, ids);
  const steps: NodeId[] = [];
  const stepNumber = (id: NodeId) => {
    const known = steps.indexOf(id);
    return known < 0 ? steps.push(id) - 1 : known;
  };
  const context: ModuleContext = { nodes, roles, memory, functions, stepNumber };
  const tasksBodies = tasks.map((roots) =>
    writeTask(context, splitLoops(roles, scheduleOf(roles, roots)))
  );
  const places = tasks.map((roots) => Int32Array.from(roots, (id) => memory.of(id) / 8));
  // Every argument of a step has an address, before the size of the memory is final.
  for (const id of steps) for (const arg of [id, ...nodes[id].args]) memory.of(arg);
  for (const id of ids) if (nodes[id].kind === "input") memory.of(id);
  const bodies = [...functions.ownBodies(), ...tasksBodies, ...gradientBodies(plan, ids, context)];
  return { context, bodies, steps, places };
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
    const { context: { functions, memory }, bodies, steps, places } = generated;
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
      ...functions.functions(),
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
