/** `sluice evaluate`: measures the policies of a finished run again, in more depth. */
import type { Command } from "@commander-js/extra-typings";
import { positiveNumber, wholeNumber } from "../number_flags.ts";
import { projectHere } from "../project_here.ts";
import type { Session } from "../session.ts";

const example = `
Nothing is trained again: the other stages come from the cache. Flags replace
values of the run.

Example:
  sluice evaluate last --budget 2000 --capacity 1000`;

/** Flags as commander gives them. */
interface Flags {
  readonly budget?: number;
  readonly repetitions?: number;
  readonly floor?: number;
  readonly capacity?: number;
  readonly rivals?: string;
  readonly noise?: number;
  readonly samples?: number;
}

export function addCommand(root: Command, session: Session): void {
  root.command("evaluate")
    .description("evaluate a finished run again: baselines, floors, target noise")
    .argument("[run]", 'run: its id, a prefix of it, or "last"', "last")
    .option(
      "--budget <n>",
      "most distinct evaluations of each baseline",
      wholeNumber("--budget", 1),
    )
    .option(
      "--repetitions <n>",
      "repetitions of each baseline (default: 3 with --budget)",
      wholeNumber("--repetitions", 1),
    )
    .option(
      "--floor <n>",
      "repetitions of the perfect sampler; 0: no floor",
      wholeNumber("--floor", 0),
    )
    .option(
      "--capacity <steps>",
      "fit a copy of the network to the exact target",
      wholeNumber("--capacity", 1),
    )
    .option("--rivals <names>", "train reinforce, ppo or grpo at the same budget")
    .option(
      "--noise <share>",
      "share of the target to score with a second seed",
      positiveNumber("--noise"),
    )
    .option(
      "--samples <n>",
      "trajectories, if objects cannot be enumerated",
      wholeNumber("--samples", 2),
    )
    .option("--project <dir>", "folder that holds runs/")
    .option("--quiet", "print nothing but the report")
    .addHelpText("after", example)
    .action(async (run, { project, quiet, ...flags }) => {
      const { pipelineOfRun } = await import("../pipeline_of_run.ts");
      const { runAndReport } = await import("../run_and_report.ts");
      const pipeline = await pipelineOfRun(projectHere(project), run, parameters(flags));
      const terminal = session.terminal({ quiet });
      session.exit = await runAndReport(pipeline, terminal, { overlaid: true });
    });
}

/** Values of the flags, as parameters of a stage of kind `evaluate_kl`. */
function parameters(
  { budget, repetitions, floor, capacity, rivals, noise, samples }: Flags,
): string[] {
  const baselines = repetitions ?? (budget === undefined ? undefined : 3);
  const given = {
    budget,
    baseline_repetitions: baselines,
    floor_repetitions: floor,
    "capacity.steps": capacity,
    "rivals.objectives": rivals && JSON.stringify(rivals.split(",").map((name) => name.trim())),
    "target_noise.share": noise,
    "sampling.samples": samples,
  };
  return Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`]
  );
}
