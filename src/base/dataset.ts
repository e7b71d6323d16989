/** A data set: named columns with a role, a type and, for measurements, a resolution. */
import { digestOf } from "./digest.ts";

/** Roles that a column can have. */
export const columnRoles = [
  "response",
  "predictor",
  "trials",
  "exposure",
  "group",
  "time",
  "event",
  "limit",
  "ignore",
] as const;
/** Role of a column. */
export type ColumnRole = (typeof columnRoles)[number];

/** Types that the values of a column can have. */
export const columnTypes = ["real", "count", "binary", "category"] as const;
/** Type of the values of a column. */
export type ColumnType = (typeof columnTypes)[number];

/** The step to which measurements were recorded, or that they were not rounded. */
export type Resolution = number | "continuous";

/** One column. Values of a category are codes into `categories`. */
export interface Column {
  /** Name, as programs use it. */
  readonly name: string;
  /** Role of the column in programs. */
  readonly role: ColumnRole;
  /** Type of its values. */
  readonly type: ColumnType;
  /** `[rows]`, or row-major under `shape`. */
  readonly values: Float64Array;
  /** Shape of the values where it is not `[rows]`: `[]` for a number, `[n, m]` for a matrix. */
  readonly shape?: readonly number[];
  /**
   * The step to which a measurement was recorded: rewards are those of cells that wide. `continuous` for
   * values that were not rounded, whose rewards have no bound.
   */
  readonly resolution?: Resolution;
  /** Whether the step was read off the values; a power of ten is then no part of the data set's digest. */
  readonly resolutionInferred?: boolean;
  /**
   * Ends of the cell in which a value was recorded, by value, where cells differ in width, as those of a
   * logarithm of counts. `resolution` is then the width of the narrowest.
   */
  readonly cells?: readonly (readonly [value: number, low: number, high: number])[];
  /** Names of the codes, of a category. */
  readonly categories?: readonly string[];
  /** Whether the order of the categories was declared: then codes are steps of it. */
  readonly ordered?: true;
  /** Words of the file for 0 and 1, of a yes and no. */
  readonly words?: readonly string[];
  /** Columns of the file that make the rows of a response of vectors. */
  readonly parts?: readonly string[];
  /** Response whose rows sum to these values: the totals of multinomial rows. */
  readonly totalOf?: string;
  /**
   * The column whose missing values these number: 0 in rows that have a value of it, elsewhere the
   * number of the missing value, from 1 on.
   */
  readonly gapsOf?: string;
}

/** Columns of equal length but for those with a `shape`; exactly one has the role `response`. */
export interface Dataset {
  /** Name, for messages. */
  readonly name: string;
  /** Number of rows. */
  readonly rows: number;
  /** The columns in use. */
  readonly columns: readonly Column[];
  /** Rows that `missing = "drop"` left out. */
  readonly dropped: number;
  /** Rows that no program and no training sees; only a judge of predictions reads them. */
  readonly holdout?: HeldOut;
  /**
   * Rows that neither a reward nor a choice reads: winners are scored on them once. No part of the digest, and of no
   * request to score programs.
   */
  readonly confirm?: HeldOut;
  /** SHA-256 over everything that a score can depend on. */
  readonly digest: string;
}

/** Withheld rows: the same columns, other values. */
export interface HeldOut {
  /** Number of rows. */
  readonly rows: number;
  /** As those of the data set. */
  readonly columns: readonly Column[];
  /** Their indices among all rows, rising; unknown where they were withheld outside of Sluice. */
  readonly positions?: readonly number[];
}

/** The JSON form of a data set, as artifacts and frames carry it. */
export interface DatasetJson {
  /** Name, for messages. */
  readonly name: string;
  /** Rows of every column, withheld ones left out. */
  readonly rows: number;
  /** Rows that `missing = "drop"` left out. */
  readonly dropped: number;
  /** The columns in use, that of the role `response` among them. */
  readonly columns: readonly ColumnJson[];
  /** Withheld rows, which a judge of predictions reads alone. */
  readonly holdout?: HeldOutJson;
  /** Rows for winners alone, in artifacts; requests to score programs have none. */
  readonly confirm?: HeldOutJson;
}

/** The JSON form of withheld rows. */
export interface HeldOutJson {
  /** Number of rows. */
  readonly rows: number;
  /** As those of the data set. */
  readonly columns: readonly ColumnJson[];
  /** Which rows of all they were, if that is known. */
  readonly positions?: readonly number[];
}

/** A column whose values are plain numbers `[rows]`. */
export type ColumnJson = Omit<Column, "values"> & { readonly values: readonly number[] };

/**
 * Names of the columns that hold the limits of a response in rows where it is one, above or below; or the two
 * numbers between which it lies, where some row has such.
 */
export function limitNames(
  response: string,
): { readonly [of in "above" | "below" | "from" | "until"]: string } {
  const ofEnd = (end: string) => `${response}_limit${end}`;
  return {
    above: ofEnd(""),
    below: ofEnd("_below"),
    from: ofEnd("_from"),
    until: ofEnd("_until"),
  };
}

/**
 * Builds a data set and its digest; the rows are those of the response, or of the first column.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "./dataset.ts";
 * const ages = Float64Array.of(1, 2, 5);
 * const data = makeDataset("dugongs", [
 *   { name: "length", role: "response", type: "real", values: ages.map((age) => 2 + age / 10) },
 *   { name: "age", role: "predictor", type: "real", values: ages },
 * ]);
 * assert.equal(data.rows, 3);
 * assert.equal(data.digest.length, 64);
 * ```
 */
