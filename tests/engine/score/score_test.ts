/** Scoring: reference values, determinism, classes of failure, the density cap, summaries. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { classOfDiagnostics, failureClasses } from "../../../src/engine/score/execution/failure.ts";
import {
  defaultSchedule,
  type Execution,
  type Schedule,
} from "../../../src/engine/score/execution/execution.ts";
import type { ElpdEstimate } from "../../../src/engine/loo/elpd.ts";
import { recordedReward } from "../../../src/engine/score/recorded_reward.ts";
import { executionReport } from "../../../src/engine/score/execution/report.ts";
import { nullProgram } from "../../../src/engine/score/judges/reward.ts";
import { scoreNow, scoreProgram } from "../../../src/engine/score/score.ts";
import { datasetOf, dugongs } from "../density/data.ts";
import { assertClose } from "../density/closeness.ts";

const golden: { programs: Record<string, { text: string }> } = JSON.parse(
  readFileSync(new URL("../../golden/logp.json", import.meta.url), "utf8"),
);
const dataset = dugongs(0.01);
const posteriordb = golden.programs.posteriordb.text;
const straight = `import pymc as pm

with pm.Model() as model:
    a = pm.Normal("a", 2, 1)
    b = pm.Normal("b", 0, 1)
    sigma = pm.HalfNormal("sigma", 1)
    slope = pm.Deterministic("slope", 10 * b)
    pm.Normal("y", mu=a + b * data["age"], sigma=sigma, observed=data["length"])
`;
const score = (text: string, schedule: Partial<Schedule> = {}) =>
  scoreNow(text, dataset, { ...defaultSchedule, ...schedule });

Deno.test("posteriordb's dugongs have the exact leave-one-out ELPD within the standard error", () => {
  // 22.525 by quadrature over the four parameters for each of the 27 posteriors without a row.
  for (const seed of [0, 1, 2]) {
    const result = score(posteriordb, { seed }).score!;
    assert.ok(result.mcse <= 0.15, `mcse ${result.mcse}`);
    assert.ok(Math.abs(result.elpdLoo - 22.525) < 4 * result.mcse, `${result.elpdLoo}`);
    assert.equal(result.elpdPointwise.length, 27);
  }
});

Deno.test("a score has the same bits again, after other programs and under other names", () => {
  const first = score(straight);
  score(posteriordb);
  assert.deepEqual(score(straight), first);
  const renamed = `import pymc

with pymc.Model() as m:
    noise = pymc.HalfNormal("noise", sigma=1.0)
    slope = pymc.Normal("slope", mu=0.0, sigma=1.0)
    start = pymc.Normal("start", mu=2.0, sigma=1.0)
    z = pymc.Deterministic("z", 10 * slope)
    pymc.Normal("obs", start + slope * data["age"], noise, observed=data["length"])
`;
  const again = score(renamed);
  assert.equal(again.programHash, first.programHash);
  assert.deepEqual(again.score, first.score);
});

Deno.test("programs that run in turns have the bits that they have alone", () => {
  const texts = [straight, posteriordb];
  const runs = texts.map((text) => scoreProgram(text, dataset, defaultSchedule));
  const results: Execution[] = [];
  while (results.filter(Boolean).length < texts.length) {
    runs.forEach((run, k) => {
      const step = run.next();
      if (step.done && step.value) results[k] = step.value;
    });
  }
  assert.deepEqual(results, texts.map((text) => score(text)));
});

Deno.test("another seed gives other draws", () => {
  assert.notEqual(score(straight).score!.elpdLoo, score(straight, { seed: 1 }).score!.elpdLoo);
});

Deno.test("each failure has its class and no score", () => {
  const line = (body: string) => `import pymc as pm\n\nwith pm.Model() as model:\n    ${body}\n`;
  const likelihood = (mu: string) => `pm.Normal("y", ${mu}, 1, observed=data["length"])`;
  const cases: [string, string, Partial<Schedule>?][] = [
    ["with pm.Model( as model:", "syntax"],
    [line(likelihood("unknown")), "names"],
    [line(likelihood('data["length"]')), "data"],
    [line(`a = pm.Normal("a", 0, -1)\n    ${likelihood("a")}`), "support"],
    [line(`a = pm.Wishart("a", 3)\n    ${likelihood("0")}`), "unsupported"],
    [straight, "budget", { maxGradients: 50 }],
    [line(`a = pm.HalfNormal("a", 1)\n    ${likelihood("pm.math.log(-a - 1)")}`), "no_start"],
  ];
  for (const [text, wanted, schedule] of cases) {
    const execution = score(text, schedule);
    assert.equal(execution.failureClass, wanted, execution.diagnostics[0]?.message);
    assert.equal(execution.score, undefined);
    assert.equal(execution.status, execution.programHash ? "error" : "rejected");
    assert.ok(execution.diagnostics.some((d) => d.severity === "error"));
  }
});

Deno.test("a posterior with two far modes is scored right", () => {
  const two = datasetOf("two", { y: [16.1, 15.9, 16, 16.05] }, undefined);
  const text = `with pm.Model() as model:
    mu = pm.Normal("mu", 0, 5)
    pm.Normal("y", mu ** 2, 0.1, observed=data["y"])
`;
  // SciPy 1.17.1: Σ_i log(∫ p L / ∫ p L/L_i), by quad over 3.8 .. 4.2.
  const exact = 3.500879;
  const seeds = Array.from({ length: 12 }, (_, seed) => seed);
  const all = seeds.map((seed) => scoreNow(text, two, { ...defaultSchedule, seed }));
  for (const { score } of all) {
    assert.ok(score && Math.abs(score.elpdLoo - exact) < 4 * score.mcse, `${score?.elpdLoo}`);
  }
});

Deno.test("two far modes that importance draws have both: the draws are of both", () => {
  const four = datasetOf("four", { y: [50, 51, 49, 50.5] }, undefined);
  const text = `with pm.Model() as model:
    pm.Normal("y", pm.math.abs(pm.Normal("a", 0, 100)), 1, observed=data["y"])
`;
  // Chains of seed 10 keep to a mode each.
  for (const seed of [0, 10]) {
    const options = { ...defaultSchedule, seed };
    const { score, diagnostics } = scoreNow(text, four, options, { summaries: true });
    const { mean, sd, mcseMean } = score!.params.a;
    assert.ok(Math.abs(mean[0]) < 4 * mcseMean[0], `${mean[0]} ± ${mcseMean[0]}`);
    assert.ok(Math.abs(sd[0] - 50.1) < 2, `${sd[0]}`);
    assert.deepEqual(diagnostics, []);
  }
});

Deno.test("a latent of each row is integrated out, however the program spells it", () => {
  const y = [8.1, -6.3, 5.4, -2.2, 9.9, 3.1, -7.2, 1.8];
  const rows = datasetOf("rows", { g: [7, 6, 5, 4, 3, 2, 1, 0], y }, undefined);
  const spell = (latent: string) =>
    `with pm.Model() as model:
    tau = pm.HalfNormal("tau", 10)
    ${latent}
    pm.Normal("y", mu, 1, observed=data["y"])
`;
  const found = [
    'z = pm.Laplace("z", 0, tau, shape=8)\n    mu = z',
    'z = pm.Laplace("z", 0, 1, shape=8)\n    mu = tau * z[data["g"]]',
  ].map((latent) => scoreNow(spell(latent), rows, { ...defaultSchedule, draws: 500 }).score!);
  for (const { looMethod } of found) assert.match(looMethod, /^integrated/);
  const [centred, apart] = found;
  const error = Math.hypot(centred.mcse, apart.mcse);
  assert.ok(Math.abs(centred.elpdLoo - apart.elpdLoo) < 4 * error + 0.02);
});

Deno.test("more rows than cross-validation has room for are refused before sampling", () => {
  const y = Array.from({ length: 50_000 }, (_, i) => (i * 7) % 11);
  const many = datasetOf("many", { y }, undefined);
  const text = `with pm.Model() as model:
    mu = pm.Normal("mu", 0, 1)
    pm.Normal("y", mu, 1, observed=data["y"])
`;
  const { failureClass, diagnostics } = scoreNow(text, many, defaultSchedule);
  assert.equal(failureClass, "budget");
  assert.equal(diagnostics.at(-1)!.code, "budget/rows");
});

Deno.test("the class of several errors is the most telling one", () => {
  const errors = ["unsupported/name", "lh/potential", "names/undefined"].map((code) => ({
    code,
    severity: "error" as const,
    message: code,
  }));
  assert.equal(classOfDiagnostics(errors), "data");
  assert.equal(new Set(failureClasses).size, failureClasses.length);
  assert.throws(() => classOfDiagnostics([]), /internal/);
});

Deno.test("a reward has the gains of cells, and never more than a probability of 1", () => {
  const gains = { pointwise: Float64Array.of(-0.5, 0.25, -2), mcse: 0.01 };
  const elpdPointwise = Float64Array.of(1, 2.25, 5);
  const estimate = { elpdLoo: 8.25, elpdPointwise, gains, mcse: 0.02 } as unknown as ElpdEstimate;
  const reward = recordedReward(estimate, 0.1);
  const most = Math.log(10);
  assertClose(reward.total, 0.5 + 2 * most, 1e-15);
  assert.deepEqual([reward.cappedPoints, reward.mcse], [1, 0.03]);
  assert.deepEqual(recordedReward(estimate, undefined).total, 8.25);
  assertClose(recordedReward(estimate, 0.1, () => 2).total, 6, 1e-15);
});

Deno.test("a program that finds the rounding of the data earns a probability of 1, and both values are kept", () => {
  const x = Array.from({ length: 12 }, (_, i) => i);
  const rounded = datasetOf("rounded", { x, y: x.map((i) => 2 * i) }, 1);
  const text = `with pm.Model() as model:
    a = pm.Normal("a", 2, 1)
    sigma = pm.HalfNormal("sigma", 1)
    pm.Normal("y", a * data["x"], sigma + 0.01, observed=data["y"])
`;
  const result = scoreNow(text, rounded, defaultSchedule).score!;
  assert.equal(result.cappedPoints, 12);
  assert.ok(result.elpdReward <= 0 && result.elpdReward > -1e-6, `${result.elpdReward}`);
  assert.ok(result.elpdLoo > 10 && result.elpdRaw > 10);
});

Deno.test("the null program of the dugongs is scored, and beaten by the growth curve", () => {
  const nothing = score(nullProgram(dataset)).score!;
  assert.ok(nothing.elpdLoo < score(posteriordb).score!.elpdLoo - 10);
});

Deno.test("summaries are made on request and change nothing else", () => {
  const plain = score(straight);
  const full = scoreNow(straight, dataset, defaultSchedule, { summaries: true });
  const { predictive, ...rest } = full.score!;
  assert.deepEqual({ ...rest, params: {} }, plain.score);
  assert.equal(predictive!.looPit.length, dataset.rows);
  assert.deepEqual(Object.keys(full.score!.params).sort(), ["a", "b", "sigma", "slope"]);
  const { b, slope } = full.score!.params;
  assertClose(slope.mean[0], 10 * b.mean[0], 1e-12);
  assert.ok(b.q05[0] < b.mean[0] && b.mean[0] < b.q95[0] && b.sd[0] > 0);
  assert.ok(b.essBulk[0] > 50 && b.rhat[0] < 1.05);
  assert.deepEqual(b.shape, []);
});

Deno.test("the report of an execution has the documented keys", () => {
  const report = executionReport(score(straight), 0.02);
  assert.deepEqual(Object.keys(report), [
    "status",
    "engine",
    "engine_version",
    "program_hash",
    "seconds",
    "elpd_loo",
    "elpd_reward",
    "elpd_raw",
    "loo_method",
    "unit",
    "se",
    "p_loo",
    "mcse",
    "elpd_pointwise",
    "pareto_k",
    "good_k",
    "exact_refits",
    "unresolved",
    "capped_points",
    "chains",
    "tune",
    "draws",
    "gradients",
    "divergences",
    "rhat_max",
    "ess_bulk_min",
    "params",
    "diagnostics",
  ]);
  const failed = executionReport(score("with pm.Model( as model:"), 0.01);
  const [first] = failed.diagnostics as { code: string; line: number }[];
  assert.equal(failed.failure_class, "syntax");
  assert.deepEqual([first.code.split("/")[0], first.line], ["syntax", 1]);
});
