/** Data rules: a column whose values are all the same, and a single row, are warned of. */
import type { Column } from "../../../base/dataset.ts";
import type { CheckedProgram } from "../ir/program.ts";
import type { ModelState } from "./model_state.ts";

/** Warns of effects that the data cannot determine, at the model: they are no fault of the program. */
export function warnConstantColumns(
  checking: ModelState,
  { nodes }: Pick<CheckedProgram, "nodes">,
): void {
  const { dataset, response, findings, modelPlace } = checking;
  const place = modelPlace ?? { start: 0, end: 0 };
  if (dataset.rows === 1) {
    const message = "The data have one row: what it says of the model cannot be checked on another";
    return void findings.warning("data/one-row", message, place);
  }
  const used = nodes.flatMap((node) => node.kind === "column" ? [node.column] : []);
  for (const name of new Set(used)) {
    const column = checking.columns.get(name);
    if (!column || column.shape || !isConstant(column)) continue;
    const message = `Every value of "${name}" is ${column.values[0]}`;
    const hint = "its effect and the intercept cannot be told apart: leave it out";
    findings.warning("data/constant-column", message, place, hint);
  }
  if (response && response.type === "real" && !response.shape && isConstant(response)) {
    const message = `Every value of "${response.name}" is the same`;
    const hint = "a density around it grows without bound: give its spread a prior that keeps " +
      "away from 0, such as pm.LogNormal";
    findings.warning("data/constant-response", message, place, hint);
  }
}

function isConstant({ values }: Column): boolean {
  return values.every((value) => value === values[0]);
}
