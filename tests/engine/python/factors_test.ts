/** Tests of `pt.linalg`: factors and triangular systems of random matrices. */
import assert from "node:assert/strict";
import { accept, data, model, refuse } from "./programs.ts";
import { compileLogDensity } from "../../../src/engine/inference/density/compile.ts";

const head = "import pytensor.tensor as pt\nimport numpy as np\n";
const matrix = "K = pt.exp(a) * np.array([[4.0, 2.0, 0.6], [2.0, 5.0, 1.5], [0.6, 1.5, 3.0]])";

function densityOf(...lines: readonly string[]): number {
  const program = accept(
    head +
      model(
        'a = pm.Normal("a", 0, 1)',
        matrix,
        ...lines,
        'pm.Normal("y", mu, 1, observed=data["length"])',
      ),
  );
  const density = compileLogDensity(program, data);
  return density.logDensity(Float64Array.of(0.3), new Float64Array(1), 0);
}

Deno.test("a factor times its transpose is the matrix", () => {
  const wanted = densityOf("mu = K[1]");
  for (const factor of ["pt.linalg.cholesky(K)", "pt.linalg.cholesky(K, lower=False).T"]) {
    const found = densityOf(`L = ${factor}`, "mu = (L @ L.T)[1]");
    assert.ok(Math.abs(found - wanted) < 1e-12, `${found} for ${wanted}`);
  }
});

Deno.test("triangular systems are solved, from either side, for vectors and matrices", () => {
  const wanted = densityOf('mu = data["age"] * 1.0 + 0 * a');
  const solvers = [
    'L @ pt.linalg.solve_triangular(L, data["age"].values, lower=True)',
    'L.T @ pt.linalg.solve_triangular(L, data["age"].values, lower=True, trans=1)',
    'L.T @ pt.linalg.solve_triangular(L.T, data["age"].values, lower=False)',
    'L @ pt.linalg.solve_triangular(L.T, data["age"].values, lower=False, trans="T")',
    '(L @ pt.slinalg.solve_triangular(L, data["age"].values[:, None], lower=True))[:, 0]',
  ];
  for (const mu of solvers) {
    const found = densityOf("L = pt.linalg.cholesky(K)", `mu = ${mu}`);
    assert.ok(Math.abs(found - wanted) < 1e-10, `${mu}: ${found} for ${wanted}`);
  }
});

Deno.test("matrices that are none are refused by their shapes", () => {
  const line = (call: string) =>
    refuse(
      head +
        model(
          'a = pm.Normal("a", 0, 1, shape=3)',
          call,
          'pm.Normal("y", a, 1, observed=data["length"])',
        ),
    );
  assert.deepEqual(line("L = pt.linalg.cholesky(a)"), ["shapes/square"]);
  assert.deepEqual(line("L = pt.linalg.solve_triangular(np.eye(2), a)"), ["shapes/matmul"]);
});