export function makeDataset(
  name: string,
  columns: readonly Column[],
  dropped = 0,
  holdout?: HeldOut,
): Dataset {
  const first = columns.find(({ role }) => role === "response") ?? columns[0];
  const rows = first?.shape ? first.shape[0] ?? 1 : first?.values.length ?? 0;
  const content = columns.filter((c) => c.role !== "ignore").map(digested);
  const withheld = holdout &&
    { rows: holdout.rows, columns: holdout.columns.map(digested) };
  const digest = digestOf({ rows, columns: content, ...(withheld && { holdout: withheld }) });
  return { name, rows, columns, dropped, ...(holdout && { holdout }), digest };
}

/**
 * The digest of a data set and of the places of its withheld rows, on which results depend.
 * Random numbers depend on the data alone.
 */
export function placedDigest({ digest, holdout }: Dataset): string {
  return holdout?.positions ? digestOf([digest, holdout.positions]) : digest;
}

/**
 * All rows in their places, withheld ones among the others; behind them, if their places are not known.
 * The numbers of the rows that were withheld come with them.
 */
export function withWithheldRows(dataset: Dataset): {
  readonly whole: Dataset;
  readonly withheld: readonly number[];
} {
  const { rows, holdout } = dataset;
  if (!holdout) return { whole: dataset, withheld: [] };
  const withheld = holdout.positions ?? Array.from({ length: holdout.rows }, (_, k) => rows + k);
  const at = new Map(withheld.map((row, k) => [row, k]));
  let kept = 0;
  const from = Array.from({ length: rows + holdout.rows }, (_, row) => {
    const k = at.get(row);
    return k === undefined ? kept++ : rows + k;
  });
  const columns = dataset.columns.map((column) => {
    const others = holdout.columns.find(({ name }) => name === column.name)!;
    if (column.shape) return column;
    const both = [...column.values, ...others.values];
    return { ...column, values: Float64Array.from(from, (row) => both[row]) };
  });
  return { whole: makeDataset(dataset.name, columns, dataset.dropped), withheld };
}

/** The step to which a column was recorded; none, if it is continuous or nothing is known. */
export function resolutionOf({ resolution }: Column): number | undefined {
  return typeof resolution === "number" ? resolution : undefined;
}

/** The ends of the cells that values of a column were recorded in, about a step of its own width. */
export function cellEnds(
  { cells }: Column,
  values: Float64Array,
  width: number,
): readonly { readonly low: number; readonly high: number }[] {
  const known = new Map(cells?.map(([value, low, high]) => [value, { low, high }]));
  return Array.from(
    values,
    (y) => known.get(y) ?? { low: y - width / 2, high: y + width / 2 },
  );
}

/** Whether a column beside the response depends on it: a limit, an event, or the sum of its rows. */
export function knowsResponse({ role, totalOf }: Pick<Column, "role" | "totalOf">): boolean {
  return role === "limit" || role === "event" || totalOf !== undefined;
}

/** The column with the role `response`, if any. */
export function responseColumn(dataset: Dataset): Column | undefined {
  return dataset.columns.find((column) => column.role === "response");
}

/** The column whose levels group rows; one with a level for each row does not count. */
export function groupColumn(
  { columns, rows }: Pick<Dataset, "columns" | "rows">,
): Column | undefined {
  return columns.find(({ role, values }) => role === "group" && new Set(values).size < rows);
}

/** Writes a data set with plain arrays instead of typed ones, without the rows that confirm. */
export function datasetToJson({ name, rows, dropped, columns, holdout }: Dataset): DatasetJson {
  const own = { name, rows, dropped, columns: columns.map(columnToJson) };
  return { ...own, ...(holdout && { holdout: heldOutToJson(holdout) }) };
}

/** The same with the rows that confirm, as artifacts hold it. */
export function datasetArtifact(dataset: Dataset): DatasetJson {
  const { confirm } = dataset;
  return { ...datasetToJson(dataset), ...(confirm && { confirm: heldOutToJson(confirm) }) };
}

/** Restores a data set, and computes its digest again. */
export function datasetFromJson(json: DatasetJson): Dataset {
  const { name, columns, dropped, holdout, confirm } = json;
  const withheld = holdout && heldOutFromJson(holdout);
  const own = makeDataset(name, columns.map(columnFromJson), dropped, withheld);
  return confirm ? { ...own, confirm: heldOutFromJson(confirm) } : own;
}

function heldOutToJson(rows: HeldOut): HeldOutJson {
  return { ...rows, columns: rows.columns.map(columnToJson) };
}

function heldOutFromJson(rows: HeldOutJson): HeldOut {
  return { ...rows, columns: rows.columns.map(columnFromJson) };
}

/**
 * Column as it is digested. An inferred decimal step follows from the values and is left out; other
 * inferred steps stay, since scores from before their inference are of cells of another width.
 * `ordered` and `words` change no number, and are left out too.
 */
function digested({ resolutionInferred, ordered: _o, words: _w, ...column }: Column): ColumnJson {
  const { resolution, ...values } = column;
  return columnToJson(resolutionInferred && isDecimal(resolution) ? values : column);
}

/** Whether the step is a power of ten. */
function isDecimal(step: Resolution | undefined): boolean {
  return typeof step === "number" && step.toExponential().startsWith("1e");
}

function columnToJson(column: Column): ColumnJson {
  return { ...column, values: [...column.values] };
}

function columnFromJson(column: ColumnJson): Column {
  return { ...column, values: Float64Array.from(column.values) };
}
