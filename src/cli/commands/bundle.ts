/** `sluice bundle`: a run as one file. */
import type { Command } from "@commander-js/extra-typings";
import { bytesText } from "../bytes_text.ts";
import { commandLine } from "../../base/command_name.ts";
import { projectHere } from "../project_here.ts";
import type { Session } from "../session.ts";

const example = `
The file holds the resolved pipeline, tables, answer, certificate and logs of a
run: sluice open puts it among the runs of another project, for SQL and reports.
Compact the run before, and it is a tenth as large.

Example:
  sluice bundle last --out dugongs.sluice.tgz
  sluice bundle last --artifacts`;

export function addCommand(root: Command, session: Session): void {
  root.command("bundle")
    .description("write a run into one file, which sluice open reads")
    .argument("<run>", 'run: its id, a prefix of it, or "last"')
    .option("--out <file>", "file to write (default: RUN.sluice.tgz)")
    .option("--artifacts", "include artifacts of its stages, such as policies")
    .option("--force", "replace the file")
    .option("--project <dir>", "folder that holds runs/ and .sluice/")
    .addHelpText("after", example)
    .action(async (run, { out, artifacts, force, project }) => {
      const projectRoot = projectHere(project);
      const { findRuns, isBeingWritten } = await import("../../pipeline/store/mod.ts");
      const { bundleOf } = await import("../../experiments/mod.ts");
      const { refuseToReplace, requireWritable } = await import("../output_files.ts");
      const { inputError } = await import("../../base/diagnostic.ts");
      const [runId] = findRuns(projectRoot, run);
      if (isBeingWritten(projectRoot, runId)) {
        const message = `Cannot bundle run ${runId}: it is still being written`;
        throw inputError("bundle/live", message, undefined, "wait until it ends");
      }
      const file = out ?? `${runId}.sluice.tgz`;
      await requireWritable("--out", file);
      if (!force) refuseToReplace(file);
      const bytes = bundleOf(projectRoot, runId, artifacts);
      Deno.writeFileSync(file, bytes);
      session.terminal().note(
        `wrote ${file}, ${bytesText(bytes.length)}\nnext: ${commandLine("open", file)}`,
      );
    });
}
