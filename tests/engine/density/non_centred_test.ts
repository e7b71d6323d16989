/** The non-centred spelling: the same posterior, seen through another coordinate. */
import assert from "node:assert/strict";
import { compileLogDensity } from "../../../src/engine/inference/density/compile.ts";
import { nonCentred } from "../../../src/engine/inference/density/non_centred.ts";
import type { CheckedProgram } from "../../../src/engine/language/ir/program.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { hierarchyText, schools } from "../score/schools.ts";
import { assertClose } from "./closeness.ts";

function checkedProgram(text: string) {
  const checked = checkProgram(text, schools, undefined, { rows: "ordered" });
  assert.ok(checked.ok);
  return checked.program;
}

/**
 * Both spellings at one point, by what the one and the other draw: densities apart by a Jacobian,
 * gradients those of differences, quantities the same.
 */
function assertSamePosterior(
  program: CheckedProgram,
  place: (latents: readonly number[]) => Float64Array,
  { whole: latents, moved: numbers }: Record<"whole" | "moved", readonly number[]>,
  jacobian: number,
): void {
  const other = nonCentred(program);
  assert.ok(other);
  const whole = compileLogDensity(program, schools);
  const moved = compileLogDensity(other, schools);
  const gradient = new Float64Array(whole.dimension);
  const before = whole.logDensity(place(latents), gradient, 0);
  const after = moved.logDensity(place(numbers), gradient, 0);
  assertClose(after, before + jacobian, 1e-12);
  for (let k = 0; k < gradient.length; k++) {
    const value = (step: number) => {
      const position = place(numbers);
      position[k] += step;
      return moved.logDensity(position, new Float64Array(gradient.length), 0);
    };
    assertClose(gradient[k], (value(1e-5) - value(-1e-5)) / 2e-5, 1e-7);
  }
  const left = new Float64Array(whole.quantities.length);
  const right = new Float64Array(whole.quantities.length);
  whole.constrain(place(latents), 0, left, 0);
  moved.constrain(place(numbers), 0, right, 0);
  left.forEach((value, k) => assertClose(right[k], value, 1e-12));
}

for (const distribution of ["Normal", "Laplace", "StudentT"] as const) {
  Deno.test(`nonCentred() of ${distribution} effects is the posterior times the Jacobian`, () => {
    const program = checkedProgram(hierarchyText(distribution, "centred"));
    const at = { mu: 3, tau: 0.7 }; // tau is on the log scale
    const multiples = [0.5, -1, 0.2, 1.3, -0.4, 0, 2, -0.1];
    const effects = multiples.map((z) => at.mu + Math.exp(at.tau) * z);
    const place = (latents: readonly number[]) =>
      Float64Array.from(
        program.parameters.flatMap(({ name }) =>
          name === "mu" ? [at.mu] : name === "tau" ? [at.tau] : latents
        ),
      );
    assertSamePosterior(program, place, { whole: effects, moved: multiples }, 8 * at.tau);
  });
}

Deno.test("nonCentred() leaves programs alone whose scales are data or constants", () => {
  assert.equal(nonCentred(checkedProgram(hierarchyText("Normal", "non-centred"))), undefined);
});

Deno.test("nonCentred() of a random walk is the posterior by its first value and its steps", () => {
  const text = `import pymc as pm

with pm.Model() as model:
    drift = pm.Normal("drift", 0, 1)
    tau = pm.HalfNormal("tau", 5)
    walk = pm.GaussianRandomWalk(
        "walk", mu=drift, sigma=tau, init_dist=pm.StudentT.dist(4, 1, 3), shape=8
    )
    pm.Normal("y", mu=walk, sigma=data["sigma"], observed=data["y"])
`;
  const program = checkedProgram(text);
  const at = { drift: 0.3, tau: 0.7 }; // tau is on the log scale
  const steps = [2.5, -1, 0.2, 1.3, -0.4, 0, 2, -0.1];
  const walk = steps.slice(0, 1);
  for (const z of steps.slice(1)) walk.push(walk.at(-1)! + at.drift + Math.exp(at.tau) * z);
  const place = (latents: readonly number[]) =>
    Float64Array.from(
      program.parameters.flatMap(({ name }) => name === "walk" ? latents : [at[name as "tau"]]),
    );
  assertSamePosterior(program, place, { whole: walk, moved: steps }, 7 * at.tau);
});

Deno.test("nonCentred() of correlated effects is the posterior by standard normal numbers", () => {
  const text = `import pymc as pm

with pm.Model() as model:
    chol, _, _ = pm.LKJCholeskyCov("chol", n=2, eta=2, sd_dist=pm.Exponential.dist(1.0))
    centre = pm.Normal("centre", 0, 5, shape=2)
    effect = pm.MvNormal("effect", mu=centre, chol=chol, shape=(8, 2))
    mu = effect[:, 0] + effect[:, 1] * data["sigma"] / 10
    pm.Normal("y", mu=mu, sigma=data["sigma"], observed=data["y"])
`;
  const program = checkedProgram(text);
  const [centre, packed] = [[3, -1], [0.2, 0.5, -0.4]]; // the diagonal is on the log scale
  const [a, b, c] = [Math.exp(packed[0]), packed[1], Math.exp(packed[2])];
  const numbers = Array.from({ length: 16 }, (_, i) => (i * 7 % 11) / 4 - 1.2);
  const effects = numbers.map((_, i) => {
    const [first, second] = [numbers[i - i % 2], numbers[i - i % 2 + 1]];
    return i % 2 === 0 ? centre[0] + a * first : centre[1] + b * first + c * second;
  });
  const place = (effect: readonly number[]) =>
    Float64Array.from(
      program.parameters.flatMap(({ name }) =>
        name === "effect" ? effect : name === "centre" ? centre : packed
      ),
    );
  const jacobian = 8 * (packed[0] + packed[2]);
  assertSamePosterior(program, place, { whole: effects, moved: numbers }, jacobian);
});
