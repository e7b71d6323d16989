/** The JSON form of an execution that `sluice score --json` prints. */
import type { Diagnostic } from "../base/diagnostic.ts";
import type { Execution, ParameterSummary, Score } from "./execution.ts";

/**
 * An execution with snake_case keys, as a user's scripts read it. A program without a score has
 * `failure_class` and `diagnostics` but none of the numbers.
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
    elpd_loo: score.elpdLoo,
    elpd_raw: score.elpdRaw,
    se: score.se,
    p_loo: score.pLoo,
    mcse: score.mcse,
    elpd_pointwise: score.elpdPointwise,
    pareto_k: score.paretoK,
    good_k: score.goodK,
    exact_refits: score.exactRefits,
    capped_points: score.cappedPoints,
    chains: score.chains,
    tune: score.tune,
    draws: score.draws,
    gradients: score.gradients,
    divergences: score.divergences,
    rhat_max: score.rhatMax,
    ess_bulk_min: score.essBulkMin,
    params: Object.fromEntries(params),
  };
}

function summaryReport(summary: ParameterSummary): Record<string, unknown> {
  const { mean, sd, q05, q95, essBulk, rhat, shape } = summary;
  return { mean, sd, q05, q95, ess_bulk: essBulk, rhat, shape };
}

function diagnosticReport({ code, severity, span, message, hint }: Diagnostic) {
  return { code, severity, line: span?.line, column: span?.column, message, hint };
}
