/** Instructions and priors on single numbers, written as WebAssembly on the program's memory. */
import type { Instruction, TapeOp } from "../instruction.ts";
import type { RuledTerm } from "../plan.ts";
import type { FunctionBody } from "./assembler.ts";
import { callIndex, type HostFunction } from "./host.ts";

/** Access to values and adjoints of scalars. */
export class ScalarCode {
  constructor(readonly body: FunctionBody, readonly adjointBase: number) {}

  /** Pushes m[address]. */
  value(address: number): void {
    this.body.i32(0).load("f64", 8 * address);
  }

  /** m[address] = what `push` leaves. */
  setValue(address: number, push: () => void): void {
    this.body.i32(0);
    push();
    this.body.store("f64", 8 * address);
  }

  /** Pushes g[address]. */
  adjoint(address: number): void {
    this.body.i32(0).load("f64", this.adjointBase + 8 * address);
  }

  /** g[address] += (or −=) what `push` leaves. */
  addAdjoint(address: number, push: () => void, op: "f64.add" | "f64.sub" = "f64.add"): void {
    this.body.i32(0);
    this.adjoint(address);
    push();
    this.body.op(op).store("f64", this.adjointBase + 8 * address);
  }

  call(name: HostFunction): void {
    this.body.call(callIndex[name]);
  }
}

type Step = (c: ScalarCode, step: Instruction) => void;

interface ScalarRule {
  readonly forward: Step;
  readonly backward: Step;
}

/** out = f(a); adjoint of a += adjoint of out · slope. */
function unary(push: Step, slope: Step): ScalarRule {
  return {
    forward: (c, step) => c.setValue(step.out, () => push(c, step)),
    backward: (c, step) =>
      c.addAdjoint(step.a, () => {
        c.adjoint(step.out);
        slope(c, step);
      }),
  };
}

const hosted = (name: HostFunction): Step => (c, { a }) => {
  c.value(a);
  c.call(name);
};

const timesResult: Step = (c, { out }) => {
  c.value(out);
  c.body.op("f64.mul");
};

const binaryForward = (op: "f64.add" | "f64.sub" | "f64.mul" | "f64.div"): Step => (c, step) =>
  c.setValue(step.out, () => {
    c.value(step.a);
    c.value(step.b);
    c.body.op(op);
  });

/** slope · (out · (1 − out)) of the logistic function. */
const logisticSlope: Step = (c, { out }) => {
  c.value(out);
  c.body.f64(1);
  c.value(out);
  c.body.op("f64.sub", "f64.mul", "f64.mul");
};

const exponentialOfA: Step = (c, { a }) => {
  c.value(a);
  c.call("exp");
};

/** b ± e^a of a one-sided bound. */
const bounded = (op: "f64.add" | "f64.sub"): ScalarRule => ({
  forward: (c, step) =>
    c.setValue(step.out, () => {
      c.value(step.b);
      exponentialOfA(c, step);
      c.body.op(op);
    }),
  backward(c, step) {
    const pull = () => {
      c.adjoint(step.out);
      exponentialOfA(c, step);
      c.body.op("f64.mul");
    };
    c.addAdjoint(step.a, pull, op);
    if (step.bFree) c.addAdjoint(step.b, () => c.adjoint(step.out));
  },
});

/** Rules by operation; programs with any other operation stay on the tape. */
export const scalarRules: { readonly [op in TapeOp]?: ScalarRule } = {
  neg: unary((c, { a }) => {
    c.value(a);
    c.body.op("f64.neg");
  }, (c) => c.body.op("f64.neg")),
  exp: unary(hosted("exp"), timesResult),
  log: unary(hosted("log"), (c, { a }) => {
    c.value(a);
    c.body.op("f64.div");
  }),
  log1p: unary(hosted("log1p"), (c, { a }) => {
    c.body.f64(1);
    c.value(a);
    c.body.op("f64.add", "f64.div");
  }),
  expm1: unary(hosted("expm1"), (c, { out }) => {
    c.body.f64(1);
    c.value(out);
    c.body.op("f64.add", "f64.mul");
  }),
  sqrt: unary((c, { a }) => {
    c.value(a);
    c.body.op("f64.sqrt");
  }, (c, { out }) => {
    c.body.f64(0.5);
    c.value(out);
    c.body.op("f64.div", "f64.mul");
  }),
  sigmoid: unary(hosted("sigmoid"), logisticSlope),
  tanh: unary(hosted("tanh"), (c, { out }) => {
    c.body.f64(1);
    c.value(out);
    c.value(out);
    c.body.op("f64.mul", "f64.sub", "f64.mul");
  }),
  square: unary((c, { a }) => {
    c.value(a);
    c.value(a);
    c.body.op("f64.mul");
  }, (c, { a }) => {
    c.body.f64(2);
    c.value(a);
    c.body.op("f64.mul", "f64.mul");
  }),
  reciprocal: unary((c, { a }) => {
    c.body.f64(1);
    c.value(a);
    c.body.op("f64.div");
  }, (c, { out }) => {
    c.value(out);
    c.value(out);
    c.body.op("f64.mul", "f64.mul", "f64.neg");
  }),
  add: {
    forward: binaryForward("f64.add"),
    backward(c, { a, aFree, b, bFree, out }) {
      if (aFree) c.addAdjoint(a, () => c.adjoint(out));
      if (bFree) c.addAdjoint(b, () => c.adjoint(out));
    },
  },
  sub: {
    forward: binaryForward("f64.sub"),
    backward(c, { a, aFree, b, bFree, out }) {
      if (aFree) c.addAdjoint(a, () => c.adjoint(out));
      if (bFree) c.addAdjoint(b, () => c.adjoint(out), "f64.sub");
    },
  },
  mul: {
    forward: binaryForward("f64.mul"),
    backward(c, { a, aFree, b, bFree, out }) {
      const product = (other: number) => () => {
        c.adjoint(out);
        c.value(other);
        c.body.op("f64.mul");
      };
      if (aFree) c.addAdjoint(a, product(b));
      if (bFree) c.addAdjoint(b, product(a));
    },
  },
  div: {
    forward: binaryForward("f64.div"),
    backward(c, { a, aFree, b, bFree, out }) {
      const slope = () => {
        c.adjoint(out);
        c.value(b);
        c.body.op("f64.div");
      };
      if (aFree) c.addAdjoint(a, slope);
      if (!bFree) return;
      c.addAdjoint(b, () => {
        slope();
        c.value(out);
        c.body.op("f64.mul");
      }, "f64.sub");
    },
  },
  logTransform: unary(hosted("exp"), timesResult),
  logoddsTransform: unary(hosted("sigmoid"), logisticSlope),
  lowerBoundTransform: bounded("f64.add"),
  upperBoundTransform: bounded("f64.sub"),
};

