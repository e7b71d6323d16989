/** The order of a run: every stage begins when what it needs is there, a few at a time. */
import {
  lacking,
  type MachineResources,
  type StageResources,
  without,
} from "../basics/resources.ts";
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
  const slots = new Slots(workers, run.machine, failFast);
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
  const wanted = run.cached.has(stage.name) ? undefined : stage.resources;
  await slots.take(wanted);
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
    slots.give(wanted);
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

/** A stage that waits for a slot, with what it wants. */
interface Waiting {
  readonly wanted: StageResources | undefined;
  readonly begin: () => void;
}

/**
 * Slots for stages and what the machine has for them; the first that fits comes first. A stage that
 * wants more than the machine has is let through: it runs nowhere, and reports that.
 */
class Slots {
  #queue: Waiting[] = [];
  readonly #failFast: boolean;
  readonly #machine: MachineResources;
  #free: number;
  #left: MachineResources;
  /** The stage for whose failure no other is begun. */
  failed: string | undefined;

  constructor(count: number, machine: MachineResources, failFast: boolean) {
    this.#free = Math.max(1, count);
    [this.#machine, this.#left] = [machine, machine];
    this.#failFast = failFast;
  }

  fail(stage: string): void {
    if (this.#failFast) this.failed ??= stage;
  }

  async take(wanted: StageResources | undefined): Promise<void> {
    const began = new Promise<void>((begin) => this.#queue.push({ wanted, begin }));
    this.#beginWhatFits();
    await began;
  }

  give(wanted: StageResources | undefined): void {
    this.#free++;
    if (this.#isPossible(wanted)) this.#left = without(this.#left, wanted, -1);
    this.#beginWhatFits();
  }

  #beginWhatFits(): void {
    this.#queue = this.#queue.filter(({ wanted, begin }) => {
      const isPossible = this.#isPossible(wanted);
      if (this.#free === 0 || isPossible && lacking(wanted, this.#left) !== "") return true;
      this.#free--;
      if (isPossible) this.#left = without(this.#left, wanted);
      begin();
      return false;
    });
  }

  #isPossible(wanted: StageResources | undefined): boolean {
    return lacking(wanted, this.#machine) === "";
  }
}
