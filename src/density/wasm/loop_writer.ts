/** Writes one loop: all elementwise nodes, sums and scatters of a level over equally many elements. */
import type { GraphNode, MapNode, NodeId, ReduceNode, ReduceOp } from "../../graph/node.ts";
import { reductionPlan } from "../../graph/evaluate.ts";
import type { Shape } from "../../graph/shape.ts";
import type { FunctionBody, Local, SimdOp } from "../../math/wasm/function_body.ts";
import { Lanes } from "./lanes.ts";
import { wasteAddress, zeroAddress } from "./memory_map.ts";
import type { Loop, Schedule } from "./schedule.ts";
import { type ModuleContext, type ScalarCode, startOf } from "./task_writer.ts";

/**
 * A sum in two lanes. Of an odd number of elements, the last round has nothing to add in the second
 * lane: there, what the lane was before that round counts.
 */
interface Accumulator {
  readonly op: SimdOp;
  readonly pair: Local;
  readonly before: Local;
}

const joins: { readonly [op in ReduceOp]: SimdOp } = {
  sum: "f64x2.add",
  prod: "f64x2.mul",
  max: "f64x2.max",
  min: "f64x2.min",
};

/** Two elements of every array, from byte offset `position` on. */
class LoopLanes extends Lanes {
  readonly #loaded = new Map<string, Local>();

  constructor(
    f: FunctionBody,
    readonly context: ModuleContext,
    readonly scalars: ScalarCode,
    readonly count: number,
    readonly position: Local,
  ) {
    super(f, context.nodes, context.functions, false);
  }

  override operand(id: NodeId, node: MapNode): void {
    const { roles } = this.context;
    if (roles.size(id) === 1) return this.scalars.push(id);
    this.element(id, node.shape);
  }

  override key(id: NodeId, node: MapNode): string {
    const spread = this.context.roles.size(id) === this.count ? "" : ` ${node.shape}`;
    return `${this.context.roles.resolve(id)}${spread}`;
  }

  /** Pushes the elements of an array under the shape of what reads them. */
  element(id: NodeId, shape: Shape): void {
    const { roles, memory } = this.context;
    const source = roles.resolve(id);
    if (roles.size(id) === this.count) {
      const local = this.valueOf(source);
      if (local !== undefined) return void this.f.get(local);
      return this.#load(`${source}`, () => this.f.get(this.position).load(memory.of(source)));
    }
    const table = memory.broadcastTable(id, shape);
    this.#load(`${source} ${table}`, () => this.indexed(table));
  }

  #load(key: string, push: () => void): void {
    const known = this.#loaded.get(key);
    if (known !== undefined) return void this.f.get(known);
    push();
    const local = this.f.hold();
    this.#loaded.set(key, local);
    this.f.get(local);
  }

  /** Pushes two elements whose addresses stand in a table. */
  indexed(table: number): void {
    this.pushIndex(table + 4);
    this.pushIndex(table);
    this.f.loadSplat(0).loadHigh(0);
  }

  /** Pushes an entry of a table for the current elements. */
  pushIndex(table: number): void {
    this.f.get(this.position).i32(1).op("i32.shr_u").loadIndex(table);
  }
}

/** Writes a loop with what comes before and after it. */
export class LoopWriter {
  readonly #lanes: LoopLanes;
  readonly #position: Local;
  readonly #sums = new Map<NodeId, Accumulator[]>();
  readonly #coefficients = new Map<NodeId, Local[]>();

  constructor(
    readonly f: FunctionBody,
    readonly context: ModuleContext,
    readonly scalars: ScalarCode,
    readonly schedule: Schedule,
    readonly loop: Loop,
  ) {
    this.#position = f.local("i32");
    this.#lanes = new LoopLanes(f, context, scalars, loop.count, this.#position);
  }

