/** Scores a program text against a data set: checked, compiled, sampled, cross-validated, rewarded. */
import { type Dataset, withWithheldRows } from "../../base/dataset.ts";
import type { Diagnostic } from "../../base/diagnostic.ts";
import type { CheckedProgram } from "../language/ir/program.ts";
import { finish } from "../inference/mcmc/sample_chains.ts";
import { checkProgram } from "../language/pymc/check.ts";
import type { ElpdEstimate } from "../loo/elpd.ts";
import { unsoundness } from "./admission.ts";
import type { Execution, Schedule, Score } from "./execution/execution.ts";
import { classOfDiagnostics } from "./execution/failure.ts";
import { evidenceOf } from "./evidence.ts";
import type { Evidence } from "../loo/evidence.ts";
import { literalsOf } from "./literals/charge.ts";
import { type Fit, fitChecked, type FitFailure, type SampledFit, withChains } from "./fit.ts";
import { holdoutAtDraws } from "./holdout.ts";
import { carriedOver, hashWith, type WholeProgram, wholeProgram } from "./whole_program.ts";
import {
  elpdOfWithheldField,
  meanOverDraws,
  withheldByIntegrals,
  type WithheldResult,
} from "./withheld.ts";
import { predictiveOf } from "./predictive.ts";
import { type RecordedReward, recordedReward, responseResolution } from "./recorded_reward.ts";
import { summarise } from "./summaries.ts";
import { engineName, engineVersion } from "./version.ts";

/** Parts of a score beside those that the reward needs. */
export interface ScoreOptions {
  /** Summaries and predictive checks; not part of any reward. */
  readonly summaries?: boolean;
  /** Name of the program in diagnostics; `program.py` if left out. */
  readonly file?: string;
  /** The program that a graph was built of. */
  readonly text?: string;
  /** That text as the native reader reads it, with the numbers that its author wrote. */
  readonly written?: CheckedProgram;
}

/**
 * Scores one program. Every failure of the program is a value: `rejected` with a class if it cannot
 * be checked, `error` if it cannot be sampled within the schedule, `loo_unreliable` if the estimate
 * is unreliable. The same text, data and schedule give the same bits whatever ran before; so do
 * texts with the same canonical graph. Yields every few dozen gradients, so that a worker can
 * answer in between.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../../base/dataset.ts";
 * import { defaultSchedule } from "./execution/execution.ts";
 * import { scoreProgram } from "./score.ts";
 * const text = `import pymc as pm
 *
 * with pm.Model() as model:
 *     mean = pm.Normal("mean", 0, 1)
 *     pm.Normal("y", mean, 1, observed=data["y"])
 * `;
 * const values = Float64Array.of(0.5, -0.2, 1.1);
 * const data = makeDataset("three", [{ name: "y", role: "response", type: "real", values }]);
 * const steps = scoreProgram(text, data, defaultSchedule);
 * let step = steps.next();
 * while (!step.done) step = steps.next(); // a caller may pause between steps
 * assert.equal(step.value.status, "ok");
 * assert(Number.isFinite(step.value.score!.elpdLoo));
 * ```
 */
export function* scoreProgram(
  source: string,
  dataset: Dataset,
  schedule: Schedule,
  options: ScoreOptions = {},
): Generator<void, Execution> {
  const checked = checkProgram(source, dataset, options.file, schedule);
  if (!checked.ok) return rejectedExecution(checked.diagnostics);
  return yield* scoreChecked(checked.program, dataset, schedule, { ...options, text: source });
}

/**
 * `scoreProgram`, driven to its end.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../../base/dataset.ts";
 * import { defaultSchedule } from "./execution/execution.ts";
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
  const whole = wholeProgram(program, dataset, { ...options, rows: schedule.rows });
  const scored = yield* scoreOfRows(program, dataset, schedule, options, whole !== undefined);
  const execution = schedule.literals
    ? charged(scored, options.written ?? program, dataset, schedule, options)
    : scored;
  if (!whole) return execution;
  const own = { ...execution, programHash: hashWith(program, whole) };
  return execution.score ? yield* withField(own, whole, schedule) : own;
}

/** The execution with the charge for its program's constants. */
function charged(
  execution: Execution,
  program: CheckedProgram,
  dataset: Dataset,
  schedule: Schedule,
  options: ScoreOptions,
): Execution {
  if (!execution.score) return execution;
  const whole = schedule.literals === "all" ? overAllRows(dataset, options) : undefined;
  const literals = whole
    ? literalsOf(whole.program, whole.dataset)
    : literalsOf(program, dataset, schedule.time ? undefined : execution.score.elpdLoo);
  return { ...execution, score: { ...execution.score, literals } };
}

