/** Ctrl-C and SIGTERM as two signals: the first asks the run to stop, the second ends it at once. */
import type { RunControl } from "../process/attempt.ts";

/** A control, and the functions that drive it. */
export interface Interrupt {
  /** To be given to the run. */
  readonly control: RunControl;
  /**
   * Ctrl-C. The first call asks the run to finish its step, the second ends it at once. A terminal
   * signals `deno task` and Sluice, and `deno task` hands its own on: a call within .3 s of another
   * is the same one.
   */
  press(): void;
  /** SIGTERM, as `press`: a batch system signals every process, and a parent hands on within a second. */
  terminate(): void;
}

/** Milliseconds within which a second signal is the first one again. */
const echoes = { press: 300, terminate: 1000 } as const;

/**
 * A control that `press` and `terminate` drive; the listener for signals calls them.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { interruptControl } from "./interrupt.ts";
 * const control = interruptControl();
 * assert(control);
 * ```
 */
export function interruptControl(now: () => number = () => performance.now()): Interrupt {
  const [stop, kill] = [new AbortController(), new AbortController()];
  const signalled = (echo: number) => {
    let last = -Infinity;
    return () => {
      const since = now() - last;
      last = now();
      if (since > echo) (stop.signal.aborted ? kill : stop).abort();
    };
  };
  const [press, terminate] = [signalled(echoes.press), signalled(echoes.terminate)];
  return { control: { stop: stop.signal, kill: kill.signal }, press, terminate };
}
