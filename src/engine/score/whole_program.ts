/** The program over all rows, withheld ones too, of a program that is tied to the rows it is fitted to. */
import { type Dataset, withWithheldRows } from "../../base/dataset.ts";
import type { Diagnostic } from "../../base/diagnostic.ts";
import { digestOf } from "../../base/digest.ts";
import { isJoint } from "../inference/density/assemble.ts";
import type { CheckedProgram } from "../language/ir/program.ts";
import { type CheckOptions, checkProgram } from "../language/pymc/check.ts";
import { InputError } from "../../base/diagnostic.ts";
import { programForRows } from "../inference/predict/program_for_rows.ts";
import { hasNumberPerRow } from "./holdout.ts";

/** The program over all rows, or why there is none. */
export type WholeProgram =
  | {
    readonly kind: "whole";
    readonly program: CheckedProgram;
    /** All rows in their places, none of them withheld. */
    readonly dataset: Dataset;
    /** Rows that were withheld. */
    readonly withheld: readonly number[];
  }
  | { readonly kind: "none"; readonly diagnostic: Diagnostic };

/** Of a text, where it is known. */
export interface WholeOptions extends CheckOptions {
  /** Source of the program, for places in findings. */
  readonly text?: string | undefined;
  /** Name by which findings call the text. */
  readonly file?: string | undefined;
}

/**
 * Reads a text again with the data of all rows, for programs with something for each row: walks, processes, effects of
 * single rows. `undefined` if no rows are withheld, or if the program is carried over to them as it is.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../../base/dataset.ts";
 * import { checkProgram } from "../language/mod.ts";
 * import { wholeProgram } from "./whole_program.ts";
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
 * assert.equal(wholeProgram(checked.program, data, { text }), undefined); // no rows are withheld
 * ```
 */
export function wholeProgram(
  program: CheckedProgram,
  dataset: Dataset,
  { text, file, rows }: WholeOptions,
): WholeProgram | undefined {
  const { holdout } = dataset;
  if (!holdout || carriedOver(program, dataset)) return undefined;
  if (!isJoint(program) && !hasNumberPerRow(program)) {
    return none("its response is not one number for each row");
  }
  if (text === undefined) return none("the graph that PyMC built has these rows alone");
  if (rows === "ordered" && !holdout.positions) {
    return none("where they stood among the others is not known", "read the data again");
  }
  const { whole, withheld } = withWithheldRows(dataset);
  const checked = checkProgram(text, whole, file, { rows });
  if (checked.ok) return { kind: "whole", program: checked.program, dataset: whole, withheld };
  const found = checked.diagnostics.find(({ severity }) => severity === "error");
  return none(
    `with all ${whole.rows} rows the program is none: ${found?.message}`,
    `take lengths from the data, such as shape=len(data["${program.likelihood.column}"])`,
  );
}

/**
 * The program over all rows, withheld ones too, with priors and constants that the others gave it; `undefined` if no rows
 * are withheld, or if it ties something to the rows that it was fitted to.
 */
export function carriedOver(
  program: CheckedProgram,
  dataset: Dataset,
): Extract<WholeProgram, { kind: "whole" }> | undefined {
  if (!dataset.holdout || !hasNumberPerRow(program)) return undefined;
  const { whole, withheld } = withWithheldRows(dataset);
  try {
    const over = programForRows(program, dataset, whole);
    return { kind: "whole", program: over, dataset: whole, withheld };
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

/**
 * Key of a program's results: two texts with one graph may have different graphs over all rows.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../../base/dataset.ts";
 * import { checkProgram } from "../language/mod.ts";
 * import { hashWith } from "./whole_program.ts";
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
 * assert.equal(hashWith(checked.program, undefined), checked.program.hash);
 * ```
 */
export function hashWith(program: CheckedProgram, whole: WholeProgram | undefined): string {
  if (!whole) return program.hash;
  return digestOf([program.hash, whole.kind === "whole" ? whole.program.hash : ""]);
}

function none(why: string, hint?: string): WholeProgram {
  const message = `Cannot predict the withheld rows: ${why}`;
  const diagnostic = { code: "predict/rows", severity: "warning", message } as const;
  return { kind: "none", diagnostic: { ...diagnostic, ...(hint && { hint }) } };
}
