/** Scores the graph that PyMC built of a program: read as untrusted, then checked like a text. */
import type { Dataset } from "../../base/dataset.ts";
import type { Diagnostic } from "../../base/diagnostic.ts";
import { disagreement, readable } from "./graph_agreement.ts";
import { checkExtraction, type ExtractionOptions } from "../language/graph_import/to_program.ts";
import { readExtraction } from "../language/graph_import/read_extraction.ts";
import type { CheckResult } from "../language/ir/program.ts";
import { readReordered } from "../language/graph_import/reordered.ts";
import type { Execution, Schedule } from "./execution/execution.ts";
import { rejectedExecution, scoreChecked, type ScoreOptions } from "./score.ts";

/** A program's text beside its graph from PyMC. */
export interface ScoreGraphOptions extends ScoreOptions {
  /** The text; where the native reader can read it, the graph must agree with it. */
  readonly text?: string;
}

/**
 * Scores one extracted graph, as `scoreProgram` scores a text. The same canonical graph has the
 * same score to the bit, whichever front end it came from. Where the native reader can read the
 * text as well, both graphs have one hash, or equal log densities at 64 points; a program whose
 * graph is another one is refused: `lh/front-ends-differ`.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../../base/dataset.ts";
 * import { defaultSchedule } from "./execution/execution.ts";
 * import { scoreGraph } from "./score_graph.ts";
 * const values = Float64Array.of(0.5, -0.2, 1.1);
 * const data = makeDataset("three", [{ name: "y", role: "response", type: "real", values }]);
 * const { done, value } = scoreGraph({ broken: true }, data, defaultSchedule).next();
 * assert(done && value.score === undefined); // no graph, no score
 * ```
 *
 * @param graph output of the extraction script, parsed and otherwise unread.
 */
export function* scoreGraph(
  graph: unknown,
  dataset: Dataset,
  schedule: Schedule,
  options: ScoreGraphOptions = {},
): Generator<void, Execution> {
  const { text, file } = options;
  const rows = schedule.time ? "ordered" : schedule.rows;
  const checked = checkGraph(graph, dataset, { rows, text }, file);
  if (!checked.ok) return rejectedExecution(checked.diagnostics);
  const differs = text !== undefined && disagreement(checked.program, text, dataset, file);
  if (differs) return rejectedExecution([differs]);
  const read = text !== undefined && schedule.literals ? readable(text, dataset, file) : undefined;
  const written = read?.ok ? { written: read.program } : {};
  return yield* scoreChecked(checked.program, dataset, schedule, { ...options, ...written });
}

/**
 * Reads an extracted graph and checks it against the data.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../../base/dataset.ts";
 * import { checkGraph } from "./score_graph.ts";
 * const values = Float64Array.of(0.5, -0.2, 1.1);
 * const data = makeDataset("three", [{ name: "y", role: "response", type: "real", values }]);
 * assert(!checkGraph({ broken: true }, data).ok);
 * ```
 */
export function checkGraph(
  graph: unknown,
  dataset: Dataset,
  rule: ExtractionOptions = {},
  file?: string,
): CheckResult {
  const read = readExtraction(graph);
  if (read.kind === "model") {
    return checkExtraction(read.extraction, dataset, file, readReordered(graph), rule);
  }
  const what = read.kind === "unsupported" ? read.construct : `its graph is broken: ${read.what}`;
  return { ok: false, diagnostics: [unsupported(what)] };
}

function unsupported(what: string): Diagnostic {
  const message = `Cannot score the program: ${what}`;
  return { code: "unsupported/pymc-graph", severity: "error", message };
}
