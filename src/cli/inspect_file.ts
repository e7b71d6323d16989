/** A data file as `data` and `init` see it. */
import { InputError, inputError } from "../base/diagnostic.ts";
import { listed } from "../base/listed.ts";
import { nearest } from "../base/nearest.ts";
import { dataStageToml, type InspectedColumn, inspectTable } from "../data/inspect.ts";
import { fileFindings } from "../data/file_findings.ts";
import { withoutWords } from "../data/missing_words.ts";
import { parseTable, type RawTable } from "../data/raw_table.ts";
import { repeatedRows } from "../data/repeated_rows.ts";
import { typedDataset } from "../data/typed_dataset.ts";
import { readInput } from "./input_file.ts";

/** How a file is read. */
interface FileReading {
  /** Bytes at most. */
  readonly maxFileSize?: number;
  /** Its words for a missing value. */
  readonly na?: readonly string[];
  /** Column of frequencies: equal rows that each row stands for. */
  readonly frequency?: string;
}

/** Content of a file, and how its columns are read. */
interface InspectedFile {
  readonly table: RawTable;
  readonly rows: number;
  readonly columns: readonly InspectedColumn[];
  /** `[stages.data]`, with the path as it was typed. */
  readonly toml: string;
  /** Findings about the rows. */
  readonly findings: readonly string[];
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
  { maxFileSize, na, frequency }: FileReading = {},
): Promise<InspectedFile> {
  const read = await parseTable(readInput(file, maxFileSize), file);
  const table = repeatedRows(withoutWords(read, na), frequency);
  const names = [...table.columns.keys()];
  if (response !== undefined && !names.includes(response)) {
    const near = nearest(response, names);
    if (names.length === 1 && /\s/.test(names[0].trim())) throw oneColumn(file, names[0]);
    const message = `Cannot use ${file}: there is no column "${response}"`;
    const hint = `${near ? `did you mean "${near}"? C` : "c"}olumns: ${listed(names)}`;
    throw inputError("data/missing-column", message, undefined, hint);
  }
  const columns = inspectTable(table, response);
  const findings = response === undefined ? [] : findingsOf(table, columns);
  return {
    rows: table.rows,
    columns,
    toml: dataStageToml(file, columns, { na, frequency }),
    findings,
    table,
  };
}

/** Findings about the rows; none where the columns as they are taken for cannot be read. */
function findingsOf(table: RawTable, columns: readonly InspectedColumn[]): readonly string[] {
  const used = columns.filter(({ role, range, levels }) => role !== "ignore" && (range || levels))
    .map(({ name, role, type, order }) => [name, { role, type, ...(order && { levels: order }) }]);
  try {
    return fileFindings(typedDataset(table.file, table, Object.fromEntries(used), "drop"));
  } catch (error) {
    if (error instanceof InputError) return [];
    throw error;
  }
}
