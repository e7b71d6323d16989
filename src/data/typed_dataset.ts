/** Makes data sets of raw tables: roles and types of columns, missing values, and faults of both. */
import {
  type Column,
  type ColumnRole,
  type ColumnType,
  type Dataset,
  makeDataset,
  type Resolution,
} from "../base/dataset.ts";
import { type Diagnostic, InputError } from "../base/diagnostic.ts";
import { recordedColumn } from "./resolution.ts";
import { listed } from "../base/listed.ts";
import { nearest } from "../base/nearest.ts";
import { withLimit } from "./censoring.ts";
import type { Cell, RawTable } from "./raw_table.ts";
import { datesAsNumbers } from "./dates.ts";
import type { MissingRule } from "./missing_rules.ts";

/** Settings of one column in a pipeline. */
export interface ColumnSpec {
  readonly role: ColumnRole;
  readonly type?: ColumnType;
  readonly resolution?: Resolution;
  /** Levels of a category in their order; sorted, if left out. */
  readonly levels?: readonly string[];
  /** Two columns of the file whose sum it is. */
  readonly sum?: readonly string[];
}

/**
 * Gives meaning to a raw table. Columns that `specs` does not name are left out.
 *
 * @throws InputError with every finding: unknown column, no or several responses, a cell that is
 * missing or does not fit its column's type (with row and column).
 */
export function typedDataset(
  name: string,
  table: RawTable,
  specs: Readonly<Record<string, ColumnSpec>>,
  missing: MissingRule,
): Dataset {
  const findings = [...unknownColumns(table, specs), ...responses(table, specs)];
  if (findings.length > 0) throw new InputError(findings);
  const used = Object.entries(specs).filter(([, spec]) => spec.role !== "ignore");
  const hasWindows = used.some(([, { role, levels }]) => role === "event" && levels?.length === 4);
  const isEnd = ({ role }: { readonly role: ColumnRole }) => hasWindows && role === "limit";
  const needed = used.filter(([, spec]) => !isEnd(spec) && (missing !== "model" || !mayLack(spec)));
  const kept = keptRows(table, needed.map(([column]) => column), missing, findings);
  const whole = used.map(([column, spec]) => typedColumn(table, column, spec, kept, findings));
  const gaps = whole.filter((one) => !isEnd(one)).flatMap((one) => gapColumn(one, table));
  const columns = [...whole.map((one) => isEnd(one) ? one : filled(one)), ...gaps];
  if (kept.length === 0 && findings.length === 0) {
    findings.push(finding("data/empty", `Cannot use ${table.file}: no row is complete`));
  }
  if (findings.length > 0) throw new InputError(findings.slice(0, 20));
  const limited = withLimit(table.file, columns);
  const recorded = limited.map((column) => recordedColumn(table.file, column));
  return makeDataset(name, recorded, table.rows - kept.length);
}

function finding(code: string, message: string, hint?: string): Diagnostic {
  return { code, severity: "error", message, hint };
}

function unknownColumns(table: RawTable, specs: Readonly<Record<string, ColumnSpec>>) {
  const names = [...table.columns.keys()];
  return Object.keys(specs).filter((column) => !table.columns.has(column)).map((column) => {
    const near = nearest(column, names);
    const hint = `${near ? `did you mean "${near}"? C` : "c"}olumns: ${listed(names)}`;
    const message = `Cannot use ${table.file}: there is no column "${column}"`;
    return { ...finding("data/missing-column", message, hint), param: ["columns", column] };
  });
}

function responses(table: RawTable, specs: Readonly<Record<string, ColumnSpec>>): Diagnostic[] {
  const found = Object.entries(specs).filter(([, spec]) => spec.role === "response");
  if (found.length === 1) return [];
  const names = found.map(([column]) => column).join(", ") || "none";
  const message =
    `Cannot use ${table.file}: wanted one column with role "response", found ${names}`;
  const free = [...table.columns.keys()].filter((column) => specs[column]?.role !== "response");
  const hint = `set role = "response" on one column, e.g. ${
    free[0] ?? "y"
  } = { role = "response" }`;
  return [{ ...finding("data/response", message, hint), param: ["columns"] }];
}

/** Words of statistical software for a missing value. */
const missingWords = new Set(["", "NA", "NaN", "nan", "N/A", "n/a", "#N/A", "<NA>", "null"]);

/** Whether a cell holds no value. */
export function isMissing(cell: Cell): boolean {
  if (typeof cell === "number") return Number.isNaN(cell);
  return cell === null || cell === undefined || missingWords.has(String(cell));
}

function keptRows(
  table: RawTable,
  columns: readonly string[],
  missing: MissingRule,
  findings: Diagnostic[],
): number[] {
  const kept: number[] = [];
  for (let row = 0; row < table.rows; row++) {
    const gaps = columns.filter((column) => isMissing(table.columns.get(column)![row]));
    if (gaps.length === 0) kept.push(row);
    else if (missing === "error") findings.push(...gaps.map((gap) => missingCell(table, gap, row)));
  }
  return kept;
}

function missingCell(table: RawTable, column: string, row: number): Diagnostic {
  const found = describeCell(table.columns.get(column)![row]);
  return {
    code: "data/missing-value",
    severity: "error",
    message: `Cannot use ${table.file}: column "${column}", row ${row + 1}: found ${found}`,
    span: table.spanOf(column, row),
    hint: 'complete the data, or leave such rows out: missing = "drop", or --missing drop; ' +
      '"model" has a space make parameters of values that measured predictors lack',
  };
}

function describeCell(cell: Cell): string {
  if (cell === "" || cell === null || cell === undefined) return "nothing";
  return typeof cell === "string" ? JSON.stringify(cell) : String(cell);
}

