/** The rule that rows are exchangeable: messages for a program that distinguishes them. */
import type { ModelState } from "../model_state.ts";
import { blame } from "./blame.ts";
import { rowsAreToldApart } from "./equivariance.ts";
import type { ColumnPair } from "./twin_graphs.ts";
import { isPlainlyAlike } from "./plainly_alike.ts";
import { holdsTable } from "./written_numbers.ts";

/** Whether rows have an order. */
export type RowOrder = "exchangeable" | "ordered";

const oneVariable = "give the rows one variable that has an element for each, e.g. " +
  'u = pm.Normal("u", mu, sigma, shape=len(data["x"])), instead of one variable for each row';

const hint = "compute it from columns of the data; if the rows have an order, write " +
  'rows = "ordered" in the target, or --rows ordered';

/** A program on the same rows in another order. */
interface Reading {
  /** Row `order[i]` of the data stands at row `i`. */
  readonly order: Int32Array;
  readonly checking: ModelState;
}

/** Rule about rows that a program must satisfy, and how it is read for that. */
export interface RowRule {
  /** Whether rows have an order; `judged` where nothing is held to it. */
  readonly rows: RowOrder | "judged";
  /** The program's text, if it is known. */
  readonly text?: string;
  readonly readAgain: () => Reading;
}

/**
 * Refuses a program of which the terms of the rows do not change places with the rows. Where rows have an order they
 * need not; but then the text may not hold a table of the rows.
 */
export function checkRowOrder(checking: ModelState, rule: RowRule): void {
  const { rows } = checking.dataset;
  if (rule.rows === "judged" || rows < 2 || isPlainlyAlike(checking, rows)) return;
  if (rule.rows === "ordered" && !mayHoldTable(checking, rule)) return;
  const { order, checking: again } = rule.readAgain();
  if (again.findings.errors > 0 || !again.likelihood) return refuseReading(checking, again);
  const graphs = rowsAreToldApart(checking, again, order, columnPairs(checking, again));
  if (!graphs) return;
  if (rule.rows === "ordered") return refuseTable(checking);
  const { what, node, parameter } = blame(graphs, order);
  const place = parameter !== undefined
    ? checking.parameterPlaces[parameter]
    : node !== undefined
    ? checking.placeOf(node)
    : undefined;
  refuse(checking, `found ${what}`, place, hasVariableForEachRow(checking) ? oneVariable : hint);
}

/** Whether as many variables are single numbers as there are rows: which of them belongs to a row is unknown. */
function hasVariableForEachRow({ parameters, dataset }: ModelState): boolean {
  return parameters.filter(({ shape }) => shape.length === 0).length >= dataset.rows;
}

/** Predictors on both data. */
function columnPairs(checking: ModelState, again: ModelState): ColumnPair[] {
  const predictors = checking.dataset.columns.filter((one) => one !== checking.response);
  return predictors.map(({ name, values }) => {
    return { own: values, reordered: again.columns.get(name)!.values };
  });
}

function refuseReading(checking: ModelState, { findings }: ModelState): void {
  const [first] = findings.diagnostics.filter(({ severity }) => severity === "error");
  const why = first ? `: ${first.message}` : "";
  refuse(checking, `it cannot be read when they stand in another order${why}`, undefined);
}

function mayHoldTable({ dataset, response }: ModelState, { text }: RowRule): boolean {
  const predictors = dataset.columns.filter((one) => one !== response);
  return text !== undefined && holdsTable(text, dataset.rows, predictors);
}

/** Rows have an order, but an order needs no numbers. */
function refuseTable(checking: ModelState): void {
  const message = "Cannot score the program: its text holds as many numbers as half of the rows, " +
    "and looks at rows by their order: that is a table of the data, not a model";
  const mend = "leave lists of numbers out, or give them as a column of the data";
  checking.error("lh/row-table", message, checking.modelPlace ?? { start: 0, end: 0 }, mend);
}

function refuse(
  checking: ModelState,
  found: string,
  place: ModelState["modelPlace"],
  mend = hint,
): void {
  const message = `Cannot score the program: rows are told apart by their order: ${found}; ` +
    "wanted terms that change places when the rows do";
  const where = place ?? checking.modelPlace ?? { start: 0, end: 0 };
  checking.error("lh/row-table", message, where, mend);
}
