/** Executions as JSON and back, with every field checked: the form in frames and the memo. */
import type { Diagnostic } from "../base/diagnostic.ts";
import {
  type Execution,
  executionStatuses,
  type ParameterSummary,
  type Predictive,
  type Score,
} from "../engine/score/execution/mod.ts";
import { looMethods } from "../engine/loo/mod.ts";
import {
  count,
  finite,
  list,
  Malformed,
  mapValues,
  number,
  oneOf,
  pick,
  record,
  text,
  wellFormed,
  withAllNumbers,
} from "./json_fields.ts";

/** Fields of a score that must be finite, for rewards and comparisons are made of them. */
const finiteFields = ["elpdLoo", "elpdReward", "se"] as const;
const numberFields = ["elpdRaw", "pLoo", "mcse", "goodK"] as const;
/** Fields of scores by chains, all or none. */
const chainNumbers = ["rhatMax", "essBulkMin"] as const;
const chainCounts = ["divergences"] as const;
const countFields = ["cappedPoints", "gradients", "chains", "tune", "draws"] as const;
const summaryFields = [
  ...["mean", "sd", "mcseMean", "mcseSd", "q05", "q95"] as const,
  ...["hdi03", "hdi97", "essBulk", "essTail", "rhat", "shape"] as const,
] as const;

const checkFields = ["observed", "predicted", "p"] as const;

/** JSON of an execution; NaN and the infinities, which JSON lacks, become their names. */
export function encodeExecution(execution: Execution): unknown {
  return JSON.parse(withAllNumbers(execution));
}

/**
 * The execution in a JSON value, or undefined if any field is missing, of another type, or a number
 * that must be finite is not. Unknown keys are dropped.
 */
export function decodeExecution(json: unknown): Execution | undefined {
  return wellFormed(() => readExecution(json));
}

function readExecution(json: unknown): Execution {
  const value = record(json);
  const status = executionStatuses.find((name) => name === value.status);
  if (!status || (status === "ok") !== (value.score !== undefined)) throw new Malformed();
  return {
    status,
    ...(value.failureClass === undefined ? {} : { failureClass: text(value.failureClass) }),
    engine: text(value.engine),
    engineVersion: text(value.engineVersion),
    ...(value.programHash === undefined ? {} : { programHash: text(value.programHash) }),
    ...(value.score === undefined ? {} : { score: readScore(value.score) }),
    diagnostics: list(value.diagnostics).map(readDiagnostic),
  };
}

function readScore(json: unknown): Score {
  const value = record(json);
  const score = {
    ...pick(finiteFields, value, finite),
    ...pick(numberFields, value, number),
    ...pick(countFields, value, count),
    ...(value.rhatMax === undefined ? {} : pick(chainNumbers, value, number)),
    ...(value.rhatMax === undefined ? {} : pick(chainCounts, value, count)),
    elpdPointwise: list(value.elpdPointwise).map(finite),
    ...(value.rewardPointwise === undefined ? {} : readReward(value)),
    paretoK: list(value.paretoK).map(number),
    exactRefits: list(value.exactRefits).map(count),
    unresolved: list(value.unresolved).map(count),
    ...(value.literals === undefined ? {} : { literals: finite(value.literals) }),
    ...(value.logMarginalLikelihood === undefined ? {} : {
      logMarginalLikelihood: finite(value.logMarginalLikelihood),
      evidenceMcse: finite(value.evidenceMcse),
    }),
    ...(value.elpdHoldout === undefined ? {} : {
      elpdHoldout: finite(value.elpdHoldout),
      holdoutMcse: finite(value.holdoutMcse),
      holdoutPointwise: list(value.holdoutPointwise).map(finite),
    }),
    looMethod: oneOf(looMethods, value.looMethod),
    unit: oneOf(["row", "group", "future"] as const, value.unit),
    params: mapValues(record(value.params), readSummary),
    ...(value.predictive === undefined ? {} : { predictive: readPredictive(value.predictive) }),
  };
  if (score.paretoK.length !== score.elpdPointwise.length) throw new Malformed();
  return score;
}

/** The terms of a reward that is not ELPD-LOO. */
function readReward({ rewardPointwise, rewardMcse }: Record<string, unknown>) {
  return { rewardPointwise: list(rewardPointwise).map(finite), rewardMcse: finite(rewardMcse) };
}

function readSummary(json: unknown): ParameterSummary {
  return pick(summaryFields, record(json), (values) => list(values).map(number));
}

function readPredictive(json: unknown): Predictive {
  const value = record(json);
  return {
    looPit: list(value.looPit).map(number),
    checks: mapValues(record(value.checks), (check) => pick(checkFields, record(check), number)),
  };
}

/** @throws Malformed if a field is missing or of another type. */
export function readDiagnostic(json: unknown): Diagnostic {
  const value = record(json);
  const severity = (["error", "warning", "note"] as const).find((s) => s === value.severity);
  if (!severity) throw new Malformed();
  return {
    code: text(value.code),
    severity,
    message: text(value.message),
    ...(value.span === undefined ? {} : { span: readSpan(record(value.span)) }),
    ...(value.hint === undefined ? {} : { hint: text(value.hint) }),
  };
}

function readSpan(value: Record<string, unknown>): NonNullable<Diagnostic["span"]> {
  const places = pick(["line", "column", "endLine", "endColumn"] as const, value, count);
  return { file: text(value.file), ...places };
}
