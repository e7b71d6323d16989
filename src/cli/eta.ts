/** How long a stage still takes, from how its last steps went. */
import type { StageProgress } from "../pipeline/plan/mod.ts";

/** Share of the past that each new observation keeps: about the last thirty count. */
const memory = 0.97;

/** Programs above which a request is shown, and counted, apart from the steps of its loop. */
export const largeRequest = 200;

/** Estimates the seconds left of one stage; a large request of programs is counted by itself. */
export class RemainingTime {
  #seconds = 0;
  #steps = 0;
  #last: { readonly step: number; readonly at: number } | undefined;

  /** Takes note of a progress message and gives the seconds left; Infinity at first. */
  observe(progress: StageProgress): number {
    const { step, steps, secondsElapsed: at, executionsPerSecond } = progress;
    const batch = (progress.batch?.total ?? 0) > largeRequest ? progress.batch : undefined;
    const last = this.#last;
    if (!batch && last && step > last.step) {
      this.#seconds = memory * this.#seconds + (at - last.at);
      this.#steps = memory * this.#steps + (step - last.step);
    }
    if (batch || !last || step > last.step) this.#last = { step, at };
    const scoring = batch ? (batch.total - batch.done) / Math.max(executionsPerSecond, 0.01) : 0;
    return this.#steps === 0 ? Infinity : scoring + (this.#seconds / this.#steps) * (steps - step);
  }
}
