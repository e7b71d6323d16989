/** Findings about a formula beside its file, before anything is scored: causes of a certain and wrong answer. */
import {
  alikeIn,
  alikeNext,
  chanceOf,
  type Explaining,
  leftBy,
  mostByChance,
} from "../data/alike_rows.ts";
import { datesAsNumbers } from "../data/dates.ts";
import { hintOfRepeated } from "../data/hints.ts";
import type { InspectedColumn } from "../data/inspect.ts";
import type { Cell, RawTable } from "../data/raw_table.ts";
import { isMissing, numericCell } from "../data/typed_dataset.ts";
import { columnsIn, type Formula, parseFormula, quoted, termsIn } from "../gfn/spaces/mod.ts";
import { log } from "../numerics/math/mod.ts";
import type { AskedSpace } from "./asked_space.ts";

/** A file as it was read, and as its columns are taken for. */
interface Read {
  readonly table: RawTable;
  readonly columns: readonly InspectedColumn[];
}

/**
 * Findings: a total instead of failures, an offset without its logarithm, rows that are alike by a
 * column that the formula leaves out, or because they follow one another.
 *
 * @param asked with its formula.
 * @param families that are compared.
 */
export function formulaFindings(
  { table, columns }: Read,
  asked: AskedSpace & { readonly formula: string },
  families: readonly string[] = [],
): readonly string[] {
  const formula = parseFormula(asked.formula);
  return [
    ...totals(table, formula),
    ...plainOffsets(table, columns, formula),
    ...zerosDepend(table, columns, formula, families),
    ...frequencies(table, columns, formula),
    ...alike(table, columns, formula, asked),
  ];
}

function numbersOf(table: RawTable, name: string): number[] {
  return (table.columns.get(name) ?? []).map((cell) => isMissing(cell) ? NaN : numericCell(cell));
}

/** `cbind(a, n)`: R has failures there, and users the number of trials. */
function totals(table: RawTable, { response }: Formula): string[] {
  if (!response.trialsOf) return [];
  const [hits, misses] = response.trialsOf;
  const [a, b] = [numbersOf(table, hits), numbersOf(table, misses)];
  const isTotal = a.every((one, row) => !(b[row] < one)) && a.some((one, row) => b[row] > one);
  return isTotal
    ? [
      `${misses} is at least ${hits} in every row: if it is the number of trials, and not of ` +
      `failures, write ${quoted(hits)} | trials(${quoted(misses)})`,
    ]
    : [];
}

/** Amounts that are added to the logarithm of a rate as they are. */
function plainOffsets(
  table: RawTable,
  columns: readonly InspectedColumn[],
  formula: Formula,
): string[] {
  const isCount = columns.some(({ role, type }) => role === "response" && type === "count");
  if (!isCount || formula.response.trials !== undefined) return [];
  return termsIn(formula).flatMap((term) => {
    if (term.kind !== "offset" || term.factor.kind !== "column" || term.factor.by) return [];
    const { column } = term.factor;
    const isAmount = numbersOf(table, column).every((one) => !(one <= 0));
    if (!isAmount || /^(log|ln)/i.test(column)) return [];
    return [
      `offset(${column}) multiplies the rate by exp(${column}): if it is how long, or on how much, ` +
      `was counted, write offset(log(${quoted(column)}))`,
    ];
  });
}

/** The chance above which the counts of other rows do not follow the columns: zeros of small means do. */
const leastByChance = 0.05;

/**
 * Families of which all rows have one share of zeros, where zeros follow the formula's columns; of counts,
 * where the others do not, for zeros of counts follow their mean.
 */
