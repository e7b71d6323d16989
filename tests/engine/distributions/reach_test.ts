/** Beyond what a double tells probabilities with, a density is 0: rounding is no evidence. */
import assert from "node:assert/strict";
import { makeDataset } from "../../../src/base/dataset.ts";
import { compileLogDensity } from "../../../src/engine/inference/density/compile.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { datasetOf } from "../density/data.ts";

const numbers = Array.from({ length: 60 }, (_, i) => i);
const counts = makeDataset("counts", [
  { name: "y", role: "response", type: "count", values: Float64Array.from(numbers) },
]);

/** Log probabilities of 0 … 59 by a likelihood with one parameter `p`, which has this value. */
function logMasses(likelihood: string, p: number): Float64Array {
  const text = `import pymc as pm
with pm.Model() as model:
    p = pm.Normal("p", 0, 1)
    ${likelihood.replace(")$", ', observed=data["y"])')}
`;
  const checked = checkProgram(text, counts);
  assert.ok(checked.ok, JSON.stringify(checked));
  const density = compileLogDensity(checked.program, counts);
  const out = new Float64Array(numbers.length);
  density.withLikelihood!(Float64Array.of(p), new Float64Array(1), 0, out, 0);
  return out;
}

const mass = (logs: Float64Array) => logs.reduce((sum, one) => sum + Math.exp(one), 0);

const shapes: readonly string[] = [
  'pm.NegativeBinomial("y", mu=5, alpha=p)$',
  'pm.ZeroInflatedNegativeBinomial("y", psi=0.5, mu=5, alpha=p)$',
  'pm.HurdleNegativeBinomial("y", psi=0.5, mu=5, alpha=p)$',
  'pm.BetaBinomial("y", alpha=p, beta=p, n=59)$',
  'pm.Binomial("y", n=p, p=3 / p)$',
];

Deno.test("counts have a mass of at most 1 as far as a double tells it, and none beyond", () => {
  for (const likelihood of shapes) {
    for (const p of [1e2, 1e5, 1e7, 1e9]) {
      const total = mass(logMasses(likelihood, p));
      assert.ok(total > 0 && total < 1 + 1e-4, `${likelihood}, ${p}: ${total}`);
    }
    for (const p of [1.1e9, 1e12, 1e15, 3e15, 1e16, 1e17]) {
      assert.equal(mass(logMasses(likelihood, p)), 0, `${likelihood}, ${p}`);
    }
  }
});

Deno.test("a hurdle's shape may be as small as a double goes", () => {
  for (const p of [1e-3, 1e-12, 1e-15, 3e-16, 1e-17, 1e-300]) {
    const total = mass(logMasses('pm.HurdleNegativeBinomial("y", psi=0.5, mu=5, alpha=p)$', p));
    assert.ok(total > 0.5 && total < 1 + 1e-9, `${p}: ${total}`);
  }
});

Deno.test("bounds that leave a double no mass give none", () => {
  assert.equal(mass(logMasses('pm.Truncated("y", pm.Poisson.dist(p), upper=59)$', 1e6)), 0);
  const total = mass(logMasses('pm.Truncated("y", pm.Poisson.dist(p), upper=59)$', 100));
  assert.ok(Math.abs(total - 1) < 1e-9, `${total}`);
});

Deno.test("a constant beyond it is refused by name", () => {
  const text = `import pymc as pm
with pm.Model() as model:
    m = pm.Exponential("m", 1)
    pm.NegativeBinomial("y", mu=m, alpha=3e15, observed=data["y"])
`;
  const checked = checkProgram(text, counts);
  assert.ok(!checked.ok);
  const [{ code, message }] = checked.diagnostics;
  assert.equal(code, "support/parameter");
  assert.match(
    message,
    /this alpha of pm\.NegativeBinomial: a double tells no probabilities beyond/,
  );
});

Deno.test("what a transform of the response loses cannot be observed", () => {
  const data = datasetOf("lengths", { y: [1.8, 1.85, 1.87, 2.26, 2.47] });
  const codes = ['data["y"] ** 1e-300', 'data["y"] + 1e16', '1 + 1e-16 * data["y"]'].map((seen) => {
    const text = `import pymc as pm
with pm.Model() as model:
    s = pm.HalfNormal("s", 1)
    pm.Normal("y", 1, s, observed=${seen})
`;
    const checked = checkProgram(text, data);
    return checked.ok ? "ok" : checked.diagnostics[0].code;
  });
  assert.deepEqual(codes, Array(3).fill("lh/observed-not-canonical"));
});
