/** Checks that are asked while a loop goes on, every so many steps: they warn, or stop the run. */
import { defaultSqlLimits, type SqlLimits } from "../basics/sql_limits.ts";
import type { CheckOutcome, RunObserver } from "../plan/observer.ts";
import type { ResolvedCheck } from "../read/resolved.ts";
import type { RunStore } from "../store/run_store.ts";
import { askCheck, limitMemory } from "./checks.ts";

/** Limits and observer of step checks, and how they stop the run. */
interface StepChecksOptions {
  readonly limits?: SqlLimits;
  readonly observer: RunObserver;
  /** Called once, when a check fails that is to stop the run. */
  readonly stop: () => void;
}

/** The checks of one run that have `every`. */
export class StepChecks {
  readonly #checks: readonly ResolvedCheck[];
  readonly #store: RunStore;
  readonly #options: StepChecksOptions;
  /** By loop and check: how often it was due. */
  readonly #asked = new Map<string, number>();
  #work: Promise<void> = Promise.resolve();
  /** When the first check is asked: from then on its memory is limited. */
  #limited: Promise<void> | undefined;
  /** The check that stopped the run. */
  failed: CheckOutcome | undefined;

  constructor(store: RunStore, checks: readonly ResolvedCheck[], options: StepChecksOptions) {
    [this.#store, this.#options] = [store, options];
    this.#checks = checks.filter(({ every }) => every !== undefined);
  }

  /** Asks what is due after a step of a loop; returns at once. */
  observe(stage: string, step: number): void {
    for (const [i, check] of this.#checks.entries()) {
      const [key, due] = [`${stage} ${i}`, Math.floor(step / check.every!)];
      if (due <= (this.#asked.get(key) ?? 0)) continue;
      this.#asked.set(key, due);
      this.#work = this.#work.then(() => this.#ask(check, stage, step)).catch(() => {});
    }
  }

  /** Waits for checks that are being asked. */
  async settled(): Promise<void> {
    await this.#work;
  }

  async #ask(check: ResolvedCheck, stage: string, step: number): Promise<void> {
    if (this.failed) return;
    const { limits = defaultSqlLimits } = this.#options;
    await (this.#limited ??= limitMemory(this.#store, limits));
    const outcome = await askCheck(this.#store, check, limits);
    if (outcome.passed) return;
    const found = `${outcome.found} at step ${step} of ${stage}`;
    if (check.on_fail === "warn") {
      const message = `check "${outcome.name}" does not hold: found ${found}`;
      this.#options.observer.warning?.({ stage, message });
      return;
    }
    this.failed = { ...outcome, found };
    this.#options.stop();
  }
}
