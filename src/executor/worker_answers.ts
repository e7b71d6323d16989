/** Answers of a worker to a job: the execution, and extras that were wanted beside it. */
import type { Dataset } from "../base/dataset.ts";
import { InputError } from "../base/diagnostic.ts";
import { packInferenceData } from "../engine/score/inference_data/mod.ts";
import {
  checkGraph,
  checkLikelihoodMass,
  hashWith,
  type NewRows,
  outcomesAt,
  predictRows,
  printGraph,
  rejectedExecution,
  sampleSteps,
  scoreGraph,
  scoreProgram,
  unfitExecution,
  wholeProgram,
} from "../engine/score/mod.ts";
import type { CheckedProgram } from "../engine/language/ir/mod.ts";
import { checkProgram } from "../engine/language/mod.ts";
import type { Execution, Schedule } from "../engine/score/execution/mod.ts";
import { encodeFindings, encodeLikelihood, type ProgramFinding } from "./findings_json.ts";
import { answerAboutTheories } from "./theories/answer.ts";
import type { TheoryAsk } from "./theories/messages.ts";
import type { Job } from "./messages.ts";
import { refusePython } from "./pymc/allowed_python.ts";

/** An execution, and bytes that were wanted beside it. */
export interface Answer {
  readonly execution: Execution;
  readonly payload?: Uint8Array;
}

/** Answers a job step by step, so that the worker can look up from its work. */
export function* answer(job: Job, dataset: Dataset, schedule: Schedule): Generator<void, Answer> {
  const { program, graph, file, wanted } = job;
  switch (wanted?.kind) {
    case "check":
      return { execution: checkedOnly(job, dataset, schedule) };
    case "checks":
      return yield* checksOf(wanted.programs, dataset, schedule);
    case "likelihood":
      return likelihoodOf(job, wanted.draws, dataset, schedule);
    case "printed":
      return printed(job, dataset);
    case "allowed":
      return { execution: allowedOnly(program, file, wanted.packages) };
    case "inference_data": {
      const { execution, data } = yield* sampleSteps(program, dataset, { schedule, file });
      return { execution, ...(data && { payload: packInferenceData(data) }) };
    }
    case "outcomes": {
      const points = { ...wanted, values: Float64Array.from(wanted.values) };
      const found = yield* outcomesAt(program, dataset, schedule, rowsOf(wanted), points);
      const { execution, densities } = found;
      return { execution, ...(densities && { payload: new Uint8Array(densities.buffer) }) };
    }
    case "predictions": {
      const at = rowsOf(wanted);
      const { execution, draws } = yield* predictRows(program, dataset, schedule, at);
      return { execution, ...(draws && { payload: new Uint8Array(draws.buffer) }) };
    }
    case "theory":
      return yield* theoryAnswer(program, wanted.ask);
    default: {
      const summaries = wanted?.kind === "summaries" || schedule.summaries === true;
      const options = { file, summaries };
      return graph === undefined
        ? { execution: yield* scoreProgram(program, dataset, schedule, options) }
        : { execution: yield* scoreGraph(graph, dataset, schedule, { ...options, text: program }) };
    }
  }
}

/** Answer of theories as JSON; the findings of one that cannot be read. */
function* theoryAnswer(program: string, ask: TheoryAsk): Generator<void, Answer> {
  try {
    const found = yield* answerAboutTheories(program, ask);
    const payload = new TextEncoder().encode(JSON.stringify(found));
    return { execution: nothingScored("it was only asked what it says of rows"), payload };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { execution: rejectedExecution(error.diagnostics) };
  }
}

/** New rows as a message has them. */
function rowsOf(
  { rows, each, columns }: {
    rows: number;
    each?: number;
    columns: Readonly<Record<string, readonly number[]>>;
  },
): NewRows {
  const read = Object.entries(columns).map(([name, values]) =>
    [name, Float64Array.from(values)] as const
  );
  return { rows, columns: new Map(read), ...(each !== undefined && { each }) };
}

/** Why a text may not run in PyMC; `error` if it may. */
function allowedOnly(
  program: string,
  file: string | undefined,
  packages: readonly string[] | undefined,
): Execution {
  const refused = refusePython(program, file, packages);
  if (refused) return rejectedExecution([refused]);
  return nothingScored("it was only asked whether PyMC may run it");
}

/** Findings of the check in each text, one after the other. */
function* checksOf(
  programs: readonly string[],
  dataset: Dataset,
  schedule: Schedule,
): Generator<void, Answer> {
  const found: ProgramFinding[] = [];
  for (const program of programs) {
    yield;
    const checked = checkProgram(program, dataset, undefined, schedule);
    found.push(checked.ok ? { ok: true, program: { hash: checked.program.hash } } : checked);
  }
  return { execution: nothingScored("it was only to be checked"), payload: encodeFindings(found) };
}

/** Whether the likelihood is a distribution; the findings of a program that has none. */
function likelihoodOf(
  { program, file }: Job,
  draws: number,
  dataset: Dataset,
  schedule: Schedule,
): Answer {
  const checked = checkProgram(program, dataset, file, schedule);
  if (!checked.ok) return { execution: rejectedExecution(checked.diagnostics) };
  const found = checkLikelihoodMass(checked.program, dataset, draws);
  const execution = nothingScored("only its likelihood was to be checked");
  return { execution, ...(found && { payload: encodeLikelihood(found) }) };
}

function nothingScored(why: string): Execution {
  const message = `Cannot score the program: ${why}`;
  const finding = { code: "budget/check", severity: "error", message } as const;
  return { ...rejectedExecution([finding]), status: "error" };
}

/** The findings of a program that is only to be checked; `error` if there is none. */
function checkedOnly(
  { program, file }: Job,
  dataset: Dataset,
  { rows, time }: Schedule,
): Execution {
  const checked = checkProgram(program, dataset, file, { rows, time });
  if (!checked.ok) return rejectedExecution(checked.diagnostics);
  const whole = wholeProgram(checked.program, dataset, { text: program, file, rows });
  return { ...notScored(checked.program), programHash: hashWith(checked.program, whole) };
}

/** The program as its graph has it, where there is one. */
function printed({ program, graph, file }: Job, dataset: Dataset): Answer {
  const rows = "judged"; // when it was scored
  const checked = graph === undefined
    ? checkProgram(program, dataset, file, { rows, time: { first: dataset.rows } })
    : checkGraph(graph, dataset, { rows, text: program }, file);
  if (!checked.ok) return { execution: rejectedExecution(checked.diagnostics) };
  // The whole program of one that is tied to its rows, for the record: see `wholeProgram`.
  const whole = wholeProgram(checked.program, dataset, { text: program, file, rows });
  const hash = hashWith(checked.program, whole);
  const text = JSON.stringify({ ...printGraph(checked.program, dataset), hash });
  return { execution: notScored(checked.program), payload: new TextEncoder().encode(text) };
}

function notScored(program: CheckedProgram): Execution {
  const message = "Cannot score the program: it was only to be checked";
  return unfitExecution(program, { code: "budget/check", severity: "error", message });
}
