/** A run as events for programs: one JSON object a line, from `run.started` to `run.succeeded`. */
import type {
  CheckOutcome,
  RunObserver,
  StageOutcome,
  StageProgress,
} from "../pipeline/plan/mod.ts";
import type { RunOutcome } from "../pipeline/run/mod.ts";

/** Takes one event. */
type Say = (event: Readonly<Record<string, unknown>>) => void;

/** An observer that prints each event when it happens. */
export function eventObserver(say: Say): RunObserver {
  const event = (name: string, rest: Readonly<Record<string, unknown>>) =>
    say({ event: name, time: new Date().toISOString(), ...rest });
  return {
    planned: (stages) =>
      event("run.planned", {
        stages: stages.map(({ stage, state, reason }) => ({ stage, state, reason })),
      }),
    runOpened: ({ runId: run, resumed }) => event("run.started", { run, resumed }),
    unchanged: ({ runId: run }) => event("run.started", { run, resumed: false, unchanged: true }),
    stageStarted: (stage) => event("stage.started", stage),
    progress: (progress) =>
      event(progress.steps > 1 ? "loop.step" : "stage.progress", stepOf(progress)),
    warning: (warning) => event("warning", warning),
    checkpointed: (at) => event("loop.checkpoint", at),
    resumed: (at) => event("loop.resumed", at),
    stageFinished: (outcome) => event("stage.completed", endOf(outcome)),
    checkFinished: (check) => event("check", checkOf(check)),
  };
}

function stepOf({ stage, step, steps, status, executed, recalled }: StageProgress) {
  return { stage, step, steps, ...status, executed, recalled };
}

function endOf({ stage, status, seconds, reason, fault }: StageOutcome) {
  return { stage, status, seconds, reason, ...(fault && { fault: fault.message }) };
}

function checkOf({ name, passed, found }: CheckOutcome) {
  return { name, passed, found };
}

/** The last event of a run. */
export function endEvent(
  { runId, status, exitCode, seconds }: RunOutcome,
): Record<string, unknown> {
  const event = status === "done" ? "run.succeeded" : "run.failed";
  return { event, time: new Date().toISOString(), run: runId, status, exit: exitCode, seconds };
}
