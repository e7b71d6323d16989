/** `pm.gp` read natively: matrices and densities as PyMC's, and what is refused by name. */
import assert from "node:assert/strict";
import { makeDataset } from "../../../src/base/dataset.ts";
import { compileLogDensity } from "../../../src/engine/inference/density/compile.ts";
import { unconstrainedShape } from "../../../src/engine/language/distributions/transforms.ts";
import { linearLatents } from "../../../src/engine/inference/gaussian/linear_latents.ts";
import { readExtraction } from "../../../src/engine/language/graph_import/read_extraction.ts";
import { checkExtraction } from "../../../src/engine/language/graph_import/to_program.ts";
import type { CheckedProgram } from "../../../src/engine/language/ir/program.ts";
import { sizeOf } from "../../../src/engine/language/ir/shape.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { Interpreter } from "../../../src/engine/inference/predict/interpreter.ts";
import { columnsOf } from "../../../src/engine/inference/predict/draws.ts";

interface Golden {
  readonly data: Record<"x" | "z" | "y", number[]>;
  readonly covariances: Record<string, { columns: number; text: string; matrix: number[] }>;
  readonly programs: Record<string, {
    text: string;
    points: { unconstrained: Record<string, number[]>; logp: number }[];
  }>;
  /** Graphs that the front end through PyMC reads. */
  readonly graphs: Record<string, unknown>;
}
const golden: Golden = JSON.parse(
  await Deno.readTextFile(new URL("../../golden/gaussian_processes.json", import.meta.url)),
);
const column = (name: "x" | "z" | "y") => Float64Array.from(golden.data[name]);
const data = makeDataset("seven", [
  { name: "x", role: "predictor", type: "real", values: column("x") },
  { name: "z", role: "predictor", type: "real", values: column("z") },
  { name: "y", role: "response", type: "real", values: column("y") },
]);

function program(...lines: readonly string[]): string {
  const head = "import numpy as np\nimport pymc as pm\n\nwith pm.Model() as model:\n";
  return head + lines.map((line) => `    ${line}\n`).join("");
}

function checked(text: string) {
  const result = checkProgram(text, data);
  assert.ok(result.ok, JSON.stringify(result));
  return result.program;
}

for (const [name, { columns, text, matrix }] of Object.entries(golden.covariances)) {
  Deno.test(`the covariance function ${name} has PyMC's matrix`, () => {
    const x = columns === 1 ? 'data["x"][:, None]' : 'np.column_stack([data["x"], data["z"]])';
    const made = checked(program(
      `cov = ${text}`,
      `K = pm.Deterministic("K", cov(${x}))`,
      'm = pm.Normal("m", 0, 1)',
      'pm.Normal("y", m, 1, observed=data["y"])',
    ));
    const { node } = made.deterministics[0];
    const interpreter = new Interpreter(made.nodes, columnsOf(data), [node]);
    const { values } = interpreter.value(node);
    assert.equal(values.length, matrix.length);
    matrix.forEach((wanted, i) => assert.ok(Math.abs(values[i] - wanted) < 1e-9, `${i}`));
  });
}

for (const [name, { text, points }] of Object.entries(golden.programs)) {
  Deno.test(`a program with ${name} has PyMC's density`, () => {
    const made = checked(text);
    const density = compileLogDensity(made, data);
    for (const { unconstrained, logp } of points) {
      const position = new Float64Array(density.dimension);
      let offset = 0;
      for (const { name: own, transform, shape } of made.parameters) {
        const size = sizeOf(unconstrainedShape(transform, shape));
        const values = Object.entries(unconstrained)
          .find(([key]) => key === own || key === `${own}_log__`)![1];
        assert.equal(values.length, size);
        position.set(values, offset);
        offset += size;
      }
      const gradient = new Float64Array(density.dimension);
      const found = density.logDensity(position, gradient, 0);
      assert.ok(Math.abs(found - logp) < 1e-6 * Math.max(1, Math.abs(logp)), `${found} ${logp}`);
    }
  });
}

for (const [name, graph] of Object.entries(golden.graphs)) {
  Deno.test(`a program with ${name} is the same through PyMC`, () => {
    const read = readExtraction(graph);
    assert.ok(read.kind === "model");
    const extracted = checkExtraction(read.extraction, data);
    assert.ok(extracted.ok, JSON.stringify(extracted));
    const native = checked(golden.programs[name].text);
    const names = (program: CheckedProgram) => program.parameters.map((one) => one.name);
    assert.deepEqual(names(extracted.program), names(native));
    assert.deepEqual(linearLatents(extracted.program), linearLatents(native));
    const [one, other] = [extracted.program, native].map((made) => compileLogDensity(made, data));
    const at = Float64Array.from({ length: one.dimension }, (_, i) => Math.sin(3 * i) / 2);
    const gradient = new Float64Array(one.dimension);
    const [a, b] = [one, other].map((density) => density.logDensity(at, gradient, 0));
    assert.ok(Math.abs(a - b) < 1e-6, `${a} ${b}`);
  });
}

