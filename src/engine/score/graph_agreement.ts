/** Compares the graph that PyMC built of a program with that of its text. */
import type { Dataset } from "../../base/dataset.ts";
import type { Diagnostic } from "../../base/diagnostic.ts";
import { differenceAtPoints } from "../inference/density/difference_at_points.ts";
import { modules } from "../language/interpreter/modules.ts";
import type { CheckedProgram, CheckResult } from "../language/ir/program.ts";
import { checkProgram } from "../language/pymc/check.ts";
import { withoutReach } from "../language/syntax/without_reach.ts";

/**
 * Why a program is refused that both front ends read, and read differently: the graphs have other
 * hashes, and other log densities at one of 64 points. Undefined where they agree, and where the
 * native reader cannot read the text, not even without what reaches beyond its model (unknown
 * modules, assignments to attributes): then there is nothing to compare.
 *
 * @param built the graph that PyMC built, checked against the data set.
 * @param text the program.
 */
export function disagreement(
  built: CheckedProgram,
  text: string,
  dataset: Dataset,
  file?: string,
): Diagnostic | undefined {
  const read = readable(text, dataset, file);
  return read.ok ? differenceOf(read.program, built, dataset) : undefined;
}

function differenceOf(
  read: CheckedProgram,
  built: CheckedProgram,
  dataset: Dataset,
): Diagnostic | undefined {
  if (read.hash === built.hash) return undefined;
  const difference = differenceAtPoints(read, built, dataset);
  if (difference === undefined) return undefined;
  return {
    code: "lh/front-ends-differ",
    severity: "error",
    message: `Cannot score the program: PyMC built another model than its text says: ${difference}`,
    hint: "leave out what changes PyMC, or what both could read differently; then score it again",
  };
}

/** Result of the native reader for a text; whether rows are exchangeable is judged on the graph. */
export function readable(text: string, dataset: Dataset, file?: string): CheckResult {
  const whole = checkProgram(text, dataset, file, { rows: "judged" });
  if (whole.ok) return whole;
  const isKnown = (module: string) =>
    Object.hasOwn(modules, module) || Object.hasOwn(modules, module.replace(/\.[^.]*$/, ""));
  const rest = withoutReach(text, isKnown);
  return rest === undefined ? whole : checkProgram(rest, dataset, file, { rows: "judged" });
}
