/** Reads the file of an oracle of the kind `table`. */
import { inputError } from "../../src/base/diagnostic.ts";
import { readRegular } from "../../src/base/regular_file.ts";
import { type Cell, parseTable, type RawTable } from "../../src/data/raw_table.ts";
import type { TableEntry } from "../../src/oracle/oracle.ts";
import { TableOracle } from "../../src/oracle/table_oracle.ts";

/** @throws InputError if a column or a number is missing, or the entries are no table. */
export async function readTableOracle(path: string): Promise<TableEntry[]> {
  const table = await parseTable(readRegular(path, Infinity), path);
  const [texts, logProbs] = ["text", "log_prob"].map((name) => columnOf(table, name));
  const given = table.columns.get("given");
  const entries = texts.map((text, i): TableEntry => {
    const before = given?.[i] === undefined || given[i] === null ? "" : `${given[i]}`;
    const log_prob = numberOf(logProbs[i], table, i);
    return { ...(before === "" ? {} : { given: before }), text: `${text}`, log_prob };
  });
  new TableOracle(entries); // its complaints belong here
  return entries;
}

function columnOf(table: RawTable, name: string): readonly Cell[] {
  const found = table.columns.get(name);
  if (found) return found;
  const message = `Cannot read ${table.file} as an oracle: it has no column "${name}"`;
  const known = [...table.columns.keys()].join(", ");
  throw inputError("oracle/table", message, undefined, `its columns are ${known}`);
}

function numberOf(cell: Cell, table: RawTable, row: number): number {
  const value = cell === "" || cell === null || cell === undefined ? NaN : Number(cell);
  if (!Number.isNaN(value)) return value;
  const message =
    `Cannot read ${table.file} as an oracle: found ${JSON.stringify(`${cell ?? ""}`)} ` +
    "as log_prob, wanted a number";
  throw inputError("oracle/table", message, table.spanOf("log_prob", row));
}
