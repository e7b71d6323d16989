/** `sluice lock`: writes the lock file of a pipeline, or reports differences. */
import type { Command } from "@commander-js/extra-typings";
import { byteSize } from "../number_flags.ts";
import { collect, readPipeline } from "../pipeline_arguments.ts";
import type { Session } from "../session.ts";

const example = `
PIPELINE.lock.json lists for each stage what its result depends on, the same on
every machine: kind, version, parameters, digests of data and of the project's
code, inputs, seed; also permissions and the sandbox level. A run keeps it up to
date; run --frozen, and lock --check, name every difference with its place and
fail.

Example:
  sluice lock pipelines/dugongs.toml --check`;

export function addCommand(root: Command, session: Session): void {
  root.command("lock")
    .description("write the lock file of a pipeline, or check it; runs nothing")
    .argument("<pipeline>", "the pipeline file")
    .option("--check", "fail if the lock file would change")
    .option("--allow-stage <name=what>", "permit a stage what it asks for", collect)
    .option(
      "--max-file-size <size>",
      "largest data file (default: 1GiB)",
      byteSize("--max-file-size"),
    )
    .addHelpText("after", example)
    .action(async (path, { check = false, allowStage, maxFileSize }) => {
      const pipeline = await readPipeline({ path, overlays: [], sets: [] });
      const terminal = session.terminal();
      const { runOptions } = await import("../run_and_report.ts");
      const { lockPipeline } = await import("../../pipeline/run/mod.ts");
      const flags = { allowStage, maxFileBytes: maxFileSize };
      await lockPipeline(pipeline, runOptions(pipeline, terminal, flags), check);
      const lock = path.replace(/\.toml$/, "") + ".lock.json";
      terminal.note(check ? `${lock} holds` : `${lock} is up to date`);
    });
}