/** Returns −∞ from the gradient function unless the comparison on the stack holds. */
export function failUnless(body: FunctionBody): void {
  body.op("i32.eqz").when(() => body.f64(-Infinity).op("return"));
}

/** Pushes −|q| − 2 log(1 + e^−|q|), and adds ∓(1 − e) / (1 + e) to the adjoint of q. */
export function pushLogoddsJacobian(c: ScalarCode, q: number): void {
  const { body } = c;
  const [size, e] = [body.local("f64"), body.local("f64")];
  c.value(q);
  body.op("f64.abs").set(size).get(size).op("f64.neg");
  c.call("exp");
  body.set(e);
  c.addAdjoint(q, () => {
    body.f64(1).get(e).op("f64.sub").f64(1).get(e).op("f64.add", "f64.div");
    body.op("f64.neg");
    c.value(q);
    body.op("f64.neg", "f64.copysign");
  });
  body.get(size).op("f64.neg").f64(2).f64(1).get(e).op("f64.add");
  c.call("log");
  body.op("f64.mul", "f64.sub");
}

/**
 * Pushes the log density of a prior with constant arguments and adds its adjoint; false if the
 * family has no rule here and stays in JavaScript.
 */
export function pushPrior(c: ScalarCode, { family, term }: RuledTerm): boolean {
  if (!term.folded) return false;
  const { body } = c;
  const { x, p0, p1 } = term;
  if (family === "normal" || family === "half_normal") {
    const [z, scale] = [body.local("f64"), family === "normal" ? p1 : p0];
    if (family === "half_normal") failUnlessAtLeast(c, x, () => body.f64(0));
    c.value(x);
    if (family === "normal") {
      c.value(p0);
      body.op("f64.sub");
    }
    c.value(scale);
    body.op("f64.div").set(z);
    c.addAdjoint(x, () => {
      body.get(z);
      c.value(scale);
      body.op("f64.div");
    }, "f64.sub");
    body.f64(-0.5).get(z).op("f64.mul").get(z).op("f64.mul");
    return true;
  }
  if (family === "log_normal") {
    pushLogNormal(c, x, p0, p1);
    return true;
  }
  if (family === "exponential") {
    failUnlessAtLeast(c, x, () => body.f64(0));
    c.addAdjoint(x, () => c.value(p0), "f64.sub");
    c.value(p0);
    body.op("f64.neg");
    c.value(x);
    body.op("f64.mul");
    return true;
  }
  if (family === "uniform") {
    failUnlessAtLeast(c, x, () => c.value(p0));
    c.value(x);
    c.value(p1);
    failUnless(body.op("f64.le"));
    body.f64(0);
    return true;
  }
  return false;
}

/** −½ z² − log x for z = (log x − mu) / sigma; the adjoint of x gets −(1 + z / sigma) / x. */
function pushLogNormal(c: ScalarCode, x: number, mu: number, sigma: number): void {
  const { body } = c;
  const [logX, z] = [body.local("f64"), body.local("f64")];
  c.value(x);
  c.call("log");
  body.set(logX).get(logX);
  c.value(mu);
  body.op("f64.sub");
  c.value(sigma);
  body.op("f64.div").set(z);
  c.addAdjoint(x, () => {
    body.f64(1).get(z);
    c.value(sigma);
    body.op("f64.div", "f64.add", "f64.neg");
    c.value(x);
    body.op("f64.div");
  });
  body.f64(-0.5).get(z).op("f64.mul").get(z).op("f64.mul").get(logX).op("f64.sub");
}

function failUnlessAtLeast(c: ScalarCode, x: number, pushBound: () => void): void {
  pushBound();
  c.value(x);
  failUnless(c.body.op("f64.le"));
}
