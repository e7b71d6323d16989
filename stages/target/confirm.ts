/** The rows that a target keeps from rewards and choices: which ones, and where that goes. */
import type { Dataset } from "../../src/base/dataset.ts";
import { inputError } from "../../src/base/diagnostic.ts";
import { confirmRows } from "../../src/data/holdout.ts";
import type { Environment } from "../../src/gfn/environments/mod.ts";
import type { GrammarSpec } from "../../src/gfn/grammar/mod.ts";

/** Settings of a target beside the share. */
interface ConfirmParams {
  readonly confirm?: number;
  readonly unit?: "row" | "group";
  readonly time?: string;
}

/**
 * The data without the rows that confirm, which stand beside them; the data as they are where none are kept, or where the
 * stage that reads them has kept some.
 *
 * @param isShown Whether prompts show the data.
 * @throws InputError if rows are kept twice, if programs were written from all rows, or if a program is judged by groups or
 * by time, where single rows confirm nothing.
 */
export function confirmingData(
  data: Dataset,
  { confirm, unit, time }: ConfirmParams,
  environment: Pick<Environment, "spec" | "written">,
  isShown: boolean,
): Dataset {
  if (confirm === undefined && !data.confirm) return data;
  const judged = time !== undefined ? "time" : unit === "group" ? 'unit = "group"' : undefined;
  if (judged) {
    throw refused(
      `judge by ${judged} and keep rows for confirmation: they are single`,
      `leave confirm out, or ${judged}`,
    );
  }
  if (confirm === undefined) return data;
  if (data.confirm) {
    throw refused(
      `keep rows for confirmation: the stage that reads the data has kept ${data.confirm.rows}`,
      "leave confirm out here, or there",
    );
  }
  if (isShown || isWrittenFromData(environment)) {
    throw refused(
      "keep rows for confirmation here: the programs, or their prompts, were written from all rows",
      `write confirm = ${confirm} in the stage that reads the data instead`,
    );
  }
  return confirmRows(data, confirm);
}

/** True of the grammar of a model space, as it is or lifted to tokens. */
function isWrittenFromData({ spec, written }: Pick<Environment, "spec" | "written">): boolean {
  return (spec as Partial<GrammarSpec> | undefined)?.fromData ??
    (written ? isWrittenFromData(written.of) : false);
}

function refused(what: string, hint: string): Error {
  return inputError("target/confirm", `Cannot ${what}`, undefined, hint);
}
