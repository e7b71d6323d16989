/** Arrays that are filled element by element, and tensors with parts replaced. */
import assert from "node:assert/strict";
import { makeDataset } from "../../../src/base/dataset.ts";
import { compileLogDensity } from "../../../src/engine/inference/density/compile.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";

const data = makeDataset("four", [
  { name: "x", role: "predictor", type: "real", values: Float64Array.of(3, 1, 2, 6) },
  { name: "y", role: "response", type: "real", values: Float64Array.of(1, 2, 3, 5) },
]);

function check(lines: readonly string[]) {
  const model = [
    'b = pm.Normal("b", 0, 1, shape=3)',
    ...lines,
    'pm.Normal("out", mu, 1, observed=data["y"])',
  ].map((line) => `    ${line}`);
  const head = ["import pytensor.tensor as pt", "with pm.Model() as model:"];
  return checkProgram([...head, ...model].join("\n") + "\n", data, undefined, { rows: "ordered" });
}

function hashOf(...lines: readonly string[]): string {
  const result = check(lines);
  assert.ok(result.ok, JSON.stringify(result));
  return result.program.hash;
}

Deno.test("an array of NumPy is filled by elements, rows, columns and masks", () => {
  const plain = hashOf("X = np.array([[1, 3, 9], [1, 1, 1], [1, 2, 4], [1, 6, 0]])", "mu = X @ b");
  const filled = hashOf(
    "X = np.zeros((len(data['y']), 3))",
    "X[:, 0] = 1",
    "X[:, 1] = data['x']",
    "for i in range(X.shape[0]):",
    "    X[i, 2] = X[i, 1] ** 2",
    "X[data['x'] > 5, 2] = 0",
    "mu = X @ b",
  );
  assert.equal(filled, plain);
  assert.equal(
    hashOf("lag = np.empty_like(data['x'])", "lag[0] = 0", "lag[1:] = data['x'][:-1]", "mu = lag"),
    hashOf("mu = np.array([0, 3, 1, 2])"),
  );
  assert.equal(
    hashOf("z = np.full(4, 2.5)", "for i in range(1, 4):", "    z[i] = z[i - 1] * 2", "mu = z"),
    hashOf("mu = np.array([2.5, 5, 10, 20])"),
  );
  assert.equal(
    hashOf("z = np.ones(4, dtype=int)", "z[-1] += 2", "z[[0, 0]] = [5, 7]", "mu = z"),
    hashOf("mu = np.array([7, 1, 1, 3])"),
  );
});

/** The log density of the program at one position. */
function densityOf(...lines: readonly string[]): number {
  const result = check(lines);
  assert.ok(result.ok, JSON.stringify(result));
  const density = compileLogDensity(result.program, data);
  return density.logDensity(Float64Array.of(0.3, -0.7, 1.1), new Float64Array(3), 0);
}

Deno.test("set_subtensor and its kin make a new tensor, and leave the old one", () => {
  const plain = densityOf("mu = pm.math.stack([b[0], b[1], 7 * b[2], b[2]]) + b[2]");
  for (
    const lines of [
      [
        "t = pt.zeros(4)",
        "t = pt.set_subtensor(t[:2], b[:2])",
        "t = pt.set_subtensor(t[2], b[2] * 7)",
      ],
      ["t = pt.zeros(4)[:].set(0)", "t = t[[0, 1]].set(b[:2])", "t = t[2].set(b[2] * 7)"],
    ]
  ) {
    assert.equal(densityOf(...lines, "t = pt.set_subtensor(t[-1], b[2])", "mu = t + b[2]"), plain);
  }
  assert.equal(
    densityOf(
      "t = pt.stack([b[0], b[1], b[2], b[0]])",
      "t = pt.inc_subtensor(t[1:3], 5)",
      "mu = t",
    ),
    densityOf("mu = pm.math.stack([b[0], b[1] + 5, b[2] + 5, b[0]])"),
  );
  assert.equal(
    densityOf("t = pt.ones(4)", "u = pt.set_subtensor(t[0], b[0])", "mu = t * b[1]"),
    densityOf("mu = np.ones(4) * b[1]"),
  );
});

Deno.test("an array that somebody may have seen does not change", () => {
  for (
    const lines of [
      ["z = np.zeros(4)", "w = z", "z[0] = 1", "mu = w"],
      ["z = np.zeros(4)", "w = z[1:]", "z[0] = 1", "mu = z"],
      ["z = w = np.zeros(4)", "z[0] = 1", "mu = w"],
      ["rows = [np.zeros(4)]", "for r in rows:", "    r[0] = 1", "mu = rows[0]"],
      ["z = np.array(data['x'])", "z[0] = 1", "mu = z"],
      ["z = np.zeros(4)", "f = lambda: z", "g = f()", "z[0] = 1", "mu = g"],
    ]
  ) {
    const result = check(lines);
    assert.ok(!result.ok, lines.join("; "));
    assert.deepEqual(result.diagnostics.map(({ code }) => code), ["unsupported/statement"]);
  }
});

Deno.test("the response cannot be filled in, nor a random variable", () => {
  const codes = (...lines: readonly string[]) => {
    const result = check(lines);
    assert.ok(!result.ok);
    return result.diagnostics.map(({ code }) => code);
  };
  const [leak] = codes("z = np.zeros(4)", "z[0] = data['y'][0]", "mu = z");
  assert.equal(leak, "lh/protected-use-before-score");
  assert.deepEqual(codes("z = np.zeros(4)", "z[:] = data['y']", "mu = z"), [leak]);
  assert.deepEqual(codes("mu = pt.set_subtensor(pt.zeros(4)[:], data['y'])"), [leak]);
  assert.deepEqual(codes("mu = pt.zeros(4)[:].set(data['y'])"), [leak]);
  assert.deepEqual(codes("z = np.zeros(4)", "z[data['y'] > 2] = 1", "mu = z"), [leak]);
  assert.deepEqual(codes("mu = np.c_[data['y'], data['x']][:, 0]"), [leak]);
  assert.deepEqual(codes("z = np.zeros(4)", "z[0] = b[0]", "mu = z"), [
    "names/numpy-on-random-variable",
  ]);
  assert.deepEqual(codes("z = np.zeros(4, int)", "z[0] = 0.5", "mu = z"), ["names/wrong-kind"]);
});
