/** The columns and rows of an experiment, for workers. */
import type { DesignColumnJson, RowsJson } from "../theories/messages.ts";
import { allOf, type InputRow } from "./draw_rows.ts";
import { type Experiment, type Input, inputsOf } from "./experiment.ts";
import { isEach } from "./read_query.ts";

/** The inputs, then the response. */
export function designOf(experiment: Experiment): readonly DesignColumnJson[] {
  const inputs = [...inputsOf(experiment)].map(([name, input]): DesignColumnJson => ({
    name,
    role: "predictor",
    type: input.type === "integer" ? isCode(input) ? "count" : "real" : input.type,
    ...(input.type === "category" && { categories: input.levels }),
  }));
  const { name, type } = experiment.response;
  return [...inputs, { name, role: "response", type }];
}

/** Whole numbers from 0 on may be indices. */
function isCode(input: Extract<Input, { type: "integer" }>): boolean {
  return input.low >= 0;
}

/** Rows by column. */
export function rowsJson(rows: readonly InputRow[], experiment: Experiment): RowsJson {
  const columns = [...inputsOf(experiment).keys()].map((name) =>
    [name, rows.map((row) => row[name])] as const
  );
  return { rows: rows.length, columns: Object.fromEntries(columns) };
}

/** The rows by which a query is answered: one, or one for each value of the inputs that are not asked. */
export function rowsOfQuery(row: InputRow, experiment: Experiment): readonly InputRow[] {
  let rows = [row];
  for (const [name, input] of inputsOf(experiment)) {
    if (!isEach(input)) continue;
    rows = rows.flatMap((one) => allOf(input).map((value) => ({ ...one, [name]: value })));
  }
  return rows;
}

/** A row without the inputs that a query does not name. */
export function askedOf(row: InputRow, experiment: Experiment): InputRow {
  const inputs = inputsOf(experiment);
  return Object.fromEntries(Object.entries(row).filter(([name]) => !isEach(inputs.get(name)!)));
}
