/** Stages of a finished run as its `run.json` has them; loads no DuckDB. */
import { join } from "node:path";
import { sha256 } from "../../base/digest.ts";
import { isRecord } from "../../base/record.ts";

/** What a run says of one of its stages. */
export interface StageOfRun {
  /** `train`, or `train[2]`. */
  readonly stage: string;
  readonly status: string;
  /** Absent of a stage that did not begin. */
  readonly fingerprint?: string;
  /** Digest of each output, by port. */
  readonly outputs: Readonly<Record<string, string>>;
}

/** The stages of a run; undefined where its word cannot be read, none while it is still written. */
export function stagesOfRun(root: string, runId: string): readonly StageOfRun[] | undefined {
  try {
    const run: unknown = JSON.parse(
      Deno.readTextFileSync(join(root, "runs", runId, "run.json")),
    );
    return isRecord(run) && Array.isArray(run.stages) ? run.stages.flatMap(readStage) : [];
  } catch {
    return undefined;
  }
}

function readStage(word: unknown): StageOfRun[] {
  if (!isRecord(word) || typeof word.stage !== "string") return [];
  const { stage, status, fingerprint, outputs } = word;
  const digests = Object.entries(isRecord(outputs) ? outputs : {})
    .filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return [{
    stage,
    status: String(status),
    ...(typeof fingerprint === "string" && { fingerprint }),
    outputs: Object.fromEntries(digests),
  }];
}

/** Where checkpoints of a loop lie: rows of two copies of a stage are never taken for each other's. */
export function checkpointKey(stage: string, fingerprint: string): string {
  return stage.endsWith("]") ? sha256(`${fingerprint} ${stage}`) : fingerprint;
}
