/** `sluice gc`: lists files that no run needs, and frees them. */
import type { Command } from "@commander-js/extra-typings";
import { plainTable } from "../../report/format.ts";
import { bytesText } from "../bytes_text.ts";
import { projectHere } from "../project_here.ts";
import type { Session } from "../session.ts";
import { wholeNumber } from "../number_flags.ts";

const example = `
Runs stay. Artifacts, results, rows and checkpoints of deleted run folders are
listed, then deleted, and so are results of interrupted stages.

Example:
  sluice gc --dry-run
  rm -r runs/01J9ZK… && sluice gc`;

export function addCommand(root: Command, session: Session): void {
  root.command("gc")
    .description("delete cached files that no run needs")
    .option("--dry-run", "list what would be deleted, and delete nothing")
    .option(
      "--days <n>",
      "delete checkpoints older than this (default: 7)",
      wholeNumber("--days", 0),
    )
    .option("--memo", "delete remembered scores too; they are recomputed on demand")
    .option("--json", "as JSON")
    .option("--project <dir>", "folder that holds runs/ and .sluice/")
    .addHelpText("after", example)
    .action(async ({ dryRun = false, days, memo, json, project }) => {
      const projectRoot = projectHere(project);
      const terminal = session.terminal({ quiet: json });
      const { freeGarbage, garbageOf } = await import("../../pipeline/store/mod.ts");
      const garbage = garbageOf(projectRoot, { days, memo });
      const rows = garbage.filter(({ paths }) => paths.length > 0)
        .map(({ kind, paths, bytes }) => [kind, `${paths.length}`, bytesText(bytes)]);
      if (rows.length > 0) terminal.out(plainTable(["what", "files", "size"], rows, [1, 2]));
      if (!dryRun) freeGarbage(projectRoot, garbage);
      const bytes = garbage.reduce((sum, one) => sum + one.bytes, 0);
      if (json) return terminal.data(JSON.stringify({ freed: !dryRun, bytes, garbage }, null, 2));
      terminal.note(`${dryRun ? "would free" : "freed"} ${bytesText(bytes)}`);
    });
}
