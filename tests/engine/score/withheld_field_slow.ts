/** Withheld rows under fields over rows: the program over all rows, of which those that were kept are observed. */
import assert from "node:assert/strict";
import { type Dataset, makeDataset, placedDigest } from "../../../src/base/dataset.ts";
import { cholesky, inverseFromCholesky } from "../../../src/numerics/math/linalg.ts";
import { logNormalInterval } from "../../../src/numerics/math/normal_interval.ts";
import { withholdRows } from "../../../src/data/holdout.ts";
import { defaultSchedule, type Schedule } from "../../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../../src/engine/score/score.ts";
import { finish } from "../../../src/engine/inference/mcmc/sample_chains.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { answer } from "../../../src/executor/worker_answers.ts";
import { alongChain } from "../loo/torture/quadrature.ts";

const y = Float64Array.of(0.31, 0.52, 0.12, -0.43, -0.61, -0.2, 0.44, 0.71, 1.32, 1.11, 0.92, 1.43);
const x = y.map((_, i) => i / 4 + (i % 3) / 20);
const mark = y.map((_, i) => i === 2 || i === 7 || i === 8 || i === 11 ? 1 : 0);
const out = [...mark.keys()].filter((i) => mark[i] === 1);
const kept = [...mark.keys()].filter((i) => mark[i] === 0);

const ordered: Schedule = { ...defaultSchedule, rows: "ordered" };

function split(values: Float64Array, type: "real" | "count", resolution?: number): Dataset {
  const all = makeDataset("rows", [
    { name: "x", role: "predictor", type: "real", values: x },
    { name: "mark", role: "predictor", type: "binary", values: mark },
    { name: "y", role: "response", type, values, ...(resolution && { resolution }) },
  ]);
  return withholdRows(all, { column: "mark" });
}

const program = (lines: string) =>
  `import numpy as np\nimport pymc as pm\n\nwith pm.Model() as model:\n${
    lines.trim().split("\n").map((line) => `    ${line.trim()}\n`).join("")
  }`;

/** Covariance of all rows by a function of two of them. */
type Kernel = (i: number, j: number) => number;

/** log N of the kept rows, and mean and variance of each withheld row given them. */
function conditioned(kernel: Kernel) {
  const n = kept.length;
  const matrix = Float64Array.from(
    { length: n * n },
    (_, at) => kernel(kept[Math.floor(at / n)], kept[at % n]),
  );
  assert.ok(cholesky(matrix, n));
  let logDensity = -0.5 * n * Math.log(2 * Math.PI);
  for (let i = 0; i < n; i++) logDensity -= Math.log(matrix[i * n + i]);
  const inverse = inverseFromCholesky(matrix, n);
  const weights = kept.map((_, i) => kept.reduce((s, b, j) => s + inverse[i * n + j] * y[b], 0));
  kept.forEach((a, i) => logDensity -= 0.5 * y[a] * weights[i]);
  const rows = out.map((o) => {
    const own = kept.map((a) => kernel(o, a));
    const mean = own.reduce((s, k, i) => s + k * weights[i], 0);
    let variance = kernel(o, o);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) variance -= own[i] * inverse[i * n + j] * own[j];
    }
    return { mean, sd: Math.sqrt(variance), y: y[o] };
  });
  return { logDensity, rows };
}

const logNormal = ({ mean, sd, y }: { mean: number; sd: number; y: number }) =>
  -0.5 * Math.log(2 * Math.PI) - Math.log(sd) - 0.5 * ((y - mean) / sd) ** 2;

const walk = (s: number): Kernel => (i, j) =>
  s * s * (1 + Math.min(i, j)) + (i === j ? 0.3 ** 2 : 0);
const process = (s: number): Kernel => (i, j) =>
  s * s * Math.exp(-0.5 * ((x[i] - x[j]) / 0.8) ** 2) + (i === j ? 0.3 ** 2 : 0);

const walkText = (scale: string) =>
  program(`${scale}
    u = pm.Normal("u", 0, s, shape=len(data["y"]))
    pm.Normal("y", pm.math.cumsum(u), 0.3, observed=data["y"])`);

Deno.test("withheld steps of a walk are predicted between those that were kept", () => {
  const { score } = scoreNow(walkText("s = 0.5"), split(y, "real"), ordered);
  const exact = conditioned(walk(0.5)).rows.reduce((sum, one) => sum + logNormal(one), 0);
  assert.ok(Math.abs(score!.elpdHoldout! - exact) < 1e-9, `${score!.elpdHoldout} ${exact}`);
});

Deno.test("recorded rows are worth their cells", () => {
  const { score } = scoreNow(walkText("s = 0.5"), split(y, "real", 0.1), ordered);
  const exact = conditioned(walk(0.5)).rows.reduce(
    (sum, { mean, sd, y }) =>
      sum + logNormalInterval((y - 0.05 - mean) / sd, (y + 0.05 - mean) / sd) - Math.log(0.1),
    0,
  );
  assert.ok(Math.abs(score!.elpdHoldout! - exact) < 1e-9, `${score!.elpdHoldout} ${exact}`);
});

