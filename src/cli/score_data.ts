/** The data of `sluice score`: a table or a dictionary of arrays, with the response that fits. */
import { basename } from "node:path";
import { type Column, type ColumnRole, type Dataset, makeDataset } from "../base/dataset.ts";
import { inputError } from "../base/diagnostic.ts";
import { nearest } from "../base/nearest.ts";
import { arrayColumn, namedArrays } from "../data/named_arrays.ts";
import { parseTable, type RawTable } from "../data/raw_table.ts";
import {
  type ColumnSpec,
  isMissing,
  type MissingRule,
  numericCell,
  typedDataset,
} from "../data/typed_dataset.ts";
import { checkProgram } from "../engine/pymc/check.ts";

/** What the command line says of the columns. */
export interface DataOptions {
  readonly response?: string;
  readonly resolution?: number;
  readonly group?: string;
  readonly time?: string;
  readonly missing?: MissingRule;
}

/**
 * Reads a data file for a program. Without a named response the columns that the program observes are tried,
 * or else all, and the one with which it has the fewest faults is taken.
 *
 * @throws InputError, if the file cannot be read or lacks a column that was named.
 */
export async function readScoreData(
  file: string,
  source: string,
  program: string,
  options: DataOptions,
): Promise<Dataset> {
  const bytes = await readBytes(file);
  const arrays = file.toLowerCase().endsWith(".json")
    ? namedArrays(new TextDecoder().decode(bytes), file)
    : undefined;
  const table = arrays ? undefined : await parseTable(bytes, file);
  const names = arrays ? [...arrays.keys()] : usedColumns(table!, source, options);
  for (const name of [options.response, options.group, options.time]) {
    if (name === undefined || names.includes(name)) continue;
    const message = `Cannot use ${file}: there is no column "${name}"`;
    const near = nearest(name, names);
    const hint = `${near ? `did you mean "${near}"? C` : "c"}olumns: ${names.join(", ")}`;
    throw inputError("data/missing-column", message, undefined, hint);
  }
  const build = (response: string) => {
    const roleOf = (name: string) => roleIn(name, response, options);
    if (!arrays) return tableDataset(table!, names, roleOf, options);
    const columns = names.map((name) => arrayColumn(name, arrays.get(name)!, roleOf(name)));
    return makeDataset(basename(file), columns.map((one) => recorded(one, options.resolution)));
  };
  const numeric = (name: string) =>
    arrays ? !arrays.get(name)!.categories : isNumericOrMissing(table!, name);
  const candidates = options.response
    ? [options.response]
    : observedIn(source, names.filter(numeric));
  return fitting(candidates.length > 0 ? candidates : names, build, source, program);
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

/** Bytes of a file. @throws InputError, if there is none. */
export async function readBytes(file: string): Promise<Uint8Array> {
  try {
    return await Deno.readFile(file);
  } catch (error) {
    const missing = error instanceof Deno.errors.NotFound;
    const why = missing ? "there is no such file" : (error as Error).message;
    throw inputError(missing ? "file/missing" : "file/unreadable", `Cannot read ${file}: ${why}`);
  }
}

function roleIn(name: string, response: string, { group, time }: DataOptions): ColumnRole {
  if (name === response) return "response";
  return name === group ? "group" : name === time ? "time" : "predictor";
}

function recorded(column: Column, resolution: number | undefined): Column {
  return column.role === "response" && resolution !== undefined
    ? { ...column, resolution }
    : column;
}

/** The data with the response that fits best. */
function fitting(
  candidates: readonly string[],
  build: (response: string) => Dataset,
  source: string,
  program: string,
): Dataset {
  let best: Dataset | undefined;
  let fewest = Infinity;
  for (const name of candidates) {
    const data = build(name);
    const count = faults(checkProgram(source, data, program));
    if (count < fewest) [best, fewest] = [data, count];
    if (count === 0) break;
  }
  return best ?? build(candidates[0]);
}

/** The columns that the text observes, by way of a few variables at most; all, if it names none. */
function observedIn(source: string, names: readonly string[]): readonly string[] {
  const observed = [...source.matchAll(/\bobserved\s*=\s*([^\s,)][^,)]*)/g)];
  let texts = observed.map((match) => match[1]);
  for (let step = 0; step < 4 && texts.length > 0; step++) {
    const found = names.filter((name) => texts.some((text) => headColumn(text) === name));
    if (found.length > 0) return found;
    texts = texts.flatMap((text) => assignedTo(source, headName(text)));
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

/** What the text assigns to a variable. */
function assignedTo(source: string, variable: string | undefined): string[] {
  if (variable === undefined) return [];
  const assignment = new RegExp(`^[ \\t]*${variable}[ \\t]*=[ \\t]*([^=\\n].*)$`, "gm");
  return [...source.matchAll(assignment)].map((match) => match[1]);
}

function mentions(text: string, name: string): boolean {
  return text.includes(`"${name}"`) || text.includes(`'${name}'`) || isMember(text, name);
}

/** `frame.name`, whatever comes after it. */
function isMember(text: string, name: string): boolean {
  return text.split(/[^\p{L}\p{N}_.]/u).some((word) => word.split(".").slice(1).includes(name));
}

/** Number of errors, an unobserved response counting most. */
function faults(result: { ok: boolean; diagnostics?: readonly { code: string }[] }): number {
  if (result.ok || !result.diagnostics) return 0;
  return result.diagnostics.reduce((sum, { code }) => sum + (code.startsWith("lh/") ? 100 : 1), 0);
}

function tableDataset(
  table: RawTable,
  names: readonly string[],
  roleOf: (name: string) => ColumnRole,
  { resolution, missing = "error" }: DataOptions,
): Dataset {
  const specs = names.map((name): [string, ColumnSpec] => {
    const role = roleOf(name);
    const type = isText(table, name) ? { type: "category" as const } : {};
    const step = role === "response" && resolution !== undefined ? { resolution } : {};
    return [name, { role, ...type, ...step }];
  });
  return typedDataset(basename(table.file), table, Object.fromEntries(specs), missing);
}

/** Columns that the program names, and all others that hold numbers only. */
function usedColumns(
  table: RawTable,
  source: string,
  { response, group, time }: DataOptions,
): readonly string[] {
  const isNamed = (name: string) =>
    [response, group, time].includes(name) || mentions(source, name);
  const all = [...table.columns.keys()];
  const used = all.filter((name) => isNamed(name) || isNumeric(table, name));
  return used.length > 0 ? used : all;
}
