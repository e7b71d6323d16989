/** Guesses roles and types of a table's columns where the user gives none, with reasons. */
import { codesIn } from "../base/codes.ts";
import type { ColumnRole, ColumnType } from "../base/dataset.ts";
import type { Cell, RawTable } from "./raw_table.ts";
import type { DeclaredColumn } from "./table_schema.ts";
import { printableJson } from "../base/printable.ts";
import { shellWords } from "../base/shell_words.ts";
import { datesAsNumbers } from "./dates.ts";
import { codeForMissing } from "./codes_for_missing.ts";
import {
  hintOfCodes,
  hintOfExposure,
  hintOfLevels,
  hintOfRepeated,
  hintOfResponse,
} from "./hints.ts";
import { commonDivisor, inferCells, inferResolution } from "./resolution.ts";
import { isMissing, numericCell } from "./typed_dataset.ts";
import type { MissingRule } from "./missing_rules.ts";

/** One column and its reading. */
export interface InspectedColumn {
  readonly name: string;
  readonly role: ColumnRole;
  readonly type: ColumnType;
  /** Rows without a value. */
  readonly missing: number;
  /** Different values. */
  readonly distinct: number;
  /** Smallest and largest number; undefined for words. */
  readonly range?: readonly [number, number];
  /** Resolution of a response of measurements whose values all lie on a decimal grid. */
  readonly resolution?: number;
  /** The levels of a category, sorted. */
  readonly levels?: readonly string[];
  /** Whole numbers that are few: they may be names. */
  readonly codes?: readonly number[];
  /** Levels in their order, where it is known. */
  readonly order?: readonly string[];
  /** Whether the file declares them steps of a scale. */
  readonly ordered?: true;
  /** Whether its values are declared to be names. */
  readonly named?: true;
  /** Whether the values of a response show cells that are no decimal step, which need no `resolution`. */
  readonly recorded?: true;
  /** Two columns of the file whose sum it is. */
  readonly sum?: readonly [string, string];
  /** Shape of a response: shares strictly between 0 and 1, numbers above 0 with a long tail, zeros beside such. */
  readonly shape?: "shares" | "long_tail" | "zeros_and_long_tail";
  /** Cells of a column of numbers that are none. */
  readonly strange?: readonly string[];
  /** Whether they are dates, which can order the rows. */
  readonly dates?: true;
  /** Why it is not used, or a question to check. */
  readonly remark?: string;
  /** Possible meaning of the column, which a reader of the file knows. */
  readonly hint?: string;
}

/**
 * The reading of each column: by the file's schema where it has one, else by its values.
 * Columns of words with one value for each row, dates, row numbers and columns of one value are left
 * out, with a remark.
 *
 * @param response the column to be explained; no column is, if left out.
 */
export function inspectTable(table: RawTable, response?: string): InspectedColumn[] {
  const columns = withHints(
    [...table.columns].map(([name, cells]) =>
      inspected(name, cells, name === response, table.declared?.get(name))
    ),
    table,
  );
  const parts = response === undefined ? undefined : partsOf(response, table, columns);
  if (!parts) return columns;
  return columns.map((one) => {
    const other = parts.find((name) => name !== one.name)!;
    if (!parts.includes(one.name)) return one;
    return { ...one, role: "ignore", remark: `with "${other}" it tells "${response}"` };
  });
}

/** Predictors with their possible roles beside this response. */
function withHints(columns: InspectedColumn[], table: RawTable): InspectedColumn[] {
  const isCount = columns.some(({ role, type }) => role === "response" && type === "count");
  return columns.map((one) => {
    if (one.role !== "predictor") return one;
    if (!one.range) return { ...one, ...hintOfLevels(one) };
    const values = table.columns.get(one.name)!.filter((cell) => !isMissing(cell)).map(numericCell);
    const hint = hintOfRepeated(one.name, values) ??
      (isCount ? hintOfExposure(one.name, values) : undefined) ?? hintOfCodes(one.name, one.codes);
    return hint === undefined ? one : { ...one, hint };
  });
}

/** Two columns of numbers whose sum or difference is the response in every row, as of parts and a whole. */
function partsOf(
  response: string,
  table: RawTable,
  columns: readonly InspectedColumn[],
): readonly [string, string] | undefined {
  const numbersOf = (name: string) => table.columns.get(name)!.map(numericCell);
  const total = numbersOf(response);
  const numeric = columns.filter(({ role, type }) => role === "predictor" && type === "real");
  const values = numeric.map(({ name }) => ({ name, numbers: numbersOf(name) }));
  for (const [i, a] of values.entries()) {
    for (const b of values.slice(i + 1)) {
      const isSo = relations.some((holds) =>
        total.every((y, row) => holds(y, a.numbers[row], b.numbers[row]))
      );
      if (isSo) return [a.name, b.name];
    }
  }
  return undefined;
}

