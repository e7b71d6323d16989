/** Whole programs: PyMC's log densities and gradients, both backends, leaving out, constraining. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { compileLogDensity } from "../../../src/engine/inference/density/compile.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import type { CheckedProgram } from "../../../src/engine/language/ir/program.ts";
import { growthProgram, ProgramBuilder } from "./build.ts";
import { assertClose, derivative } from "./closeness.ts";
import { datasetOf, dugongs } from "./data.ts";

interface GoldenPoint {
  position: Record<string, number>;
  logp: number | string;
  gradient: Record<string, number | string>;
}

const golden: { programs: Record<string, { text: string; points: GoldenPoint[] }> } = JSON.parse(
  readFileSync(new URL("../../golden/logp.json", import.meta.url), "utf8"),
);
const dataset = dugongs();

function checked(text: string): CheckedProgram {
  const result = checkProgram(text, dataset);
  assert.ok(result.ok, result.ok ? "" : result.diagnostics.map((d) => d.message).join("; "));
  return result.program;
}

for (const [name, { text, points }] of Object.entries(golden.programs)) {
  const program = checked(text);
  const names = program.parameters.map((p) => p.name);
  const vectorOf = (by: Record<string, number | string>) =>
    Float64Array.from(names, (one) => Number(by[one]));

  Deno.test(`"${name}" has PyMC's log density and gradient`, () => {
    const density = compileLogDensity(program, dataset);
    assert.ok(points.length >= 10);
    for (const point of points) {
      const gradient = new Float64Array(names.length);
      const value = density.logDensity(vectorOf(point.position), gradient, 0);
      const scale = Math.max(1, Math.abs(Number(point.logp)));
      assertClose(value, Number(point.logp), 1e-10, name);
      vectorOf(point.gradient).forEach((wanted, j) =>
        assertClose(gradient[j] / scale, wanted / scale, 1e-9, `${name} d${names[j]}`)
      );
    }
  });

  Deno.test(`"${name}" has the same bits without its gradient`, () => {
    const [whole, alone] = [1, 2].map(() => compileLogDensity(program, dataset));
    const [gradient, { observations, quantities }] = [new Float64Array(names.length), whole];
    const rows = [1, 2].map(() => new Float64Array(observations));
    const constrained = [1, 2].map(() => new Float64Array(quantities.length));
    for (const { position } of points) {
      const q = vectorOf(position);
      const value = whole.logDensity(q, gradient, 0);
      assert.equal(alone.valueWithLikelihood!(q, 0, rows[1], 0), value);
      whole.logLikelihood(q, 0, rows[0], 0);
      assert.deepEqual(rows[1], rows[0]);
      [whole, alone].forEach((one, k) => one.constrain(q, 0, constrained[k], 0));
      assert.deepEqual(constrained[1], constrained[0]);
    }
  });

  Deno.test(`"${name}" has the same bits on both backends`, () => {
    const [wasm, plain] = (["wasm", "plain"] as const).map((backend) =>
      compileLogDensity(program, dataset, { backend })
    );
    const [a, b] = [new Float64Array(names.length), new Float64Array(names.length)];
    for (const { position } of points) {
      for (const scale of [1, 1.01, 0.3, -1, 30, -300]) {
        const q = vectorOf(position).map((x) => scale * x);
        assert.equal(wasm.logDensity(q, a, 0), plain.logDensity(q, b, 0));
        assert.deepEqual([...a.map((x) => x + 0)], [...b.map((x) => x + 0)]);
      }
    }
  });

  Deno.test(`"${name}" without a row is the program on the other rows`, () => {
    const density = compileLogDensity(program, dataset);
    const rows = new Float64Array(dataset.rows);
    const gradient = new Float64Array(names.length);
    const q = vectorOf(points[0].position);
    const whole = density.logDensity(q, gradient, 0);
    density.logLikelihood(q, 0, rows, 0);
    for (const i of [0, 13, 26]) {
      const left = density.without([i]).logDensity(q, gradient, 0);
      assertClose(left, whole - rows[i], 1e-11, `${name} without ${i}`);
    }
  });
}

Deno.test("gradients agree with finite differences where the golden points lie", () => {
  for (const [name, { text, points }] of Object.entries(golden.programs)) {
    const density = compileLogDensity(checked(text), dataset);
    const [gradient, sink] = [0, 0].map(() => new Float64Array(density.dimension));
    const { parameters } = checked(text);
    const q = Float64Array.from(parameters, (p) => points[0].position[p.name]);
    const value = density.logDensity(q, gradient, 0);
    gradient.forEach((slope, j) => {
      const by = derivative((t) => density.logDensity(q.with(j, t), sink, 0), q[j]);
      assertClose(slope, by, 1e-6 * Math.max(1, Math.abs(value)), `${name} d${j}`);
    });
  }
});

Deno.test("constrain writes parameters, then deterministics, rows by index", () => {
  const density = compileLogDensity(growthProgram(), dataset);
  const ages = dataset.columns[0].values;
  assert.deepEqual(density.quantities.slice(0, 6), [
    "alpha",
    "beta",
    "lam",
    "sigma",
    "plateau",
    "mu[0]",
  ]);
  const out = new Float64Array(density.quantities.length + 1);
  density.constrain(Float64Array.of(9, 2.5, 1, 0, Math.log(0.1)), 1, out, 1);
  assertClose(out[1], 2.5, 0);
  assertClose(out[3], 0.75, 1e-15);
  assertClose(out[4], 0.1, 1e-15);
  assertClose(out[5], Math.exp(2.5), 1e-13);
  assertClose(out[6 + 26], 2.5 - 0.75 ** ages[26], 1e-13);
});

Deno.test("quantities have names and shapes, row-major", () => {
  const b = new ProgramBuilder();
  const x = b.parameter("x", b.fixed("normal", [2, 2], 0, 1));
  const s = b.parameter("s", b.fixed("half_normal", [], 1));
  b.deterministic("total", b.g.sum(x, [1]));
  const data = datasetOf("three", { y: [0.1, 0.2, 0.3] });
  const density = compileLogDensity(
    b.program("y", b.distribution("normal", [3], b.g.sum(x), s)),
    data,
  );
  assert.deepEqual(density.quantities, [
    ...["x[0, 0]", "x[0, 1]", "x[1, 0]", "x[1, 1]", "s"],
    ...["total[0]", "total[1]"],
  ]);
  assert.deepEqual(density.quantityShapes!.map(({ shape }) => shape), [[2, 2], [], [2]]);
  const out = new Float64Array(7);
  density.constrain(Float64Array.of(1, 2, 3, 4, 0), 0, out, 0);
  assert.deepEqual([...out], [1, 2, 3, 4, 1, 3, 7]);
});

Deno.test("the prior of a latent variable is given element by element, on the unconstrained scale", () => {
  const b = new ProgramBuilder();
  const mu = b.parameter("mu", b.fixed("normal", [], 0, 1));
  const z = b.parameter("z", b.distribution("log_normal", [3], mu, b.g.scalar(0.5)));
  const data = datasetOf("three", { y: [0.1, 0.2, 0.3] });
  const program = b.program("y", b.distribution("normal", [3], z, b.g.scalar(1)));
  const latent = { parameter: 1, elementOfRow: Int32Array.of(0, 1, 2) };
  const { latents } = compileLogDensity(program, data, { latent });
  assert.equal(latents!.offset, 1);
  const out = new Float64Array(3);
  latents!.logPrior(Float64Array.of(0.4, -1, 0.2, 3), 0, out, 0);
  [-1, 0.2, 3].forEach((q, i) => {
    const score = (q - 0.4) / 0.5;
    assertClose(out[i], -0.5 * score * score - Math.log(0.5) - 0.5 * Math.log(2 * Math.PI), 1e-12);
  });
});

Deno.test("a program without parameters has a log density", () => {
  const b = new ProgramBuilder();
  const data = datasetOf("two", { y: [0, 1] });
  const density = compileLogDensity(b.program("y", b.fixed("normal", [2], 0, 1)), data);
  const value = density.logDensity(new Float64Array(0), new Float64Array(0), 0);
  assertClose(value, -Math.log(2 * Math.PI) - 0.5, 1e-15);
});

Deno.test("outside of a likelihood's support the density is −∞, and without that row it is not", () => {
  const b = new ProgramBuilder();
  const top = b.parameter("top", b.fixed("exponential", [], 1));
  const data = datasetOf("two", { y: [0.5, 3] });
  const program = b.program("y", b.distribution("uniform", [2], b.g.scalar(0), top));
  const density = compileLogDensity(program, data);
  const gradient = Float64Array.of(7);
  const q = Float64Array.of(0.1);
  assert.equal(density.logDensity(q, gradient, 0), -Infinity);
  assert.deepEqual([...gradient], [0]);
  const value = density.without([1]).logDensity(q, gradient, 0);
  assertClose(value, -Math.exp(0.1) + 0.1 - 0.1, 1e-14);
  assertClose(gradient[0], -Math.exp(0.1), 1e-14);
});
