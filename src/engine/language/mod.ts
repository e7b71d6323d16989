/** The model language: programs of PyMC text, checked and compiled. */
export { distributionNames, familyNames } from "./distributions/table.ts";
export type { Reordered } from "./graph_import/reordered.ts";
export { type CheckOptions, checkProgram, type RowOrder } from "./pymc/check.ts";
export type { ExtractionOptions } from "./graph_import/to_program.ts";
