/** The data of `sluice score`: a table or a dictionary of arrays, with the response that fits. */
import type { MissingRule } from "../data/missing_rules.ts";
import { basename } from "node:path";
import { type ColumnRole, type Dataset, makeDataset, type Resolution } from "../base/dataset.ts";
import { inputError } from "../base/diagnostic.ts";
import type { Execution } from "../engine/score/execution/mod.ts";
import { listed } from "../base/listed.ts";
import { nearest } from "../base/nearest.ts";
import { arrayColumn, namedArrays } from "../data/named_arrays.ts";
import { parseTable, type RawTable } from "../data/raw_table.ts";
import { recordedColumn } from "../data/resolution.ts";
import { type ColumnSpec, isMissing, numericCell, typedDataset } from "../data/typed_dataset.ts";
import type { Categories } from "./asked_space.ts";
import { readInput } from "./input_file.ts";

/** What the command line says of the columns. */
export interface DataOptions {
  readonly response?: string;
  readonly resolution?: Resolution;
  readonly group?: string;
  readonly time?: string;
  readonly missing?: MissingRule;
  /** Columns whose values are names, with their levels in order where somebody says it. */
  readonly category?: Categories;
  /** Bytes that the data file may have. */
  readonly maxFileSize?: number;
}

/** How many faults a program has on a data set; found in a worker. */
export type FaultsOn = (data: Dataset) => Promise<number>;

/** Columns that are tried as the response, at most, where the program does not tell. */
const mostCandidates = 16;

/** Columns of a table up to which those that hold numbers are data even if the program names them not. */
const mostUnnamed = 4096;

/**
 * Reads a data file for a program. Without a named response the columns that the program observes are tried,
 * or else up to sixteen others, and the one with which it has the fewest faults is taken. The text is
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
  const table = arrays ? undefined : await parseTable(bytes, file);
  const names = arrays ? [...arrays.keys()] : usedColumns(table!, source, options);
  const asked = [options.response, options.group, options.time, ...options.category?.keys() ?? []];
  for (const name of asked) {
    if (name === undefined || names.includes(name)) continue;
    const message = `Cannot use ${file}: there is no column "${name}"`;
    const near = nearest(name, names);
    const hint = `${near ? `did you mean "${near}"? C` : "c"}olumns: ${listed(names)}`;
    throw inputError("data/missing-column", message, undefined, hint);
  }
  const build = (response: string) => {
    const roleOf = (name: string) => roleIn(name, response, options);
    if (!arrays) return tableDataset(table!, names, roleOf, options);
    const columns = names.map((name) => arrayColumn(name, arrays.get(name)!, roleOf(name)));
    return makeDataset(basename(file), columns);
  };
  const numeric = (name: string) =>
    arrays ? !arrays.get(name)!.categories : isNumericOrMissing(table!, name);
  const candidates = options.response
    ? [options.response]
    : observedIn(source, names.filter(numeric));
  const data = await fitting(candidates.length > 0 ? candidates : names, build, faultsOn);
  return withResolution(data, options.resolution);
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
    const { resolution: _, resolutionInferred: _inferred, ...plain } = column;
    const own = asked === undefined ? plain : { ...plain, resolution: asked };
    return recordedColumn(data.name, own);
  });
  return makeDataset(data.name, columns, data.dropped);
}

/** The data with the response that fits best. */
async function fitting(
  candidates: readonly string[],
  build: (response: string) => Dataset,
  faultsOn: FaultsOn,
): Promise<Dataset> {
  if (candidates.length === 1) return build(candidates[0]);
  let best: Dataset | undefined;
  let fewest = Infinity;
  for (const name of candidates.slice(0, mostCandidates)) {
    const data = build(name);
    const count = await faultsOn(data);
    if (count < fewest) [best, fewest] = [data, count];
    if (count === 0) break;
  }
  return best ?? build(candidates[0]);
}

/** The columns that the text observes, by way of a few variables at most; all, if it names none. */
function observedIn(source: string, names: readonly string[]): readonly string[] {
  const observed = [...source.matchAll(/\bobserved\s*=\s*([^\s,)][^,)]*)/g)];
  let texts = observed.map((match) => match[1]);
  const assigned = assignments(source);
  const seen = new Set<string>();
  for (let step = 0; step < 4 && texts.length > 0; step++) {
    const heads = new Set(texts.map(headColumn));
    const found = names.filter((name) => heads.has(name));
    if (found.length > 0) return found;
    const variables = new Set(texts.map(headName).filter((name) => name !== undefined));
    texts = [...variables].filter((name) => !seen.has(name))
      .flatMap((name) => assigned.get(name) ?? []);
    for (const name of variables) seen.add(name);
  }
  return names;
}

/** `data["y"]`, `frame.y`, also in `np.asarray(data["y"])`: the column that an expression starts with. */
function headColumn(text: string): string | undefined {
  const match = /^(?:[\w.]+\()*[\p{L}\w]+\s*(?:\[\s*["']([^"']+)["']\s*\]|\.([\p{L}\w]+))/u.exec(
    text,
  );
  return match?.[1] ?? match?.[2];
}

/** The variable that an expression starts with. */
function headName(text: string): string | undefined {
  return /^(?:[\w.]+\()*(\w+)/.exec(text)?.[1];
}

/** What the text assigns to each variable. */
function assignments(source: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const line of source.split(/\r?\n/)) {
    const [, variable, value] = /^[ \t]*(\w+)[ \t]*=[ \t]*([^=\s].*)$/.exec(line) ?? [];
    if (variable === undefined) continue;
    const values = found.get(variable);
    if (values) values.push(value);
    else found.set(variable, [value]);
  }
  return found;
}

/** Whether the text has a name in quotes, or as `frame.name`, whatever comes after it. */
function mentionsIn(text: string): (name: string) => boolean {
  const words = text.split(/[^\p{L}\p{N}_.]/u).flatMap((word) => word.split(".").slice(1));
  const members = new Set(words);
  const quoted = new Set(['"', "'"].flatMap((quote) => text.split(quote).slice(1, -1)));
  return (name) => quoted.has(name) || members.has(name);
}

/** Number of errors of an execution, an unobserved response counting most. */
export function faults({ status, diagnostics }: Execution): number {
  if (status !== "rejected") return 0;
  return diagnostics.reduce((sum, { code }) => sum + (code.startsWith("lh/") ? 100 : 1), 0);
}

function tableDataset(
  table: RawTable,
  names: readonly string[],
  roleOf: (name: string) => ColumnRole,
  { missing = "error", category }: DataOptions,
): Dataset {
  const specs = names.map((name): [string, ColumnSpec] => {
    const declared = table.declared?.get(name);
    const levels = category?.get(name) ?? declared?.levels;
    const isNamed = category?.has(name) || declared !== undefined || isText(table, name);
    return [name, {
      role: roleOf(name),
      ...(isNamed && { type: "category" as const }),
      ...(levels && { levels }),
    }];
  });
  return typedDataset(basename(table.file), table, Object.fromEntries(specs), missing);
}

/** Columns that the program names, and all others that hold numbers only. */
function usedColumns(
  table: RawTable,
  source: string,
  { response, group, time, category }: DataOptions,
): readonly string[] {
  const mentions = mentionsIn(source);
  const isNamed = (name: string) =>
    [response, group, time].includes(name) || category?.has(name) || mentions(name);
  const all = [...table.columns.keys()];
  const used = all.filter((name) =>
    isNamed(name) || all.length <= mostUnnamed && isNumeric(table, name)
  );
  if (used.length === 0 && all.length > mostUnnamed) throw noneNamed(table, all);
  return used.length > 0 ? used : all;
}
