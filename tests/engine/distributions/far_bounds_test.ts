/** Truncation and censoring in the tails: values stay right and gradients finite. */
import assert from "node:assert/strict";
import { gradientOf } from "../../../src/engine/inference/density/differentiate.ts";
import { SimplifyingBuilder } from "../../../src/engine/inference/density/simplify.ts";
import { unguarded } from "../../../src/engine/inference/density/unguarded.ts";
import { families, type FamilyName } from "../../../src/engine/language/distributions/table.ts";
import { agree, evaluate } from "./evaluate.ts";

/** Distributions with bounds beyond all of their mass on one side or both. */
const distributions: readonly [FamilyName, readonly number[], number, number, number][] = [
  ["gamma", [2, 1], 0, 1e6, 1.5],
  ["gamma", [2, 1], 1e-300, 1e300, 1.5],
  ["inverse_gamma", [3, 2], 1e-8, 1e9, 0.7],
  ["exponential", [2], 0, 1e9, 0.7],
  ["weibull", [1.5, 2], 0, 1e9, 0.7],
  ["student_t", [5, 0, 1], -1e12, 1e12, 0.7],
  ["cauchy", [0, 1e-3], -1e9, 1e9, 0.01],
  ["laplace", [0, 1], -1e5, 1e5, 0.3],
  ["logistic", [0, 1], -1e5, 1e5, 0.3],
  ["gumbel", [0, 1], -1e5, 1e5, 0.3],
  ["log_normal", [0, 1], 1e-300, 1e300, 2],
  ["half_normal", [1], 0, 1e5, 0.4],
  ["beta", [2, 3], 0, 1, 0.4],
  ["poisson", [3], 0, 1e5, 2],
  ["negative_binomial", [3, 2], 0, 1e5, 2],
  ["binomial", [10, 0.3], 0, 10, 2],
];

for (const kind of ["truncated", "censored"] as const) {
  for (const [name, numbers, lower, upper, x] of distributions) {
    Deno.test(`${name} ${kind} at ${lower} and ${upper} is itself, with a finite gradient`, () => {
      const g = new SimplifyingBuilder();
      const args = numbers.map((_, k) => g.input(k, []));
      const base = { family: name, args, shape: [] };
      const bounds = [g.scalar(lower), g.scalar(upper)];
      const distribution = { family: kind, args: bounds, shape: [], components: [base] };
      const value = g.scalar(x);
      const [own, plain] = [distribution, base].map((one) =>
        families[one.family].logDensity(g, value, one)
      );
      const at = [Float64Array.from(numbers)];
      const [ours, wanted] = [own, plain].map((node) => evaluate(g, node, at)[0]);
      assert.ok(agree(ours, wanted, 1e-6, 1e-6), `${ours}, not ${wanted}`);
      for (const slope of gradientOf(g, unguarded(g, own), args)) {
        const [number] = evaluate(g, slope, at);
        assert.ok(Number.isFinite(number), `a slope of ${number}`);
      }
    });
  }
}
