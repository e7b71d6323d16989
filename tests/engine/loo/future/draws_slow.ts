/** Leave-future-out by draws: against quadrature, refits before every row, and PyMC. */
import assert from "node:assert/strict";
import { compileLogDensity } from "../../../../src/engine/inference/density/compile.ts";
import { checkProgram } from "../../../../src/engine/language/pymc/check.ts";
import { futureByQuadrature } from "../../../../src/engine/loo/future/by_quadrature.ts";
import {
  type FutureEstimate,
  leaveFutureOut,
} from "../../../../src/engine/loo/future/leave_future_out.ts";
import { type RowTerms, rowTerms } from "../../../../src/engine/loo/future/row_terms.ts";
import { finish } from "../../../../src/engine/inference/mcmc/sample_chains.ts";
import { defaultSchedule } from "../../../../src/engine/score/execution/execution.ts";
import type { ElpdEstimate } from "../../../../src/engine/loo/elpd.ts";
import { unsoundness } from "../../../../src/engine/score/admission.ts";
import golden from "../../../golden/leave_future_out.json" with { type: "json" };
import { autoregressive, programOf, scoreOf, timed, timeSchedule, total } from "./series.ts";

const y = autoregressive(40, { slope: 0.6, sd: 0.5 }, "draws").map((value) =>
  Math.round(10 * value) / 10
);
const data = timed(y, {}, 0.1);
const text = programOf(
  'rho = pm.Normal("rho", 0, 1)',
  'sigma = pm.HalfNormal("sigma", 1)',
  'pm.Normal("y", rho * y[:-1], sigma, observed=y[1:])',
);
const future = { first: 8, ahead: 1 };

function posterior(): RowTerms {
  const checked = checkProgram(text, data, undefined, timeSchedule(9));
  assert.ok(checked.ok);
  return rowTerms(compileLogDensity(checked.program, data));
}

function drawn(rows: RowTerms, byWeights: boolean, seed: number): FutureEstimate {
  const schedule = { ...defaultSchedule, targetMcse: 1, seedKey: ["draws", seed] };
  const budget = { used: 0, limit: 1e7 };
  const found = finish(leaveFutureOut({ posterior: rows, byWeights }, future, schedule, budget));
  assert.equal(found.kind, "future");
  return found as FutureEstimate;
}

for (const byWeights of [true, false]) {
  const what = byWeights ? "importance draws" : "chains";
  Deno.test(`${what} agree with quadrature within their errors, cells too`, () => {
    const rows = posterior();
    const goal = { targetMcse: 0.01, seedKey: ["quadrature"] };
    const exact = finish(futureByQuadrature(rows, future, goal, { used: 0, limit: 1e6 }))!;
    const scores = Array.from({ length: 20 }, (_, seed) => {
      const { pointwise, mcse, gains, refits, unresolved } = drawn(rows, byWeights, seed);
      assert.ok(refits.length > 1 && unresolved.length === 0);
      const gain = total(gains!.pointwise) - total(exact.gains!.pointwise);
      assert.ok(Math.abs(gain) <= 5 * gains!.mcse + 1e-4);
      return (total(pointwise) - total(exact.pointwise)) / mcse;
    });
    const rms = Math.sqrt(total(scores.map((z) => z * z)) / scores.length);
    assert.ok(rms > 0.5 && rms < 1.6, `errors are ${rms} times what was reported`);
  });
}

Deno.test("weights between refits say what a refit before every row says", () => {
  const rows = posterior();
  const blocks = drawn(rows, true, 0);
  const each = Array.from({ length: rows.rows - future.first }, (_, t) => {
    const own = { first: future.first + t, ahead: 1 };
    const schedule = { ...defaultSchedule, draws: 500, targetMcse: 1, seedKey: ["each"] };
    // One row alone: nothing is weighted.
    const one = { ...rows, rows: own.first + 1, terms: rows.terms };
    const alone = { ...one, terms: first(rows, own.first + 1) };
    delete (alone as Partial<RowTerms>).cells;
    const drawing = { posterior: alone as RowTerms, byWeights: true };
    const found = finish(leaveFutureOut(drawing, own, schedule, { used: 0, limit: 1e7 }));
    assert.equal(found.kind, "future");
    return (found as FutureEstimate).pointwise[0];
  });
  assert.ok(Math.abs(total(each) - total(blocks.pointwise)) < 4 * blocks.mcse + 0.05);
});

/** The first terms alone. */
function first(rows: RowTerms, count: number): RowTerms["terms"] {
  const all = new Float64Array(rows.rows);
  return (position, offset, out, outOffset) => {
    rows.terms(position, offset, all, 0);
    out.set(all.subarray(0, count), outOffset);
  };
}

Deno.test("refits of PyMC before every row give the same", () => {
  const { first, pointwise, errors } = golden;
  const own = timed(Float64Array.from(golden.y));
  const score = scoreOf(golden.text, own, timeSchedule(first));
  const squares = total(errors.map((error) => error * error));
  const error = Math.sqrt(squares + score.mcse * score.mcse);
  assert.ok(Math.abs(score.elpdLoo - total(pointwise)) < 4 * error + 0.01);
  score.elpdPointwise.forEach((value, t) => {
    assert.ok(Math.abs(value - pointwise[t]) < 5 * errors[t] + 0.05, `row ${t + first}`);
  });
});

Deno.test("a budget without room for refits leaves rows unresolved, and the program without a score", () => {
  const schedule = { ...defaultSchedule, targetMcse: 1, seedKey: ["poor"] };
  const within = (limit: number) => {
    const budget = { used: 0, limit };
    const drawing = { posterior: posterior(), byWeights: false };
    const found = finish(leaveFutureOut(drawing, future, schedule, budget));
    assert.equal(found.kind, "future");
    return { used: budget.used, found: found as FutureEstimate };
  };
  const whole = within(1e7);
  assert.equal(whole.found.unresolved.length, 0);
  const { found } = within(0.85 * whole.used);
  assert.ok(found.unresolved.length > 0);
  assert.ok(found.unresolved.every((unit) => unit >= found.refits.at(-1)!));
  const left = {
    ...whole.found,
    ...found,
    kind: "ok",
    elpdLoo: -20,
    elpdPointwise: found.pointwise,
  };
  const estimate = { ...left, unresolved: found.unresolved } as unknown as ElpdEstimate;
  const why = unsoundness(estimate, { total: -20, mcse: 0 }, "future", { maxMcse: 0.5 });
  assert.equal(why?.code, "loo/pareto-k");
  assert.match(why.message, /^ELPD-LFO = .* predicted rows exceeds/);
});
