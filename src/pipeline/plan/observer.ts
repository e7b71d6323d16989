/** Events that a run sends to its observer; the runner itself prints nothing. */
import type { StageFault } from "../process/messages.ts";

/** Expected fate of a stage, as far as it is known before the run. */
export type PlanState = "cached" | "run" | "resume" | "blocked";

/** One line of the plan. */
export interface PlannedStage {
  /** Full name: `train`, `train[2]`. */
  readonly stage: string;
  /** Built-in name, path, or `loop`. */
  readonly kind: string;
  /** Answered by cache, run, resumed from a checkpoint, or held back by another stage. */
  readonly state: PlanState;
  /** Why: `params.steps 800 -> 2000`; "never ran"; "its output is damaged". */
  readonly reason: string;
  /** Known unless it waits for a stage that has to run. */
  readonly fingerprint?: string;
  /** Seconds that the stage took when it ran last. */
  readonly secondsBefore?: number;
  /** Permissions beyond those of built-in kinds: `read /etc/hosts, net *`. */
  readonly touches?: string;
}

/** Progress of a running stage; at most ten times a second. */
export interface StageProgress {
  /** Full name, as in the plan. */
  readonly stage: string;
  /** Steps done, of `steps`; 0 of 1 outside loops. */
  readonly step: number;
  /** Steps of the loop in all. */
  readonly steps: number;
  /** Latest numbers that the stage reported: `{ loss, log_z }`. */
  readonly status: Readonly<Record<string, number | string>>;
  /** Programs answered by the pool so far, the memo's answers left out. */
  readonly executed: number;
  /** Programs answered by the memo. */
  readonly recalled: number;
  /** The request that is being served, in distinct programs. */
  readonly batch?: { readonly done: number; readonly total: number };
  /** Different programs that the stage has asked for so far. */
  readonly distinctPrograms: number;
  /** Executions per second since the stage began. */
  readonly executionsPerSecond: number;
  /** Seconds since this attempt began. */
  readonly secondsElapsed: number;
}

/** How a stage ended in this run. */
export interface StageOutcome {
  /** Full name, as in the plan. */
  readonly stage: string;
  /** `blocked`: a stage that it needs has failed. */
  readonly status: "done" | "cached" | "failed" | "blocked" | "interrupted";
  /** Wall time of all attempts of this run; 0 from cache. */
  readonly seconds: number;
  /** Reason of the plan, or the fault in a line. */
  readonly reason: string;
  /** Attempts in this run; 0 of a stage that did not start. */
  readonly attempts: number;
  /** Key under which outputs are cached; absent where an input of it never came to be. */
  readonly fingerprint?: string;
  /** Digest of each output by port. */
  readonly outputs: Readonly<Record<string, string>>;
  /** Most memory of its process, in KiB. */
  readonly maxRssKib?: number;
  /** Present of a failed stage. */
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
  /**
   * The process of a stage starts, for the first time or again after a failure of the machine's.
   */
  stageStarted?(
    stage: { readonly stage: string; readonly attempt: number; readonly reason: string },
  ): void;
  /** Numbers of a running stage. */
  progress?(progress: StageProgress): void;
  /** A line that a stage wrote to its log; `step` is 0 outside loops. */
  log?(line: { readonly stage: string; readonly step: number; readonly message: string }): void;
  /** A line for the user, shown again at the end; without a stage it concerns the run. */
  warning?(warning: { readonly stage?: string; readonly message: string }): void;
  /** A checkpoint behind `step` steps is safe on disk. */
  checkpointed?(at: { readonly stage: string; readonly step: number }): void;
  /** A loop goes on behind `step` of `steps` steps. */
  resumed?(at: { readonly stage: string; readonly step: number; readonly steps: number }): void;
  /** A stage has ended, with any outcome. */
  stageFinished?(outcome: StageOutcome): void;
  /** A check has been asked at the end. */
  checkFinished?(check: CheckOutcome): void;
}

/** Result of one SQL check. */
export interface CheckOutcome {
  /** Name that the pipeline gives it; its SQL where it gives none. */
  readonly name: string;
  /** Query, as written; empty of a check that a service brings. */
  readonly sql: string;
  /** True if one cell came out, and it was `true`. */
  readonly passed: boolean;
  /** Result in place of one `true`. */
  readonly found: string;
  /** True of a check that warns where it does not hold: the run is done all the same. */
  readonly warns?: boolean;
}
