/** Withheld rows: the program over all rows, of which those that were kept are observed, against algebra and quadrature. */
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
import { meanOverDraws } from "../../../src/engine/score/withheld.ts";
import golden from "../../golden/crossing_groups.json" with { type: "json" };
import { RandomStream } from "../../../src/base/random.ts";
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

Deno.test("withheld counts under a walk are predicted from those that were kept", () => {
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

/** Rows of a table, some of them withheld. */
function table(columns: Readonly<Record<string, readonly number[]>>, withheld: readonly number[]) {
  const rows = columns.y.map((_, i) => i);
  const kept = rows.filter((i) => !withheld.includes(i));
  const of = (own: readonly number[]) =>
    Object.entries(columns).map(([name, values]) => ({
      name,
      role: name === "y" ? "response" as const : "predictor" as const,
      type: values.every(Number.isInteger) ? "count" as const : "real" as const,
      values: Float64Array.from(own, (i) => values[i]),
    }));
  const data = makeDataset("table", of(kept));
  const positions = [...withheld];
  return { ...data, holdout: { rows: withheld.length, columns: of(withheld), positions } };
}

/** Twelve measurements in four groups; the last of them far from all others. */
const measured = {
  g: [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 0],
  x: [0.2, 1.1, -0.4, 0.9, 0.3, -1.2, 1.6, 0.1, -0.7, 0.5, -0.9, 0.4],
  y: [1.2, 1.9, 0.8, 0.1, -0.3, -0.6, 2.4, 1.8, 1.1, 0.7, 0.2, 9.5],
};

/** log p(y_i | the rows that were kept) of a hierarchy with a known noise, its scale on a grid. */
function exactHierarchy(withheld: readonly number[], priorOfScale: (u: number) => number): number {
  const kept = measured.y.map((_, i) => i).filter((i) => !withheld.includes(i));
  const logNormalOf = (rows: readonly number[], scale: number) => {
    const n = rows.length;
    const { g, x, y } = measured;
    const matrix = Float64Array.from({ length: n * n }, (_, at) => {
      const [i, j] = [rows[Math.floor(at / n)], rows[at % n]];
      const shared = 4 + x[i] * x[j] + (g[i] === g[j] ? scale * scale : 0);
      return shared + (i === j ? 0.25 : 0);
    });
    assert.ok(cholesky(matrix, n));
    let sum = -0.5 * n * Math.log(2 * Math.PI);
    const white: number[] = [];
    for (let i = 0; i < n; i++) {
      const rest = white.reduce((a, w, k) => a - matrix[i * n + k] * w, y[rows[i]]);
      white.push(rest / matrix[i * n + i]);
      sum -= Math.log(matrix[i * n + i]) + 0.5 * white[i] * white[i];
    }
    return sum;
  };
  let whole = 0;
  const sums = withheld.map(() => 0);
  for (let u = -12; u < 3; u += 0.02) {
    const scale = Math.exp(u);
    const base = logNormalOf(kept, scale);
    const weight = Math.exp(base + priorOfScale(u));
    whole += weight;
    withheld.forEach((i, k) =>
      sums[k] += weight * Math.exp(logNormalOf([...kept, i], scale) - base)
    );
  }
  return sums.reduce((sum, one) => sum + Math.log(one / whole), 0);
}

const hierarchy = program(`m = pm.Normal("m", 0, 2)
    b = pm.Normal("b", 0, 1)
    t = pm.HalfNormal("t", 1)
    a = pm.Normal("a", 0, t, shape=4)
    pm.Normal("y", m + b * data["x"] + a[data["g"]], 0.5, observed=data["y"])`);

Deno.test("rows of a hierarchy have their density in closed form, also one that lies far out", () => {
  const withheld = [1, 5, 9, 10, 11]; // all of group 3
  const { score } = scoreNow(hierarchy, table(measured, withheld), defaultSchedule);
  const exact = exactHierarchy(withheld, (u) => u - 0.5 * Math.exp(2 * u));
  const { elpdHoldout, holdoutMcse } = score!;
  assert.ok(exact < -90);
  assert.ok(Math.abs(elpdHoldout! - exact) < 1e-3, `${elpdHoldout} ${exact}`);
  assert.ok(holdoutMcse! < 0.005, `${holdoutMcse}`);
});

Deno.test("priors and centres keep what the rows that were kept gave them", () => {
  const text = program(`c = data["x"] - data["x"].mean()
    one = pm.Normal("one", 1, 0.00001)
    b = pm.Normal("b", pm.math.sum(one * data["x"]), 1)
    pm.Normal("y", b * c, 0.5, observed=data["y"])`);
  const withheld = [6, 11];
  const { score } = scoreNow(text, table(measured, withheld), defaultSchedule);
  const kept = measured.y.map((_, i) => i).filter((i) => !withheld.includes(i));
  const mean = kept.reduce((sum, i) => sum + measured.x[i], 0) / kept.length;
  const at = (i: number) => measured.x[i] - mean;
  const precision = 1 + kept.reduce((sum, i) => sum + at(i) ** 2 / 0.25, 0);
  const prior = kept.reduce((sum, i) => sum + measured.x[i], 0);
  const slope = (prior + kept.reduce((sum, i) => sum + at(i) * measured.y[i] / 0.25, 0)) /
    precision;
  const exact = withheld.reduce((sum, i) => {
    const sd = Math.sqrt(0.25 + at(i) ** 2 / precision);
    return sum + logNormal({ mean: slope * at(i), sd, y: measured.y[i] });
  }, 0);
  assert.ok(Math.abs(score!.elpdHoldout! - exact) < 1e-6, `${score!.elpdHoldout} ${exact}`);
});

Deno.test("wide priors over calendar years cost no digits", () => {
  const y = [1.2, 1.9, 0.8, 2.1, 2.3, 2.6, 2.4, 1.8, 3.1, 2.7, 3.2, 3.9];
  const data = table({ x: y.map((_, i) => 1990 + i), y }, [2, 7, 11]);
  const text = program(`a = pm.Normal("a", 0, 100000)
    b = pm.Normal("b", 0, 100)
    pm.Normal("y", a + b * data["x"], 0.01, observed=data["y"])`);
  const { score } = scoreNow(text, data, defaultSchedule);
  // By fractions.Fraction of Python 3.11: normal equations of the nine other rows.
  const exact = [-4765.704222675917, -3532.5512258530716, -981.5038625123893];
  score!.holdoutPointwise!.forEach((one, k) => {
    assert.ok(Math.abs(one - exact[k]) < 1e-7, `${one} ${exact[k]}`);
  });
});

Deno.test("counts of a hierarchy have the values of quadrature: an unlikely one, and a level without rows", () => {
  const { y, x, effect, withheld, y_held, held } = golden;
  const own = y.map((one, i) => withheld.includes(i) ? y_held[withheld.indexOf(i)] : one);
  const data = table({ y: own, x, e: effect }, withheld);
  const text = program(`mu = pm.Normal("mu", 0, 1)
    tau = pm.HalfNormal("tau", 0.7)
    z = pm.Normal("z", mu, tau, shape=8)
    eta = z[data["e"]] + 0.5 * data["x"]
    pm.NegativeBinomial("y", mu=pm.math.exp(eta), alpha=2.5, observed=data["y"])`);
  const { score } = scoreNow(text, data, defaultSchedule);
  score!.holdoutPointwise!.forEach((one, k) => {
    assert.ok(Math.abs(one - held[k]) < 2e-3, `${withheld[k]}: ${one} ${held[k]}`);
  });
  assert.ok(score!.holdoutMcse! < 0.005, `${score!.holdoutMcse}`);
});

Deno.test("a level that the kept rows do not have follows the population, however many effects there are", () => {
  const withheld = [9, 10];
  const text = (shape: string) =>
    hierarchy.replace("shape=4", `shape=${shape}`)
      .replace('pm.Normal("y", m', 'pm.StudentT("y", nu=4, mu=m').replace(", 0.5,", ", sigma=0.5,");
  const [literal, counted] = ["4", `int(data["g"].max()) + 1`].map((shape) =>
    scoreNow(text(shape), table(measured, withheld), defaultSchedule).score!.elpdHoldout!
  );
  assert.ok(Math.abs(literal - counted) < 1e-4, `${literal} ${counted}`);
});

Deno.test("a regression without effects knows the error of its withheld rows", () => {
  const text = program(`m = pm.Normal("m", 0, 2)
    b = pm.Normal("b", 0, 1)
    pm.StudentT("y", nu=4, mu=m + b * data["x"], sigma=0.5, observed=data["y"])`);
  const withheld = [1, 6, 11];
  const { x, y } = measured;
  const logT = (i: number, m: number, b: number) => {
    const z = (y[i] - m - b * x[i]) / 0.5;
    return Math.log(0.375 / 0.5) - 2.5 * Math.log1p(z * z / 4); // gamma(5/2) / gamma(2) / sqrt(4 pi) = 3/8
  };
  const kept = y.map((_, i) => i).filter((i) => !withheld.includes(i));
  let whole = 0;
  const sums = withheld.map(() => 0);
  for (let m = -3; m < 5; m += 0.02) {
    for (let b = -4; b < 5; b += 0.02) {
      const log = kept.reduce((sum, i) => sum + logT(i, m, b), -m * m / 8 - b * b / 2);
      const weight = Math.exp(log);
      whole += weight;
      withheld.forEach((i, k) => sums[k] += weight * Math.exp(logT(i, m, b)));
    }
  }
  const exact = sums.reduce((sum, one) => sum + Math.log(one / whole), 0);
  const { elpdHoldout, holdoutMcse } = scoreNow(text, table(measured, withheld), defaultSchedule)
    .score!;
  assert.ok(Math.abs(elpdHoldout! - exact) < 1e-3 + 4 * holdoutMcse!, `${elpdHoldout} ${exact}`);
  assert.ok(holdoutMcse! < 0.05);
});

Deno.test("means over draws have their error; a mean of few draws, or with a large error, is none", () => {
  const random = new RandomStream("withheld draws");
  const normal = () => {
    let sum = -6;
    for (let k = 0; k < 12; k++) sum += random.uniform();
    return sum;
  };
  const logs = (sd: number) =>
    [0, 1].map(() => Float64Array.from({ length: 500 }, () => sd * normal()));
  const deviations: number[] = [];
  let reported = 0;
  for (let repeat = 0; repeat < 200; repeat++) {
    const found = meanOverDraws(logs(0.5), { chains: 4 }, defaultSchedule);
    assert.ok(found.kind === "ok");
    deviations.push(found.pointwise[0] + found.pointwise[1] - 2 * 0.125); // log E[e^(z/2)] = 1/8
    reported += found.mcse * found.mcse / 200;
  }
  const square = deviations.reduce((sum, one) => sum + one * one, 0) / 200;
  assert.ok(Math.abs(Math.log(square / reported)) < 0.4, `${square} ${reported}`);
  const said = (sd: number, maxMcse: number) => {
    const found = meanOverDraws(logs(sd), { chains: 4 }, { maxMcse });
    assert.ok(found.kind === "none");
    return found.diagnostic.message;
  };
  assert.match(said(8, Infinity), /few draws decide about one of them/);
  assert.match(said(0.5, 0.01), /their ELPD has an error of 0\.0\d nats/);
});
