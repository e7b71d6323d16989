/** Stages of a run as its `run.json` has them; loads no DuckDB. */
import { join } from "node:path";
import { sha256 } from "../../base/digest.ts";
import { isRecord } from "../../base/record.ts";

/** A stage of a finished run, as `run.json` has it. */
export interface RecordedStage {
  /** Name in the run: `train`, or `train[2]`. */
  readonly stage: string;
  /** How it ended: `done`, `cached`, `failed`, `blocked`, `interrupted`. */
  readonly status: string;
  /** Reason of its plan. */
  readonly reason: string;
  /** Wall time of all attempts; 0 from cache. */
  readonly seconds: number;
  /** Key of its result in the cache; absent where an input never came to be. */
  readonly fingerprint?: string;
  /** Digest of each output by port. */
  readonly outputs: Readonly<Record<string, string>>;
  /** Message of a failed stage. */
  readonly fault?: string;
  /** Relative to the folder of the run. */
  readonly logPath?: string;
}

/** The stages of a run; undefined where its word cannot be read, none while it is still written. */
export function stagesOfRun(root: string, runId: string): readonly RecordedStage[] | undefined {
  try {
    return stagesIn(JSON.parse(Deno.readTextFileSync(join(root, "runs", runId, "run.json"))));
  } catch {
    return undefined;
  }
}

/** The stages in a `run.json`; an entry of another form is left out. */
export function stagesIn(run: unknown): readonly RecordedStage[] {
  return isRecord(run) && Array.isArray(run.stages) ? run.stages.flatMap(readStage) : [];
}

function readStage(word: unknown): RecordedStage[] {
  if (!isRecord(word) || typeof word.stage !== "string") return [];
  const { stage, status, reason = "", seconds = 0, fingerprint, outputs, fault, logPath } = word;
  const digests = Object.entries(isRecord(outputs) ? outputs : {})
    .filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return [{
    stage,
    status: String(status),
    reason: String(reason),
    seconds: Number(seconds),
    ...(typeof fingerprint === "string" && { fingerprint }),
    outputs: Object.fromEntries(digests),
    ...(typeof fault === "string" && { fault }),
    ...(typeof logPath === "string" && { logPath }),
  }];
}

/** Where checkpoints of a loop lie: rows of two copies of a stage are never taken for each other's. */
export function checkpointKey(stage: string, fingerprint: string): string {
  return stage.endsWith("]") ? sha256(`${fingerprint} ${stage}`) : fingerprint;
}
