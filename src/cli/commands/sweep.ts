/** `sluice sweep`: makes a sweep of a pipeline, works on it, reports its state. */
import { type Command, Option } from "@commander-js/extra-typings";
import { wholeNumber } from "../number_flags.ts";
import { collect } from "../pipeline_arguments.ts";
import { requireWritable, writeOutput } from "../output_files.ts";
import { projectHere } from "../project_here.ts";
import { stageNames } from "../selection_flags.ts";
import type { Session } from "../session.ts";

const example = `
Creates the points: all combinations of the values of --set (separated by
commas; 0..9 is each whole number), or of the table [sweep] of the pipeline.
Later changes of the files do not affect them. sluice sweep work runs them.

Example:
  sluice sweep pipelines/dugongs.toml --set seed=0..4 \\
    --set stages.train.steps=500,1000
  sluice sweep work dugongs-1 --workers 2
  sluice sweep status dugongs-1`;

export function addCommand(root: Command, session: Session): void {
  const parent = root.command("sweep")
    .description("run a pipeline with many settings and seeds")
    .enablePositionalOptions()
    .argument("<pipeline>", "the pipeline file")
    .argument("[overlays...]", "@overlay.toml files that replace values, from left to right")
    .option("--set <path=values>", "values of one path; repeatable", collect)
    .option("--into <sweep>", "add missing points to this sweep")
    .option("--yes", "allow more than 10,000 points")
    .option("--json", "as JSON")
    .addHelpText("after", example)
    .action(async (path, overlays, { set = [], into, yes, json }) => {
      const terminal = session.terminal();
      const { makeSweepOf } = await import("../sweep_making.ts");
      const asked = { path, overlays, sets: set, into, yes };
      const { sweep, points } = await makeSweepOf(asked, terminal);
      const { commandLine } = await import("../../base/command_name.ts");
      if (json) return terminal.data(JSON.stringify({ sweep, points: points.length }));
      terminal.out(`sweep ${sweep}: ${points.length} points`);
      terminal.note(`next: ${commandLine("sweep", "work", sweep)}`);
    });
  addWork(parent as unknown as Command, session);
  addStatus(parent as unknown as Command, session);
  addReport(parent as unknown as Command, session);
  parent.commands.forEach((command) => command.exitOverride());
}

const workExample = `
Takes points that no worker has, until none is left. Start it as often as you
like, on any machine that sees the folder: each point is run once, a stage that
several points share is computed once, and the points of a worker that died are
taken over. The same command resumes a sweep, and works on what was added.

Example:
  sluice sweep work dugongs-1 --workers 4`;

function addWork(parent: Command, session: Session): void {
  parent.command("work")
    .description("run points of a sweep until none is left")
    .argument("<sweep>", "name of the sweep")
    .option("--workers <n>", "points that run concurrently", wholeNumber("--workers", 1), 1)
    .option("--points <numbers>", "only these points, separated by commas", stageNames)
    .option("--retry", "retry failed points")
    .option(
      "--gpus <n>",
      "number of GPUs (default: those of CUDA_VISIBLE_DEVICES)",
      wholeNumber("--gpus", 0),
    )
    .addOption(
      new Option("--only-needing <what...>", "only points whose next stage needs these")
        .choices(["cores", "gpus", "memory"] as const),
    )
    .option("--wait", "wait until all points have ended, also those of other workers")
    .option("--allow-stage <name=what>", "permit a stage what it asks for", collect)
    .option("--project <dir>", "folder that holds sweeps/ and runs/")
    .addHelpText("after", workExample)
    .action(async (sweep, { project, ...options }) => {
      const { workAndTell } = await import("../sweep_working.ts");
      const root = projectHere(project);
      session.exit = await workAndTell(root, sweep, options, session.terminal());
    });
}

function addStatus(parent: Command, session: Session): void {
  parent.command("status")
    .description("count the points of a sweep by state")
    .argument("<sweep>", "name of the sweep")
    .option("--json", "as JSON")
    .option("--project <dir>", "folder that holds sweeps/ and runs/")
    .addHelpText("after", "\nExample:\n  sluice sweep status dugongs-1 --json")
    .action(async (name, { json, project }) => {
      const terminal = session.terminal();
      const root = projectHere(project);
      const { readSweep, sweepStatus } = await import("../../experiments/mod.ts");
      const sweep = readSweep(root, name);
      const points = sweepStatus(root, sweep);
      if (json) {
        return terminal.data(JSON.stringify({ sweep: sweep.sweep, points }, null, 2));
      }
      const { printStatus } = await import("../sweep_page.ts");
      printStatus(sweep.sweep, points, terminal);
    });
}

const reportExample = `
Points that differ in their seed alone are one setting. Each measure is given
over seeds, and each setting against the first (or --against), paired by seed,
with intervals of 95 %; a setting is called better only where its interval to
every other excludes zero.

Example:
  sluice sweep report dugongs-1 --format html --out sweep.html`;

function addReport(parent: Command, session: Session): void {
  parent.command("report")
    .description("compare the settings of a sweep over seeds, with intervals")
    .argument("<sweep>", "name of the sweep")
    .addOption(
      new Option("--format <format>", "form of the report")
        .choices(["markdown", "html", "json", "csv"] as const).default("markdown" as const),
    )
    .option("--measure <names>", "measures or metrics, separated by commas", stageNames)
    .option("--against <setting>", "setting to compare with, or a prefix of it")
    .option("--out <file>", "write the report to a file")
    .option("--project <dir>", "folder that holds sweeps/ and runs/")
    .addHelpText("after", reportExample)
    .action(async (name, { format, measure, against, out, project }) => {
      const terminal = session.terminal();
      if (out) await requireWritable("--out", out);
      const { sweepReportText } = await import("../sweep_reporting.ts");
      const asked = { format, measures: measure, against };
      const text = await sweepReportText(projectHere(project), name, asked);
      if (!out) return terminal.bytes(new TextEncoder().encode(text));
      writeOutput(out, text);
      terminal.note(`wrote ${out}`);
    });
}
