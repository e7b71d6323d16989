/** The order of a run: every stage begins when what it needs is there, a few at a time. */
import type { StageOutcome } from "../plan/observer.ts";
import type { ResolvedStage } from "../read/resolved.ts";
import { dependencies } from "../plan/plan.ts";
import type { RunContext } from "./run_context.ts";
import { StageRun } from "./stage_run.ts";

/** How many stages run at once, and whether a failure ends what does not need it too. */
interface ScheduleOptions {
  readonly workers: number;
  readonly failFast?: boolean;
}

/** Brings all stages to their ends, at most `workers` at a time. The outcomes keep their order. */
export async function finishAll(
  run: RunContext,
  { workers, failFast = false }: ScheduleOptions,
): Promise<StageOutcome[]> {
  const slots = new Slots(workers, failFast);
  const ends = new Map<string, Promise<StageOutcome>>();
  for (const stage of run.pipeline.stages) {
    const needs = dependencies(stage).map((name) => ends.get(name)!);
    ends.set(stage.name, finishOne(run, stage, needs, slots));
  }
  return await Promise.all(ends.values());
}

async function finishOne(
  run: RunContext,
  stage: ResolvedStage,
  needs: readonly Promise<StageOutcome>[],
  slots: Slots,
): Promise<StageOutcome> {
  const before = await Promise.all(needs);
  const missing = before.filter(({ status }) => status !== "done" && status !== "cached");
  await slots.take();
  try {
    const outcome = missing.length > 0
      ? notStarted(run, stage, missing)
      : run.control.stop.aborted
      ? interrupted(run, stage)
      : slots.failed !== undefined
      ? unstarted(run, stage, "blocked", `not begun, for "${slots.failed}" failed`)
      : await new StageRun(run, stage).finish();
    if (outcome.status === "failed") slots.fail(stage.name);
    run.observer.stageFinished?.(outcome);
    return outcome;
  } finally {
    slots.give();
  }
}

function notStarted(
  run: RunContext,
  stage: ResolvedStage,
  missing: readonly StageOutcome[],
): StageOutcome {
  const names = missing.map(({ stage }) => `"${stage}"`).join(", ");
  if (missing.every(({ status }) => status === "interrupted")) return interrupted(run, stage);
  return unstarted(run, stage, "blocked", `needs ${names}, which did not finish`);
}

function interrupted(run: RunContext, stage: ResolvedStage): StageOutcome {
  return unstarted(run, stage, "interrupted", "the run was interrupted before it began");
}

function unstarted(
  run: RunContext,
  { name: stage, kind }: ResolvedStage,
  status: "blocked" | "interrupted",
  reason: string,
): StageOutcome {
  const outcome: StageOutcome = { stage, status, reason, seconds: 0, attempts: 0, outputs: {} };
  run.record.stage(outcome, { kind });
  return outcome;
}

/** A counting semaphore, first come first served, that knows of the first failure. */
class Slots {
  readonly #queue: (() => void)[] = [];
  readonly #failFast: boolean;
  #free: number;
  /** The stage for whose failure no other is begun. */
  failed: string | undefined;

  constructor(count: number, failFast: boolean) {
    this.#free = Math.max(1, count);
    this.#failFast = failFast;
  }

  fail(stage: string): void {
    if (this.#failFast) this.failed ??= stage;
  }

  async take(): Promise<void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#queue.push(resolve));
  }

  give(): void {
    const next = this.#queue.shift();
    if (next) next();
    else this.#free++;
  }
}
