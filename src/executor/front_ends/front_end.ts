/** A front end: what reads a program's text before the engine, and gives it a graph to check. */
import type { Dataset } from "../../base/dataset.ts";
import type { SandboxLevel } from "../../base/sandbox_level.ts";
import type { Execution } from "../../engine/score/execution/mod.ts";
import type { TextOrigin } from "../../sandbox/mod.ts";

/** What became of a program: a graph for the engine to check and score, or a failure. */
export type FrontEndResult =
  & { readonly level: SandboxLevel; readonly attestation: string; readonly wallMs: number }
  & ({ readonly graph: unknown } | { readonly execution: Execution });

/** Reads programs, in processes of its own. */
export interface FrontEnd {
  /**
   * The graph of a program. `isCalledOff` is asked when the program's turn has come: then it is not
   * started, and the answer is undefined.
   */
  extract(
    program: string,
    dataset: Dataset,
    signal: AbortSignal | undefined,
    isCalledOff: () => boolean,
  ): Promise<FrontEndResult | undefined>;
}

/** How a front end is bounded. */
interface FrontEndLimits {
  /** Folder that holds `.sluice`. */
  readonly root: string;
  /** Processes at once. */
  readonly slots: number;
  readonly origin: TextOrigin;
  /** Times that a program is tried again whose process the clock, memory or a crash ended. */
  readonly retries?: number;
  /** The level below which nothing is started. */
  readonly minimumLevel: SandboxLevel;
  /** A worker has said of each text that it may run; no front end reads it once more. */
  readonly refuse: "asked";
}

/** An executor that Sluice brings: a front end, and the engine behind it. */
export interface BuiltInExecutor {
  /** `executor = "name"` of a target. */
  readonly name: string;
  /** SHA-256 of what turns a text into a graph; absent where the engine reads the text itself. */
  readonly digest?: () => string;
  /** Opened for texts of one origin, when the first is to be read. */
  readonly open?: (limits: FrontEndLimits) => Promise<FrontEnd>;
}
