/** Works on a sweep with a line for each point, Ctrl-C, and a last word. */
import { addRung, readSweep, workOn } from "../experiments/mod.ts";
import { inputError } from "../base/diagnostic.ts";
import { readPointFile, type SweepFile } from "../pipeline/store/mod.ts";
import { lacking, type MachineResources } from "../pipeline/basics/mod.ts";
import { thisMachine } from "../pipeline/run/mod.ts";
import { count, duration } from "../report/format.ts";
import type { Terminal } from "../report/terminal.ts";
import { askRuns } from "./ask_runs.ts";
import { commandLine } from "../base/command_name.ts";
import type { ExitStatus } from "./exit.ts";
import { listen } from "./run_and_report.ts";
import { setText } from "./sweep_page.ts";
import { pointRunner } from "./sweep_runner.ts";

/** Flags of the command line. */
interface WorkFlags {
  readonly workers: number;
  readonly retry?: true;
  readonly wait?: true;
  readonly points?: readonly string[];
  readonly gpus?: number;
  readonly onlyNeeding?: readonly (keyof MachineResources)[];
  readonly allowStage?: readonly string[];
}

/** Works until no point is left; 1 if one failed, 3 if this machine lacks what the points need. */
export async function workAndTell(
  root: string,
  name: string,
  { workers, retry, wait, points, gpus, onlyNeeding, allowStage }: WorkFlags,
  terminal: Terminal,
): Promise<ExitStatus> {
  const sweep = readSweep(root, name);
  const only = points?.map((text) => pointOf(text, sweep));
  const { control, release } = listen(terminal, "Stopping after the steps that run now");
  const each = Math.max(1, Math.floor(navigator.hardwareConcurrency / workers));
  const machine = thisMachine(gpus);
  const run = pointRunner({ root, sweep, terminal, control, workers: each, machine, allowStage });
  const ask = (runs: readonly string[], sql: string) =>
    askRuns(root, runs, async (question) => await question(sql));
  try {
    const came = await workOn({
      root,
      sweep,
      workers,
      retry,
      only,
      wait,
      machine,
      onlyNeeding,
      ...(sweep.halving && { addRung: () => addRung(root, name, ask) }),
      stop: control.stop,
      run,
      onBegin: (point, values) => terminal.note(`  #${point}  ${setText(values)}`),
      onEnd: (point, { status, fault, log, needs }, seconds) => {
        const mark = { done: "✓", failed: "✗", interrupted: "‖" }[status];
        terminal.note(`${mark} #${point}  ${duration(seconds)}${fault ? `  ${fault}` : ""}`);
        if (needs) terminal.note(`      left: it wants ${lacking(needs, machine)}`);
        if (log && status === "failed") terminal.note(`      log: ${log}`);
      },
    });
    const failed = only?.some((point) => readPointFile(root, name, point)?.state === "failed");
    const status = tell(name, came, control.stop.aborted, terminal);
    return status === 0 && failed ? 1 : status;
  } finally {
    release();
  }
}

function tell(
  name: string,
  { done, failed, elsewhere, left, unfit, lacking: why }: Awaited<ReturnType<typeof workOn>>,
  stopped: boolean,
  terminal: Terminal,
): ExitStatus {
  const parts = [
    `${count(done, "point")} done`,
    ...failed > 0 ? [`${failed} failed`] : [],
    ...elsewhere > 0 ? [`${elsewhere} in the hands of other workers`] : [],
    ...left > 0 ? [`${left} left`] : [],
    ...unfit > 0 ? [`${unfit} of them for a machine that has what they want`] : [],
  ];
  terminal.note(`sweep ${name}: ${parts.join(", ")}`);
  if (why !== undefined) {
    terminal.problem(`This machine cannot go on: ${why}`);
    terminal.problem("  mend: give it what it lacks, or work on the sweep elsewhere");
    return 3;
  }
  if (stopped) {
    terminal.note(`next: the same command goes on: ${commandLine(...Deno.args)}`);
    return 130;
  }
  return failed > 0 ? 1 : 0;
}

/** @throws InputError `sweep/unknown-point`. */
function pointOf(text: string, { sweep, points }: SweepFile): number {
  const point = Number(text);
  if (Number.isInteger(point) && point >= 0 && point < points.length) return point;
  const hint = `its points are 0 to ${points.length - 1}`;
  throw inputError("sweep/unknown-point", `Sweep ${sweep} has no point ${text}`, undefined, hint);
}
