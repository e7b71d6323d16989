/** The pipeline of a finished run, with other parameters for its evaluations. */
import { join } from "node:path";
import { type Diagnostic, InputError, inputError } from "../base/diagnostic.ts";
import { readJsonFile } from "../pipeline/process/mod.ts";
import type { ResolvedPipeline, ResolvedValue } from "../pipeline/read/mod.ts";
import { findRuns } from "../pipeline/store/mod.ts";
import { laidOver } from "./laid_over.ts";
import { readPipeline } from "./pipeline_arguments.ts";

/** `pipeline.json` of a run's folder. */
interface RecordedPipeline {
  readonly values: readonly ResolvedValue[];
}

/** `run.json` of it. */
interface RecordedRun {
  /** Relative to the project. */
  readonly pipeline: string;
}

/** Changes that are named at most. */
const most = 5;

/**
 * Reads the pipeline of a run as it was, from its file and what was laid over it then, and sets
 * parameters of every top-level stage of kind `evaluate_kl`.
 *
 * @param parameters `name=value` each.
 * @throws InputError if the run evaluated nothing, or the file has changed otherwise since.
 */
export async function pipelineOfRun(
  projectRoot: string,
  run: string,
  parameters: readonly string[],
): Promise<ResolvedPipeline> {
  const [runId] = findRuns(projectRoot, run);
  const folder = join(projectRoot, "runs", runId);
  const recorded = readJsonFile(join(folder, "pipeline.json")) as RecordedPipeline | undefined;
  const record = readJsonFile(join(folder, "run.json")) as RecordedRun | undefined;
  if (!recorded || !record) throw inputError("evaluate/no-run", `Cannot read the run in ${folder}`);
  if (!recorded.values.some(isEvaluation)) throw evaluatedNothing(runId);
  const laid = laidOver(recorded.values);
  const file = { path: join(projectRoot, record.pipeline), overlays: [] };
  const asItWas = await readPipeline({ ...file, sets: laid });
  refuseChanges(runId, recorded.values, asItWas.values);
  const stages = asItWas.stages.filter(({ kind }) => kind === "evaluate_kl");
  const sets = stages.flatMap(({ name }) => parameters.map((one) => `stages.${name}.${one}`));
  return await readPipeline({ ...file, sets: [...laid, ...sets] });
}

/** Whether a value makes a top-level stage an evaluation. */
function isEvaluation({ path, value }: ResolvedValue): boolean {
  return /^stages\.[^.]+\.kind$/.test(path) && value === "evaluate_kl";
}

/** Values that are not as they were would train another policy under the name of this run. */
function refuseChanges(
  runId: string,
  before: readonly ResolvedValue[],
  now: readonly ResolvedValue[],
): void {
  const values = (of: readonly ResolvedValue[]) =>
    new Map(of.map(({ path, value }) => [path, JSON.stringify(value)]));
  const [was, is] = [values(before), values(now)];
  const paths = [...new Set([...was.keys(), ...is.keys()])].filter((path) =>
    was.get(path) !== is.get(path)
  );
  if (paths.length === 0) return;
  const findings = paths.slice(0, most).map((path): Diagnostic => ({
    code: "evaluate/changed",
    severity: "error",
    message: `Cannot evaluate run ${runId} again: ${path} was ${was.get(path) ?? "not set"} and ` +
      `is ${is.get(path) ?? "not set"}`,
    hint: "give the pipeline the values that it had, or run it again",
  }));
  throw new InputError(findings);
}

function evaluatedNothing(runId: string): Error {
  const message = `Cannot evaluate run ${runId}: its pipeline has no stage of kind evaluate_kl`;
  const hint = "add one outside the loop, and run the pipeline: the rest comes from the cache";
  return inputError("evaluate/none", message, undefined, hint);
}
