/** Likelihoods that run inside the loop over rows: normal, log-normal, Student's t and logistic. */
import { sumOf as sumOfRows } from "../accumulate.ts";
import { halfLog2Pi } from "../families/normal.ts";
import { fixedShape, logPi } from "../families/student_t.ts";
import { productBounds } from "../log_sum.ts";
import type { RuledTerm } from "../plan.ts";
import type { FunctionBody, Local } from "./assembler.ts";
import { type LaneCode, type LoopFrame, sumOf } from "./lanes.ts";
import { failUnless, type ScalarCode } from "./scalar_steps.ts";

/** What the module returns when the tape has to decide. */
export const undecided = Infinity;

/** A likelihood of location and scale, with a location per row and a scale per row or for all. */
export interface RowLikelihood {
  readonly location: Operand;
  readonly scale: Operand;
  /** Address of the values. */
  readonly x: number;
  /** Before the loop: what the lanes need beside the scale. */
  prepare?(w: RowWriter): void;
  /** Writes the terms of the current lanes, given their standardised residual `z`. */
  lane(w: RowWriter, l: LaneCode, z: Local, inverse: Local): void;
  /** Pushes the summed log density without −Σ log scale. */
  total(w: RowWriter): void;
}

interface Operand {
  readonly address: number;
  readonly rows: boolean;
  readonly free: boolean;
}

/** The rule of a likelihood, or undefined if it is to be called in JavaScript. */
export function rowLikelihood(
  { family, term, column }: RuledTerm,
  memory: Float64Array,
): RowLikelihood | undefined {
  const first = { address: term.p0, rows: term.mask0 !== 0, free: term.free0 };
  const second = { address: term.p1, rows: term.mask1 !== 0, free: term.free1 };
  const third = { address: term.p2, rows: term.mask2 !== 0, free: term.free2 };
  if (!column) return undefined;
  const [location, scale] = family === "student_t" ? [second, third] : [first, second];
  if (!location.rows) return undefined;
  const laws = { location, scale, x: family === "log_normal" ? term.logX : term.x };
  const n = term.n;
  if (family === "normal") return { ...laws, ...normalRows(n, 0) };
  if (family === "log_normal") {
    return { ...laws, ...normalRows(n, sumOfRows(memory, n, term.logX)) };
  }
  if (family === "student_t") return first.rows ? undefined : { ...laws, ...studentRows(n, first) };
  return family === "logistic" ? { ...laws, ...logisticRows() } : undefined;
}

/** Writes a likelihood around and into the loop over rows. */
export class RowWriter {
  readonly #inverse: Local;
  readonly #inversePair: Local;
  readonly #products = new Map<string, Product>();

  constructor(
    readonly code: ScalarCode,
    readonly frame: LoopFrame,
    readonly law: RowLikelihood,
    readonly n: number,
    readonly memory: Float64Array,
  ) {
    this.#inverse = this.body.local("f64");
    this.#inversePair = this.body.local("v128");
    for (const name of ["scale", "tail"]) {
      this.#products.set(name, newProduct(this.body));
    }
  }

  get body(): FunctionBody {
    return this.frame.body;
  }

