/** Roles of the columns of a data file in a model space, which its formula gives them. */
import { InputError, inputError } from "../base/diagnostic.ts";
import { listed } from "../base/listed.ts";
import { nearest } from "../base/nearest.ts";
import { shellWords } from "../base/shell_words.ts";
import type { Resolution } from "../base/dataset.ts";
import type { InspectedColumn } from "../data/inspect.ts";
import {
  atNames,
  columnsIn,
  type Formula,
  kindOfNumbers,
  parseFormula,
  quoted,
  type SpaceName,
  termsIn,
} from "../gfn/spaces/mod.ts";
import type { AskedSpace } from "./asked_space.ts";
import { censoredColumn, eventColumn } from "./event_column.ts";

/** Columns to find: those of a space, of its formula, and of each role. */
type AskedColumns =
  & Pick<AskedSpace, "formula" | "time" | "group" | "resolution" | "levels" | "category">
  & Pick<AskedSpace, "families">
  & { readonly space: SpaceName };

/**
 * The columns with the roles that the space wants: events, times and groups of the formula. Columns
 * that it names are used even where `inspect` would not propose them.
 *
 * @throws InputError if the data have no column of a name, or one that does not suit its place.
 */
export function columnsOfSpace(
  columns: readonly InspectedColumn[],
  { space, formula, time, group, resolution, levels, category = new Map(), families }: AskedColumns,
): readonly InspectedColumn[] {
  const parsed = formula === undefined ? undefined : parseFormula(formula);
  const groups = new Set([
    ...parsed ? groupsOf(parsed) : [],
    ...group === undefined ? [] : [group],
  ]);
  const known = new Set(parsed ? knownNumbersOf(parsed) : []);
  const named = new Set(parsed ? [...columnsIn(parsed), ...known] : []);
  const clock = time ?? (space === "time_series" ? clockOf(columns) : undefined);
  const { event, censored, until, trialsOf = [] } = parsed?.response ?? {};
  const own = [event ?? [], censored ?? [], until ?? [], time ?? [], group ?? []].flat();
  const names = [...own, ...trialsOf, ...category.keys()];
  for (const one of names) requireColumn(columns, one);
  const factors = new Set(parsed ? factorsOf(parsed) : []);
  const kind = space === "regression"
    ? kindOfNumbers(families, parsed?.response ?? {}, parsed?.others)
    : undefined;
  const roles = columns.map((column): InspectedColumn => {
    const { name, role } = column;
    if (name === censored) return censoredColumn(column, until !== undefined);
    if (name === until) return { ...column, role: "limit", type: "real", remark: undefined };
    if (name === clock && role !== "response") return timeColumn(column);
    if (name === event) return eventColumn(column, levels);
    if (role === "response") {
      return recordedTo(resolution, settled(responseOf(column, space, levels), kind));
    }
    if (groups.has(name)) return groupOf(column);
    if (category.has(name)) return asCategory(column, category.get(name));
    if (factors.has(name)) return asCategory(column);
    if (role !== "ignore" || !named.has(name)) return column;
    if (!column.range || column.distinct < 2 && !known.has(name)) throw unusable(column);
    return { ...column, role: "predictor", remark: undefined };
  });
  return parsed?.response.trialsOf ? [...roles, sumOf(roles, parsed.response.trialsOf)] : roles;
}

/** Trials that are two columns of the file together. */
function sumOf(
  columns: readonly InspectedColumn[],
  sum: readonly [string, string],
): InspectedColumn {
  const missing = sum.map((name) => columns.find((one) => one.name === name)!.missing);
  const own = { role: "predictor", type: "real", distinct: 2, sum } as const;
  return { ...own, name: sum.join(" + "), missing: Math.max(...missing) };
}

/** Whole numbers as the named families, or the left side, read them; drops the remark that this settles. */
function settled(
  column: InspectedColumn,
  kind: "measured" | "counted" | undefined,
): InspectedColumn {
  const { type, range, resolution } = column;
  if (!range || kind === undefined || type === "category") return column;
  const numbers = numbersOf(column);
  if (numbers) {
    return kind === "measured"
      ? { ...numbers, type: "real", resolution: 1 }
      : numbers.range![0] >= 0
      ? { ...numbers, type: "count" }
      : column;
  }
  const plain = { ...column, remark: column.order ? column.remark : undefined, hint: undefined };
  if (kind === "measured") {
    return type === "real" || column.order ? plain : { ...plain, type: "real", resolution: 1 };
  }
  const isWhole = type === "binary" || resolution !== undefined && Number.isInteger(resolution);
  return isWhole && range[0] >= 0 ? { ...plain, type: "count", resolution: undefined } : plain;
}

