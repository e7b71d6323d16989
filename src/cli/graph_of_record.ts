/** The graph of a program that a run has scored, as text: read again, in a worker. */
import type { Dataset } from "../base/dataset.ts";
import { MissingPartError } from "../base/diagnostic.ts";
import type { PrintedGraph } from "../engine/score/mod.ts";
import type { Execution } from "../engine/score/execution/mod.ts";
import type { SinglePrograms } from "../executor/single_programs.ts";

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
  programs: SinglePrograms,
): Promise<PrintedGraph | string> {
  const native = await printedBy(programs, text, dataset);
  const hasNative = typeof native !== "string";
  if (hasNative && (!recorded || native.hash === recorded)) return native;
  const built = recorded
    ? await throughPymc(text, dataset, root, programs)
    : "it has never been scored";
  if (typeof built !== "string" && (!hasNative || built.hash === recorded)) return built;
  if (hasNative) return native;
  return `the native reader cannot read it (${native}); ${built}`;
}

/** A worker's print of a text, or of the graph that was built of it; or why there is none. */
async function printedBy(
  programs: SinglePrograms,
  text: string,
  dataset: Dataset,
  graph?: unknown,
): Promise<PrintedGraph | string> {
  const job = { program: text, wanted: { kind: "printed" } } as const;
  const { execution, payload } = await programs.run(
    graph === undefined ? job : { ...job, graph },
    dataset,
  );
  if (payload) return JSON.parse(new TextDecoder().decode(payload));
  return firstFault(execution);
}

function firstFault({ status, diagnostics }: Execution): string {
  return diagnostics.find(({ severity }) => severity === "error")?.message ?? `it is ${status}`;
}

/** The graph that PyMC builds, or why there is none. */
async function throughPymc(
  text: string,
  dataset: Dataset,
  root: string,
  programs: SinglePrograms,
): Promise<PrintedGraph | string> {
  const { PymcFrontEnd } = await import("../executor/pymc/front_end.ts");
  try {
    const allowed = { program: text, wanted: { kind: "allowed" } } as const;
    const { execution } = await programs.run(allowed, dataset);
    if (execution.status !== "error") return `PyMC may not run it: ${firstFault(execution)}`;
    const frontEnd = new PymcFrontEnd({ root, slots: 1, refuse: "asked" });
    const built = await frontEnd.extract(text, dataset);
    if (built.kind === "failed") {
      return `PyMC does not build it: ${built.execution.diagnostics[0]?.message}`;
    }
    return await printedBy(programs, text, dataset, built.graph);
  } catch (error) {
    if (!(error instanceof MissingPartError)) throw error;
    return `PyMC cannot be asked: ${error.message}`;
  }
}
