/** The data of `sluice score`: a table or a dictionary of arrays, with the response that fits. */
import type { MissingRule } from "../data/missing_rules.ts";
import { basename } from "node:path";
import { type ColumnRole, type Dataset, makeDataset, type Resolution } from "../base/dataset.ts";
import { inputError } from "../base/diagnostic.ts";
import type { Execution } from "../engine/score/execution/mod.ts";
import { listed } from "../base/listed.ts";
import { nearest } from "../base/nearest.ts";
import { joinedResponse } from "../data/joined_response.ts";
import { arrayColumn, namedArrays } from "../data/named_arrays.ts";
import { type Cell, parseTable, type RawTable } from "../data/raw_table.ts";
import { numbersRows } from "../data/inspect.ts";
import { recordedColumn } from "../data/resolution.ts";
import { type ColumnSpec, isMissing, numericCell, typedDataset } from "../data/typed_dataset.ts";
import type { Categories } from "./asked_space.ts";
import { readInput } from "./input_file.ts";

/** Flags of the command line about the columns. */
export interface DataOptions {
  readonly response?: string;
  readonly resolution?: Resolution;
  readonly group?: string;
  readonly time?: string;
  readonly missing?: MissingRule;
  /** Columns whose values are names, with their levels in order where the user gives it. */
  readonly category?: Categories;
  /** Bytes that the data file may have. */
  readonly maxFileSize?: number;
}

/** How many faults a program has on a data set; found in a worker. */
export type FaultsOn = (data: Dataset) => Promise<number>;

/** Columns that are tried as the response, at most, where the program does not determine it. */
const mostCandidates = 16;

/** Columns of a table up to which those that hold numbers are data even if the program names them not. */
const mostUnnamed = 4096;

/**
 * Reads a data file for a program. Without a named response the columns that the program observes are tried,
 * up to sixteen, and the first with which it has the fewest faults is taken; another column takes their place if it has
 * none with that. The text is
 * searched for names of columns, and not read in any other way.
 *
 * @throws InputError, if the file cannot be read or lacks a column that was named.
 */
export async function readScoreData(
  file: string,
  source: string,
  options: DataOptions,
  faultsOn: FaultsOn,
): Promise<Dataset> {
  const bytes = readInput(file, options.maxFileSize);
  const arrays = file.toLowerCase().endsWith(".json")
    ? namedArrays(new TextDecoder().decode(bytes), file)
    : undefined;
  if (arrays && options.category) {
    const message = `Cannot use --category with ${file}: it is a dictionary of arrays`;
    throw inputError("data/category", message, undefined, "write its names as texts");
  }
  const table = arrays ? undefined : await parseTable(bytes, file);
  const names = arrays ? [...arrays.keys()] : usedColumns(table!, source, options);
  const named = [
    ...[askedResponse(options.response, names) ?? []].flat(),
    options.group,
    options.time,
    ...options.category?.keys() ?? [],
  ];
  for (const name of named) {
    if (name === undefined || names.includes(name)) continue;
    const message = `Cannot use ${file}: there is no column "${name}"`;
    const near = nearest(name, names);
    const hint = `${near ? `did you mean "${near}"? C` : "c"}olumns: ${listed(names)}`;
    throw inputError("data/missing-column", message, undefined, hint);
  }
  const build = (response: Candidate) => {
    const [first, ...more] = typeof response === "string" ? [response] : response;
    const roleOf = (name: string) => roleIn(name, first, options);
    if (!arrays) {
      const missing = options.missing ?? (isFilled ? "model" : "error");
      const data = tableDataset(table!, names, roleOf, { ...options, missing }, source);
      return more.length === 0 ? data : joinedResponse(data, [first, ...more]);
    }
    const rows = arrays.get(first)!.shape[0] ?? 1;
    const columns = names.map((name) => arrayColumn(name, arrays.get(name)!, roleOf(name), rows));
    return makeDataset(basename(file), columns);
  };
  const isFilled = table !== undefined && options.missing === undefined &&
    fills(table, names, source);
  const numeric = (name: string) =>
    arrays
      ? !arrays.get(name)!.categories
      : isFilled
      ? isNumeric(table!, name)
      : isNumericOrMissing(table!, name);
  const asked = askedResponse(options.response, names);
  const observed = withoutNames(
    table,
    observedIn(source.replace(readers, "frame").replace(keyed, ""), names),
  );
  const others = names.filter(numeric);
  const candidates = [observed, others.length > 0 ? others : names];
  const data = asked ? build(asked) : await fittingFirst(candidates, build, faultsOn);
  return withResolution(data, options.resolution);
}