  /** Before the loop: a scale for all rows must be positive. */
  prepare(): void {
    const { scale } = this.law;
    this.law.prepare?.(this);
    if (scale.rows) return;
    this.body.f64(0);
    this.code.value(scale.address);
    failUnless(this.body.op("f64.lt"));
    this.body.f64(1);
    this.code.value(scale.address);
    this.body.op("f64.div").set(this.#inverse).get(this.#inverse).op("f64x2.splat");
    this.body.set(this.#inversePair);
  }

  /** In the loop: residuals, then the likelihood's own terms. */
  lane(l: LaneCode): void {
    const { location, scale, x } = this.law;
    let inverse = l.wide ? this.#inversePair : this.#inverse;
    if (scale.rows) {
      inverse = l.local();
      l.constant(1).operand(scale.address, -1).op("div").set(inverse);
      this.multiply(l, "scale", () => l.operand(scale.address, -1));
    }
    const z = l.local();
    l.operand(x, -1).operand(location.address, -1).op("sub").get(inverse).op("mul").set(z);
    this.law.lane(this, l, z, inverse);
  }

  /** Adds what `push` leaves to the adjoint of the location. */
  pull(l: LaneCode, push: () => void): void {
    const { location } = this.law;
    if (location.free) l.addAdjoint(location.address, push);
  }

  /** Adds what `push` leaves to the adjoint of the scale, or to its sum. */
  stretch(l: LaneCode, push: () => void): void {
    const { scale } = this.law;
    if (!scale.free) return;
    if (scale.rows) l.addAdjoint(scale.address, push);
    else l.addToSum("stretch", push);
  }

  /** Multiplies a running product by what `push` leaves; out of bounds, the tape decides. */
  multiply(l: LaneCode, name: string, push: () => void): void {
    const product = this.#products.get(name)!;
    const local = l.wide ? product.pair : product.even;
    l.get(local);
    push();
    l.op("mul").set(local);
    l.within(local, productBounds);
    this.body.op("i32.eqz").when(() => this.body.f64(undecided).op("return"));
  }

  /** Between the pairs and the odd row: each product by parity. */
  split(): void {
    for (const { pair, even, odd } of this.#products.values()) {
      this.body.get(pair).op("f64x2.extract_lane 0").set(even);
      this.body.get(pair).op("f64x2.extract_lane 1").set(odd);
    }
  }

  /** Pushes the logarithm of a product. */
  logProduct(name: string): void {
    const { even, odd } = this.#products.get(name)!;
    this.body.get(even, odd).op("f64.mul");
    this.code.call("log");
  }

  /** Pushes a running sum. */
  sum(name: string): void {
    const { even, odd } = sumOf(this.frame, name);
    this.body.get(even, odd).op("f64.add");
  }

  /** Pushes Σ log scale over rows. */
  logScales(): void {
    const { scale } = this.law;
    if (scale.rows) return this.logProduct("scale");
    this.body.f64(this.n);
    this.code.value(scale.address);
    this.code.call("log");
    this.body.op("f64.mul");
  }

  /** 1 / scale where one scale serves all rows. */
  get inverse(): Local {
    return this.#inverse;
  }
}

interface Product {
  readonly pair: Local;
  readonly even: Local;
  readonly odd: Local;
}

function newProduct(body: FunctionBody): Product {
  const product = {
    pair: body.local("v128"),
    even: body.local("f64"),
    odd: body.local("f64"),
  };
  body.pair(1).set(product.pair);
  return product;
}

type Rows = Pick<RowLikelihood, "prepare" | "lane" | "total">;

/** −½ z²; `logValues` is the sum of the values' logarithms, of the log-normal law. */
function normalRows(n: number, logValues: number): Rows {
  return {
    lane(w, l, z, inverse) {
      const square = l.local();
      l.get(z, z).op("mul").set(square);
      l.addToSum("squares", () => l.get(square));
      w.pull(l, () => l.get(z, inverse).op("mul"));
      if (w.law.scale.rows) {
        w.stretch(l, () => l.get(square).constant(1).op("sub").get(inverse).op("mul"));
      }
    },
    total(w) {
      const { body, law, code } = w;
      const squares = body.local("f64");
      w.sum("squares");
      body.set(squares);
      if (law.scale.free && !law.scale.rows) {
        code.addAdjoint(law.scale.address, () => {
          body.get(squares).f64(n).op("f64.sub").get(w.inverse).op("f64.mul");
        });
      }
      body.f64(-0.5).get(squares).op("f64.mul");
      if (law.scale.rows) {
        w.logScales();
        body.op("f64.sub").f64(n * halfLog2Pi).op("f64.sub");
      } else {
        body.f64(n);
        code.value(law.scale.address);
        code.call("log");
        body.f64(halfLog2Pi).op("f64.add", "f64.mul", "f64.sub");
      }
      if (logValues !== 0) body.f64(logValues).op("f64.sub");
    },
  };
}

/** Adds the sum of the scale's adjoints where one scale serves all rows. */
function addStretch(w: RowWriter): void {
  const { scale } = w.law;
  if (scale.free && !scale.rows) w.code.addAdjoint(scale.address, () => w.sum("stretch"));
}

/** −(ν+1)/2 log(1 + z²/ν) for one ν. */
function studentRows(n: number, nu: Operand): Rows {
  const scalars = { inverse: -1, next: -1, inversePair: -1, nextPair: -1 };
  const [inverseNu, nextNu] = [
    (l: LaneCode) => l.get(l.wide ? scalars.inversePair : scalars.inverse),
    (l: LaneCode) => l.get(l.wide ? scalars.nextPair : scalars.next),
  ];
  return {
    prepare({ body, code }) {
      scalars.inverse = body.local("f64");
      scalars.next = body.local("f64");
      scalars.inversePair = body.local("v128");
      scalars.nextPair = body.local("v128");
      body.f64(0);
      code.value(nu.address);
      failUnless(body.op("f64.lt"));
      body.f64(1);
      code.value(nu.address);
      body.op("f64.div").set(scalars.inverse).get(scalars.inverse).op("f64x2.splat");
      body.set(scalars.inversePair);
      code.value(nu.address);
      body.f64(1).op("f64.add").set(scalars.next).get(scalars.next).op("f64x2.splat");
      body.set(scalars.nextPair);
    },
    lane(w, l, z, inverse) {
      const [factor, ratio, share] = [l.local(), l.local(), l.local()];
      inverseNu(l.constant(1).get(z, z).op("mul")).op("mul", "add").set(factor);
      w.multiply(l, "tail", () => l.get(factor));
      inverseNu(l.get(z)).op("mul").get(factor).op("div").set(ratio);
      l.get(z, ratio).op("mul").set(share);
      if (nu.free) l.addToSum("shares", () => l.get(share));
      w.pull(l, () => nextNu(l).get(ratio).op("mul").get(inverse).op("mul"));
      w.stretch(l, () => {
        nextNu(l).get(share).op("mul").constant(1).op("sub").get(inverse).op("mul");
      });
    },
    total(w) {
      const { body, code } = w;
      const logTails = body.local("f64");
      w.logProduct("tail");
      body.set(logTails);
      addStretch(w);
      if (nu.free) addShapeAdjoint(w, nu.address, scalars.next, logTails, n);
      body.f64(n);
      if (nu.free) pushShape(code, nu.address);
      else body.f64(fixedShape(w.memory[nu.address]));
      body.op("f64.mul");
      w.logScales();
      body.op("f64.sub").f64(0.5).get(scalars.next).op("f64.mul").get(logTails);
      body.op("f64.mul", "f64.sub");
    },
  };
}

/** Pushes f((ν+1)/2) − f(ν/2) of a function of one number. */
function pushStep(code: ScalarCode, f: "lgamma" | "digamma", nu: number): void {
  code.value(nu);
  code.body.f64(1).op("f64.add").f64(2).op("f64.div");
  code.call(f);
  code.value(nu);
  code.body.f64(2).op("f64.div");
  code.call(f);
  code.body.op("f64.sub");
}

/** Pushes lgamma((ν+1)/2) − lgamma(ν/2) − ½ (log ν + log π). */
function pushShape(code: ScalarCode, nu: number): void {
  pushStep(code, "lgamma", nu);
  code.body.f64(0.5);
  code.value(nu);
  code.call("log");
  code.body.f64(logPi).op("f64.add", "f64.mul", "f64.sub");
}

/** n · slope of the shape + ½ ((ν+1) Σ share / ν − Σ log tail), added to the adjoint of ν. */
function addShapeAdjoint(
  w: RowWriter,
  nu: number,
  next: Local,
  logTails: Local,
  n: number,
): void {
  const { body, code } = w;
  code.addAdjoint(nu, () => {
    body.f64(n).f64(0.5);
    pushStep(code, "digamma", nu);
    body.f64(1);
    code.value(nu);
    body.op("f64.div", "f64.sub", "f64.mul", "f64.mul").f64(0.5).get(next);
    w.sum("shares");
    body.op("f64.mul");
    code.value(nu);
    body.op("f64.div").get(logTails).op("f64.sub", "f64.mul", "f64.add");
  });
}

/** −|z| − 2 log(1 + e^−|z|). */
function logisticRows(): Rows {
  return {
    lane(w, l, z, inverse) {
      const [size, e, factor, t] = [l.local(), l.local(), l.local(), l.local()];
      l.get(z).op("abs").set(size);
      l.get(size).op("neg").apply("exp");
      l.set(e).constant(1).get(e).op("add").set(factor);
      w.multiply(l, "tail", () => l.get(factor));
      l.constant(1).get(e).op("sub").get(factor).op("div").set(t);
      l.addToSum("sizes", () => l.get(size));
      w.pull(l, () => {
        l.withSignOf(t, z);
        l.get(inverse).op("mul");
      });
      w.stretch(l, () => l.get(size, t).op("mul").constant(1).op("sub").get(inverse).op("mul"));
    },
    total(w) {
      addStretch(w);
      w.sum("sizes");
      w.body.op("f64.neg").f64(2);
      w.logProduct("tail");
      w.body.op("f64.mul", "f64.sub");
      w.logScales();
      w.body.op("f64.sub");
    },
  };
}
