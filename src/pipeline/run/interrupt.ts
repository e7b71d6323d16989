/** Ctrl-C and SIGTERM as two signals: the first asks the run to stop, the second ends it at once. */
import type { RunControl } from "../process/attempt.ts";

/** A control, and the functions that drive it. */
export interface Interrupt {
  /** To be given to the run. */
  readonly control: RunControl;
  /** Ctrl-C. The first call asks the run to finish its step, the second ends it at once. */
  press(): void;
  /**
   * SIGTERM, as `press`. It comes twice where a batch system signals every process and a parent
   * hands its own on: what follows another within a second is the same one.
   */
  terminate(): void;
}

/** Milliseconds within which a second SIGTERM is the first one again. */
const echo = 1000;

/** A control that `press` and `terminate` drive; the listener for signals calls them. */
export function interruptControl(now: () => number = () => performance.now()): Interrupt {
  const [stop, kill] = [new AbortController(), new AbortController()];
  const press = () => (stop.signal.aborted ? kill : stop).abort();
  let last = -Infinity;
  const terminate = () => {
    const since = now() - last;
    last = now();
    if (since > echo) press();
  };
  return { control: { stop: stop.signal, kill: kill.signal }, press, terminate };
}