function zerosDepend(
  table: RawTable,
  columns: readonly InspectedColumn[],
  formula: Formula,
  families: readonly string[],
): string[] {
  const name = families.find((one) => /^(zero_inflated|hurdle)_/.test(one));
  if (name === undefined || formula.others.length > 0) return [];
  const rows = completeRows(table, namedIn(formula));
  const y = numbersOf(table, formula.response.column);
  const isZero = rows.map((row) => y[row] === 0 ? 1 : 0);
  const others = rows.filter((row) => y[row] > 0);
  const chanceIn = (values: readonly number[], own: readonly number[]) =>
    chanceOf(values, explaining(table, columns, formula, own));
  const isCount = columns.some(({ role, type }) => role === "response" && type === "count");
  const follow = rows.length >= fewestRows && chanceIn(isZero, rows) < mostByChance &&
    (!isCount || chanceIn(others.map((row) => log(y[row])), others) > leastByChance);
  if (!follow) return [];
  const word = name.startsWith("hurdle_") ? "hu" : "zi";
  return [
    `zeros of ${formula.response.column} follow the columns of the formula, and ${name} has one share ` +
    `of zeros in all rows: ask \`; ${word} ~ [x]\` as well`,
  ];
}

const frequencyNames = /^(freq(uency|uencies)?|counts?|n|wt|weights?|num(ber)?|cases)$/i;

/** A table of frequencies whose frequencies the formula leaves out. */
function frequencies(
  table: RawTable,
  columns: readonly InspectedColumn[],
  formula: Formula,
): string[] {
  const named = new Set(namedIn(formula));
  const others = columns.filter(({ name }) => !frequencyNames.test(name));
  const rows = Array.from(
    { length: table.rows },
    (_, row) => others.map(({ name }) => String(table.columns.get(name)![row])).join("\u0000"),
  );
  const isTable = others.length > 1 && new Set(rows).size === rows.length &&
    others.every(({ levels, codes, type }) => levels || codes || type === "binary");
  return columns.filter(({ name }) => frequencyNames.test(name) && !named.has(name) && isTable)
    .filter(({ name }) => numbersOf(table, name).every((one) => Number.isInteger(one) && one >= 0))
    .map(({ name }) =>
      `${name} says, it seems, how many equal rows each row stands for: add --frequency ${name}, or ` +
      "each counts once"
    );
}

/** Columns that a formula names anywhere. */
function namedIn(formula: Formula): string[] {
  const { column, trials, trialsOf, event, error, censored } = formula.response;
  const groups = termsIn(formula).flatMap((term) => term.kind === "group" ? term.groups : []);
  const own = [trials, event, error, censored].filter((name) => name !== undefined);
  return [column, ...own, ...(trialsOf ?? []), ...columnsIn(formula), ...groups];
}

const fewestRows = 20;
const fewestGroups = 5;
const clocks = /^(time|year|month|week|day|date|t|quarter|hour)$/i;
const groupNames =
  /(^|[_. ])(id|subject|patient|person|participant|pupil|school|class|clinic|hospital|site|plot|batch|block|herd|litter|animal|nest|pair|team|player|lab|study|group|cluster|county|village|household|store|firm)([_. ]?(id|no|nr|num|number|code))?$/i;

/** Rows that are alike by a column that the formula leaves out. */
function alike(
  table: RawTable,
  columns: readonly InspectedColumn[],
  formula: Formula,
  { space = "regression", time, group }: AskedSpace,
): string[] {
  const { column: y, event, censored } = formula.response;
  const response = columns.find(({ name }) => name === y);
  if (space !== "regression" || (event ?? censored ?? response?.levels)) return [];
  const named = new Set([...namedIn(formula), group]);
  const rows = completeRows(table, [...named].filter((name) => name !== undefined));
  if (rows.length < fewestRows) return [];
  const left = leftBy(
    responseOf(table, formula, rows, response),
    explaining(table, columns, formula, rows),
  );
  const found = columns.filter(({ name }) => !named.has(name) && name !== time).flatMap(
    (column) => {
      const groups = groupsOf(table, column, rows);
      const correlation = groups && alikeIn(left, groups);
      return correlation === undefined ? [] : [{ name: column.name, correlation }];
    },
  ).sort((a, b) => b.correlation - a.correlation).slice(0, 2).map(({ name, correlation }) =>
    `${name}: rows of one value are alike in what the formula leaves of ${y} (intraclass correlation ` +
    `${correlation.toFixed(2)}); without (1 | ${quoted(name)}), or --group ${name} --unit group, ` +
    "intervals are too narrow"
  );
  return [...found, ...(time === undefined ? following(table, columns, left.values, rows, y) : [])];
}

