/** What a run tells whoever watches it; the runner itself prints nothing. */
import type { StageFault } from "../process/messages.ts";

/** What will happen to a stage, as far as can be said before the run. */
export type PlanState = "cached" | "run" | "resume" | "blocked";

/** One line of the plan. */
export interface PlannedStage {
  readonly stage: string;
  readonly kind: string;
  readonly state: PlanState;
  /** Why: `params.steps 800 -> 2000`; "never ran"; "its output is damaged". */
  readonly reason: string;
  /** Known unless it waits for a stage that has to run. */
  readonly fingerprint?: string;
  /** Seconds that the stage took when it ran last. */
  readonly secondsBefore?: number;
  /** What it may touch beyond what built-in kinds do: `read /etc/hosts, net *`. */
  readonly touches?: string;
}

/** Progress of a running stage; at most ten times a second. */
export interface StageProgress {
  readonly stage: string;
  /** Steps done, of `steps`; 0 of 1 outside loops. */
  readonly step: number;
  readonly steps: number;
  readonly status: Readonly<Record<string, number | string>>;
  /** Programs answered by the pool so far, the memo's answers left out. */
  readonly executed: number;
  /** Programs answered by the memo. */
  readonly recalled: number;
  /** The request that is being served, in distinct programs. */
  readonly batch?: { readonly done: number; readonly total: number };
  readonly distinctPrograms: number;
  /** Executions per second since the stage began. */
  readonly executionsPerSecond: number;
  readonly secondsElapsed: number;
}

/** How a stage ended in this run. */
export interface StageOutcome {
  readonly stage: string;
  readonly status: "done" | "cached" | "failed" | "blocked" | "interrupted";
  readonly seconds: number;
  readonly reason: string;
  readonly attempts: number;
  readonly fingerprint?: string;
  /** Digest of each output by port. */
  readonly outputs: Readonly<Record<string, string>>;
  readonly maxRssKib?: number;
  readonly fault?: StageFault;
  /** Absolute path of the log of the last attempt. */
  readonly logPath?: string;
}

/** Receives events of a run; every method may be left out. */
export interface RunObserver {
  /** Before anything runs. */
  planned?(stages: readonly PlannedStage[]): void;
  /** The run has a folder; `resumed` if it is an earlier one, reopened. */
  runOpened?(
    run: { readonly runId: string; readonly folder: string; readonly resumed: boolean },
  ): void;
  /** Nothing changed since an earlier run, which is the answer; `runOpened` does not come. */
  unchanged?(run: { readonly runId: string; readonly folder: string }): void;
  stageStarted?(
    stage: { readonly stage: string; readonly attempt: number; readonly reason: string },
  ): void;
  progress?(progress: StageProgress): void;
  log?(line: { readonly stage: string; readonly step: number; readonly message: string }): void;
  warning?(warning: { readonly stage?: string; readonly message: string }): void;
  checkpointed?(at: { readonly stage: string; readonly step: number }): void;
  resumed?(at: { readonly stage: string; readonly step: number; readonly steps: number }): void;
  stageFinished?(outcome: StageOutcome): void;
  checkFinished?(check: CheckOutcome): void;
}

/** Result of one SQL check. */
export interface CheckOutcome {
  readonly name: string;
  readonly sql: string;
  readonly passed: boolean;
  /** What came out instead of one `true`. */
  readonly found: string;
}
