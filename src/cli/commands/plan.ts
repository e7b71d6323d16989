/** `sluice plan`: which stages of a pipeline would run, and why; runs nothing. */
import type { Command } from "@commander-js/extra-typings";
import { byteSize } from "../number_flags.ts";
import { collect, readPipeline } from "../pipeline_arguments.ts";
import { continuedState, continueFlag, continueHelp, namedState } from "../continued_state.ts";
import { selectionFlags, selectionOf, stageNames } from "../selection_flags.ts";
import type { Session } from "../session.ts";

const example = `
For each stage: cached, run, or blocked by a stage that runs before it; the time
it took when it last ran; the reason, down to the value that changed, old ->
new, with its file and line. A blocked stage may still come from the cache, if
what it waits for gives the same bytes. sluice run --dry-run prints the same.

Example:
  sluice plan pipelines/dugongs.toml --set stages.train.steps=2000`;

export function addCommand(root: Command, session: Session): void {
  const command = root.command("plan")
    .description("show which stages would run, and why; runs nothing")
    .argument("<pipeline>", "the pipeline file")
    .argument("[overlays...]", "@overlay.toml files that replace values, from left to right")
    .option("--set <path=value>", "set one value, after all overlays", collect)
    .option("--only <stages>", selectionFlags[0][1], stageNames)
    .option("--from <stages>", selectionFlags[1][1], stageNames)
    .option("--to <stages>", selectionFlags[2][1], stageNames)
    .option("--force <stages>", selectionFlags[3][1], stageNames)
    .option(continueFlag, continueHelp, namedState)
    .option("--allow-stage <name=what>", "permit a stage what it asks for", collect)
    .option("--frozen", "fail if the lock file beside the pipeline would change")
    .option(
      "--max-file-size <size>",
      "largest data file (default: 1GiB)",
      byteSize("--max-file-size"),
    )
    .option("--json", "as JSON")
    .addHelpText("after", example);
  command.action(async (path, overlays, { set = [], json, frozen, ...rest }) => {
    const pipeline = await readPipeline({ path, overlays, sets: set });
    const terminal = session.terminal();
    const { planOnly } = await import("../run_and_report.ts");
    const stages = await planOnly(pipeline, terminal, {
      allowStage: rest.allowStage ?? [],
      overlaid: overlays.length + set.length > 0,
      frozen,
      maxFileBytes: rest.maxFileSize,
      select: selectionOf(rest),
      continueFrom: await continuedState(pipeline, rest.continueFrom),
    });
    const { planJson, printPlan } = await import("../plan_page.ts");
    if (json) terminal.data(planJson(stages));
    else printPlan(stages, terminal);
  });
}
