/** Scores a program text against a data set: checked, compiled, sampled, cross-validated, capped. */
import type { Dataset } from "../base/dataset.ts";
import type { Diagnostic } from "../base/diagnostic.ts";
import { compileLogDensity } from "../density/compile.ts";
import { finish } from "../infer/sample_chains.ts";
import { checkProgram } from "../lang/check.ts";
import type { CheckedProgram } from "../lang/graph.ts";
import { type ElpdEstimate, elpdLoo } from "../loo/elpd.ts";
import { capDensity } from "./density_cap.ts";
import type { Execution, ParameterSummary, Schedule, Score } from "./execution.ts";
import { classOfDiagnostics, failureDiagnostic } from "./failure.ts";
import { summarise } from "./summaries.ts";
import { engineName, engineVersion } from "./version.ts";

/** What a score shall contain beside what the reward needs. */
export interface ScoreOptions {
  /** Summaries of free variables and deterministics in `score.params`; not part of any reward. */
  readonly summaries?: boolean;
  /** What diagnostics call the program; `program.py` if left out. */
  readonly file?: string;
}

/**
 * Scores one program. Every failure of the program is a value: `rejected` with a class if it cannot
 * be checked, `error` if it cannot be sampled within the schedule. The same text, data and schedule
 * give the same bits whatever ran before; so do texts with the same canonical graph. Yields about
 * once per draw, so that a worker can answer in between.
 */
export function* scoreProgram(
  source: string,
  dataset: Dataset,
  schedule: Schedule,
  options: ScoreOptions = {},
): Generator<void, Execution> {
  const checked = checkProgram(source, dataset, options.file);
  if (!checked.ok) return rejected(checked.diagnostics);
  return yield* scoreChecked(checked.program, dataset, schedule, options);
}

/**
 * `scoreProgram`, driven to its end.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../base/dataset.ts";
 * import { defaultSchedule } from "./execution.ts";
 * import { scoreNow } from "./score.ts";
 * const values = Float64Array.of(1.2, 0.7, 1.9, 1.1, 0.4, 1.6);
 * const data = makeDataset("six", [{ name: "y", role: "response", type: "real", values }]);
 * const text = `import pymc as pm
 *
 * with pm.Model() as model:
 *     mu = pm.Normal("mu", 0, 2)
 *     pm.Normal("y", mu=mu, sigma=0.5, observed=data["y"])
 * `;
 * const { status, score } = scoreNow(text, data, defaultSchedule);
 * assert.equal(status, "ok");
 * assert.ok(Math.abs(score!.elpdLoo - -5.4) < 0.5);
 * ```
 */
export function scoreNow(
  source: string,
  dataset: Dataset,
  schedule: Schedule,
  options: ScoreOptions = {},
): Execution {
  return finish(scoreProgram(source, dataset, schedule, options));
}

/** Scores a program that has been checked against the data. */
export function* scoreChecked(
  program: CheckedProgram,
  dataset: Dataset,
  schedule: Schedule,
  options: ScoreOptions = {},
): Generator<void, Execution> {
  const density = compileLogDensity(program, dataset);
  const { chains, tune, draws, targetMcse, seed } = schedule;
  const seedKey = ["score", program.hash, dataset.digest, engineVersion, seed];
  const budget = { used: 0, limit: schedule.maxGradients };
  const result = yield* elpdLoo(density, { chains, tune, draws, targetMcse, seedKey }, budget);
  if (result.kind !== "ok") return failed(program, failureDiagnostic(result, schedule));
  const params = options.summaries ? summarise(program, density, result.chainSet) : {};
  return {
    status: "ok",
    engine: engineName,
    engineVersion,
    programHash: program.hash,
    score: scoreOf(program, dataset, schedule, result, params),
    diagnostics: program.diagnostics,
  };
}

function rejected(diagnostics: readonly Diagnostic[]): Execution {
  return {
    status: "rejected",
    failureClass: classOfDiagnostics(diagnostics),
    engine: engineName,
    engineVersion,
    diagnostics,
  };
}

function failed(program: CheckedProgram, diagnostic: Diagnostic): Execution {
  return {
    status: "error",
    failureClass: classOfDiagnostics([diagnostic]),
    engine: engineName,
    engineVersion,
    programHash: program.hash,
    diagnostics: [...program.diagnostics, diagnostic],
  };
}

function scoreOf(
  program: CheckedProgram,
  dataset: Dataset,
  schedule: Schedule,
  estimate: ElpdEstimate,
  params: Readonly<Record<string, ParameterSummary>>,
): Score {
  const column = dataset.columns.find(({ name }) => name === program.likelihood.column);
  const capped = capDensity(estimate, column?.resolution);
  return {
    elpdLoo: capped.elpdLoo,
    elpdRaw: estimate.elpdRaw,
    se: capped.se,
    pLoo: capped.pLoo,
    mcse: estimate.mcse,
    elpdPointwise: capped.elpdPointwise,
    paretoK: [...estimate.paretoK],
    goodK: estimate.goodK,
    exactRefits: estimate.exactRefits,
    cappedPoints: capped.cappedPoints,
    rhatMax: estimate.rhatMax,
    essBulkMin: estimate.essBulkMin,
    divergences: estimate.divergences,
    gradients: estimate.gradients,
    chains: schedule.chains,
    tune: schedule.tune,
    draws: estimate.draws,
    params,
  };
}
