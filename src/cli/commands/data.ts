/** `sluice data`: infers kinds of a file's columns, and prints the lines of a pipeline that declare them. */
import type { Command } from "@commander-js/extra-typings";
import type { InspectedColumn } from "../../data/inspect.ts";
import { clip, count, number, plainTable } from "../../report/format.ts";
import { wrapped } from "../../report/wrapped.ts";
import type { Terminal } from "../../report/terminal.ts";
import { commandLine } from "../../base/command_name.ts";
import { inspectFile } from "../inspect_file.ts";
import { shownName } from "../space_pipeline.ts";
import { spaceOptions } from "../space_options.ts";
import { byteSize } from "../number_flags.ts";
import type { Session } from "../session.ts";

const example = `
Separators (comma, semicolon, tab, bar), decimal commas, Excel's CSV, JSON and
Parquet are known. The last lines belong in a pipeline; correct types and
roles there.

Example:
  sluice data beetles.csv --response beetles`;

export function addCommand(root: Command, session: Session): void {
  root.command("data")
    .description("show the role and type of each column of a data file")
    .argument("<file>", "data: .csv, .tsv, .json or .parquet")
    .option("--response <column>", "response: the column to explain")
    .addOption(spaceOptions.na)
    .addOption(spaceOptions.frequency)
    .option(
      "--max-file-size <size>",
      "largest data file (default: 1GiB)",
      byteSize("--max-file-size"),
    )
    .option("--json", "as JSON")
    .addHelpText("after", example)
    .action(async (file, { response, json, ...reading }) => {
      const terminal = session.terminal();
      const { rows, columns, toml, findings } = await inspectFile(file, response, reading);
      if (json) return terminal.data(JSON.stringify({ rows, columns, findings }, null, 2));
      terminal.out(`${count(rows, "row")}, ${count(columns.length, "column")}\n`);
      terminal.out(columnTable(columns, terminal));
      const say = (text: string) => terminal.out(wrapped(text, terminal.width));
      for (const { name, remark, hint } of columns) {
        for (const said of [remark, hint]) if (said) say(`${shownName(name)}: ${said}`);
      }
      for (const found of findings) say(`! ${found}`);
      if (response === undefined) return terminal.note(askForResponse(file, columns));
      terminal.out(`\n${toml}`);
      terminal.note(`next: ${commandLine("init", file, "--response", response)}`);
    });
}

function columnTable(columns: readonly InspectedColumn[], { width }: Terminal): string {
  const head = ["column", "type", "role", "missing", "distinct", "values"];
  const names = columns.map(({ name }) => clip(name, 20));
  const room = width - 42 - Math.max(...names.map((name) => [...name].length));
  const rows = columns.map((one, i) => [
    names[i],
    one.role === "ignore" ? "" : one.type,
    one.role === "ignore" ? "not used" : one.role,
    one.missing === 0 ? "" : String(one.missing),
    String(one.distinct),
    clip(valuesOf(one), Math.max(12, room)),
  ]);
  return plainTable(head, rows, [3, 4]);
}

function valuesOf({ range, levels, resolution }: InspectedColumn): string {
  if (levels) return levels.slice(0, 4).join(", ") + (levels.length > 4 ? ", …" : "");
  if (!range) return "";
  const step = resolution === undefined ? "" : ` by ${resolution}`;
  return `${short(range[0])} to ${short(range[1])}${step}`;
}

/** Four digits, and no zeros behind them. */
function short(value: number): string {
  return number(Number(value.toPrecision(4)), 4).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
}

function askForResponse(file: string, columns: readonly InspectedColumn[]): string {
  const numbers = columns.filter(({ role, range }) => role !== "ignore" && range);
  const name = numbers.at(-1)?.name ?? columns[0].name;
  const next = commandLine("data", file, "--response", name);
  return `next: name the response: ${next}`;
}
