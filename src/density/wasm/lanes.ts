/** Instructions over rows, written as WebAssembly on one or two lanes at a time. */
import type { Instruction, TapeOp } from "../instruction.ts";
import type { FunctionBody, Local, PlainOp } from "./assembler.ts";
import { callIndex, exponentialPairIndex, type HostFunction } from "./host.ts";

type LaneOp = "add" | "sub" | "mul" | "div" | "neg" | "sqrt" | "abs";

/** A running sum over lanes of equal parity: a pair in the loop, two numbers after it. */
export interface LaneSum {
  readonly pair: Local;
  readonly even: Local;
  readonly odd: Local;
}

/** What the wide and the narrow body of one loop share. */
export interface LoopFrame {
  readonly body: FunctionBody;
  /** Byte offset of the first of the current lanes. */
  readonly position: Local;
  readonly adjointBase: number;
  /** Adjoints of rows pass through memory; otherwise they live in variables of the loop. */
  readonly adjointsInMemory: boolean;
  /** Numbers that serve all lanes, by address: plain and doubled. */
  readonly scalars: Map<number, { readonly plain: Local; readonly pair: Local }>;
  readonly sums: Map<string, LaneSum>;
}

/** The sum named `key`, made on first use. */
export function sumOf(frame: LoopFrame, key: string): LaneSum {
  const { body, sums } = frame;
  let sum = sums.get(key);
  if (!sum) {
    sum = { pair: body.local("v128"), even: body.local("f64"), odd: body.local("f64") };
    sums.set(key, sum);
  }
  return sum;
}

/** Writes one body of a loop: `wide` for two lanes, otherwise for the odd one at the end. */
export class LaneCode {
  readonly #values = new Map<number, Local>();
  readonly #adjoints = new Map<number, Local>();

  constructor(readonly frame: LoopFrame, readonly wide: boolean) {}

  get type(): "v128" | "f64" {
    return this.wide ? "v128" : "f64";
  }

  local(): Local {
    return this.frame.body.local(this.type);
  }

  op(...ops: readonly LaneOp[]): this {
    const prefix = this.wide ? "f64x2" : "f64";
    for (const op of ops) this.frame.body.op(`${prefix}.${op}` as PlainOp);
    return this;
  }

  constant(value: number): this {
    if (this.wide) this.frame.body.pair(value);
    else this.frame.body.f64(value);
    return this;
  }

  get(...locals: readonly Local[]): this {
    this.frame.body.get(...locals);
    return this;
  }

  set(local: Local): this {
    this.frame.body.set(local);
    return this;
  }

  /** Pushes an operand: a number for all lanes, or the current rows. */
  operand(address: number, mask: number): this {
    if (mask === 0) {
      const scalar = this.frame.scalars.get(address)!;
      return this.get(this.wide ? scalar.pair : scalar.plain);
    }
    let local = this.#values.get(address);
    if (local === undefined) {
      local = this.local();
      this.frame.body.get(this.frame.position).load(this.type, 8 * address).set(local);
      this.#values.set(address, local);
    }
    return this.get(local);
  }

  /** Names the rows on the stack as the value at `address`, and stores them if asked. */
  define(address: number, store: boolean): void {
    const local = this.local();
    this.set(local);
    this.#values.set(address, local);
    if (!store) return;
    this.frame.body.get(this.frame.position, local).store(this.type, 8 * address);
  }

  /** Pushes the adjoint of rows; false (and nothing pushed) if there is none. */
  adjoint(address: number): boolean {
    const { body, position, adjointBase, adjointsInMemory } = this.frame;
    if (adjointsInMemory) {
      body.get(position).load(this.type, adjointBase + 8 * address);
      return true;
    }
    const local = this.#adjoints.get(address);
    if (local !== undefined) body.get(local);
    return local !== undefined;
  }

  /** Adds (or subtracts) the rows that `push` leaves to the adjoint of rows. */
  addAdjoint(address: number, push: () => void, op: "add" | "sub" = "add"): void {
    const { body, position, adjointBase, adjointsInMemory } = this.frame;
    if (adjointsInMemory) body.get(position);
    if (!this.adjoint(address)) {
      push();
      if (op === "sub") this.op("neg");
    } else {
      push();
      this.op(op);
    }
    if (adjointsInMemory) {
      body.store(this.type, adjointBase + 8 * address);
      return;
    }
    const local = this.#adjoints.get(address) ?? this.local();
    this.set(local);
    this.#adjoints.set(address, local);
  }

  /** Adds the rows that `push` leaves to a running sum. */
  addToSum(key: string, push: () => void): void {
    const sum = sumOf(this.frame, key);
    const local = this.wide ? sum.pair : sum.even;
    this.get(local);
    push();
    this.op("add").set(local);
  }

  /** Pushes 1 if all lanes of a variable lie within the bounds, else (also for NaN) 0. */
  within(local: Local, [low, high]: readonly [number, number]): void {
    const { body } = this.frame;
    this.constant(low).get(local);
    body.op(this.wide ? "f64x2.le" : "f64.le");
    this.get(local).constant(high);
    body.op(this.wide ? "f64x2.le" : "f64.le");
    if (this.wide) body.op("v128.and", "i64x2.all_true");
    else body.op("i32.and");
  }

  /** Pushes a variable that is not negative, with the sign of another. */
  withSignOf(size: Local, sign: Local): void {
    const { body } = this.frame;
    if (!this.wide) body.get(size, sign).op("f64.copysign");
    else body.get(size, sign).pair(-0).op("v128.and", "v128.or");
  }

