/** Which rows are left out together, and the warning where that has not been decided. */
import { type Column, type Dataset, groupColumn } from "../../../base/dataset.ts";
import type { Diagnostic } from "../../../base/diagnostic.ts";
import type { LooUnit } from "./execution.ts";

/** The units of a data set, or findings against them. */
export interface Units {
  /** Unit left out at once. */
  readonly unit: LooUnit;
  /** The unit 0, 1, … of every row; absent for rows. */
  readonly unitOfRow?: Int32Array;
  /** Warnings, and the error of a unit that the data do not have. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Rows that follow each other in time: each is predicted from those before it. */
export const futureUnits: Units = { unit: "future", diagnostics: [] };

/**
 * The units for `choice`. Rows that share a group or follow each other in time are not
 * exchangeable: the fit to a row given its neighbours is a poor estimate of the fit to a new group
 * or a later time (Roberts et al. 2017; Bürkner, Gabry, Vehtari 2020). So data with such a column
 * get a warning until one of the units is chosen.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../../../base/dataset.ts";
 * import { unitsOf } from "./units.ts";
 * const rows = { type: "real", values: Float64Array.of(1, 2) } as const;
 * const data = makeDataset("two", [{ name: "y", role: "response", ...rows }]);
 * assert.equal(unitsOf(data, undefined).unit, "row");
 * ```
 */
export function unitsOf(dataset: Dataset, choice: LooUnit | undefined): Units {
  const group = groupColumn(dataset);
  const time = dataset.columns.find(({ role }) => role === "time");
  if (choice === "group") return group ? groupsOf(group) : noGroups(dataset);
  const structure = group ?? time;
  const undecided = choice === undefined && structure !== undefined;
  return { unit: "row", diagnostics: undecided ? [undecidedWarning(structure)] : [] };
}

function groupsOf({ values }: Column): Units {
  const ids = new Map<number, number>();
  const unitOfRow = Int32Array.from(values, (value) => {
    const known = ids.get(value);
    if (known === undefined) ids.set(value, ids.size);
    return known ?? ids.size - 1;
  });
  return { unit: "group", unitOfRow, diagnostics: [] };
}

function noGroups({ columns }: Dataset): Units {
  return {
    unit: "group",
    diagnostics: [{
      code: "data/no-groups",
      severity: "error",
      message: 'Cannot leave groups out: no column of the data has the role "group"',
      hint: `give one of ${columns.map(({ name }) => name).join(", ")} that role`,
    }],
  };
}

function undecidedWarning({ name, role }: Column): Diagnostic {
  return {
    code: "loo/unit",
    severity: "warning",
    message: `The data have a ${role} column, "${name}", but single rows are left out, ` +
      `so scores say how well a row is predicted from its own ${
        role === "group" ? "group" : "future"
      }`,
    hint: role === "group"
      ? 'set unit = "group" (--unit group) to leave out whole groups, or unit = "row" if that is meant'
      : `set time = "${name}" to judge each row by those before it, or unit = "row" if that is meant`,
  };
}
