/** A graph as text, with its hash: what one process prints and another writes to a file. */
import type { Dataset } from "../../base/dataset.ts";
import type { CheckedProgram } from "../language/ir/program.ts";
import { type PrintedProgram, printProgram } from "./print_program.ts";

/** What the printer made of a graph. */
export interface PrintedGraph {
  /** Text in PyMC, and the line of every node. */
  readonly printed: PrintedProgram;
  /** Canonical hash of the graph. */
  readonly hash: string;
}

/** Prints the graph of a program that was checked against the data. */
export function printGraph(program: CheckedProgram, dataset: Dataset): PrintedGraph {
  return { printed: printProgram(program, dataset), hash: program.hash };
}