function typedColumn(
  table: RawTable,
  name: string,
  spec: ColumnSpec,
  kept: readonly number[],
  findings: Diagnostic[],
): Column {
  const cells = table.columns.get(name)!;
  const type = spec.type ?? "real";
  const { role, resolution } = spec;
  if (type === "category") {
    return categoryColumn(table, name, spec, kept, findings);
  }
  const { levels } = spec;
  const isNamed = type === "binary" && levels?.length === 2;
  const read = (cell: Cell) => isNamed ? levels.indexOf(String(cell)) : numericCell(cell);
  const dates = role === "time" ? datesAsNumbers(kept.map((row) => String(cells[row]))) : undefined;
  const values = Float64Array.from(dates ?? kept.map((row) => read(cells[row])));
  const bad = kept.filter((row, i) => !fits(values[i], type) && !isMissing(cells[row]));
  if (bad.length > 0) findings.push(badCells(table, { name, role, type }, bad));
  const words = isNamed && { words: levels };
  return { name, role, type, values, ...words, ...(resolution !== undefined && { resolution }) };
}

/** Whether a column may lack values that a model then has as parameters. */
function mayLack({ role, type = "real" }: ColumnSpec): boolean {
  return role === "predictor" && type === "real";
}

/** The mean where a value is missing, which moves no mean. */
function filled(column: Column): Column {
  const held = column.values.filter((value) => !Number.isNaN(value));
  if (held.length === column.values.length) return column;
  const mean = held.reduce((sum, value) => sum + value, 0) / Math.max(1, held.length);
  return { ...column, values: column.values.map((value) => Number.isNaN(value) ? mean : value) };
}

/** Beside a column that lacks values: which rows lack them. */
function gapColumn({ name, values }: Column, { columns }: RawTable): Column[] {
  if (!values.some(Number.isNaN)) return [];
  let own = `${name}_missing`;
  while (columns.has(own)) own += "_";
  let count = 0;
  const gaps = values.map((value) => Number.isNaN(value) ? ++count : 0);
  return [{ name: own, role: "predictor", type: "count", values: gaps, gapsOf: name }];
}

/** The number that a cell holds, in decimal notation; true is 1, false 0, anything else NaN. */
export function numericCell(cell: Cell): number {
  if (typeof cell === "boolean") return cell ? 1 : 0;
  if (typeof cell === "string") return decimal.test(cell.trim()) ? Number(cell) : NaN;
  return typeof cell === "number" || typeof cell === "bigint" ? Number(cell) : NaN;
}

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

function fits(value: number, type: ColumnType): boolean {
  if (type === "count") return Number.isInteger(value) && value >= 0;
  if (type === "binary") return value === 0 || value === 1;
  return Number.isFinite(value);
}

const wantedOfType = {
  real: "a finite number",
  count: "a whole number, 0 or more",
  binary: "0 or 1",
  category: "a name",
} as const;

/** Rows from which a column without a number is one of words, not of mistakes. */
const fewestWords = 3;

/** One finding for a column, at the first cell that does not fit. */
function badCells(
  table: RawTable,
  { name: column, role, type }: Pick<Column, "name" | "role" | "type">,
  [row, ...others]: readonly number[],
): Diagnostic {
  const found = describeCell(table.columns.get(column)![row]);
  const more = others.length === 0
    ? ""
    : `; the same in ${others.length} more row${others.length === 1 ? "" : "s"}`;
  const where = `column "${column}", row ${row + 1}`;
  const wanted = wantedOfType[type];
  const isOfWords = table.rows >= fewestWords &&
    table.columns.get(column)!.every((cell) => Number.isNaN(numericCell(cell)));
  return {
    code: "data/bad-value",
    severity: "error",
    message: `Cannot use ${table.file}: ${where}: found ${found}, wanted ${wanted}${more}`,
    span: table.spanOf(column, row),
    hint: hintOfCells(role, isOfWords),
    ...(isOfWords && { param: ["columns", column] }),
  };
}

function hintOfCells(role: ColumnRole, isOfWords: boolean): string {
  if (role === "event") {
    return "write 1 for an event, and 0 for a censored row; or name " +
      'both values, the event last: levels = ["censored", "dead"]';
  }
  return isOfWords
    ? `no cell of it is a number: give the column type = "category", or role = "ignore"`
    : `correct the cell, or give the column another type, e.g. type = "category"`;
}

/** Different words in the order of the alphabet, numbers in their own. */
function sortedLevels(words: readonly string[]): string[] {
  const different = [...new Set(words)];
  const isNumbers = different.every((word) => Number.isFinite(numericCell(word)));
  return isNumbers ? different.sort((a, b) => Number(a) - Number(b)) : different.sort();
}

function categoryColumn(
  table: RawTable,
  name: string,
  { role, levels }: ColumnSpec,
  kept: readonly number[],
  findings: Diagnostic[],
): Column {
  const words = kept.map((row) => String(table.columns.get(name)![row]));
  const strange = levels ? words.findIndex((word) => !levels.includes(word)) : -1;
  if (strange >= 0) {
    const row = kept[strange];
    const message = `Cannot use ${table.file}: column "${name}", row ${row + 1}: ` +
      `"${words[strange]}" is none of its levels`;
    findings.push({
      ...finding("data/level", message, `levels = ${JSON.stringify(levels)}`),
      span: table.spanOf(name, row),
    });
  }
  const categories = levels ? [...levels] : sortedLevels(words);
  const codes = new Map(categories.map((word, code) => [word, code]));
  const values = Float64Array.from(words, (word) => codes.get(word) ?? -1);
  return { name, role, type: "category", values, categories, ...(levels && { ordered: true }) };
}
