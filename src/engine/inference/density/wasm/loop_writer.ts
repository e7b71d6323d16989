/** Writes one loop: all elementwise nodes, sums and scatters of a level over equally many elements. */
import type {
  GraphNode,
  MapNode,
  NodeId,
  ReduceNode,
  ReduceOp,
} from "../../../language/ir/node.ts";
import { reductionPlan } from "../../../language/ir/evaluate.ts";
import type { Shape } from "../../../language/ir/shape.ts";
import type { FunctionBody, LocalIndex as Local, SimdOp } from "../../../../numerics/wasm/mod.ts";
import { Lanes } from "./lanes.ts";
import { wasteAddress, zeroAddress } from "./memory_map.ts";
import type { Loop, Schedule } from "./schedule.ts";
import { type ModuleContext, startOf } from "./module_context.ts";

/**
 * A sum in two lanes. Of an odd number of elements, the last round has nothing to add in the second
 * lane: there, what the lane was before that round counts.
 */
interface Accumulator {
  readonly op: SimdOp;
  readonly pair: Local;
  readonly before: Local;
}

/** Numbers of a loop: each of them in both lanes of a variable. */
export interface LoopScalars {
  /** Pushes a number. */
  push(id: NodeId): void;
  /** The variable of a number that is not constant. */
  variable(id: NodeId): Local;
  /** Names a variable as the value of a node. */
  define(id: NodeId, local: Local): void;
  /** Stores a number that others read from memory. */
  keep(id: NodeId): void;
}

/** Rounds from which two are written side by side; below, code is to be short. */
const fewestToPair = 64;

const joins: { readonly [op in ReduceOp]: SimdOp } = {
  sum: "f64x2.add",
  prod: "f64x2.mul",
  max: "f64x2.max",
  min: "f64x2.min",
};

/** Two elements of every array, from byte offset `position` + `shift` on. */
class LoopLanes extends Lanes {
  readonly #loaded = new Map<string, Local>();

  constructor(
    f: FunctionBody,
    readonly context: ModuleContext,
    readonly scalars: LoopScalars,
    readonly count: number,
    readonly position: Local,
    readonly shift: number,
  ) {
    super(f, context.nodes, context.functions, false);
  }

  override operand(id: NodeId, node: MapNode): void {
    if (this.context.roles.size(id) === 1) return this.scalars.push(id);
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
      return this.#load(`${source}`, () => this.at(memory.of(source)));
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

  /** Pushes two elements of an array that runs along the loop from `address` on. */
  at(address: number): void {
    this.f.get(this.position).load(address + this.shift);
  }

  /** Pushes two elements whose addresses stand in a table. */
  indexed(table: number): void {
    this.pushIndex(table + 4);
    this.pushIndex(table);
    this.f.loadSplat(0).loadHigh(0);
  }

  /** Pushes an entry of a table for the current elements. */
  pushIndex(table: number): void {
    this.f.get(this.position).i32(1).op("i32.shr_u").loadIndex(table + this.shift / 2);
  }
}

/** Writes a loop with what comes before and after it. */
export class LoopWriter {
  readonly #position: Local;
  readonly #sums = new Map<NodeId, Accumulator[]>();
  readonly #coefficients = new Map<NodeId, Local[]>();

  constructor(
    readonly f: FunctionBody,
    readonly context: ModuleContext,
    readonly scalars: LoopScalars,
    readonly schedule: Schedule,
    readonly loop: Loop,
  ) {
    this.#position = f.local("i32");
  }

  write(): void {
    const { nodes } = this.loop;
    for (const id of nodes) this.#prepare(id, this.context.nodes[id]);
    const rounds = Math.ceil(this.loop.count / 2);
    const width = rounds >= fewestToPair ? 2 : 1;
    const left = rounds % width;
    const ends = (last: boolean) => last && this.loop.count % 2 === 1;
    this.f.countUp(this.#position, 16 * (rounds - left), 16 * width, () => {
      this.#rounds(Array.from({ length: width }, (_, k) => 16 * k), ends(left === 0));
    });
    if (left) this.#rounds([0], ends(true));
    for (const id of nodes) this.#finish(id);
  }