const latent = 'f = pm.gp.Latent(cov_func=cov).prior("f", X=data["x"][:, None])';
const rows = 'pm.Normal("y", f, 1, observed=data["y"])';
const square = "cov = pm.gp.cov.ExpQuad(1, ls=1)";

Deno.test("a process is linear, and its prior is one vector of normal numbers", () => {
  const made = checked(program(square, latent, rows));
  assert.deepEqual(linearLatents(made)!.map((k) => made.parameters[k].name), ["f_rotated_"]);
  assert.deepEqual(made.deterministics.map(({ name }) => name), ["f"]);
});

Deno.test("a process is the graph of what it stands for", () => {
  const written = checked(program(
    'd = data["x"][:, None] - data["x"][None, :]',
    'ell = pm.HalfNormal("ell", 1)',
    "K = pm.math.exp(-0.5 * (d**2 * (1 / ell**2))) + 1e-6 * np.eye(7)",
    'f = pm.MvNormal("f", mu=np.zeros(7), cov=K)',
    rows,
  ));
  const read = checked(program(
    'ell = pm.HalfNormal("ell", 1)',
    "cov = pm.gp.cov.ExpQuad(1, ls=ell)",
    'f = pm.gp.Latent(cov_func=cov).prior("f", X=data["x"][:, None], reparameterize=False)',
    rows,
  ));
  assert.equal(read.hash, written.hash);
});

Deno.test("what comes after sampling is noted and changes nothing", () => {
  const gp = ["gp = pm.gp.Latent(cov_func=cov)", 'f = gp.prior("f", X=data["x"][:, None])'];
  const plain = checked(program(square, ...gp, rows));
  const result = checkProgram(
    program(square, ...gp, rows, 'g = gp.conditional("g", Xnew=np.linspace(0, 9, 5)[:, None])'),
    data,
  );
  assert.ok(result.ok);
  assert.equal(result.program.hash, plain.hash);
  assert.ok(result.program.diagnostics.some(({ code }) => code === "notes/inference-ignored"));
});

const refused: readonly (readonly [string, readonly string[], string, RegExp])[] = [
  [
    "points in one row",
    [square, 'f = pm.gp.Latent(cov_func=cov).prior("f", X=data["x"])', rows],
    "shapes/points",
    /\[:, None\]/,
  ],
  ["a kernel that is not read", ["cov = pm.gp.cov.Gibbs(1)"], "unsupported/function", /MvNormal/],
  ["a process that is not read", ["gp = pm.gp.TP(nu=3)"], "unsupported/function", /Latent/],
  [
    "functions of other columns",
    ["cov = pm.gp.cov.ExpQuad(1, ls=1) + pm.gp.cov.ExpQuad(2, ls=1)"],
    "shapes/points",
    /input_dim/,
  ],
  [
    "a column that is not there",
    ["cov = pm.gp.cov.ExpQuad(2, ls=1)", latent, rows],
    "shapes/points",
    /column 1/,
  ],
  ["no length scale", ["cov = pm.gp.cov.ExpQuad(1)"], "names/missing-argument", /ls/],
  [
    "the response as points",
    [square, 'f = pm.gp.Latent(cov_func=cov).prior("f", X=data["y"][:, None])', rows],
    "lh/protected-use-before-score",
    /response/,
  ],
  [
    "a basis without a density",
    ["cov = pm.gp.cov.Periodic(1, 1, ls=1)", "gp = pm.gp.HSGP(m=[5], c=2.0, cov_func=cov)"],
    "unsupported/argument",
    /ExpQuad/,
  ],
  [
    "two likelihoods",
    [
      square,
      "gp = pm.gp.Marginal(cov_func=cov)",
      'gp.marginal_likelihood("a", X=data["x"][:, None], y=data["y"], sigma=1)',
      'gp.marginal_likelihood("b", X=data["x"][:, None], y=data["y"], sigma=1)',
    ],
    "lh/duplicate-observation",
    /twice|second|one variable/,
  ],
  [
    "a prediction as a location",
    [
      square,
      "gp = pm.gp.Latent(cov_func=cov)",
      'f = gp.conditional("f", Xnew=data["x"][:, None])',
      rows,
    ],
    "unsupported/value",
    /conditional/,
  ],
];

for (const [name, lines, code, says] of refused) {
  Deno.test(`${name}: refused by name`, () => {
    const result = checkProgram(program(...lines), data);
    assert.ok(!result.ok);
    const found = result.diagnostics.filter((one) => one.code === code);
    assert.ok(
      found.some(({ message, hint }) => says.test(`${message} ${hint}`)),
      JSON.stringify(result.diagnostics),
    );
  });
}
