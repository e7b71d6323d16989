/** Fields by their covariance are what they are by its factor. */
import assert from "node:assert/strict";
import { makeDataset } from "../../../src/base/dataset.ts";
import { fieldOf } from "../../../src/engine/inference/gaussian/field.ts";
import { linearLatents } from "../../../src/engine/inference/gaussian/linear_latents.ts";
import { closedFormPosterior } from "../../../src/engine/inference/gaussian/marginal.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";

const n = 12;
const x = Float64Array.from({ length: n }, (_, i) => Math.sin(3 * i));
const data = makeDataset("twelve", [
  { name: "x", role: "predictor", type: "real", values: x },
  {
    name: "y",
    role: "response",
    type: "real",
    values: x.map((v, i) => v * v + Math.cos(i * i) / 3),
  },
]);

function checked(...lines: readonly string[]) {
  const scales = ["ell", "eta", "s"].map((name) => `${name} = pm.HalfNormal("${name}", 1)`);
  const text = "import numpy as np\nimport pymc as pm\n\nwith pm.Model() as model:\n" +
    [...scales, ...lines].map((line) => `    ${line}\n`).join("");
  const result = checkProgram(text, data, undefined, { rows: "ordered" });
  assert.ok(result.ok, JSON.stringify(result));
  return result.program;
}

const cov = "cov = eta**2 * pm.gp.cov.ExpQuad(1, ls=ell)";
const rows = (mu: string) => `pm.Normal("y", ${mu}, s, observed=data["y"])`;
const spellings: readonly (readonly [string, readonly string[]])[] = [
  ["reparameterised", [
    cov,
    'f = pm.gp.Latent(cov_func=cov).prior("f", X=data["x"][:, None])',
  ]],
  ["centred", [
    cov,
    'f = pm.gp.Latent(cov_func=cov).prior("f", X=data["x"][:, None], reparameterize=False)',
  ]],
  ["centred around a slope", [
    cov,
    'b = pm.Normal("b", 0, 1)',
    `f = pm.MvNormal("f", mu=b * data["x"], cov=cov(data["x"][:, None]) + 1e-6 * np.eye(${n}))`,
  ]],
];

for (const [name, lines] of spellings) {
  Deno.test(`a field, ${name}, has the same terms by its covariance and by its factor`, () => {
    const intercept = 'a = pm.Normal("a", 0.2, 2)';
    const [plain, scaled] = [rows("a + f"), rows("a + 2 * (f / 2)")].map((likelihood) =>
      checked(...lines, intercept, likelihood)
    );
    assert.ok(fieldOf(plain, linearLatents(plain)!));
    assert.equal(fieldOf(scaled, linearLatents(scaled)!), undefined);
    const [one, other] = [plain, scaled].map((program) => closedFormPosterior(program, data)!);
    for (const at of [[0.1, -0.3, -1], [-0.6, 0.8, -9], [1.5, 0.4, 0.6]]) {
      const position = Float64Array.from(at);
      const [a, b] = [new Float64Array(n), new Float64Array(n)];
      const values = [
        one.withLikelihood!(position, new Float64Array(3), 0, a, 0),
        other.withLikelihood!(position, new Float64Array(3), 0, b, 0),
      ];
      const near = (p: number, q: number) =>
        assert.ok(Math.abs(p - q) < 1e-6 * Math.max(1, Math.abs(q)), `${p} ${q}`);
      near(values[0], values[1]);
      a.forEach((term, i) => near(term, b[i]));
    }
  });
}

const others: readonly (readonly [string, readonly string[], string])[] = [
  ["that is looked at twice", spellings[0][1], "f + f[::-1]"],
  ["whose covariance has no diagonal of its own", [
    `f = pm.MvNormal("f", mu=np.zeros(${n}), cov=eta * np.eye(${n}))`,
  ], "f"],
];

for (const [name, lines, mu] of others) {
  Deno.test(`a field ${name} is taken by its factor`, () => {
    const program = checked(...lines, rows(mu));
    assert.equal(fieldOf(program, linearLatents(program)!), undefined);
  });
}