  write(): void {
    const { nodes } = this.loop;
    for (const id of nodes) this.#prepare(id, this.context.nodes[id]);
    const bytes = 16 * Math.ceil(this.loop.count / 2);
    this.f.countUp(this.#position, bytes, 16, () => {
      for (const id of nodes) this.#round(id, this.context.nodes[id]);
    });
    for (const id of nodes) this.#finish(id);
  }

  /** What has to stand before the loop: numbers in variables, sums at their start. */
  #prepare(id: NodeId, node: GraphNode): void {
    const { f, context: { roles, memory, nodes } } = this;
    const role = roles.of(id);
    for (const arg of node.args) {
      const source = roles.resolve(arg);
      if (roles.size(arg) === 1 && nodes[source].kind !== "constant") {
        this.scalars.variable(source);
      }
    }
    if (role === "reduction") this.#sums.set(id, [this.#accumulator(node as ReduceNode)]);
    if (role === "scatter") f.clear(memory.of(id), 16 * Math.ceil(roles.size(id) / 2));
    if (role === "columns") {
      this.#sums.set(id, Array.from({ length: roles.size(id) }, () => this.#accumulator()));
    }
    if (role === "rows") this.#coefficients.set(id, this.#loadCoefficients(node.args[1]));
  }

  #accumulator(node?: ReduceNode): Accumulator {
    const { f } = this;
    const op = node ? joins[node.op] : "f64x2.add";
    const [pair, before] = [f.local(), f.local()];
    const start = node ? startOf(node) : 0;
    f.pair(start).set(pair).pair(start).set(before);
    return { op, pair, before };
  }

  #loadCoefficients(arg: NodeId): Local[] {
    const { f, context: { roles, memory, nodes } } = this;
    const source = roles.resolve(arg);
    if (roles.size(source) === 1 && nodes[source].kind !== "constant") {
      return [this.scalars.variable(source)];
    }
    const address = memory.of(source);
    return Array.from(
      { length: roles.size(source) },
      (_, l) => f.i32(address + 8 * l).loadSplat(0).hold(),
    );
  }

  #round(id: NodeId, node: GraphNode): void {
    const { roles, memory } = this.context;
    switch (roles.of(id)) {
      case "reduction":
        return this.#accumulate(this.#sums.get(id)![0], () => this.#element(node.args[0]));
      case "columns":
        return this.#columns(id, node);
      case "scatter":
        return this.#scatter(id, node);
      case "rows":
        this.#rows(id, node);
        break;
      case "fold":
        this.#fold(id, node as ReduceNode);
        break;
      default:
        this.#elementwise(id, node);
    }
    if (!this.schedule.stored.has(id)) return;
    this.f.get(this.#position);
    this.#lanes.element(id, node.shape);
    this.f.store(memory.of(id));
  }

  /** Pushes elements of an array that runs along the loop. */
  #element(arg: NodeId): void {
    this.#lanes.element(arg, this.context.nodes[arg].shape);
  }

  #elementwise(id: NodeId, node: GraphNode): void {
    if (node.kind === "map") return this.#lanes.map(id, node);
    if (node.kind !== "gather") throw new Error(`internal: a ${node.kind} in a loop`);
    const { roles, memory } = this.context;
    const source = node.args[0];
    if (roles.size(source) === 1 && node.index.every((at) => at === 0)) {
      this.scalars.push(source);
    } else this.#lanes.indexed(memory.table(source, node.index, zeroAddress));
    this.#lanes.define(id, this.f.hold());
  }

  /** join(sum, x), remembering what was there before, if the last round is odd. */
  #accumulate({ op, pair, before }: Accumulator, push: () => void): void {
    const { f } = this;
    if (this.loop.count & 1) f.get(pair).set(before);
    f.get(pair);
    push();
    f.simd(op).set(pair);
  }

  /** Σ_l A_il b_l: terms of even and of odd l apart, as `matrixProduct` sums them. */
  #rows(id: NodeId, node: GraphNode): void {
    const { f } = this;
    const [rows, columns] = this.context.nodes[node.args[0]].shape;
    const base = this.context.memory.columns(this.#data(node.args[0]), rows, columns);
    const coefficients = this.#coefficients.get(id)!;
    for (const parity of [0, 1]) {
      f.pair(0);
      for (let l = parity; l < columns; l += 2) {
        f.get(this.#position).load(base + 8 * l * (rows + (rows & 1)));
        f.get(coefficients[l]).simd("f64x2.mul", "f64x2.add");
      }
    }
    f.simd("f64x2.add");
    this.#lanes.define(id, f.hold());
  }

  /** Σ_i A_ji x_i for every row j of data. */
  #columns(id: NodeId, node: GraphNode): void {
    const { f } = this;
    const [columns, rows] = this.context.nodes[node.args[0]].shape;
    const data = this.#data(node.args[0]);
    const base = this.context.memory.columnsOfTransposed(data, columns, rows);
    this.#sums.get(id)!.forEach((sum, j) =>
      this.#accumulate(sum, () => {
        f.get(this.#position).load(base + 8 * j * (rows + (rows & 1)));
        this.#element(node.args[1]);
        f.simd("f64x2.mul");
      })
    );
  }

  /** Elements over some axes, in order; sums and products take those of even and of odd apart. */
  #fold(id: NodeId, node: ReduceNode): void {
    const { f, context: { nodes, memory } } = this;
    const { bases, offsets } = reductionPlan(nodes[node.args[0]].shape, node.axes);
    const table = memory.table(node.args[0], bases, zeroAddress);
    const [low, high] = [f.local("i32"), f.local("i32")];
    this.#lanes.pushIndex(table);
    f.set(low);
    this.#lanes.pushIndex(table + 4);
    f.set(high);
    const chains = node.op === "sum" || node.op === "prod" ? 2 : 1;
    for (let chain = 0; chain < chains; chain++) {
      f.pair(startOf(node));
      for (let j = chain; j < offsets.length; j += chains) {
        f.get(high).get(low).loadSplat(8 * offsets[j]).loadHigh(8 * offsets[j]);
        f.simd(joins[node.op]);
      }
    }
    if (chains === 2) f.simd(joins[node.op]);
    this.#lanes.define(id, f.hold());
  }

  #data(id: NodeId): Float64Array {
    const node = this.context.nodes[id];
    if (node.kind !== "constant") throw new Error("internal: a product of data without data");
    return node.values;
  }

  #scatter(id: NodeId, node: GraphNode): void {
    const { f } = this;
    if (node.kind !== "scatter") throw new Error(`internal: a ${node.kind} that scatters`);
    const table = this.context.memory.table(id, node.index, wasteAddress);
    const address = f.local("i32");
    for (const lane of [0, 1] as const) {
      this.#lanes.pushIndex(table + 4 * lane);
      f.tee(address).get(address).loadNumber(0);
      this.#element(node.args[0]);
      f.extract(lane).op("f64.add").storeNumber(0);
    }
  }

  /** Joins the lanes of sums, each of which then is a number, or an element of an array. */
  #finish(id: NodeId): void {
    const sums = this.#sums.get(id);
    if (!sums) return;
    const { f, context: { roles, memory } } = this;
    sums.forEach((sum, j) => {
      const odd = this.loop.count & 1 ? sum.before : sum.pair;
      f.get(sum.pair, odd).shuffle(0, 1).get(odd, sum.pair).shuffle(1, 0).simd(sum.op);
      if (roles.of(id) === "reduction") {
        this.scalars.define(id, f.hold());
        return this.scalars.keep(id);
      }
      const total = f.hold();
      f.i32(memory.of(id) + 8 * j).get(total).extract(0).storeNumber(0);
    });
  }
}
