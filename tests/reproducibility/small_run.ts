/** The run that tests of reproducibility repeat: the dugongs over the small grammar, a few steps. */
import { CommandLine } from "../cli/command_line.ts";
import { smallFiles } from "../cli/small_project.ts";

/** How long the loop is, and how often it publishes a checkpoint. */
export interface Size {
  readonly steps: number;
  readonly checkpointEvery: number;
  readonly batchSize: number;
}

/** Seconds of run time: a size for `deno task test`. */
export const small: Size = { steps: 12, checkpointEvery: 2, batchSize: 6 };

/** Longer, for `deno task test:long`. */
export const medium: Size = { steps: 40, checkpointEvery: 7, batchSize: 6 };

/** Executions that such a run keeps: of the grammar's 88 programs, and of the null program. */
export const executions = 89;

/** `run` with the overlay of `makeProject`. */
export function runArguments(workers = 2): string[] {
  const overlays = ["@configs/fast.toml", "@small.toml"];
  return ["run", "pipelines/dugongs.toml", ...overlays, "--workers", `${workers}`];
}

/** A project with an empty memo. */
export function makeProject({ steps, checkpointEvery, batchSize }: Size): CommandLine {
  const project = CommandLine.make(smallFiles);
  project.write(
    "small.toml",
    `[stages.warm_start]
steps = 2
[stages.train]
steps = ${steps}
checkpoint_every = ${checkpointEvery}
[stages.train.stages.sample]
batch_size = ${batchSize}
[stages.train.stages.progress]
every = 5
[stages.evaluate]
floor_repetitions = 2
[[checks]]
name = "every program is enumerated"
sql = "select count(*) = 88 from enumeration where stage = 'evaluate'"
`,
  );
  return project;
}

/** Runs a test with projects that are removed after it. */
export async function withProjects(
  count: number,
  size: Size,
  test: (...projects: CommandLine[]) => Promise<void>,
): Promise<void> {
  const projects = Array.from({ length: count }, () => makeProject(size));
  try {
    await test(...projects);
  } finally {
    for (const project of projects) project.remove();
  }
}