/** The program over all rows, withheld ones too: where those count in the reward, they determine digits. */
function overAllRows(dataset: Dataset, { text, file }: ScoreOptions) {
  if (!dataset.holdout || text === undefined) return undefined;
  const { whole } = withWithheldRows(dataset);
  const checked = checkProgram(text, whole, file, { rows: "judged" });
  return checked.ok ? { program: checked.program, dataset: whole } : undefined;
}

/** The score of the rows that are not withheld, and of withheld ones, unless these need a field. */
function* scoreOfRows(
  program: CheckedProgram,
  dataset: Dataset,
  schedule: Schedule,
  options: ScoreOptions,
  isField: boolean,
): Generator<void, Execution> {
  const fit = yield* fitChecked(program, dataset, schedule);
  if (fit.kind === "failure") return unfitExecution(program, fit.diagnostic);
  const evidence = schedule.evidence ? yield* evidenceOf(fit, schedule) : undefined;
  if (evidence?.kind === "failure") return unfitExecution(program, evidence.diagnostic);
  const plain = executionOf(fit, schedule);
  if (!plain.score) return plain;
  const whole = isField ? undefined : carriedOver(program, dataset);
  const known = whole && (yield* withheldByIntegrals(whole, schedule));
  const wantsDraws = options.summaries || (whole && !known);
  const sampled = wantsDraws ? yield* withChains(fit, schedule) : undefined;
  const isSampled = sampled?.kind === "fit";
  const execution = isSampled ? executionOf(sampled, schedule, options) : plain;
  const held = known ?? (whole && isSampled ? byDraws(sampled, schedule) : undefined);
  const score = { ...execution.score!, ...(evidence && ofEvidence(evidence.evidence)) };
  const noted = sampled && !isSampled ? [withoutDraws(sampled)] : [];
  const found = { ...execution, score, diagnostics: [...execution.diagnostics, ...noted] };
  return held ? withHeldOut(found, held) : found;
}

function ofEvidence({ value, error }: Evidence) {
  return { logMarginalLikelihood: value, evidenceMcse: error };
}

/** Withheld rows by the mean over draws of the posterior. */
function byDraws(fit: SampledFit, schedule: Schedule): WithheldResult | undefined {
  const logs = holdoutAtDraws(fit);
  const { chainSet: { chains }, effective } = fit.sampled;
  return logs && meanOverDraws(logs, { chains, effective }, schedule);
}

/** The execution with the results of the program over all rows for withheld ones. */
function* withField(
  execution: Execution,
  whole: WholeProgram,
  schedule: Schedule,
): Generator<void, Execution> {
  return withHeldOut(execution, yield* elpdOfWithheldField(whole, schedule));
}

/** The execution with what is known of withheld rows. */
function withHeldOut(execution: Execution, found: WithheldResult): Execution {
  if (found.kind === "none") {
    return { ...execution, diagnostics: [...execution.diagnostics, found.diagnostic] };
  }
  const elpdHoldout = found.pointwise.reduce((sum, one) => sum + one, 0);
  const held = { elpdHoldout, holdoutMcse: found.mcse, holdoutPointwise: [...found.pointwise] };
  return { ...execution, score: { ...execution.score!, ...held } };
}

/** The note that importance draws were enough for the score, but there are no chains to summarise. */
function withoutDraws({ diagnostic }: FitFailure): Diagnostic {
  const message = `No draws to summarise or to predict withheld rows with: ${diagnostic.message}`;
  return { ...diagnostic, severity: "warning", message };
}