/** A yes and no that the file writes as two whole numbers, as these numbers. */
function numbersOf(column: InspectedColumn): InspectedColumn | undefined {
  const range = column.type === "binary" ? column.order?.map(Number) : undefined;
  if (!range?.every(Number.isInteger)) return undefined;
  const [least, most] = range;
  return { ...column, order: undefined, range: [least, most], remark: undefined, hint: undefined };
}

/**
 * The columns that a space reads: those of its formula, and those that group rows. A missing value
 * of any other column does not matter.
 *
 * @throws InputError where the formula names no column.
 */
export function columnsRead(
  columns: readonly InspectedColumn[],
  formula: string,
  group?: string,
): readonly InspectedColumn[] {
  const parsed = parseFormula(formula);
  const groups = new Set(groupsOf(parsed));
  const named = new Set([...columnsIn(parsed), ...groups, ...knownNumbersOf(parsed)]);
  atNames(formula, () => requireNamed(columns, [parsed.response.column, ...named]));
  const isRead = ({ name, role }: InspectedColumn) =>
    named.has(name) || name === group || always.has(role);
  return columns.map((column) => {
    if (!isRead(column)) return { ...column, role: "ignore" };
    return groups.has(column.name) ? groupOf(column) : column;
  });
}

function groupOf(column: InspectedColumn): InspectedColumn {
  return { ...column, role: "group", type: "category", remark: undefined, hint: undefined };
}

/**
 * A predictor whose values are names.
 *
 * @param order its levels, if the user gives them.
 * @throws InputError unless the order has each level once.
 */
function asCategory(column: InspectedColumn, order?: readonly string[]): InspectedColumn {
  const own = {
    ...column,
    type: "category",
    range: undefined,
    remark: undefined,
    hint: undefined,
    named: true,
  } as const;
  const role = column.role === "response" ? "response" : "predictor";
  if (!order) return { ...own, role };
  const known = column.levels ?? column.codes?.map(String);
  if (known) requireOrder(column.name, "--category", order, known);
  return { ...own, role, order, ordered: true };
}

/** Columns that stand in `factor(…)` and nowhere else: as numbers they would be read twice. */
function factorsOf(formula: Formula): string[] {
  const factors = termsIn(formula).flatMap((term) => {
    if (term.kind === "group") return term.slopes;
    return term.kind === "offset" ? [term.factor] : term.factors;
  });
  const others = new Set(factors.filter(({ kind }) => kind !== "levels").map((one) => one.column));
  return factors.map(({ column }) => column).filter((column) => !others.has(column));
}

/** Roles of columns that no formula has to name on its right side. */
const always: ReadonlySet<string> = new Set(["response", "event", "limit", "time"]);

/** A column that explains nothing, though the formula names it. */
function unusable({ name, distinct, remark, strange }: InspectedColumn) {
  const why = distinct < 2 ? "it is the same in every row" : remark ?? "it holds no numbers";
  const hint = distinct < 2
    ? "leave it out: it can explain nothing"
    : strange
    ? hintOfStrange(name, strange)
    : `leave it out, or make it a group: (1 | ${quoted(name)})`;
  return inputError(
    "init/unusable",
    `Cannot use "${name}" as a predictor: ${why}`,
    undefined,
    hint,
  );
}

/** A hint about cells that are no numbers among such that are. */
export function hintOfStrange(name: string, strange: readonly string[]): string {
  const isLimit = strange.every((word) => /^[<>≤≥]/.test(word));
  return isLimit
    ? `of values beyond a limit write the limit, and left or right (none elsewhere) in a column c: ` +
      `${quoted(name)} | cens(c) ~ …`
    : `if these cells stand for missing values, ${
      shellWords(["--na", strange.slice(0, 12).join(",")])
    }; else correct them`;
}

/** A response with a declared step is a measurement. */
function recordedTo(
  resolution: Resolution | undefined,
  column: InspectedColumn,
): InspectedColumn {
  if (resolution === undefined) return column;
  const step = resolution === "continuous" ? undefined : resolution;
  return { ...column, type: "real", resolution: step, remark: undefined, hint: undefined };
}

/** Spaces whose response is a measurement, also where it was recorded in whole units. */
const measured: ReadonlySet<SpaceName> = new Set([
  ...["growth", "survival", "time_series", "gaussian_process"] as const,
]);