Deno.test("a free scale is averaged over given the kept rows", () => {
  const text = walkText(`s = pm.LogNormal("s", -0.5, 0.5)`);
  const { score } = scoreNow(text, split(y, "real"), ordered);
  let whole = 0;
  const sums = out.map(() => 0);
  for (let u = -3; u < 2; u += 0.02) {
    const { logDensity, rows } = conditioned(walk(Math.exp(u)));
    const weight = Math.exp(logDensity - 0.5 * ((u + 0.5) / 0.5) ** 2);
    whole += weight;
    rows.forEach((row, k) => sums[k] += weight * Math.exp(logNormal(row)));
  }
  const exact = sums.reduce((sum, one) => sum + Math.log(one / whole), 0);
  assert.ok(Math.abs(score!.elpdHoldout! - exact) < 0.005, `${score!.elpdHoldout} ${exact}`);
});

const processes = {
  latent: `gp = pm.gp.Latent(cov_func=0.9**2 * pm.gp.cov.ExpQuad(1, ls=0.8))
    f = gp.prior("f", X=data["x"][:, None])
    pm.Normal("y", f, 0.3, observed=data["y"])`,
  marginal: `gp = pm.gp.Marginal(cov_func=0.9**2 * pm.gp.cov.ExpQuad(1, ls=0.8))
    gp.marginal_likelihood("y", X=data["x"][:, None], y=data["y"], sigma=0.3)`,
};

for (const [name, lines] of Object.entries(processes)) {
  Deno.test(`withheld rows of pm.gp (${name}) are predicted at their columns`, () => {
    const data = split(y, "real");
    const { score } = scoreNow(program(lines), data, defaultSchedule);
    const exact = conditioned(process(0.9)).rows.reduce((sum, one) => sum + logNormal(one), 0);
    assert.ok(Math.abs(score!.elpdHoldout! - exact) < 1e-4, `${score!.elpdHoldout} ${exact}`);
    // Where they stood does not matter to rows in no order.
    const { positions: _, ...elsewhere } = data.holdout!;
    const again = scoreNow(program(lines), { ...data, holdout: elsewhere }, defaultSchedule);
    assert.ok(Math.abs(again.score!.elpdHoldout! - exact) < 1e-4);
  });
}

Deno.test("withheld counts under a walk are predicted by chains", () => {
  const counts = Float64Array.of(2, 1, 3, 1, 0, 1, 2, 4, 6, 5, 3, 7);
  const text = program(`u = pm.Normal("u", 0, 0.4, shape=len(data["y"]))
    pm.Poisson("y", pm.math.exp(pm.math.cumsum(u)), observed=data["y"])`);
  const { score } = scoreNow(text, split(counts, "count"), ordered);
  const chain = { first: { mean: 0, sd: 0.4 }, factor: 1, sd: 0.4 };
  const factorial = (k: number): number => k < 2 ? 1 : k * factorial(k - 1);
  const observed = (rows: readonly number[]) =>
    alongChain(
      chain,
      12,
      0.05,
      (i, f) => rows.includes(i) ? counts[i] * f - Math.exp(f) - Math.log(factorial(counts[i])) : 0,
    ).whole;
  const exact = out.reduce((sum, o) => sum + observed([...kept, o]) - observed(kept), 0);
  assert.ok(Math.abs(score!.elpdHoldout! - exact) < 0.1, `${score!.elpdHoldout} ${exact}`);
});

Deno.test("a program that cannot be carried over says why", () => {
  const literal = walkText("s = 0.5").replace(`len(data["y"])`, `${kept.length}`);
  const data = split(y, "real");
  const [fixed, free] = [literal, walkText("s = 0.5")].map((one) => scoreNow(one, data, ordered));
  assert.equal(fixed.score!.elpdLoo, free.score!.elpdLoo);
  assert.equal(fixed.score!.elpdHoldout, undefined);
  const { message, hint } = fixed.diagnostics.find(({ code }) => code === "predict/rows")!;
  assert.match(message, /Cannot predict the withheld rows: with all 12 rows the program is none/);
  assert.match(hint!, /shape=len\(data\["y"\]\)/);
  assert.notEqual(fixed.programHash, free.programHash);
  const { positions: _, ...elsewhere } = data.holdout!;
  const lost = scoreNow(walkText("s = 0.5"), { ...data, holdout: elsewhere }, ordered);
  assert.match(lost.diagnostics[0].message, /where they stood among the others is not known/);
});

Deno.test("checking, scoring and printing agree on the hash of a program that is tied to its rows", () => {
  const data = split(y, "real");
  const text = walkText("s = 0.5");
  const said = (kind: "check" | "printed") =>
    finish(answer({ program: text, wanted: { kind } }, data, ordered));
  const { programHash } = scoreNow(text, data, ordered);
  assert.equal(said("check").execution.programHash, programHash);
  const printed = JSON.parse(new TextDecoder().decode(said("printed").payload));
  assert.equal(printed.hash, programHash);
  const loose = program(`m = pm.Normal("m", 0, 1)
    pm.Normal("y", m, 0.5, observed=data["y"])`);
  const checked = checkProgram(loose, data);
  assert.ok(checked.ok);
  assert.equal(scoreNow(loose, data, ordered).programHash, checked.program.hash);
});

Deno.test("where rows stood counts for the memo, and for no random number", () => {
  const data = split(y, "real");
  const moved = { ...data, holdout: { ...data.holdout!, positions: [0, 1, 2, 3] } };
  assert.equal(makeDataset(data.name, data.columns, 0, moved.holdout).digest, data.digest);
  assert.notEqual(placedDigest(moved), placedDigest(data));
});