/** The execution that a fit is. */
export function executionOf(
  fit: Fit | SampledFit,
  schedule: Schedule,
  options: ScoreOptions = {},
): Execution {
  const { program, dataset, units, estimate } = fit;
  const rows = rowsPerUnit(units.unitOfRow);
  const resolution = responseResolution(program, dataset);
  const ahead = schedule.time?.ahead ?? 1;
  const reward = recordedReward(estimate, resolution, (u) => rows?.[u] ?? ahead);
  const unsound = unsoundness(estimate, reward, units.unit, schedule);
  if (unsound) return { ...unfitExecution(program, unsound), status: "loo_unreliable" };
  return {
    status: "ok",
    engine: engineName,
    engineVersion,
    programHash: program.hash,
    score: scoreOf(fit, reward, schedule, options.summaries ?? false),
    diagnostics: [...program.diagnostics, ...units.diagnostics],
  };
}

/**
 * The execution of a text that could not be checked.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { rejectedExecution } from "./score.ts";
 * const diagnostic = { code: "syntax/token", severity: "error", message: "…" } as const;
 * assert.equal(rejectedExecution([diagnostic]).score, undefined);
 * ```
 */
export function rejectedExecution(diagnostics: readonly Diagnostic[]): Execution {
  return {
    status: "rejected",
    failureClass: classOfDiagnostics(diagnostics),
    engine: engineName,
    engineVersion,
    diagnostics,
  };
}

/**
 * The execution of a checked program that could not be fitted.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../../base/dataset.ts";
 * import { checkProgram } from "../language/mod.ts";
 * import { unfitExecution } from "./score.ts";
 * const text = `import pymc as pm
 *
 * with pm.Model() as model:
 *     mean = pm.Normal("mean", 0, 1)
 *     pm.Normal("y", mean, 1, observed=data["y"])
 * `;
 * const values = Float64Array.of(0.5, -0.2, 1.1);
 * const data = makeDataset("three", [{ name: "y", role: "response", type: "real", values }]);
 * const checked = checkProgram(text, data);
 * assert(checked.ok);
 * const diagnostic = { code: "numeric/modes", severity: "error", message: "…" } as const;
 * assert.equal(unfitExecution(checked.program, diagnostic).status, "error");
 * ```
 */
export function unfitExecution(program: CheckedProgram, diagnostic: Diagnostic): Execution {
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
  fit: Fit | SampledFit,
  reward: RecordedReward,
  schedule: Schedule,
  summaries: boolean,
): Score {
  const { estimate, units } = fit;
  const sampled = "sampled" in fit ? fit : undefined;
  const { elpdPointwise, elpdLoo } = estimate;
  return {
    elpdLoo,
    elpdReward: reward.total,
    elpdRaw: estimate.elpdRaw,
    looMethod: estimate.method,
    unit: units.unit,
    se: estimate.se,
    pLoo: estimate.pLoo,
    mcse: estimate.mcse,
    elpdPointwise: [...elpdPointwise],
    ...(reward.pointwise && {
      rewardPointwise: [...reward.pointwise],
      rewardMcse: reward.mcse,
    }),
    paretoK: [...estimate.paretoK],
    goodK: estimate.goodK,
    exactRefits: estimate.exactRefits,
    unresolved: estimate.unresolved,
    cappedPoints: reward.cappedPoints,
    gradients: estimate.gradients,
    ...diagnosticsOf(estimate),
    chains: schedule.chains,
    tune: schedule.tune,
    draws: estimate.draws,
    params: summaries && sampled ? summarise(sampled.sampled) : {},
    ...(summaries && sampled ? { predictive: predictiveOf(sampled) } : {}),
  };
}

/** How chains went, if the estimate is made of some. */
function diagnosticsOf({ sampled }: ElpdEstimate) {
  if (!sampled) return {};
  const { rhatMax, essBulkMin, divergences } = sampled;
  return { rhatMax, essBulkMin, divergences };
}

function rowsPerUnit(unitOfRow: Int32Array | undefined): number[] | undefined {
  if (!unitOfRow) return undefined;
  const rows: number[] = [];
  for (const u of unitOfRow) rows[u] = (rows[u] ?? 0) + 1;
  return rows;
}
