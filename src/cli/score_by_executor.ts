/** `sluice score --executor NAME`: the executor reads the program, a worker scores what it made. */
import type { Dataset } from "../base/dataset.ts";
import type { BuiltInExecutor } from "../executor/front_ends/front_end.ts";
import { openExecutor } from "../executor/front_ends/open_executor.ts";
import { refusedToRun, scoreReading } from "../executor/score_reading.ts";
import type { SinglePrograms } from "../executor/single_programs.ts";
import type { ExecutionOutcome } from "../executor/worker_process.ts";
import type { Job } from "../executor/messages.ts";
import { projectHere } from "./project_here.ts";
import type { Terminal } from "../report/terminal.ts";

/**
 * Scores a job's program as a pipeline with this executor scores text of foreign origin.
 *
 * @throws MissingPartError if a part that the executor needs is absent, or a sandbox for it.
 */
export async function scoreByExecutor(
  executor: BuiltInExecutor,
  job: Job,
  data: Dataset,
  terminal: Terminal,
  programs: SinglePrograms,
): Promise<ExecutionOutcome> {
  const { program, ...asked } = job;
  const run = async (made: Job) => await programs.run({ ...asked, ...made }, data);
  const limits = { root: projectHere(), slots: 1, origin: "foreign", refuse: "asked" } as const;
  const frontEnd = await openExecutor(executor, limits);
  if (!frontEnd) return await run({ program });
  const refused = await refusedToRun(program, executor, run);
  if (refused) return refused;
  const { signal } = new AbortController();
  const read = (await frontEnd.extract(program, data, signal, () => false))!;
  const { level, wallMs } = read;
  const seconds = (wallMs / 1000).toFixed(1);
  if (read.kind !== "failed") {
    terminal.note(
      `${executor.name} read the program in ${seconds} s at level ${level} of the sandbox`,
    );
  }
  return await scoreReading(program, read, executor, run);
}
