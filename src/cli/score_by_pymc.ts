/** `sluice score --executor pymc`: real PyMC builds the model in its sandbox, a worker scores it. */
import type { Dataset } from "../base/dataset.ts";
import type { SinglePrograms } from "../executor/single_programs.ts";
import type { Execution, Schedule } from "../engine/score/execution/mod.ts";
import { projectHere } from "./project_here.ts";
import type { Terminal } from "../report/terminal.ts";

/**
 * Scores a program as a pipeline with `executor = "pymc"` scores text of foreign origin.
 *
 * @throws MissingPartError if there is no Python environment, or no sandbox for it.
 */
export async function scoreByPymc(
  source: string,
  data: Dataset,
  file: string,
  terminal: Terminal,
  programs: SinglePrograms,
  schedule: Schedule,
): Promise<Execution> {
  const { PymcFrontEnd } = await import("../executor/pymc/front_end.ts");
  const allowed = { program: source, file, wanted: { kind: "allowed" } } as const;
  const { execution } = await programs.run(allowed, data);
  if (execution.status !== "error") return execution;
  const frontEnd = new PymcFrontEnd({ root: projectHere(), slots: 1, refuse: "asked" });
  const read = await frontEnd.extract(source, data);
  if ("execution" in read) return read.execution;
  const seconds = (read.wallMs / 1000).toFixed(1);
  terminal.note(`PyMC built the model in ${seconds} s at level ${read.level} of the sandbox`);
  const job = {
    program: source,
    graph: read.graph,
    file,
    wanted: { kind: "summaries" },
    schedule,
  } as const;
  return (await programs.run(job, data)).execution;
}
