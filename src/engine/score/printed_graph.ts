/** A graph as text, with its hash, which one process prints and another writes to a file. */
import type { Dataset } from "../../base/dataset.ts";
import type { CheckedProgram } from "../language/ir/program.ts";
import { type PrintedProgram, printProgram } from "./print_program.ts";

/** Output of the printer for a graph. */
export interface PrintedGraph {
  /** Text in PyMC, and the line of every node. */
  readonly printed: PrintedProgram;
  /** Canonical hash of the graph. */
  readonly hash: string;
}

/**
 * Prints the graph of a program that was checked against the data.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../../base/dataset.ts";
 * import { checkProgram } from "../language/mod.ts";
 * import { printGraph } from "./printed_graph.ts";
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
 * assert.match(JSON.stringify(printGraph(checked.program, data)), /Normal/);
 * ```
 */
export function printGraph(program: CheckedProgram, dataset: Dataset): PrintedGraph {
  return { printed: printProgram(program, dataset), hash: program.hash };
}
