/** A data file as the data set that a stage of kind `dataset` makes of it. */
import { basename } from "node:path";
import type { Dataset } from "../base/dataset.ts";
import { readRegular } from "../base/regular_file.ts";
import { markedColumns, withholdRows } from "./holdout.ts";
import { parseTable } from "./raw_table.ts";
import { type ColumnSpec, type MissingRule, typedDataset } from "./typed_dataset.ts";

/** What such a stage is told. */
export interface DatasetRequest {
  readonly path: string;
  /** Columns to use, by name. */
  readonly columns: Readonly<Record<string, ColumnSpec>>;
  readonly missing: MissingRule;
  /** Rows that are withheld from all programs. */
  readonly holdout?: { readonly share: number } | { readonly column: string };
}

/** @throws InputError with every finding, if the file cannot be read or does not suit its columns. */
export async function readDataset(request: DatasetRequest): Promise<Dataset> {
  const all = await readAllRows(request);
  return request.holdout ? withholdRows(all, request.holdout) : all;
}

/** The data set with the rows that are to be withheld still in it. @throws InputError, as above. */
export async function readAllRows(
  { path, columns, missing, holdout }: DatasetRequest,
): Promise<Dataset> {
  const table = await parseTable(readRegular(path, Infinity), path);
  const name = basename(path).replace(/\.[^.]*$/, "");
  return typedDataset(name, table, markedColumns(columns, holdout), missing);
}
