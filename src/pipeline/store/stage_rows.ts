/** Rows of a stage that is done, as Parquet files: one for each table, without run and stage name. */
import { literal, quote } from "../basics/sql_names.ts";
import type { TableName } from "./schema.ts";
import { columnsOf, schemaOf } from "./schema.ts";

/** Stands for the name of the stage, whatever a run calls it; no name begins so. */
const itself = "~";

/** SQL that is true of rows of a stage and of the stages inside it. */
export function isOf(stage: string): string {
  return `(stage = ${literal(stage)} or starts_with(stage, ${literal(`${stage}.`)}))`;
}

/** SQL that writes rows of a stage to a file; `source` has the columns of the table. */
export function writeRowsSql(table: TableName, source: string, stage: string, path: string) {
  const { scope } = schemaOf(table);
  const rest = `stage[${stage.length + 1}:]`;
  const named = `case when ${isOf(stage)} then '${itself}' || ${rest} else stage end as stage`;
  const columns = scope === "stage"
    ? `* exclude (run_id) replace (${named})`
    : "* exclude (run_id)";
  return `copy (select ${columns} from ${source}) to ${literal(path)} ` +
    "(format parquet, compression zstd)";
}

/**
 * SQL that adds the rows of a file to a table, as rows of a run and of the stage that it calls
 * `stage`. A row that the table has already, where it keeps each key once, is not added.
 */
export function readRowsSql(table: TableName, path: string, runId: string, stage: string): string {
  const { scope, key, onRepeat } = schemaOf(table);
  const own = `starts_with(stage, '${itself}')`;
  const named = `case when ${own} then ${literal(stage)} || stage[2:] else stage end as stage`;
  const names = Object.keys(columnsOf(table)).slice(1);
  const columns = names.map((name) => scope === "stage" && name === "stage" ? named : quote(name));
  const rows = `select ${[`${literal(runId)} as run_id`, ...columns].join(", ")} ` +
    `from read_parquet(${literal(path)})`;
  if (!key || onRepeat !== "keep") return `insert into ${quote(table)} ${rows}`;
  const same = key.map((name) => `old.${quote(name)} is not distinct from new.${quote(name)}`);
  return `insert into ${quote(table)} select * from (${rows}) new where not exists ` +
    `(select 1 from ${quote(table)} old where ${same.join(" and ")})`;
}
