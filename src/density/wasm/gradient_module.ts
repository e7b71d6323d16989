/** Generates the WebAssembly module of one program: log density and gradient in one function. */
import type { Instruction } from "../instruction.ts";
import type { JacobianTerm, RuledTerm } from "../plan.ts";
import { exponentialJacobian, logoddsJacobian } from "../transforms.ts";
import { assembleModule, FunctionBody, type Local } from "./assembler.ts";
import { callIndex, gradientIndex, imports, ownFunctions, termIndex } from "./host.ts";
import { LaneCode, laneRules, logBaseOf, type LoopFrame } from "./lanes.ts";
import { type RowLikelihood, rowLikelihood, RowWriter, undecided } from "./likelihoods.ts";
import { pushLogoddsJacobian, pushPrior, ScalarCode, scalarRules } from "./scalar_steps.ts";

/** A linked program: what the tape interprets and this module compiles. */
export interface LinkedProgram {
  /** Values that depend on parameters, then constants. */
  readonly memory: Float64Array;
  readonly freeSize: number;
  readonly constant: number;
  /** Scalars first, then rows. */
  readonly tape: readonly Instruction[];
  readonly jacobians: readonly JacobianTerm[];
  readonly priors: readonly RuledTerm[];
  readonly likelihood: RuledTerm;
}

export { undecided };

/** True if every instruction has a rule here. */
export function canCompile({ tape }: LinkedProgram): boolean {
  return tape.every((step) => isRows(step) ? laneRules[step.op] : scalarRules[step.op]);
}

const isRows = (step: Instruction): boolean => step.aMask !== 0 || step.bMask !== 0;

/**
 * The bytes of a module that exports `gradient()`. Values lie at byte 0 of the memory and adjoints
 * behind them. Every sum is taken in the order of the tape, so both have the same bits.
 */
export function gradientModule(program: LinkedProgram): Uint8Array<ArrayBuffer> {
  const writer = new GradientWriter(program);
  const functions = [...ownFunctions(), writer.write()];
  return assembleModule(imports, functions, { name: "gradient", index: gradientIndex });
}

class GradientWriter {
  readonly #body = new FunctionBody([], "f64");
  readonly #code: ScalarCode;
  readonly #value: Local;
  readonly #scalars: readonly Instruction[];
  readonly #rows: readonly Instruction[];

  constructor(readonly program: LinkedProgram) {
    this.#code = new ScalarCode(this.#body, 8 * program.memory.length);
    this.#value = this.#body.local("f64");
    this.#scalars = program.tape.filter((step) => !isRows(step));
    this.#rows = program.tape.filter(isRows);
  }

