/** Front ends: readers of a program's text before the engine, and the three kinds of a built-in executor. */
import type { Dataset } from "../../base/dataset.ts";
import type { SandboxLevel } from "../../base/sandbox_level.ts";
import type { Execution } from "../../engine/score/execution/mod.ts";
import type { TextOrigin } from "../../sandbox/mod.ts";
import type { ExecutorDefinition, Reading } from "../define_executor.ts";

/** A reading, or a failure of the process that read; `level` and `attestation` are that process's. */
export type FrontEndResult =
  & { readonly level: SandboxLevel; readonly attestation?: string; readonly wallMs: number }
  & (Reading | { readonly kind: "failed"; readonly execution: Execution });

/** Reads programs. */
export interface FrontEnd {
  /**
   * The reading of a program. `isCalledOff` is asked when the program's turn has come: then it is
   * not started, and the answer is undefined.
   */
  extract(
    program: string,
    dataset: Dataset,
    signal: AbortSignal | undefined,
    isCalledOff: () => boolean,
  ): Promise<FrontEndResult | undefined>;
}

/** How a front end is bounded. */
export interface FrontEndLimits {
  /** Folder that holds `.sluice`. */
  readonly root: string;
  /** Processes at once. */
  readonly slots: number;
  readonly origin: TextOrigin;
  /** Times that a program is tried again whose process the clock, memory or a crash ended. */
  readonly retries?: number;
  /** The level below which nothing is started. */
  readonly minimumLevel?: SandboxLevel;
  /** A worker has said of each text that it may run; no front end reads it once more. */
  readonly refuse: "asked";
}

/** The engine reads the text itself. */
interface EngineReads {
  /** `executor = "name"` of a target. */
  readonly name: string;
  readonly reads: "engine";
}

/** Processes of the executor's own evaluate the text, after a worker has said that it may run. */
interface ProcessesRead {
  readonly name: string;
  readonly reads: "processes";
  /** The container's image that the processes are started in, if they are: the user allows it by this name. */
  readonly image?: string;
  /** Packages that texts may import beside those of `pymc`. */
  readonly packages?: readonly string[];
  /** SHA-256 of what turns a text into a reading. */
  readonly digest: () => string;
  /** Called for texts of one origin, when the first is to be read. */
  readonly open: (limits: FrontEndLimits) => Promise<FrontEnd>;
}

/** An executor that Sluice brings. One made with `defineExecutor` is read in the runner's process. */
export type BuiltInExecutor = EngineReads | ProcessesRead | ExecutorDefinition;

/** The image that an executor starts, by its content; undefined if it starts none. */
export function imageOf(executor: BuiltInExecutor): string | undefined {
  return "image" in executor ? executor.image : undefined;
}
