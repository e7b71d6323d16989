/** Mixtures of a posterior with those that lack an observation and a tempered one, against their parts. */
import assert from "node:assert/strict";
import { compileLogDensity } from "../../../src/engine/inference/density/compile.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { unitPosterior } from "../../../src/engine/loo/units.ts";
import { withMixture } from "../mcmc/mixture_by_parts.ts";
import { assertClose } from "./closeness.ts";
import { dugongs } from "./data.ts";

const text = `import pymc as pm

with pm.Model() as model:
    age = data["age"]
    alpha = pm.Normal("alpha", 2.6, 0.5)
    beta = pm.HalfNormal("beta", 2)
    lam = pm.Uniform("lam", 0.5, 1)
    sigma = pm.HalfNormal("sigma", 1)
    pm.Normal("length", mu=alpha - beta * lam ** age, sigma=sigma, observed=data["length"])
`;
const checked = checkProgram(text, dugongs());
assert.ok(checked.ok);
const position = Float64Array.of(2.5, 0.1, 0.7, -2.2);
const pairs = Int32Array.from({ length: 27 }, (_, i) => i >> 1);

for (const backend of ["plain", "wasm"] as const) {
  for (const [name, unitOfRow] of [["rows", undefined], ["pairs of rows", pairs]] as const) {
    Deno.test(`mixture() of ${name} is the sum of its parts (${backend})`, () => {
      const density = compileLogDensity(checked.program, dugongs(), { backend });
      const units = unitPosterior(density, unitOfRow);
      const last = units.observations - 1;
      const tempered = { logWeight: 3, power: 0.2 };
      const parts = [[0, 0.5], [1, -2], [last, -0.3]].map(([u, logWeight]) => ({
        rows: [u],
        logWeight,
      }));
      const components = { whole: -1, tempered, parts };
      const found = new Float64Array(4);
      const wanted = new Float64Array(4);
      const value = units.mixture(components).logDensity(position, found, 0);
      assertClose(
        value,
        withMixture(units).mixture(components).logDensity(position, wanted, 0),
        1e-12,
      );
      for (let k = 0; k < 4; k++) assertClose(found[k], wanted[k], 1e-11);
    });
  }
}