  /** Applies a function of one number to each lane on the stack. */
  apply(name: HostFunction): void {
    const { body } = this.frame;
    if (!this.wide) body.call(callIndex[name]);
    else if (name === "exp") body.call(exponentialPairIndex);
    else {
      const x = this.local();
      body.set(x).get(x).op("f64x2.extract_lane 0").call(callIndex[name]).op("f64x2.splat");
      body.get(x).op("f64x2.extract_lane 1").call(callIndex[name]).op("f64x2.replace_lane 1");
    }
  }
}

interface LaneRule {
  /** Pushes the result. */
  forward(l: LaneCode, step: Instruction): void;
  /** Adds to the adjoints of the operands; `slot(k)` names the sum of operand k. */
  backward(l: LaneCode, step: Instruction, slot: (operand: "a" | "b") => string): void;
}

function unary(
  forward: (l: LaneCode, step: Instruction) => void,
  slope: (l: LaneCode, step: Instruction) => void,
  sign: "add" | "sub" = "add",
): LaneRule {
  return {
    forward,
    backward: (l, step) =>
      l.addAdjoint(step.a, () => {
        l.adjoint(step.out);
        slope(l, step);
      }, sign),
  };
}

const hosted = (name: HostFunction) => (l: LaneCode, { a }: Instruction) =>
  l.operand(a, -1).apply(name);

const plainForward = (op: "add" | "sub" | "mul" | "div") => (l: LaneCode, step: Instruction) => {
  l.operand(step.a, step.aMask).operand(step.b, step.bMask).op(op);
};

/** Adds what `push` leaves to the adjoint of an operand, or to its sum if it serves all lanes. */
function contribute(
  l: LaneCode,
  address: number,
  mask: number,
  key: string,
  push: () => void,
  op: "add" | "sub" = "add",
): void {
  if (mask === 0) l.addToSum(key, push);
  else l.addAdjoint(address, push, op);
}

/** Rules by operation; programs with any other operation over rows stay on the tape. */
export const laneRules: { readonly [op in TapeOp]?: LaneRule } = {
  neg: unary((l, { a }) => l.operand(a, -1).op("neg"), () => {}, "sub"),
  exp: unary(hosted("exp"), (l, { out }) => l.operand(out, -1).op("mul")),
  log: unary(hosted("log"), (l, { a }) => l.operand(a, -1).op("div")),
  log1p: unary(hosted("log1p"), (l, { a }) => l.constant(1).operand(a, -1).op("add", "div")),
  expm1: unary(hosted("expm1"), (l, { out }) => l.constant(1).operand(out, -1).op("add", "mul")),
  sqrt: unary(
    (l, { a }) => l.operand(a, -1).op("sqrt"),
    (l, { out }) => l.constant(0.5).operand(out, -1).op("div", "mul"),
  ),
  sigmoid: unary(
    hosted("sigmoid"),
    (l, { out }) => l.operand(out, -1).constant(1).operand(out, -1).op("sub", "mul", "mul"),
  ),
  tanh: unary(
    hosted("tanh"),
    (l, { out }) => l.constant(1).operand(out, -1).operand(out, -1).op("mul", "sub", "mul"),
  ),
  square: unary(
    (l, { a }) => l.operand(a, -1).operand(a, -1).op("mul"),
    (l, { a }) => l.constant(2).operand(a, -1).op("mul", "mul"),
  ),
  reciprocal: unary(
    (l, { a }) => l.constant(1).operand(a, -1).op("div"),
    (l, { out }) => l.operand(out, -1).operand(out, -1).op("mul", "mul"),
    "sub",
  ),
  add: {
    forward: plainForward("add"),
    backward(l, { a, aMask, aFree, b, bMask, bFree, out }, slot) {
      const pull = () => l.adjoint(out);
      if (aFree) contribute(l, a, aMask, slot("a"), pull);
      if (bFree) contribute(l, b, bMask, slot("b"), pull);
    },
  },
  sub: {
    forward: plainForward("sub"),
    backward(l, { a, aMask, aFree, b, bMask, bFree, out }, slot) {
      const pull = () => l.adjoint(out);
      if (aFree) contribute(l, a, aMask, slot("a"), pull);
      if (bFree) contribute(l, b, bMask, slot("b"), pull, "sub");
    },
  },
  mul: {
    forward: plainForward("mul"),
    backward(l, { a, aMask, aFree, b, bMask, bFree, out }, slot) {
      const product = (other: number, mask: number) => () => {
        l.adjoint(out);
        l.operand(other, mask).op("mul");
      };
      if (aFree) contribute(l, a, aMask, slot("a"), product(b, bMask));
      if (bFree) contribute(l, b, bMask, slot("b"), product(a, aMask));
    },
  },
  div: {
    forward: plainForward("div"),
    backward(l, { a, aMask, aFree, b, bMask, bFree, out }, slot) {
      const slope = () => {
        l.adjoint(out);
        l.operand(b, bMask).op("div");
      };
      const slopeB = () => {
        slope();
        l.operand(out, -1).op("mul");
      };
      if (aFree) contribute(l, a, aMask, slot("a"), slope);
      if (bFree) contribute(l, b, bMask, slot("b"), slopeB, "sub");
    },
  },
  powScalarBase: {
    forward(l, { out, b }) {
      l.operand(logBaseOf(out), 0).operand(b, -1).op("mul").apply("exp");
    },
    backward(l, { b, out }, slot) {
      l.addToSum(slot("a"), () => {
        l.adjoint(out);
        l.operand(b, -1).op("mul").operand(out, -1).op("mul");
      });
    },
  },
};

/** The key among a loop's scalars of the logarithm of the base of the power at `out`. */
export function logBaseOf(out: number): number {
  return -1 - out;
}
