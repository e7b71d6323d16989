/** Views under the names of tables that show one instance of a run, under the names of its file. */
import { literal } from "../basics/sql_names.ts";
import type { RunStore } from "./run_store.ts";
import { columnsOf, tableNames } from "./schema.ts";

/** Tables with rows of stages. */
const ofStages = tableNames.filter((table) => "stage" in columnsOf(table));

/** Until `showAll`, queries see this instance and what all share, `train[2]` as `train`. */
export async function showInstance(store: RunStore, label: string): Promise<void> {
  const [[catalog]] = await store.select("select current_database()");
  const own = literal(`[${label}]`);
  for (const table of ofStages) {
    const rows = `"${catalog}".main."${table}"`;
    await store.select(
      `create or replace temp view "${table}" as select * replace (replace(stage, ${own}, '') as stage) ` +
        `from ${rows} where stage is null or not contains(stage, '[') or contains(stage, ${own})`,
    );
  }
}

/** Takes the views back. */
export async function showAll(store: RunStore): Promise<void> {
  for (const table of ofStages) await store.select(`drop view if exists temp.main."${table}"`);
}
