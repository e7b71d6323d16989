/** A service of a run: a command, and where it answers. */

/** One service of a run. */
export interface ServiceProcess {
  /** Words of the command; `{host}`, `{port}` and `{token}` are filled in. */
  readonly command: readonly string[];
  /** Where it answers; a host of this machine. */
  readonly url: string;
  /** Path that answers 200 once it is ready. */
  readonly health: string;
  /** Seconds within which it has to be. */
  readonly wait: number;
}
