/** `sluice query`: SQL over all finished runs of a project. */
import { type Command, Option } from "@commander-js/extra-typings";
import type { Session } from "../session.ts";
import { requireWritable, writeOutput } from "../output_files.ts";
import { sqlOf } from "../named_queries.ts";
import { byteSize, positiveNumber } from "../number_flags.ts";
import { projectHere } from "../project_here.ts";
import { tableNames } from "../../pipeline/store/mod.ts";
import { answerTables } from "../../report/answer_tables.ts";

const example = `
Tables: ${tableNames.slice(0, 8).join(", ")},
${tableNames.slice(8, 16).join(", ")},
${tableNames.slice(16, 22).join(", ")},
${tableNames.slice(22).join(", ")};
of answers: ${Object.keys(answerTables.tables).join(", ")}

A live run (--run live, or its id) is read half a second late.

Example:
  sluice query --run last "select program, max(log_reward) as log_reward
    from trajectory group by all order by log_reward desc limit 5"`;

export function addCommand(root: Command, session: Session): void {
  root.command("query")
    .description("query all finished runs, or one run, by SQL")
    .argument("<sql>", "SQL of DuckDB over the tables of runs; @name: the file queries/name.sql")
    .option("--run <id>", 'run: its id, a prefix of it, "last" or "live"')
    .addOption(
      new Option("--format <format>", "form of the result")
        .choices(["table", "json", "csv", "parquet"] as const).default("table" as const),
    )
    .option("--out <file>", "write the result to a file")
    .option("--timeout <seconds>", "time limit of the query", positiveNumber("--timeout"), 60)
    .addOption(
      new Option("--memory <size>", "memory limit of the query")
        .argParser(byteSize("--memory")).default(2 * 1024 ** 3, "2GiB"),
    )
    .option("--project <dir>", "folder that holds runs/")
    .addHelpText("after", example)
    .action(async (sql, { run, format, out, timeout, memory, project }) => {
      const terminal = session.terminal();
      if (out) await requireWritable("--out", out);
      const { query } = await import("../../pipeline/store/sql/mod.ts");
      const seen = { run, limits: { timeout, memory }, documents: answerTables };
      const root = projectHere(project);
      const result = await query(root, sqlOf(root, sql), seen);
      for (const note of result.notes) terminal.note(`! ${note}`);
      const content = await result.format(format);
      if (out) writeOutput(out, content);
      else if (format === "csv" || format === "parquet") terminal.bytes(bytesOf(content));
      else if (format === "json") terminal.data(String(content).trimEnd());
      else terminal.out(String(content).trimEnd());
    });
}

function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === "string" ? new TextEncoder().encode(content) : content;
}
