/** The JSON form of an execution that `sluice score --json` prints. */
import type { Diagnostic } from "../../../base/diagnostic.ts";
import type { Execution, ParameterSummary, Score } from "./execution.ts";

/**
 * An execution with snake_case keys, as a user's scripts read it. A program without a score has
 * `failure_class` and `diagnostics` but none of the numbers.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../../../base/dataset.ts";
 * import { scoreNow } from "../score.ts";
 * import { defaultSchedule } from "./execution.ts";
 * import { executionReport } from "./report.ts";
 * const text = `import pymc as pm
 *
 * with pm.Model() as model:
 *     mean = pm.Normal("mean", 0, 1)
 *     pm.Normal("y", mean, 1, observed=data["y"])
 * `;
 * const values = Float64Array.of(0.5, -0.2, 1.1);
 * const data = makeDataset("three", [{ name: "y", role: "response", type: "real", values }]);
 * const report = executionReport(scoreNow(text, data, defaultSchedule), 0.5);
 * assert.equal(report.status, "ok");
 * ```
 *
 * @param seconds wall time of scoring, measured by the caller.
 */
export function executionReport(execution: Execution, seconds: number): Record<string, unknown> {
  return {
    status: execution.status,
    ...(execution.failureClass ? { failure_class: execution.failureClass } : {}),
    engine: execution.engine,
    engine_version: execution.engineVersion,
    ...(execution.programHash ? { program_hash: execution.programHash } : {}),
    seconds,
    ...(execution.score ? scoreReport(execution.score) : {}),
    diagnostics: execution.diagnostics.map(diagnosticReport),
  };
}

function scoreReport(score: Score): Record<string, unknown> {
  const params = Object.entries(score.params).map(([name, one]) => [name, summaryReport(one)]);
  return {
    ...scoreFields(score),
    ...(score.literals === undefined ? {} : { log_reward: score.elpdReward + score.literals }),
    ...(score.unit === "future" ? { elpd_lfo: score.elpdLoo } : {}),
    params: Object.fromEntries(params),
    ...(score.predictive
      ? { loo_pit: score.predictive.looPit, predictive_checks: score.predictive.checks }
      : {}),
  };
}

/**
 * A score under the names that it has in JSON and in tables, without its parameters.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../../../base/dataset.ts";
 * import { scoreNow } from "../score.ts";
 * import { defaultSchedule } from "./execution.ts";
 * import { scoreFields } from "./report.ts";
 * const text = `import pymc as pm
 *
 * with pm.Model() as model:
 *     mean = pm.Normal("mean", 0, 1)
 *     pm.Normal("y", mean, 1, observed=data["y"])
 * `;
 * const values = Float64Array.of(0.5, -0.2, 1.1);
 * const data = makeDataset("three", [{ name: "y", role: "response", type: "real", values }]);
 * const { score } = scoreNow(text, data, defaultSchedule);
 * assert("elpd_loo" in scoreFields(score!));
 * ```
 */
export function scoreFields(score: Score): Record<string, unknown> {
  return {
    elpd_loo: score.elpdLoo,
    elpd_reward: score.elpdReward,
    ...(score.literals === undefined ? {} : { literals: score.literals }),
    ...(score.logMarginalLikelihood === undefined ? {} : {
      log_marginal_likelihood: score.logMarginalLikelihood,
      evidence_mcse: score.evidenceMcse,
    }),
    elpd_raw: score.elpdRaw,
    loo_method: score.looMethod,
    unit: score.unit,
    se: score.se,
    p_loo: score.pLoo,
    mcse: score.mcse,
    elpd_pointwise: score.elpdPointwise,
    pareto_k: score.paretoK,
    good_k: score.goodK,
    exact_refits: score.exactRefits,
    unresolved: score.unresolved,
    capped_points: score.cappedPoints,
    chains: score.chains,
    tune: score.tune,
    draws: score.draws,
    gradients: score.gradients,
    divergences: score.divergences ?? null,
    rhat_max: score.rhatMax ?? null,
    ess_bulk_min: score.essBulkMin ?? null,
  };
}

function summaryReport(summary: ParameterSummary): Record<string, unknown> {
  const { mean, sd, mcseMean, mcseSd, q05, q95, hdi03, hdi97, rhat, shape } = summary;
  return {
    mean,
    sd,
    q05,
    q95,
    hdi_3: hdi03,
    hdi_97: hdi97,
    mcse_mean: mcseMean,
    mcse_sd: mcseSd,
    ess_bulk: summary.essBulk,
    ess_tail: summary.essTail,
    rhat,
    shape,
  };
}

function diagnosticReport({ code, severity, span, message, hint }: Diagnostic) {
  return { code, severity, line: span?.line, column: span?.column, message, hint };
}