/** Relations by which the response is the whole of two parts, or the first or second part of the other and a whole. */
const relations: readonly ((y: number, a: number, b: number) => boolean)[] = [
  (y, a, b) => a + b === y,
  (y, a, b) => y + b === a,
  (y, a, b) => y + a === b,
];

function inspected(
  name: string,
  cells: readonly Cell[],
  isResponse: boolean,
  declared?: DeclaredColumn,
): InspectedColumn {
  const held = cells.filter((cell) => !isMissing(cell));
  const distinct = new Set(held.map(String)).size;
  const common = { name, missing: cells.length - held.length, distinct };
  const ignored = (remark: string) =>
    ({ ...common, role: "ignore", type: "real", remark }) as const;
  if (held.length === 0) {
    const nothing = ignored("it holds nothing");
    return isResponse ? { ...nothing, role: "response" } : nothing;
  }
  if (declared && !(isResponse && isPlainNumbers(declared))) {
    return inspectedLevels(common, held.map(String), isResponse, declared);
  }
  const values = held.map(numericCell);
  if (values.every(Number.isFinite)) {
    return inspectedNumbers(common, values, isResponse);
  }
  if (values.filter(Number.isFinite).length > held.length / 2) {
    const strange = held.filter((_, i) => !Number.isFinite(values[i]));
    const words = [...new Set(strange.map(String))];
    const shown = words.slice(0, 3).map((word) => `"${word}"`);
    const remark = `numbers, but for ${shown.join(", ")} in ${strange.length} rows`;
    const own = { ...ignored(remark), strange: words };
    return isResponse ? { ...own, role: "response" } : own;
  }
  if (datesAsNumbers(held.map(String))) {
    return {
      ...ignored(
        `dates: with ${shellWords(["--time", name])}, init and rank order the rows by them`,
      ),
      dates: true,
    };
  }
  if (held.every((cell) => isDate(String(cell)))) {
    return ignored("dates: to use them, write them as year-month-day");
  }
  const written = writtenNumbers(held.map(String));
  if (written) return isResponse ? { ...ignored(written), role: "response" } : ignored(written);
  return inspectedWords(common, held.map(String), isResponse);
}