  write(): FunctionBody {
    const { program } = this;
    const body = this.#body;
    body.i32(this.#code.adjointBase).i32(0).i32(8 * program.freeSize).fill();
    for (const step of this.#scalars) scalarRules[step.op]!.forward(this.#code, step);
    body.f64(program.constant).set(this.#value);
    this.#terms();
    const law = rowLikelihood(program.likelihood, program.memory);
    if (law) this.#fusedLikelihood(law);
    else this.#calledLikelihood();
    for (const step of [...this.#scalars].reverse()) {
      scalarRules[step.op]!.backward(this.#code, step);
    }
    return body.get(this.#value);
  }

  /** Adds what `push` leaves to the log density. */
  #add(push: () => void): void {
    this.#body.get(this.#value);
    push();
    this.#body.op("f64.add").set(this.#value);
  }

  #terms(): void {
    const { jacobians, priors } = this.program;
    jacobians.forEach(({ kernel, q }, k) => {
      if (kernel === exponentialJacobian) {
        this.#code.addAdjoint(q, () => this.#body.f64(1));
        this.#add(() => this.#code.value(q));
      } else if (kernel === logoddsJacobian) this.#add(() => pushLogoddsJacobian(this.#code, q));
      else this.#add(() => this.#body.i32(k).call(termIndex));
    });
    priors.forEach((prior, k) =>
      this.#add(() => {
        if (!pushPrior(this.#code, prior)) this.#body.i32(jacobians.length + k).call(termIndex);
      })
    );
  }

  /** Forward, likelihood and backward in one pass over the rows. */
  #fusedLikelihood(law: RowLikelihood): void {
    const { memory, likelihood: { term } } = this.program;
    const frame = this.#frame(false);
    const writer = new RowWriter(this.#code, frame, law, term.n, memory);
    const free = law.location.free || law.scale.free;
    writer.prepare();
    this.#loop(frame, (l) => {
      this.#forward(l, false);
      writer.lane(l);
      if (free) this.#backward(l);
    }, () => writer.split());
    this.#add(() => law.total(writer));
    if (free) this.#flush(frame);
  }

  /** One pass forward, the likelihood in JavaScript, one pass backward. */
  #calledLikelihood(): void {
    const { jacobians, priors } = this.program;
    if (this.#rows.length > 0) this.#loop(this.#frame(true), (l) => this.#forward(l, true));
    this.#add(() => this.#body.i32(jacobians.length + priors.length).call(termIndex));
    if (this.#rows.length === 0) return;
    const frame = this.#frame(true);
    this.#loop(frame, (l) => this.#backward(l));
    this.#flush(frame);
  }

  #forward(l: LaneCode, store: boolean): void {
    for (const step of this.#rows) {
      laneRules[step.op]!.forward(l, step);
      l.define(step.out, store);
    }
  }

  #backward(l: LaneCode): void {
    for (let k = this.#rows.length - 1; k >= 0; k--) {
      const step = this.#rows[k];
      laneRules[step.op]!.backward(l, step, (operand) => `${k} ${operand}`);
    }
  }

  /** Loads the numbers that serve all lanes. */
  #frame(adjointsInMemory: boolean): LoopFrame {
    const body = this.#body;
    const frame: LoopFrame = {
      body,
      position: body.local("i32"),
      adjointBase: this.#code.adjointBase,
      adjointsInMemory,
      scalars: new Map(),
      sums: new Map(),
    };
    for (const step of this.#rows) {
      if (step.op === "powScalarBase") this.#logBase(frame, step);
      if (step.aMask === 0) this.#scalar(frame, step.a, () => this.#code.value(step.a));
      if (step.bMask === 0) this.#scalar(frame, step.b, () => this.#code.value(step.b));
    }
    body.i32(0).set(frame.position);
    return frame;
  }

  #scalar({ scalars, body }: LoopFrame, key: number, push: () => void): void {
    if (scalars.has(key)) return;
    const [plain, pair] = [body.local("f64"), body.local("v128")];
    push();
    body.set(plain).get(plain).op("f64x2.splat").set(pair);
    scalars.set(key, { plain, pair });
  }

  /** The logarithm of a base; a base that is not positive is left to the tape. */
  #logBase(frame: LoopFrame, { a, out }: Instruction): void {
    const body = this.#body;
    body.f64(0);
    this.#code.value(a);
    body.op("f64.lt", "i32.eqz").when(() => body.f64(undecided).op("return"));
    this.#scalar(frame, logBaseOf(out), () => {
      this.#code.value(a);
      body.call(callIndex.log);
    });
  }

  /** Runs a body over pairs of rows, then over the odd row; splits each sum by parity. */
  #loop(frame: LoopFrame, write: (l: LaneCode) => void, split: () => void = () => {}): void {
    const { body, position } = frame;
    const { n } = this.program.likelihood.term;
    const pairs = n >> 1;
    if (pairs > 0) {
      body.countUp(position, 16 * pairs, 16, () => write(new LaneCode(frame, true)));
    }
    for (const sum of frame.sums.values()) {
      body.get(sum.pair).op("f64x2.extract_lane 0").set(sum.even);
      body.get(sum.pair).op("f64x2.extract_lane 1").set(sum.odd);
    }
    split();
    if (n & 1) write(new LaneCode(frame, false));
  }

  /** Adds the sums to the adjoints of the numbers that serve all lanes, in the tape's order. */
  #flush(frame: LoopFrame): void {
    for (let k = this.#rows.length - 1; k >= 0; k--) {
      this.#flushOperand(frame, this.#rows[k], k, "a");
      this.#flushOperand(frame, this.#rows[k], k, "b");
    }
  }

  #flushOperand(frame: LoopFrame, step: Instruction, k: number, operand: "a" | "b"): void {
    const sum = frame.sums.get(`${k} ${operand}`);
    if (!sum) return;
    const subtracts = operand === "b" && (step.op === "sub" || step.op === "div");
    this.#code.addAdjoint(
      step[operand],
      () => {
        this.#body.get(sum.even, sum.odd).op("f64.add");
        if (step.op !== "powScalarBase") return;
        this.#code.value(step.a);
        this.#body.op("f64.div");
      },
      subtracts ? "f64.sub" : "f64.add",
    );
  }
}