/** Whether the program fills what columns of numbers lack, and no other column that it uses lacks something. */
function fills(table: RawTable, names: readonly string[], source: string): boolean {
  const lacking = names.filter((name) => table.columns.get(name)!.some(isMissing));
  return /\.(?:fillna|isna|isnull|notna|notnull)\s*\(/.test(source) && lacking.length > 0 &&
    lacking.every((name) => isNumericOrMissing(table, name));
}

/** The data with a response of the first candidates, unless one of the second alone has no fault. */
async function fittingFirst(
  [observed, others]: readonly (readonly Candidate[])[],
  build: (response: Candidate) => Dataset,
  faultsOn: FaultsOn,
): Promise<Dataset> {
  if (observed.length === 0) return (await fitting(others, build, faultsOn)).data;
  const named = new Set(observed.map(String));
  const rest = others.filter((one) => !named.has(`${one}`));
  if (rest.length === 0) return (await fitting(observed, build, faultsOn)).data;
  const first = await fitting(observed, build, faultsOn, true);
  if (first.faults === 0) return first.data;
  const second = await fitting(rest, build, faultsOn, true);
  return second.faults === 0 ? second.data : first.data;
}

/** `--response y`, or `--response left,right` of rows that are vectors. */
function askedResponse(asked: string | undefined, names: readonly string[]): Candidate | undefined {
  return asked === undefined || names.includes(asked) || !asked.includes(",")
    ? asked
    : asked.split(",");
}

function noneNamed({ file }: RawTable, all: readonly string[]): Error {
  const message = `Cannot use ${file}: the program names none of its ${all.length} columns`;
  return inputError("data/missing-column", message, undefined, `columns: ${listed(all)}`);
}

/** Whether no cell is a number: a column of names. */
function isText(table: RawTable, name: string): boolean {
  return !table.columns.get(name)!.some((cell) => Number.isFinite(numericCell(cell)));
}

/** Numbers and gaps only. */
function isNumericOrMissing(table: RawTable, name: string): boolean {
  const cells = table.columns.get(name)!;
  return !isText(table, name) &&
    cells.every((cell) => isMissing(cell) || Number.isFinite(numericCell(cell)));
}

function isNumeric(table: RawTable, name: string): boolean {
  return table.columns.get(name)!.every((cell) => Number.isFinite(numericCell(cell)));
}

function roleIn(name: string, response: string, { group, time }: DataOptions): ColumnRole {
  if (name === response) return "response";
  return name === group ? "group" : name === time ? "time" : "predictor";
}

/** The data with the step that the response was recorded to: the one asked for, or that its values show. */
function withResolution(data: Dataset, asked: Resolution | undefined): Dataset {
  const columns = data.columns.map((column) => {
    if (column.role !== "response") return column;
    const { resolution: _, resolutionInferred: _inferred, cells: _cells, ...plain } = column;
    const own = asked === undefined ? plain : { ...plain, resolution: asked };
    return recordedColumn(data.name, own);
  });
  return makeDataset(data.name, columns, data.dropped);
}

/** The data with the response that fits best, and its faults; a single candidate is checked only on demand. */
async function fitting(
  candidates: readonly Candidate[],
  build: (response: Candidate) => Dataset,
  faultsOn: FaultsOn,
  isCounted = false,
): Promise<{ readonly data: Dataset; readonly faults: number }> {
  const isAlone = candidates.every((one) => `${one}` === `${candidates[0]}`);
  if (isAlone && !isCounted) return { data: build(candidates[0]), faults: 0 };
  let best: Dataset | undefined;
  let fewest = Infinity;
  for (const one of candidates.slice(0, mostCandidates)) {
    const data = build(one);
    const count = await faultsOn(data);
    if (count < fewest) [best, fewest] = [data, count];
    if (count === 0) break;
  }
  return { data: best ?? build(candidates[0]), faults: fewest };
}

/** A column, or several whose rows are one vector each. */
type Candidate = string | readonly string[];

/** The columns that the text observes, through a few variables at most; all, if it names none. */
function observedIn(source: string, names: readonly string[]): readonly Candidate[] {
  const given = assignments(source);
  let texts = [...source.matchAll(/\bobserved\s*=(?!=)/g)].map((match) =>
    expressionAt(source, match.index + match[0].length)
  );
  const seen = new Set<string>();
  for (let step = 0; step < 6 && texts.length > 0; step++) {
    const found = texts.map((text) => columnsIn(text, names)).filter((one) => one !== undefined);
    if (found.length > 0) return [...new Map(found.map((one) => [`${one}`, one])).values()];
    const words = [
      ...new Set(texts.flatMap((text) => text.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? [])),
    ]
      .filter((word) => !seen.has(word));
    for (const word of words) seen.add(word);
    texts = words.flatMap((word) => given.get(word) ?? []);
  }
  return [];
}

/** Calls that read a file: names in them are columns of dates, or name the rows. */
const readers = /\b\w+\.read_\w+\([^()]*\)/g;

/** Calls whose names are keys, and no values. */
const keyed = /\.(?:groupby|sort_values|set_index|drop|merge)\((?:[^()]|\([^()]*\))*\)/g;

/** Candidates but for columns whose every row has a name of its own, if others are left. */
function withoutNames(
  table: RawTable | undefined,
  candidates: readonly Candidate[],
): readonly Candidate[] {
  const kept = candidates.filter((one) => {
    const cells = typeof one === "string" ? table?.columns.get(one) : undefined;
    return !cells || !isText(table!, one as string) || new Set(cells).size < cells.length;
  });
  return kept.length > 0 ? kept : candidates;
}

/** The column that an expression names first, `data["y"]` or `frame.y`, or a list of columns. */
function columnsIn(text: string, names: readonly string[]): Candidate | undefined {
  const word = String.raw`"[^"]*"|'[^']*'`;
  const pattern = new RegExp(
    String.raw`\[\s*((?:${word})(?:\s*,\s*(?:${word}))+)|${word}|\.[\p{L}_][\p{L}\p{N}_]*`,
    "gu",
  );
  for (const [found, list] of text.matchAll(pattern)) {
    const several = [...list?.matchAll(new RegExp(word, "g")) ?? []].map(([one]) =>
      one.slice(1, -1)
    );
    if (several.length > 1 && several.every((name) => names.includes(name))) return several;
    const name = found.startsWith(".") ? found.slice(1) : found.slice(1, -1);
    if (names.includes(name)) return name;
  }
  return undefined;
}

/** The text from a place to the comma, bracket or line that ends an expression. */
function expressionAt(source: string, start: number): string {
  let depth = 0;
  for (let at = start; at < source.length; at++) {
    const c = source[at];
    if ("([{".includes(c)) depth += 1;
    else if (")]}".includes(c)) depth -= 1;
    if (depth < 0 || (depth === 0 && (c === "," || c === "\n"))) return source.slice(start, at);
  }
  return source.slice(start);
}

/** Each variable's assignment in the text, and to each column that it adds. */
function assignments(source: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const pattern = /^[ \t]*([\p{L}\p{N}_, \t]+|\w+\[["'][^"']+["']\])[ \t]*=(?!=)/gmu;
  for (const match of source.matchAll(pattern)) {
    const text = wholeExpression(source, match.index + match[0].length);
    for (const word of match[1].match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? []) {
      found.set(word, [...found.get(word) ?? [], text]);
    }
  }
  return found;
}

/** As `expressionAt`, of an assignment: commas make a tuple. */
function wholeExpression(source: string, start: number): string {
  let text = expressionAt(source, start);
  while (source[start + text.length] === ",") {
    text += `,${expressionAt(source, start + text.length + 1)}`;
  }
  return text;
}

/** Whether the text has a name in quotes, or as `frame.name`, whatever comes after it. */
function mentionsIn(text: string): (name: string) => boolean {
  const words = text.split(/[^\p{L}\p{N}_.]/u).flatMap((word) => word.split(".").slice(1));
  const members = new Set(words);
  const quoted = new Set(['"', "'"].flatMap((quote) => text.split(quote).slice(1, -1)));
  const formulas = [...text.matchAll(/\bdmatri(?:x|ces)\(\s*(?:"([^"]*)"|'([^']*)')/g)];
  const inFormulas = new Set(formulas.flatMap(([, a, b]) => (a ?? b).split(/[^\p{L}\p{N}_.]/u)));
  return (name) => quoted.has(name) || members.has(name) || inFormulas.has(name);
}

/** Remarks on columns that number the rows and that the program names as predictors. */
export function indexFindings({ columns }: Dataset, source: string): string[] {
  const mentions = mentionsIn(source);
  return columns.filter(({ name, role, values, categories, shape, gapsOf }) =>
    role === "predictor" && !categories && !shape && gapsOf === undefined && mentions(name) &&
    numbersRows(name, [...values])
  ).map(({ name }) =>
    `${name} numbers the rows: as a predictor it says nothing, unless their order does`
  );
}

/** Number of errors of an execution, an unobserved response counting most. */
export function faults({ status, diagnostics }: Execution): number {
  if (status !== "rejected") return 0;
  return diagnostics.reduce((sum, { code }) => sum + (code.startsWith("lh/") ? 100 : 1), 0);
}

/** The order that the program gives the levels of a column of words: a list of them, or numbers by word from 0. */
function levelsIn(source: string, cells: readonly Cell[]): readonly string[] | undefined {
  if (!/\b(categories\s*=|CategoricalDtype|set_categories|reorder_categories|map\()/.test(source)) {
    return undefined;
  }
  const words = new Set(cells.filter((cell) => !isMissing(cell)).map(String));
  const text = String.raw`(?:"[^"\n]*"|'[^'\n]*')`;
  const list = new RegExp(String.raw`\[\s*(${text}(?:\s*,\s*${text})*)\s*,?\s*\]`, "g");
  const table = new RegExp(
    String.raw`\{\s*(${text}\s*:\s*\d+(?:\s*,\s*${text}\s*:\s*\d+)*)\s*,?\s*\}`,
    "g",
  );
  for (const pattern of [list, table]) {
    for (const [, inner] of source.matchAll(pattern)) {
      const found = [...inner.matchAll(new RegExp(String.raw`(${text})(?:\s*:\s*(\d+))?`, "g"))];
      const levels = found.map(([, word, code], k) =>
        [Number(code ?? k), word.slice(1, -1)] as const
      )
        .sort((a, b) => a[0] - b[0]);
      const isWhole = words.size === levels.length && levels.every(([, word]) => words.has(word));
      if (isWhole && levels.every(([code], k) => code === k)) return levels.map(([, word]) => word);
    }
  }
  return undefined;
}

function tableDataset(
  table: RawTable,
  names: readonly string[],
  roleOf: (name: string) => ColumnRole,
  { missing = "error", category }: DataOptions,
  source: string,
): Dataset {
  const specs = names.map((name): [string, ColumnSpec] => {
    const declared = table.declared?.get(name);
    const levels = category?.get(name) ?? declared?.levels ??
      (roleOf(name) === "response" ? levelsIn(source, table.columns.get(name)!) : undefined);
    const isNamed = category?.has(name) || declared !== undefined || isText(table, name);
    return [name, {
      role: roleOf(name),
      ...(isNamed && { type: "category" as const }),
      ...(levels && { levels }),
    }];
  });
  return typedDataset(basename(table.file), table, Object.fromEntries(specs), missing);
}

/** Whether the text takes columns of the frame that it reads by their number, or counts them: all of them then count. */
function countsColumns(source: string): boolean {
  const frames = [...source.matchAll(/^[ \t]*(\w+)\s*=\s*\w+\.read_\w+\(/gm)].map(([, name]) =>
    name
  );
  return frames.some((name) =>
    new RegExp(
      String
        .raw`\b${name}\.(?:iloc\[[^\]\n]*,|columns\[|columns\)|shape\[\s*1\s*\]|size\b|select_dtypes)`,
    ).test(source)
  );
}

/** Columns by what all of them are; those that lack values would be no data. */
const byWidth = /\.columns\b|\bselect_dtypes\b|\.shape\b/;

/** Columns that the program names, and all others that hold numbers only. */
function usedColumns(
  table: RawTable,
  source: string,
  { response, group, time, category }: DataOptions,
): readonly string[] {
  const mentions = mentionsIn(source);
  const all = [...table.columns.keys()];
  const [first] = /\bindex_col\s*=\s*0\b/.test(source) ? all : [];
  const isNamed = (name: string) =>
    [...response?.split(",") ?? [], response, group, time].includes(name) ||
    category?.has(name) || mentions(name) || name === first;
  const isCounted = countsColumns(source);
  const isWhole = (name: string) =>
    isCounted ||
    (byWidth.test(source) && !table.columns.get(name)!.some(isMissing));
  const used = all.filter((name) =>
    isNamed(name) || isWhole(name) || all.length <= mostUnnamed && isNumeric(table, name)
  );
  if (used.length === 0 && all.length > mostUnnamed) throw noneNamed(table, all);
  return used.length > 0 ? used : all;
}