/** Numbers with separators of thousands before decimal points, and before decimal commas. */
const groupedNumbers = [
  /^[+-]?\d{1,3}([,'’ \u00a0\u202f]\d{3})*(\.\d+)?$/,
  /^[+-]?\d{1,3}([.'’ \u00a0\u202f]\d{3})*(,\d+)?$/,
];

/** Remark on numbers with signs of per cent or thousands; undefined for words. */
function writtenNumbers(texts: readonly string[]): string | undefined {
  if (texts.every((text) => /^[+-]?\d+([.,]\d+)?\s?%$/.test(text))) {
    return "numbers with signs of per cent: write plain numbers";
  }
  if (groupedNumbers.some((one) => texts.every((text) => one.test(text)))) {
    return "numbers with separators of thousands: write plain numbers";
  }
  return undefined;
}

type Common = Pick<InspectedColumn, "name" | "missing" | "distinct">;

function inspectedNumbers(common: Common, values: number[], isResponse: boolean): InspectedColumn {
  const range = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  const numbers = { ...common, range: range as [number, number] };
  const isBinary = values.every((value) => value === 0 || value === 1);
  if (!isResponse) {
    const remark = common.distinct === 1
      ? `every value is ${values[0]}`
      : numbersRows(common.name, values)
      ? "it numbers the rows"
      : undefined;
    if (remark) return { ...numbers, role: "ignore", type: "real", remark };
    const code = codeForMissing(values);
    const type = isBinary ? "binary" : "real";
    const codes = codesIn(values);
    return {
      ...numbers,
      role: "predictor",
      type,
      ...(codes && { codes }),
      ...(code && { remark: code }),
    };
  }
  if (!isBinary && common.distinct === 2 && values.every(Number.isInteger)) {
    return twoValued(numbers);
  }
  const step = !isBinary && values.every(isCount) ? commonDivisor(values) : undefined;
  const isCounted = step === 1 && !isMeasuredLike(values);
  const type = isBinary ? "binary" : isCounted ? "count" : "real";
  const found = type === "real" && step === undefined ? inferCells(values) : undefined;
  const isDecimal = found !== undefined && found.step === inferResolution(values)?.step;
  const resolution = type !== "real" ? undefined : step ?? (isDecimal ? found?.step : undefined);
  const shape = type === "real" && resolution !== 1 ? shapeOf(values) : undefined;
  const remark = codeForMissing(values) ??
    (type === "real"
      ? remarkOfShares(values) ??
        (found && !isDecimal ? found.shown : remarkOfStep(step, resolution))
      : undefined);
  const hint = hintOfResponse(common.name, { type, step, shape, values });
  return {
    ...numbers,
    role: "response",
    type,
    ...(resolution !== undefined && { resolution }),
    ...(found && !isDecimal && { recorded: true as const }),
    ...(shape !== undefined && { shape }),
    ...(remark !== undefined && { remark }),
    ...(hint !== undefined && { hint }),
  };
}

/** A response of two whole numbers that are no 0 and 1: a yes and no, most often. */
function twoValued(column: Common & Required<Pick<InspectedColumn, "range">>): InspectedColumn {
  const [no, yes] = column.range;
  const remark = `1 is "${yes}", 0 is "${no}"`;
  const hint = `the values ${no} and ${yes} are read as no and yes: if they count something, say ` +
    "--families poisson, if they measure it, --families normal";
  const order = [String(no), String(yes)];
  return { ...column, role: "response", type: "binary", range: [0, 1], order, remark, hint };
}

/** Least different values for a remark on their shape. */
const fewestDistinct = 8;

/** Whole numbers all as large as this are more often measured than counted. */
const largeCount = 100;

/** Whole numbers from which counts that vary less than any family of counts are measured. */
const fewestMeasured = 10;

/** Whether whole numbers are too large for counts, or vary by less than half as much as counts. */
function isMeasuredLike(values: readonly number[]): boolean {
  const least = values.reduce((a, b) => Math.min(a, b));
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0) /
    values.length;
  return least >= largeCount || least >= fewestMeasured && variance < mean / 2;
}

function remarkOfStep(step: number | undefined, resolution: number | undefined) {
  if (step !== undefined && step > 1) {
    return `multiples of ${step}: if it counts something, write type = "count"`;
  }
  if (resolution !== undefined) return undefined;
  return 'no grid is seen: write resolution, the step of the measurements, or "continuous"';
}

/** Remark on values from 0 to 1 that may be shares of trials; undefined for others. */
function remarkOfShares(values: readonly number[]): string | undefined {
  const isFew = new Set(values).size < fewestDistinct;
  if (isFew || values.some((value) => value < 0 || value > 1)) return undefined;
  return values.every((value) => value > 0 && value < 1)
    ? undefined
    : "from 0 to 1: if these are shares of trials, write y | trials(n) with the numbers";
}

/** Least skewness for a question about a logarithm; that of an exponential distribution is 2. */
const skewed = 1;

/** Shares, or numbers above 0 with a long tail, which are most often multiplicative. */
function shapeOf(all: readonly number[]): InspectedColumn["shape"] {
  const values = all.filter((value) => value !== 0);
  if (new Set(values).size < fewestDistinct || values.some((value) => value < 0)) return undefined;
  const hasZeros = values.length < all.length;
  if (values.every((value) => value < 1) && !hasZeros) return "shares";
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const moment = (power: 2 | 3) =>
    values.reduce((sum, value) => sum + (power === 2 ? 1 : value - mean) * (value - mean) ** 2, 0) /
    values.length;
  const skewness = moment(3) / (moment(2) * Math.sqrt(moment(2)));
  if (!(skewness > skewed)) return undefined;
  return hasZeros ? "zeros_and_long_tail" : "long_tail";
}

/** Texts that are numbers, without an order: of a response they are its numbers. */
function isPlainNumbers({ levels, ordered }: DeclaredColumn): boolean {
  return !ordered && levels.length > 2 && levels.every((one) => Number.isFinite(numericCell(one)));
}

/** A column that the file declares a category, with its levels. */
function inspectedLevels(
  common: Common,
  words: string[],
  isResponse: boolean,
  { levels, ordered }: DeclaredColumn,
): InspectedColumn {
  const found = inspectedWords(common, words, isResponse, levels);
  if (found.role === "ignore" && levels.length === words.length) return found;
  if (levels.length < 2) return found;
  const role = isResponse ? "response" : "predictor";
  const remark = isResponse ? found.remark : undefined;
  return { ...found, role, remark, order: levels, ...(ordered && { ordered }) };
}

function inspectedWords(
  common: Common,
  words: string[],
  isResponse: boolean,
  levels: readonly string[] = [...new Set(words)].sort(),
): InspectedColumn {
  const type = "category";
  if (isResponse && levels.length === 2) {
    const [no, yes] = levels.map((level) => printableJson(JSON.stringify(level)));
    const remark = `1 is ${yes}, 0 is ${no}`;
    return { ...common, role: "response", type: "binary", range: [0, 1], order: levels, remark };
  }
  if (isResponse) return { ...common, role: "response", type, levels };
  const remark = levels.length === 1
    ? `every value is "${levels[0]}"`
    : levels.length > words.length / 2
    ? "nearly every row has a value of its own"
    : undefined;
  if (remark) return { ...common, role: "ignore", type, levels, remark };
  return { ...common, role: "predictor", type, levels };
}

function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= 0;
}

/** Whether numbers are those of rows: 0, 1, 2 …, or different ones under the name of an index. */
export function numbersRows(name: string, values: readonly number[]): boolean {
  return isRowNumber(values) || isRowIndex(name, values);
}

function isRowNumber(values: readonly number[]): boolean {
  return values.length > 2 && values.every((value, i) => value === values[0] + i) &&
    (values[0] === 0 || values[0] === 1);
}

/** Names under which pandas, R and spreadsheets write the number of a row. */
const indexNames = /^(|unnamed: ?\d+|index|level_0|row_?names?|row_?id|x|\.\.\.1|id)$/i;

/** Different whole numbers under such a name: an index, also where rows were left out or sorted. */
function isRowIndex(name: string, values: readonly number[]): boolean {
  return indexNames.test(name.trim()) && name !== "x" && values.length > 2 &&
    values.every(Number.isInteger) && new Set(values).size === values.length;
}

function isDate(text: string): boolean {
  return /^\d{4}[-/]\d{1,2}([-/]\d{1,2})?([T ].*)?$|^\d{1,2}[./]\d{1,2}[./]\d{2,4}$/.test(text);
}

const whatMissing = {
  drop: "rows that lack a value of a column below",
  model: "values that a measured predictor lacks are parameters; other rows are left out",
} as const;

/** Keys of the table beside the columns. */
interface DataStageKeys {
  readonly missing?: MissingRule;
  readonly confirm?: number;
  readonly na?: readonly string[];
  readonly frequency?: string;
}

/** The table of a pipeline with this reading: `[stages.data]` and its columns. */
export function dataStageToml(
  path: string,
  columns: readonly InspectedColumn[],
  { missing = "drop", confirm, na, frequency }: DataStageKeys = {},
): string {
  const used = columns.filter(({ role }) => role !== "ignore");
  const lines = used.map(({ name, role, type, resolution, remark, order, sum, recorded }) => {
    const words = [
      `role = "${role}"`,
      ...(type === "real" ? [] : [`type = "${type}"`]),
      ...(order === undefined ? [] : [`levels = ${JSON.stringify(order)}`]),
      ...(sum === undefined ? [] : [`sum = ${JSON.stringify(sum)}`]),
      ...(resolution === undefined ? [] : [`resolution = ${resolution}`]),
      ...(role === "response" && type === "real" && resolution === undefined && !recorded
        ? ['resolution = "continuous"']
        : []),
    ];
    return `${keyOf(name)} = { ${words.join(", ")} }${remark ? ` # ${remark}` : ""}`;
  });
  const gaps = used.some(({ missing }) => missing > 0);
  return [
    ...["[stages.data]", 'kind = "dataset"', `path = ${JSON.stringify(path)}`],
    ...(gaps && missing !== "error" ? [`missing = "${missing}" # ${whatMissing[missing]}`] : []),
    ...(na === undefined ? [] : [`na = ${JSON.stringify(na)}`]),
    ...(frequency === undefined ? [] : [`frequency = ${JSON.stringify(frequency)}`]),
    ...(confirm === undefined ? [] : [`confirm = ${confirm}`]),
    ...["", "[stages.data.columns]"],
    ...lines,
  ].join("\n");
}

function keyOf(name: string): string {
  return /^[A-Za-z0-9_-]+$/.test(name) ? name : JSON.stringify(name);
}
