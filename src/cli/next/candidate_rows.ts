/** Rows that might be measured next: of a file, or of a grid of predictors. */
import type { Column, Dataset } from "../../base/dataset.ts";
import { inputError } from "../../base/diagnostic.ts";
import { listed } from "../../base/listed.ts";
import { nearest } from "../../base/nearest.ts";
import { numericCell } from "../../data/typed_dataset.ts";
import { newRows, type NewRowsRead } from "../new_rows.ts";

/** Candidates, and the values chosen for predictors that were not named. */
export interface CandidateRows extends NewRowsRead {
  /** Predictors whose values a user gave, in their order. */
  readonly varied: readonly string[];
  /** Values of the others, as they are to be read. */
  readonly kept: Readonly<Record<string, string>>;
  /** `[rows]`, if costs were asked for. */
  readonly costs?: Float64Array;
}

/** Candidates of one command at most: each costs densities of every program. */
const mostRows = 2000;

/** Predictors of a data set: columns that programs may read beside the response. */
function predictorsOf({ columns }: Dataset): readonly Column[] {
  return columns.filter(({ role, gapsOf }) =>
    role !== "response" && role !== "ignore" && gapsOf === undefined
  );
}

/**
 * Reads candidates from a file that has every predictor of the data, and a column of costs if one is named. Rows that
 * stand twice are one candidate.
 *
 * @throws InputError `next/columns`, `next/rows`, `next/cost`, and those of `newRows`.
 */
export async function candidatesOfFile(
  file: string,
  data: Dataset,
  cost?: string,
): Promise<CandidateRows> {
  const rows = await newRows(file, data);
  const predictors = predictorsOf(data).map(({ name }) => name);
  const missing = predictors.filter((name) => !rows.columns.has(name));
  if (missing.length > 0) {
    const message = `Cannot choose among the rows of ${file}: it lacks ${listed(missing)}`;
    const hint = `candidates have every predictor of the data: ${predictors.join(", ")}`;
    throw inputError("next/columns", message, undefined, hint);
  }
  refuseLevels(file, rows, data);
  const costs = cost === undefined ? undefined : await costsOf(file, cost, rows.rows);
  const kept = distinct(rows, predictors, costs);
  requireFew(kept.length, file);
  const taken = (values: Float64Array) => Float64Array.from(kept, (row) => values[row]);
  return {
    rows: kept.length,
    columns: new Map([...rows.columns].map(([name, values]) => [name, taken(values)])),
    unseen: rows.unseen,
    varied: predictors,
    kept: {},
    ...(costs && { costs: taken(costs) }),
  };
}

/** Refuses new levels of columns other than groups. */
function refuseLevels(file: string, { unseen }: NewRowsRead, { columns }: Dataset): void {
  for (const [name, levels] of unseen) {
    const { role, categories = [] } = columns.find((one) => one.name === name)!;
    if (role === "group") continue;
    const message = `Cannot choose among the rows of ${file}: ${name} has the level ` +
      `${JSON.stringify(levels[0])}, which the data do not have`;
    const hint = `its levels are ${categories.slice(0, 12).join(", ")}`;
    throw inputError("next/level", message, undefined, hint);
  }
}

async function costsOf(file: string, column: string, rows: number): Promise<Float64Array> {
  const { parseTable } = await import("../../data/raw_table.ts");
  const { readInput } = await import("../input_file.ts");
  const table = await parseTable(readInput(file), file);
  const cells = table.columns.get(column);
  const refuse = (what: string) =>
    inputError(
      "next/cost",
      `Cannot read costs of ${file}: ${what}`,
      undefined,
      "costs are above 0",
    );
  if (!cells) throw refuse(`it has no column ${column}`);
  return Float64Array.from({ length: rows }, (_, row) => {
    const value = numericCell(cells[row]);
    if (value !== undefined && value > 0 && value < Infinity) return value;
    throw refuse(`column ${column}, row ${row + 1} is ${JSON.stringify(cells[row] ?? null)}`);
  });
}

/** The first row of each that stand alike. */
function distinct(
  { rows, columns }: NewRowsRead,
  predictors: readonly string[],
  costs?: Float64Array,
): number[] {
  const seen = new Set<string>();
  return Array.from({ length: rows }, (_, row) => row).filter((row) => {
    const key = [...predictors.map((name) => columns.get(name)![row]), costs?.[row]].join(" ");
    return !seen.has(key) && seen.add(key);
  });
}

