/** A data file as the data set that a stage of kind `dataset` makes of it. */
import { basename } from "node:path";
import type { Dataset } from "../base/dataset.ts";
import { readRegular } from "../base/regular_file.ts";
import { markedColumns, withholdRows } from "./holdout.ts";
import { withoutWords } from "./missing_words.ts";
import { parseTable, type RawTable } from "./raw_table.ts";
import { repeatedRows } from "./repeated_rows.ts";
import type { MissingRule } from "./missing_rules.ts";
import { withSums } from "./sums.ts";
import { type ColumnSpec, isMissing, typedDataset } from "./typed_dataset.ts";

/** Parameters of such a stage. */
export interface DatasetRequest {
  readonly path: string;
  /** Columns to use, by name. */
  readonly columns: Readonly<Record<string, ColumnSpec>>;
  readonly missing: MissingRule;
  /** Words of the file for a missing value, beside those of every file. */
  readonly na?: readonly string[];
  /** Column with the number of equal rows that each row stands for. */
  readonly frequency?: string;
  /** Rows that are withheld from all programs. */
  readonly holdout?: { readonly share: number } | { readonly column: string };
}

/** @throws InputError with every finding, if the file cannot be read or does not suit its columns. */
export async function readDataset(request: DatasetRequest): Promise<Dataset> {
  const { dataset } = await readAllRows(request);
  return request.holdout ? withholdRows(dataset, request.holdout) : dataset;
}

/** A data set, and in how many rows of its file each of its columns has no value, if in any. */
export interface AllRows {
  readonly dataset: Dataset;
  readonly gaps: ReadonlyMap<string, number>;
}

/** The data set with the rows that are to be withheld still in it. @throws InputError, as above. */
export async function readAllRows(
  { path, columns, missing, na, frequency, holdout }: DatasetRequest,
): Promise<AllRows> {
  const read = await parseTable(readRegular(path, Infinity), path);
  const table = withSums(repeatedRows(withoutWords(read, na), frequency), columns);
  const name = basename(path).replace(/\.[^.]*$/, "");
  const specs = markedColumns(columns, holdout);
  return { dataset: typedDataset(name, table, specs, missing), gaps: gapsOf(table, specs) };
}

function gapsOf(
  { columns }: RawTable,
  specs: Readonly<Record<string, ColumnSpec>>,
): ReadonlyMap<string, number> {
  const used = Object.entries(specs).filter(([, { role }]) => role !== "ignore");
  const counted = used.map(([name]) =>
    [name, (columns.get(name) ?? []).filter(isMissing).length] as const
  );
  return new Map(counted.filter(([, count]) => count > 0));
}
