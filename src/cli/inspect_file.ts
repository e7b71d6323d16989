/** A data file as `data` and `init` see it. */
import { inputError } from "../base/diagnostic.ts";
import { listed } from "../base/listed.ts";
import { nearest } from "../base/nearest.ts";
import { dataStageToml, type InspectedColumn, inspectTable } from "../data/inspect.ts";
import { parseTable } from "../data/raw_table.ts";
import { readInput } from "./input_file.ts";

/** What a file is taken for. */
interface InspectedFile {
  readonly rows: number;
  readonly columns: readonly InspectedColumn[];
  /** `[stages.data]`, with the path as it was typed. */
  readonly toml: string;
}

function oneColumn(file: string, name: string): Error {
  const message = `Cannot use ${file}: it has one column, "${name}"`;
  const hint =
    "cells are separated by commas, semicolons, tabs or bars: write one of them for blanks";
  return inputError("data/one-column", message, undefined, hint);
}

/** @throws InputError if the file cannot be read, or has no column of the response's name. */
export async function inspectFile(
  file: string,
  response?: string,
  maxFileSize?: number,
): Promise<InspectedFile> {
  const table = await parseTable(readInput(file, maxFileSize), file);
  const names = [...table.columns.keys()];
  if (response !== undefined && !names.includes(response)) {
    const near = nearest(response, names);
    if (names.length === 1 && /\s/.test(names[0].trim())) throw oneColumn(file, names[0]);
    const message = `Cannot use ${file}: there is no column "${response}"`;
    const hint = `${near ? `did you mean "${near}"? C` : "c"}olumns: ${listed(names)}`;
    throw inputError("data/missing-column", message, undefined, hint);
  }
  const columns = inspectTable(table, response);
  return { rows: table.rows, columns, toml: dataStageToml(file, columns) };
}
