/** `sluice submit`: a sweep or a pipeline as a batch script of SLURM, printed or handed to sbatch. */
import type { Command } from "@commander-js/extra-typings";
import { mostOf } from "../../pipeline/basics/mod.ts";
import { collect, readPipeline } from "../pipeline_arguments.ts";
import { projectHere } from "../project_here.ts";
import type { Session } from "../session.ts";

const example = `
Prints one batch script: an array of workers, each of which takes points until
none is left, so that nothing can be done twice, however often it is submitted.
squeue, scancel and sacct stay your tools.

Example:
  sluice submit sweep dugongs-1 --slurm cluster.toml
  sluice submit sweep dugongs-1 --slurm cluster.toml --go`;

export function addCommand(root: Command, session: Session): void {
  const parent = root.command("submit")
    .description("write a batch script of SLURM for a sweep or a pipeline")
    .addHelpText("after", example);
  addSweep(parent as Command, session);
  addRun(parent as Command, session);
  parent.commands.forEach((command) => command.exitOverride());
}

function addSweep(parent: Command, session: Session): void {
  parent.command("sweep")
    .description("submit workers of a sweep as one array")
    .argument("<sweep>", "name of the sweep")
    .requiredOption("--slurm <file>", "cluster.toml: partition, time, memory, workers, …")
    .option("--go", "submit the script with sbatch")
    .option("--project <dir>", "folder that holds sweeps/ and runs/")
    .addHelpText("after", "\nExample:\n  sluice submit sweep dugongs-1 --slurm cluster.toml --go")
    .action(async (name, { slurm, go, project }) => {
      const root = projectHere(project);
      const { readSweep, sweepStatus } = await import("../../experiments/mod.ts");
      const { submit } = await import("../submitting.ts");
      const { resourcesOfSweep } = await import("../sweep_runner.ts");
      const sweep = readSweep(root, name);
      const open = sweepStatus(root, sweep).filter(({ state }) => state !== "done");
      const terminal = session.terminal();
      if (open.length === 0) terminal.note(`every point of ${name} is done`);
      session.exit = await submit({
        root,
        name,
        command: ({ points_at_once: many }) => ["sweep", "work", name, "--workers", `${many}`],
        points: open.length,
        resources: await resourcesOfSweep(root, sweep),
        cluster: slurm,
        go: go === true,
      }, terminal);
    });
}

function addRun(parent: Command, session: Session): void {
  parent.command("run")
    .description("submit one pipeline as one job")
    .argument("<pipeline>", "the pipeline file")
    .argument("[overlays...]", "@overlay.toml files that replace values, from left to right")
    .option("--set <path=value>", "set one value, after all overlays", collect)
    .requiredOption("--slurm <file>", "cluster.toml: partition, time, memory, …")
    .option("--go", "submit the script with sbatch")
    .addHelpText(
      "after",
      "\nExample:\n  sluice submit run pipelines/dugongs.toml --slurm cluster.toml",
    )
    .action(async (path, overlays, { set = [], slurm, go }) => {
      const pipeline = await readPipeline({ path, overlays, sets: set });
      const { projectRootOf } = await import("../../pipeline/project/mod.ts");
      const { submit } = await import("../submitting.ts");
      const { relative, resolve } = await import("node:path");
      const root = projectRootOf(pipeline.absolutePath);
      const inProject = (file: string) => relative(root, resolve(file));
      const laid = overlays.map((one) => `@${inProject(one.replace(/^@/, ""))}`);
      const words = ["run", inProject(path), ...laid, ...set.flatMap((one) => ["--set", one])];
      session.exit = await submit({
        root,
        name: pipeline.name,
        command: () => words,
        points: 1,
        resources: mostOf(pipeline.stages.map(({ resources }) => resources)),
        cluster: slurm,
        go: go === true,
      }, session.terminal());
    });
}
