/** Starting regions: the middle of every prior, in the coordinates in which chains move. */
import assert from "node:assert/strict";
import { compileLogDensity } from "../../src/density/compile.ts";
import { families, type Family, type Transform } from "../../src/lang/graph.ts";
import { ProgramBuilder } from "./build.ts";
import { assertClose } from "./closeness.ts";
import { datasetOf } from "./data.ts";

const dataset = datasetOf("one", { y: [0.3] });

/** The starting region of one parameter under a prior with constant arguments. */
function regionOf(family: Family, values: readonly number[], transform: Transform["kind"]) {
  const b = new ProgramBuilder();
  const p = b.parameter("p", b.fixed(family, ...values), transform);
  const program = b.program("y", b.law("normal", p, b.constant(1)));
  const density = compileLogDensity(program, dataset);
  const { centre, spread } = density.startingRegion!;
  const value = density.logDensity(centre, new Float64Array(1), 0);
  assert.ok(Math.abs(value) < Infinity, `${family}: ${value} at ${centre[0]}`);
  const out = new Float64Array(1);
  density.constrain(centre, 0, out, 0);
  return { at: out[0], spread: spread[0] };
}

const priors: Record<Family, [number[], Transform["kind"], number, number]> = {
  normal: [[2, 0.1], "identity", 2, 0.1],
  half_normal: [[3], "log", 3, 1],
  log_normal: [[0, 0.5], "log", 1, 0.5],
  student_t: [[3, -2, 5], "identity", -2, 1],
  half_student_t: [[3, 5], "log", 5, 1],
  cauchy: [[1, 0.5], "identity", 1, 0.5],
  half_cauchy: [[2], "log", 2, 1],
  exponential: [[4], "log", 0.25, 1],
  gamma: [[0.0001, 0.0001], "log", 1, 1],
  inverse_gamma: [[1, 2], "log", 1, 1],
  weibull: [[2, 3], "log", 3, 1],
  beta: [[1, 3], "logodds", 0.25, 1],
  uniform: [[2, 6], "interval", 4, 1],
  laplace: [[1, 0.2], "identity", 1, 0.2],
  logistic: [[1, 0.2], "identity", 1, 0.2],
  gumbel: [[1, 0.2], "identity", 1, 0.2],
  skew_normal: [[1, 0.2, 5], "identity", 1, 0.2],
  truncated_normal: [[-3, 1, 0, Infinity], "interval", 1, 1],
};

Deno.test("chains start in the middle of every prior", () => {
  for (const family of Object.keys(families) as Family[]) {
    const [values, transform, at, spread] = priors[family];
    const region = regionOf(family, values, transform);
    assertClose(region.at, at, 1e-12, family);
    assert.equal(region.spread, spread, family);
  }
});

Deno.test("a truncated normal starts between its bounds", () => {
  assertClose(regionOf("truncated_normal", [0.5, 1, 0, 2], "interval").at, 0.5, 1e-12);
  assertClose(regionOf("truncated_normal", [9, 1, 0, 1], "interval").at, 0.5, 1e-12);
  assertClose(regionOf("truncated_normal", [9, 1, -Infinity, 4], "interval").at, 3, 1e-12);
  assertClose(regionOf("truncated_normal", [-9, 3, -5, Infinity], "interval").at, -2, 1e-12);
});

Deno.test("a parameter of another parameter's prior is taken at its centre", () => {
  const b = new ProgramBuilder();
  const m = b.parameter("m", b.fixed("normal", 5, 1), "identity");
  const s = b.parameter("s", b.fixed("half_normal", 0.2), "log");
  const child = b.parameter("child", b.law("normal", m, s), "identity");
  const program = b.program("y", b.law("normal", child, b.constant(1)));
  const { centre, spread } = compileLogDensity(program, dataset).startingRegion!;
  assert.equal(centre[2], 5);
  assertClose(spread[2], 0.2, 1e-12);
});
