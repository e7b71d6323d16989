/** Ctrl-C as two signals: the first asks the run to stop, the second ends it at once. */
import type { RunControl } from "../process/attempt.ts";

/** A control, and the function that drives it. */
interface Interrupt {
  readonly control: RunControl;
  /** The first call asks the run to finish its step, the second ends it at once. */
  press(): void;
}

/** A control that `press` drives; whoever listens for Ctrl-C calls it. */
export function interruptControl(): Interrupt {
  const [stop, kill] = [new AbortController(), new AbortController()];
  const press = () => (stop.signal.aborted ? kill : stop).abort();
  return { control: { stop: stop.signal, kill: kill.signal }, press };
}
