/** How a process that loads native code is confined: given to the runner, which has no sandbox of its own. */

/** A process that is to be confined. */
export interface ProcessToConfine {
  /** Arguments of Deno. */
  readonly args: readonly string[];
  /** All of its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Folder where it stands. */
  readonly cwd: string;
  /** Files and folders that it may read, beside those of the system's libraries. */
  readonly readable: readonly string[];
  /** Files that it may write; they exist. */
  readonly writable: readonly string[];
}

/** A confined process, ready to be started once. */
export interface ConfinedStart {
  /** Launcher with its arguments, all three standard streams piped. */
  readonly command: Deno.Command;
  /** Written to standard input before anything else. */
  readonly preamble: Uint8Array;
  /** Nonce in the first frame of its standard output, once it is confined. */
  readonly nonce: string;
  /** Bytes at the end of standard error that {@link readEnd} reads. */
  readonly reportBytes: number;
  /** Exit of the process, if these bytes report one; otherwise they are its own output. */
  readEnd(bytes: Uint8Array): { readonly code: number; readonly signal: string | null } | undefined;
}

/** Confines a process; undefined where the machine cannot. */
export type ConfineProcess = (process: ProcessToConfine) => Promise<ConfinedStart | undefined>;