  /**
   * Rounds side by side: one can compute while another waits for its results, and numbers that all
   * of them need are fetched once. Sums keep the order of the rounds.
   *
   * @param odd whether nothing is in the second lane of the very last round.
   */
  #rounds(shifts: readonly number[], odd: boolean): void {
    const { f, context, scalars, loop } = this;
    const rounds = shifts.map((shift) =>
      new LoopLanes(f, context, scalars, loop.count, this.#position, shift)
    );
    for (const id of loop.nodes) {
      const node = context.nodes[id];
      const role = context.roles.of(id);
      if (role === "rows") this.#rows(id, node, rounds);
      else if (role === "columns") this.#columns(id, node, rounds, odd);
      else {
        rounds.forEach((lanes, k) => this.#round(id, node, lanes, odd && k === rounds.length - 1));
      }
      if (role !== "reduction" && role !== "scatter" && role !== "columns") this.#keep(id, rounds);
    }
  }

  /** Stores elements that are read from memory later. */
  #keep(id: NodeId, rounds: readonly LoopLanes[]): void {
    if (!this.schedule.stored.has(id)) return;
    const { f, context: { memory, nodes } } = this;
    for (const lanes of rounds) {
      f.get(this.#position);
      lanes.element(id, nodes[id].shape);
      f.store(memory.of(id) + lanes.shift);
    }
  }

  /** Declares values before the loop: scalars in variables, sums at their start. */
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

  #round(id: NodeId, node: GraphNode, lanes: LoopLanes, odd: boolean): void {
    switch (this.context.roles.of(id)) {
      case "reduction":
        return this.#accumulate(
          this.#sums.get(id)![0],
          odd,
          () => this.#element(node.args[0], lanes),
        );
      case "scatter":
        return this.#scatter(id, node, lanes);
      case "fold":
        return this.#fold(id, node as ReduceNode, lanes);
      default:
        return this.#elementwise(id, node, lanes);
    }
  }

  /** Pushes elements of an array that runs along the loop. */
  #element(arg: NodeId, lanes: LoopLanes): void {
    lanes.element(arg, this.context.nodes[arg].shape);
  }

  #elementwise(id: NodeId, node: GraphNode, lanes: LoopLanes): void {
    if (node.kind === "map") return lanes.map(id, node);
    if (node.kind !== "gather") throw new Error(`internal: a ${node.kind} in a loop`);
    const { roles, memory } = this.context;
    const source = node.args[0];
    if (roles.size(source) === 1 && node.index.every((at) => at === 0)) {
      this.scalars.push(source);
    } else lanes.indexed(memory.table(source, node.index, zeroAddress));
    lanes.define(id, this.f.hold());
  }

  /** join(sum, x), remembering what was there before, if the last round is odd. */
  #accumulate({ op, pair, before }: Accumulator, odd: boolean, push: () => void): void {
    const { f } = this;
    if (odd) f.get(pair).set(before);
    f.get(pair);
    push();
    f.op(op).set(pair);
  }

  /** Σ_l A_il b_l: terms of even and of odd l apart, as `matrixProduct` sums them. */
  #rows(id: NodeId, node: GraphNode, rounds: readonly LoopLanes[]): void {
    const { f } = this;
    const [rows, columns] = this.context.nodes[node.args[0]].shape;
    const base = this.context.memory.columns(this.#data(node.args[0]), rows, columns);
    const coefficients = this.#coefficients.get(id)!;
    const sums = rounds.map(() => [f.pair(0).hold(), f.pair(0).hold()]);
    for (let l = 0; l < columns; l++) {
      for (const [k, lanes] of rounds.entries()) {
        const sum = sums[k][l & 1];
        f.get(sum);
        lanes.at(base + 8 * l * (rows + (rows & 1)));
        f.get(coefficients[l]).op("f64x2.mul", "f64x2.add").set(sum);
      }
    }
    for (const [k, lanes] of rounds.entries()) {
      lanes.define(id, f.get(...sums[k]).op("f64x2.add").hold());
    }
  }

  /** Σ_i A_ji x_i for every row j of data. */
  #columns(id: NodeId, node: GraphNode, rounds: readonly LoopLanes[], odd: boolean): void {
    const { f } = this;
    const [columns, rows] = this.context.nodes[node.args[0]].shape;
    const data = this.#data(node.args[0]);
    const base = this.context.memory.columnsOfTransposed(data, columns, rows);
    for (const [j, sum] of this.#sums.get(id)!.entries()) {
      for (const [k, lanes] of rounds.entries()) {
        this.#accumulate(sum, odd && k === rounds.length - 1, () => {
          lanes.at(base + 8 * j * (rows + (rows & 1)));
          this.#element(node.args[1], lanes);
          f.op("f64x2.mul");
        });
      }
    }
  }

  /** Elements over some axes, in order; sums and products take those of even and of odd apart. */
  #fold(id: NodeId, node: ReduceNode, lanes: LoopLanes): void {
    const { f, context: { nodes, memory } } = this;
    const { bases, offsets } = reductionPlan(nodes[node.args[0]].shape, node.axes);
    const table = memory.table(node.args[0], bases, zeroAddress);
    const [low, high] = [f.local("i32"), f.local("i32")];
    lanes.pushIndex(table);
    f.set(low);
    lanes.pushIndex(table + 4);
    f.set(high);
    const chains = node.op === "sum" || node.op === "prod" ? 2 : 1;
    for (let chain = 0; chain < chains; chain++) {
      f.pair(startOf(node));
      for (let j = chain; j < offsets.length; j += chains) {
        f.get(high).get(low).loadSplat(8 * offsets[j]).loadHigh(8 * offsets[j]);
        f.op(joins[node.op]);
      }
    }
    if (chains === 2) f.op(joins[node.op]);
    lanes.define(id, f.hold());
  }

  #data(id: NodeId): Float64Array {
    const node = this.context.nodes[id];
    if (node.kind !== "constant") throw new Error("internal: a product of data without data");
    return node.values;
  }

  #scatter(id: NodeId, node: GraphNode, lanes: LoopLanes): void {
    const { f } = this;
    if (node.kind !== "scatter") throw new Error(`internal: a ${node.kind} that scatters`);
    const table = this.context.memory.table(id, node.index, wasteAddress);
    const address = f.local("i32");
    for (const lane of [0, 1] as const) {
      lanes.pushIndex(table + 4 * lane);
      f.tee(address).get(address).loadNumber(0);
      this.#element(node.args[0], lanes);
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
      f.get(sum.pair, odd).shuffle(0, 1).get(odd, sum.pair).shuffle(1, 0).op(sum.op);
      if (roles.of(id) === "reduction") {
        this.scalars.define(id, f.hold());
        return this.scalars.keep(id);
      }
      const total = f.hold();
      f.i32(memory.of(id) + 8 * j).get(total).extract(0).storeNumber(0);
    });
  }
}
