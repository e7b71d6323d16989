/** Operations: every kernel against the plain meaning of its operation, values and slopes. */
import assert from "node:assert/strict";
import { compileLogDensity } from "../../src/density/compile.ts";
import { applyBinary, applyUnary } from "../../src/density/operations.ts";
import { plainLogDensity } from "../../src/density/families/plain.ts";
import { binaryOps, type NodeId, unaryOps } from "../../src/lang/graph.ts";
import { ProgramBuilder } from "./build.ts";
import { assertClose, derivative } from "./closeness.ts";
import { datasetOf } from "./data.ts";

const x = [0.4, 1.3, 2, 0.9, 3.5];
const y = [0.1, 0.5, -0.3, 1.2, 2];
const dataset = datasetOf("rows", { x, y });

/** Checks value and gradient of normal(mean(p, row), 1) with a wide prior on two parameters. */
function checkMean(
  build: (b: ProgramBuilder, p: NodeId, q: NodeId) => NodeId,
  mean: (p: number, q: number, row: number) => number,
  at: readonly [number, number],
  what: string,
): void {
  const b = new ProgramBuilder();
  const p = b.parameter("p", b.fixed("normal", 0, 3), "identity");
  const q = b.parameter("q", b.fixed("normal", 0, 3), "identity");
  const mu = build(b, p, q);
  b.deterministic("mu", mu);
  const program = b.program("y", b.law("normal", mu, b.constant(1)));
  const density = compileLogDensity(program, dataset);
  const plain = (p: number, q: number) =>
    plainLogDensity.normal(p, [0, 3]) + plainLogDensity.normal(q, [0, 3]) +
    y.reduce((s, value, i) => s + plainLogDensity.normal(value, [mean(p, q, i), 1]), 0);
  const gradient = new Float64Array(2);
  const value = density.logDensity(Float64Array.from(at), gradient, 0);
  assertClose(value, plain(at[0], at[1]), 1e-12, what);
  assertClose(gradient[0], derivative((t) => plain(t, at[1]), at[0]), 1e-7, `${what} dp`);
  assertClose(gradient[1], derivative((t) => plain(at[0], t), at[1]), 1e-7, `${what} dq`);
}

for (const op of unaryOps) {
  Deno.test(`${op} of a scalar, of rows and of constants`, () => {
    const f = applyUnary[op];
    checkMean((b, p) => b.unary(op, p), (p) => f(p), [0.7, 0.4], `${op} scalar`);
    checkMean(
      (b, p, q) => b.binary("add", q, b.unary(op, b.binary("mul", p, b.column("x")))),
      (p, q, i) => q + f(p * x[i]),
      [0.7, 0.4],
      `${op} rows`,
    );
    checkMean(
      (b, p) => b.binary("mul", p, b.unary(op, b.column("x"))),
      (p, _q, i) => p * f(x[i]),
      [0.7, 0.4],
      `${op} folded`,
    );
  });
}

for (const op of binaryOps) {
  Deno.test(`${op} of every mix of free and constant scalars and rows`, () => {
    const f = applyBinary[op];
    const operands: [
      string,
      (b: ProgramBuilder, p: NodeId) => NodeId,
      (p: number, i: number) => number,
    ][] = [
      ["scalar", (_b, p) => p, (p) => p],
      ["rows", (b, p) => b.binary("mul", p, b.column("x")), (p, i) => p * x[i]],
      ["constant", (b) => b.constant(1.7), () => 1.7],
      ["column", (b) => b.column("x"), (_p, i) => x[i]],
    ];
    for (const [leftName, left, leftValue] of operands) {
      for (const [rightName, right, rightValue] of operands) {
        checkMean(
          (b, p, q) => b.binary(op, left(b, p), right(b, q)),
          (p, q, i) => f(leftValue(p, i), rightValue(q, i)),
          [0.8, 1.1],
          `${op} ${leftName} ${rightName}`,
        );
      }
    }
  });
}

Deno.test("pow takes fixed exponents as products and keeps negative bases", () => {
  for (const exponent of [1, 2, 3, 0.5, -1, -2, 4, 2.5, -0.5, 0]) {
    checkMean(
      (b, p) => b.binary("pow", b.binary("mul", p, b.column("x")), b.constant(exponent)),
      (p, _q, i) => applyBinary.pow(p * x[i], exponent),
      [0.8, 1.1],
      `x^${exponent}`,
    );
  }
  for (const base of [-0.8, -1.3]) {
    checkMean(
      (b, p) =>
        b.binary(
          "pow",
          p,
          b.binary("mul", b.constant(2), b.binary("sub", b.column("y"), b.column("y"))),
        ),
      () => 1,
      [base, 1.1],
      "negative base, exponent zero",
    );
  }
});

Deno.test("one operand used twice receives both adjoints", () => {
  checkMean(
    (b, p) => {
      const u = b.binary("mul", p, b.column("x"));
      return b.binary("mul", u, b.binary("add", u, u));
    },
    (p, _q, i) => 2 * p * p * x[i] * x[i],
    [0.8, 1.1],
    "shared operand",
  );
});

Deno.test("a domain failure is minus infinity with a gradient of zeros", () => {
  const b = new ProgramBuilder();
  const p = b.parameter("p", b.fixed("normal", 0, 3), "identity");
  const program = b.program("y", b.law("normal", b.unary("log", p), p));
  const density = compileLogDensity(program, dataset);
  const gradient = Float64Array.of(7, 7);
  for (const at of [-1, 0, NaN, Infinity, -Infinity, 1e308]) {
    assert.equal(density.logDensity(Float64Array.of(7, at), gradient, 1), -Infinity);
    assert.deepEqual([...gradient], [7, 0]);
    gradient.fill(7);
  }
});