function responseOf(
  column: InspectedColumn,
  space: SpaceName,
  order?: readonly string[],
): InspectedColumn {
  if (space === "ordinal") return order ? inOrder(column, order) : inLevels(column);
  const numbers = measured.has(space) ? numbersOf(column) : undefined;
  if (numbers) return { ...numbers, type: "real", resolution: 1 };
  if (column.type === "real" && measured.has(space)) return { ...column, hint: undefined };
  if (column.type !== "count" || !measured.has(space)) return column;
  const remark = "a measurement in whole units";
  return { ...column, type: "real", resolution: 1, remark, hint: undefined };
}

/** Levels in the given order. @throws InputError unless it has each of them once. */
function inOrder(column: InspectedColumn, order: readonly string[]): InspectedColumn {
  requireOrder(column.name, "--levels", order, column.levels ?? []);
  return { ...column, type: "category", order, remark: undefined };
}

/** @throws InputError unless an order has each level once. */
function requireOrder(
  name: string,
  flag: string,
  order: readonly string[],
  levels: readonly string[],
): void {
  const known = new Set(levels);
  const isWhole = order.length === known.size && new Set(order).size === known.size &&
    order.every((level) => known.has(level));
  if (isWhole) return;
  const message = `Cannot order the levels of "${name}" by ${flag} ${order.join(",")}`;
  const held = levels.length > 0 ? listed(levels) : "no words";
  throw inputError("init/levels", message, undefined, `name each once; it holds ${held}`);
}

/** Whole numbers from one to another are levels in their order; words have no known order. */
function inLevels(column: InspectedColumn): InspectedColumn {
  const { name, type, range, levels } = column;
  if (column.order) return { ...column, type: "category", remark: undefined };
  if (type === "category") {
    const message = `Cannot order the levels of "${name}": ${listed(levels!)} are words`;
    const hint = "say their order, the least first: --levels LEAST,…,MOST";
    throw inputError("init/levels", message, undefined, hint);
  }
  if (!range || !range.every(Number.isInteger) || range[1] - range[0] > 40) {
    const message = `Cannot use "${name}" as levels: its values are no few whole numbers`;
    throw inputError("init/levels", message, undefined, "ordered levels are 1, 2, 3, … or words");
  }
  const order = Array.from({ length: range[1] - range[0] + 1 }, (_, i) => `${range[0] + i}`);
  return { ...column, type: "category", order, resolution: undefined, remark: undefined };
}

/** The column that is most likely the time: a number called so. */
function clockOf(columns: readonly InspectedColumn[]): string | undefined {
  const numbers = columns.filter(({ role, range, dates }) =>
    role !== "response" && (range || dates)
  );
  return numbers.find(({ name }) => /^(time|year|month|week|day|date|t|quarter|hour)$/i.test(name))
    ?.name;
}

function timeColumn(column: InspectedColumn): InspectedColumn {
  if (column.range || column.dates) {
    return { ...column, role: "time", type: "real", remark: undefined };
  }
  const message = `Cannot order the rows by "${column.name}": it holds no numbers`;
  const hint = "write times as numbers, or as dates: 2024-05-31";
  throw inputError("init/time", message, undefined, hint);
}

/** @throws InputError where a formula names what is no column, for its place there. */
function requireNamed(columns: readonly InspectedColumn[], named: readonly string[]): void {
  const known = columns.map(({ name }) => name);
  const strange = named.find((name) => !known.includes(name));
  if (strange === undefined) return;
  const meant = nearest(strange, known);
  const near = meant ? `did you mean "${meant}"? ` : "";
  const said = strange === "row" ? "for (1 | row) add a column that numbers the rows; " : near;
  const hint = `${said}columns: ${listed(known)}`;
  const message = `Cannot use "${strange}": the data have no such column`;
  const param = ["formula", strange];
  throw new InputError([{ code: "init/column", severity: "error", message, hint, param }]);
}

function requireColumn(columns: readonly InspectedColumn[], name: string): void {
  if (columns.some((column) => column.name === name)) return;
  const known = columns.map((column) => column.name);
  const meant = nearest(name, known);
  const hint = `${meant ? `did you mean "${meant}"? ` : ""}columns: ${known.join(", ")}`;
  throw inputError("init/column", `There is no column "${name}"`, undefined, hint);
}

function groupsOf(formula: Formula): string[] {
  return termsIn(formula).flatMap((term) => term.kind === "group" ? term.groups : []);
}

/** Trials and errors of measurements: known of every row, and perhaps the same in all. */
function knownNumbersOf({ response: { trials, error } }: Formula): string[] {
  return [trials ?? [], error ?? []].flat();
}