function requireFew(rows: number, what: string): void {
  if (rows === 0) throw inputError("next/rows", `${what} has no row to choose from`);
  if (rows <= mostRows) return;
  const message = `Cannot choose among ${rows} rows of ${what}: at most ${mostRows}`;
  const hint = "take every tenth, or a grid with wider steps, and look closer around the best";
  throw inputError("next/rows", message, undefined, hint);
}

/**
 * Every combination of values: `dose=0:10:0.5; group=a,b`. Predictors that it does not name have their median, or
 * their commonest level.
 *
 * @throws InputError `next/grid` for a column that the data lack and for a value that it cannot have.
 */
export function candidatesOfGrid(spec: string, data: Dataset): CandidateRows {
  const predictors = predictorsOf(data);
  const axes = spec.split(";").map((one) => one.trim()).filter(Boolean)
    .map((one) => axisOf(one, predictors));
  if (axes.length === 0) throw gridError(spec, "it names no predictor");
  const total = axes.reduce((product, { values }) => product * values.length, 1);
  requireFew(total, `the grid ${spec}`);
  const columns = new Map<string, Float64Array>();
  const kept: Record<string, string> = {};
  for (const column of predictors) {
    const a = axes.findIndex((axis) => axis.column === column);
    if (a >= 0) columns.set(column.name, alongAxis(axes, a, total));
    else {
      const value = typical(column);
      columns.set(column.name, new Float64Array(total).fill(value));
      kept[column.name] = column.categories?.[value] ?? String(value);
    }
  }
  for (const { name, gapsOf } of data.columns) {
    if (gapsOf !== undefined) columns.set(name, new Float64Array(total));
  }
  const varied = axes.map(({ column }) => column.name);
  return { rows: total, columns, unseen: new Map(), varied, kept };
}

/** A predictor of a grid, and its values. */
interface Axis {
  readonly column: Column;
  readonly values: readonly number[];
}

function axisOf(text: string, predictors: readonly Column[]): Axis {
  const [name, given] = text.split("=").map((one) => one.trim());
  const column = predictors.find((one) => one.name === name);
  if (!column) {
    const names = predictors.map((one) => one.name);
    const meant = nearest(name, names);
    const hint = `${meant ? `did you mean "${meant}"? ` : ""}predictors are ${names.join(", ")}`;
    throw gridError(text, `the data have no predictor ${JSON.stringify(name)}`, hint);
  }
  if (!given) throw gridError(text, "it has no values");
  const values = given.includes(":") ? steps(text, given) : given.split(",").map((word) => {
    const value = column.categories
      ? column.categories.indexOf(word.trim())
      : numericCell(word.trim());
    if (value !== undefined && value >= (column.categories ? 0 : -Infinity)) return value;
    const wanted = column.categories
      ? column.categories.slice(0, 12).join(", ")
      : "a number for each";
    throw gridError(text, `${JSON.stringify(word)} is no value of ${name}`, `write ${wanted}`);
  });
  return { column, values };
}

/** `from:to:step`, both ends included. */
function steps(text: string, given: string): number[] {
  const numbers = given.split(":").map((word) => numericCell(word.trim()));
  const [from, to, step] = numbers;
  if (from === undefined || to === undefined || step === undefined || !(step > 0 && to >= from)) {
    throw gridError(text, "a range is from:to:step, with a step above 0", "write dose=0:10:0.5");
  }
  const count = Math.floor((to - from) / step + 1e-9) + 1;
  requireFew(count, `the grid ${text}`);
  return Array.from({ length: count }, (_, k) => Number((from + k * step).toPrecision(12)));
}

function gridError(text: string, what: string, hint?: string) {
  return inputError(
    "next/grid",
    `Cannot read the grid ${JSON.stringify(text)}: ${what}`,
    undefined,
    hint,
  );
}

/** The value of an axis at each combination: the last axis runs fastest. */
function alongAxis(axes: readonly Axis[], a: number, total: number): Float64Array {
  const inner = axes.slice(a + 1).reduce((product, { values }) => product * values.length, 1);
  const { values } = axes[a];
  return Float64Array.from(
    { length: total },
    (_, k) => values[Math.floor(k / inner) % values.length],
  );
}

/** The median of numbers; the commonest level of names. */
function typical({ values, categories }: Column): number {
  const known = values.filter((value) => value === value);
  if (!categories) return [...known].sort((a, b) => a - b)[Math.floor(known.length / 2)] ?? 0;
  const counts = categories.map((_, code) => known.filter((value) => value === code).length);
  return counts.indexOf(Math.max(...counts));
}
