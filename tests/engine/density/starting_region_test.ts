/** Starting regions: the middle of every prior, in the coordinates in which chains move. */
import assert from "node:assert/strict";
import { compileLogDensity } from "../../../src/engine/inference/density/compile.ts";
import type { FamilyName } from "../../../src/engine/language/distributions/table.ts";
import { ProgramBuilder } from "./build.ts";
import { assertClose } from "./closeness.ts";
import { datasetOf } from "./data.ts";

const dataset = datasetOf("one", { y: [0.3] });

/** The starting region of one parameter under a prior with constant arguments. */
function regionOf(family: FamilyName, values: readonly number[]) {
  const b = new ProgramBuilder();
  const p = b.parameter("p", b.fixed(family, [], ...values));
  const program = b.program("y", b.distribution("normal", [1], p, b.g.scalar(1)));
  const density = compileLogDensity(program, dataset);
  const { centre, spread } = density.startingRegion!;
  const value = density.logDensity(centre, new Float64Array(1), 0);
  assert.ok(Math.abs(value) < Infinity, `${family}: ${value} at ${centre[0]}`);
  const out = new Float64Array(1);
  density.constrain(centre, 0, out, 0);
  return { at: out[0], spread: spread[0] };
}

const priors: readonly [FamilyName, number[], number, number][] = [
  ["normal", [2, 0.1], 2, 0.1],
  ["half_normal", [3], 3, 1],
  ["log_normal", [0, 0.5], 1, 0.5],
  ["student_t", [3, -2, 5], -2, 1],
  ["half_student_t", [3, 5], 5, 1],
  ["cauchy", [1, 0.5], 1, 0.5],
  ["half_cauchy", [2], 2, 1],
  ["exponential", [4], 0.25, 1],
  ["gamma", [0.0001, 0.0001], 1, 1],
  ["inverse_gamma", [1, 2], 1, 1],
  ["chi_squared", [3], 3, 1],
  ["weibull", [2, 3], 3, 1],
  ["beta", [1, 3], 0.25, 1],
  ["uniform", [2, 6], 4, 1],
  ["triangular", [0, 5, 1], 2, 1],
  ["laplace", [1, 0.2], 1, 0.2],
  ["asymmetric_laplace", [2, 1, 0.2], 0, 1],
  ["logistic", [1, 0.2], 1, 0.2],
  ["logit_normal", [0, 0.5], 0.5, 0.5],
  ["gumbel", [1, 0.2], 1, 0.2],
  ["moyal", [1, 0.2], 1, 0.2],
  ["skew_normal", [1, 0.2, 5], 1, 0.2],
  ["ex_gaussian", [1, 0.2, 2], 3, 1],
  ["wald", [2, 1, 0], 2, 1],
  ["pareto", [2, 3], 4.5, 1],
  ["rice", [1, 2], 3, 1],
  ["kumaraswamy", [2, 2], 0.5, 1],
  ["von_mises", [0.5, 2], 0.5, 1],
  ["truncated_normal", [-3, 1, 0, Infinity], 1, 1],
];

Deno.test("chains start in the middle of every prior", () => {
  for (const [family, values, at, spread] of priors) {
    const region = regionOf(family, values);
    assertClose(region.at, at, 1e-12, family);
    assert.equal(region.spread, spread, family);
  }
});

Deno.test("a truncated normal starts between its bounds", () => {
  assertClose(regionOf("truncated_normal", [0.5, 1, 0, 2]).at, 0.5, 1e-12);
  assertClose(regionOf("truncated_normal", [9, 1, 0, 1]).at, 0.5, 1e-12);
  assertClose(regionOf("truncated_normal", [9, 1, -Infinity, 4]).at, 3, 1e-12);
  assertClose(regionOf("truncated_normal", [-9, 3, -5, Infinity]).at, -2, 1e-12);
});

Deno.test("a parameter of another parameter's prior is taken at its centre", () => {
  const b = new ProgramBuilder();
  const m = b.parameter("m", b.fixed("normal", [], 5, 1));
  const s = b.parameter("s", b.fixed("half_normal", [], 0.2));
  const child = b.parameter("child", b.distribution("normal", [3], m, s));
  const program = b.program("y", b.distribution("normal", [1], b.g.sum(child), b.g.scalar(1)));
  const { centre, spread } = compileLogDensity(program, dataset).startingRegion!;
  assert.deepEqual([...centre.subarray(2)], [5, 5, 5]);
  spread.subarray(2).forEach((one) => assertClose(one, 0.2, 1e-12));
});

Deno.test("elements of a prior's arguments are centres of their own elements", () => {
  const b = new ProgramBuilder();
  const means = b.g.array(Float64Array.of(1, 2, 3), [3]);
  const child = b.parameter("child", b.distribution("normal", [2, 3], means, b.g.scalar(0.5)));
  const program = b.program("y", b.distribution("normal", [1], b.g.sum(child), b.g.scalar(1)));
  const { centre } = compileLogDensity(program, dataset).startingRegion!;
  assert.deepEqual([...centre], [1, 2, 3, 1, 2, 3]);
});