/** Rows that lack a value of none of the columns. */
function completeRows(table: RawTable, names: readonly string[]): number[] {
  const used = names.map((name) => table.columns.get(name)).filter((cells) => cells !== undefined);
  return Array.from({ length: table.rows }, (_, row) => row)
    .filter((row) => used.every((cells) => !isMissing(cells[row])));
}

/** The response as least squares take it: counts and positive times by the logarithm, trials as shares. */
function responseOf(
  table: RawTable,
  { response }: Formula,
  rows: readonly number[],
  column?: InspectedColumn,
): number[] {
  const y = valuesOf(table, response.column, column);
  const totals = response.trialsOf
    ? numbersOf(table, response.trialsOf[0]).map((a, row) =>
      a + numbersOf(table, response.trialsOf![1])[row]
    )
    : response.trials === undefined
    ? undefined
    : numbersOf(table, response.trials);
  return rows.map((row) => {
    if (totals) return y[row] / totals[row];
    return response.by === "log" || column?.type === "count" ? log(y[row] + 0.5) : y[row];
  }).map((one) => Number.isFinite(one) ? one : 0);
}

/** Numbers of a column; of two words 0 and 1. */
function valuesOf(table: RawTable, name: string, column?: InspectedColumn): number[] {
  const { order } = column ?? {};
  if (!order) return numbersOf(table, name);
  return table.columns.get(name)!.map((cell) => order.indexOf(String(cell)));
}

/** The formula's columns: those of groups and categories by name, offsets by their logarithm. */
function explaining(
  table: RawTable,
  columns: readonly InspectedColumn[],
  formula: Formula,
  rows: readonly number[],
): Explaining[] {
  const terms = termsIn(formula);
  const named = new Set(terms.flatMap((term) => {
    if (term.kind === "group") return term.groups;
    if (term.kind === "offset") return [];
    return term.factors.flatMap(({ kind, column }) => kind === "levels" ? [column] : []);
  }));
  return [...new Set([...columnsIn(formula), ...named])].flatMap((name) => {
    const cells = table.columns.get(name);
    if (!cells) return [];
    const words = named.has(name) || columns.find((one) => one.name === name)?.levels;
    const own = words
      ? rows.map((row) => String(cells[row]))
      : rows.map((row) => numericCell(cells[row]));
    return [own.every((one) => typeof one === "string" || Number.isFinite(one)) ? own : []]
      .filter(({ length }) => length > 0) as Explaining[];
  });
}

/** The values of a column that may say which rows belong together. */
function groupsOf(
  table: RawTable,
  { name, levels }: InspectedColumn,
  rows: readonly number[],
): string[] | undefined {
  const cells = table.columns.get(name)!;
  if (rows.some((row) => isMissing(cells[row]))) return undefined;
  const values = rows.map((row) => String(cells[row]));
  const k = new Set(values).size;
  if (k < fewestGroups || 2 * k > values.length) return undefined;
  const numbers = rows.map((row) => numericCell(cells[row]));
  const isGroup = levels !== undefined || numbers.every(Number.isInteger) &&
      (groupNames.test(name) || hintOfRepeated(name, numbers) !== undefined);
  return isGroup ? values : undefined;
}

/** Rows that are alike because one follows the other. */
function following(
  table: RawTable,
  columns: readonly InspectedColumn[],
  left: Float64Array,
  rows: readonly number[],
  y: string,
): string[] {
  const clock = columns.find(({ name }) => clocks.test(name));
  const cells = clock && rows.map((row) => table.columns.get(clock.name)![row]);
  const order = cells && timesOf(cells);
  if (!order || order.some(Number.isNaN) || new Set(order).size < 0.9 * order.length) return [];
  const correlation = alikeNext(left, order);
  return correlation === undefined ? [] : [
    `${clock!.name}: rows next to each other in it are alike in what the formula leaves of ${y} ` +
    `(autocorrelation ${
      correlation.toFixed(2)
    }), which leaving out single rows takes for foresight: ` +
    `--space time_series --time ${clock!.name} judges each row by those before it`,
  ];
}

function timesOf(cells: readonly Cell[]): readonly number[] | undefined {
  const numbers = cells.map((cell) => isMissing(cell) ? NaN : numericCell(cell));
  return numbers.every(Number.isFinite) ? numbers : datesAsNumbers(cells.map(String));
}
