/** Options of planning and running a pipeline. */
import type { Json } from "../../base/canonical_json.ts";
import type { SandboxLevel } from "../../base/sandbox_level.ts";
import type { SqlLimits } from "../basics/sql_limits.ts";
import type { ConfineProcess } from "../contract/confinement.ts";
import type { ModelLookup } from "../contract/model_param.ts";
import type { Service } from "../contract/service.ts";
import type { Consent } from "../plan/consent.ts";
import type { ContinueFrom } from "../plan/continuation.ts";
import type { PipelineLock } from "../plan/lock_content.ts";
import type { RunObserver } from "../plan/observer.ts";
import type { Selection } from "../plan/select.ts";
import type { RunControl } from "../process/attempt.ts";
import type { SluiceHome } from "../project/project.ts";

/** Rows of a query over the tables of a run that this process has open. */
export type AskOpenRun = (sql: string) => Promise<readonly Record<string, unknown>[]>;

/** How a pipeline is planned and run. */
export interface RunOptions {
  /** Folder that holds `.sluice` and `runs`. */
  readonly projectRoot: string;
  /** Absolute path of the module of a built-in kind. */
  readonly builtInKindFile: (kind: string) => string;
  /** Folders of Sluice itself; found from this file if left out. */
  readonly home?: SluiceHome;
  /** Services that stages may ask; the runner itself has none. */
  readonly services?: readonly Service[];
  /** A level of the sandbox that is demanded of services, beside the pipeline's own demand. */
  readonly minimumLevel?: SandboxLevel;
  /** Stages that run at once; cores by default. */
  readonly workers?: number;
  /** GPUs of this machine; those that `CUDA_VISIBLE_DEVICES` lists by default. */
  readonly gpus?: number;
  /** Receives plan, progress and outcomes; nothing is printed without one. */
  readonly observer?: RunObserver;
  /** Receives the id of the run as soon as it has a folder, and queries of its tables while it runs. */
  readonly opened?: (runId: string, ask: AskOpenRun) => void;
  /** Called when all is done, while the tables can still be asked. @throws nothing */
  readonly closing?: () => Promise<void>;
  /** Control that Ctrl-C drives; see `interruptControl`. */
  readonly control?: RunControl;
  /** Facts of the tensor backend that bits depend on, for stages that compute with tensors. */
  readonly tensors?: Json;
  /** Language models of the project, for pipelines that name one. */
  readonly models?: ModelLookup;
  /** Leaves the lock file alone: overlays and `--set` make another pipeline of it. */
  readonly keepLock?: boolean;
  /** Fails if the lock file beside the pipeline would change. */
  readonly frozen?: boolean;
  /** Is shown the lock before anything runs; an error that it throws ends the run. */
  readonly requireLock?: (lock: PipelineLock) => void;
  /** Limits of each SQL check; a minute and 2 GiB by default. */
  readonly checkLimits?: SqlLimits;
  /** Bytes that a file of a parameter may have; 1 GiB by default. */
  readonly maxFileBytes?: number;
  /**
   * Grants or refuses permissions of a stage outside the project (files, hosts, variables, native
   * code); without it they are refused.
   */
  readonly consent?: Consent;
  /** Confines processes of stages that may load native code; Deno's permissions do not hold that. */
  readonly confineNative?: ConfineProcess;
  /** Writes a run of its own also where nothing changed since an earlier one. */
  readonly record?: boolean;
  /** Hashes every artifact that the cache holds, whatever its size and times are. */
  readonly verify?: boolean;
  /** Stages that run, and those that run again; all, and none, if left out. */
  readonly select?: Selection;
  /** Loops go on from the states that those of this run had. */
  readonly continueFrom?: ContinueFrom;
  /** Begins no further stage once one has failed. */
  readonly failFast?: boolean;
  /** Recorded in `run.json`. */
  readonly argv?: readonly string[];
  /** Recorded in `run.json` and in the column `meta` of table `run`: label, tags, note, sweep. */
  readonly marks?: Readonly<Record<string, Json>>;
}
