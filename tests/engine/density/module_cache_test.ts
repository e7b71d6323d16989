/** Programs of one structure share their compiled code, and nothing else. */
import assert from "node:assert/strict";
import { makeDataset } from "../../../src/base/dataset.ts";
import { compileLogDensity } from "../../../src/engine/inference/density/compile.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { assembleModule } from "../../../src/numerics/wasm/module.ts";
import { moduleOf } from "../../../src/numerics/wasm/module_cache.ts";
import { FunctionBody } from "../../../src/numerics/wasm/function_body.ts";

const values = Float64Array.from({ length: 9 }, (_, i) => Math.sin(i));
const data = makeDataset("nine", [{ name: "y", role: "response", type: "real", values }]);

/** Value and slope at 0.3. */
function density(prior: string, likelihood = "mu=mu, sigma=1.7"): number[] {
  const text = `import numpy as np
import pymc as pm

with pm.Model() as model:
    mu = ${prior}
    pm.Normal("y", ${likelihood}, observed=data["y"])
`;
  const checked = checkProgram(text, data, undefined, { rows: "ordered" });
  assert.ok(checked.ok);
  const gradient = new Float64Array(1);
  const compiled = compileLogDensity(checked.program, data);
  const value = compiled.logDensity(Float64Array.of(0.3), gradient, 0);
  return [value, gradient[0]];
}

const normal = (scale: number) => `pm.Normal("mu", 0, ${scale})`;

/** How many modules are compiled while `work` runs. */
function compiledBy(work: () => void): number {
  const original = WebAssembly.Module;
  let count = 0;
  WebAssembly.Module = class extends original {
    constructor(bytes: BufferSource) {
      super(bytes);
      count++;
    }
  };
  try {
    work();
  } finally {
    WebAssembly.Module = original;
  }
  return count;
}

Deno.test("a program that differs in a constant is compiled without compiling a module", () => {
  const [first] = density(normal(2.25));
  let [second, slope] = [0, 0];
  assert.equal(compiledBy(() => [second, slope] = density(normal(3.5))), 0);
  const prior = (scale: number) => -0.5 * (0.3 / scale) ** 2 - Math.log(scale);
  assert.ok(Math.abs((second - first) - (prior(3.5) - prior(2.25))) < 1e-13);
  const pull = values.reduce((sum, y) => sum + (y - 0.3) / 1.7 ** 2, 0);
  assert.ok(Math.abs(slope - (pull - 0.3 / 3.5 ** 2)) < 1e-13);
});

Deno.test("a program of another structure has a module of its own", () => {
  density(normal(2.25));
  assert.ok(compiledBy(() => density(normal(2.25), "mu=mu * mu, sigma=1.7")) > 0);
});

Deno.test("programs with other priors and means share the loop of their likelihood", () => {
  const student = 'pm.StudentT("mu", 4, 0.3, 2)';
  density(normal(2.25), "mu=mu, sigma=1.9");
  const [value] = density(student, "mu=mu, sigma=1.9");
  assert.equal(compiledBy(() => density(student, "mu=mu - 0.5 * mu ** 3, sigma=1.9")), 1);
  assert.equal(compiledBy(() => density(student, "mu=mu + mu * np.arange(9), sigma=1.9")), 2);
  assert.equal(density(student, "mu=mu, sigma=1.9")[0], value);
});

Deno.test("the module that was asked for the longest ago is forgotten", () => {
  const bytesOf = (k: number) =>
    assembleModule([], [new FunctionBody([], ["i32"]).i32(k)], [{ name: "f", index: 0 }]);
  const first = moduleOf(bytesOf(0));
  for (let k = 1; k < 64; k++) moduleOf(bytesOf(k));
  assert.equal(moduleOf(bytesOf(0)), first);
  moduleOf(bytesOf(64));
  assert.equal(moduleOf(bytesOf(0)), first);
  for (let k = 65; k < 129; k++) moduleOf(bytesOf(k));
  assert.notEqual(moduleOf(bytesOf(0)), first);
});
