/** The graph of a program that a run has scored: read again, and held against the record's hash. */
import type { Dataset } from "../base/dataset.ts";
import { MissingPartError } from "../base/diagnostic.ts";
import { checkExtraction } from "../engine/graph_import/to_program.ts";
import { readExtraction } from "../engine/graph_import/read_extraction.ts";
import type { CheckedProgram } from "../engine/ir/program.ts";
import { checkProgram } from "../engine/pymc/check.ts";

/**
 * The graph that has the record's canonical hash: of the native reader, else of PyMC in its
 * sandbox, where that is installed. Where neither has it, what the native reader reads; or why
 * there is nothing.
 */
export async function graphOfRecord(
  text: string,
  dataset: Dataset,
  recorded: string | null | undefined,
  root: string,
): Promise<CheckedProgram | string> {
  const native = checkProgram(text, dataset);
  if (native.ok && (!recorded || native.program.hash === recorded)) return native.program;
  const built = recorded ? await throughPymc(text, dataset, root) : "it has never been scored";
  if (typeof built !== "string" && (!native.ok || built.hash === recorded)) return built;
  if (native.ok) return native.program;
  const why = native.diagnostics.find(({ severity }) => severity === "error")?.message;
  return `the native reader cannot read it (${why}); ${built}`;
}

/** The graph that PyMC builds, or why there is none. */
async function throughPymc(
  text: string,
  dataset: Dataset,
  root: string,
): Promise<CheckedProgram | string> {
  const { PymcFrontEnd } = await import("../executor/pymc/front_end.ts");
  try {
    const built = await new PymcFrontEnd({ root, slots: 1 }).extract(text, dataset);
    if ("execution" in built) {
      return `PyMC does not build it: ${built.execution.diagnostics[0]?.message}`;
    }
    const read = readExtraction(built.graph);
    const checked = read.kind === "model" && checkExtraction(read.extraction, dataset);
    return checked && checked.ok ? checked.program : "PyMC's graph of it is not in the language";
  } catch (error) {
    if (!(error instanceof MissingPartError)) throw error;
    return `PyMC cannot be asked: ${error.message}`;
  }
}
