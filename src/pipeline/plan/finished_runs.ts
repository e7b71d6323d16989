/** Which run found what a plan would find: where nothing changed since, that run is the answer. */
import { join, relative } from "node:path";
import { writeAtomic } from "../../base/atomic.ts";
import { digestOf } from "../../base/digest.ts";
import { stampOf } from "../../base/file_stamp.ts";
import { JsonSeals } from "../../base/sealed_json.ts";
import type { ProjectLayout } from "../project/project.ts";
import { readJsonFile } from "../process/json_file.ts";
import type { ResolvedPipeline } from "../read/resolved.ts";
import { schemaVersion } from "../store/schema.ts";
import type { PipelineLock } from "./lock_content.ts";
import type { CheckOutcome } from "./observer.ts";

/** A run that is done, all of whose checks hold. */
export interface FinishedRun {
  readonly runId: string;
  readonly checks: readonly CheckOutcome[];
  /** Size, times and inode of its database when it was closed. */
  readonly database: string;
}

/** Inputs of a run: its stages by fingerprint, its values, its checks, its permissions. */
export function runKey(
  root: string,
  { absolutePath, values, checks, seeds }: ResolvedPipeline,
  fingerprints: readonly (readonly [stage: string, fingerprint: string])[],
  lock: PipelineLock,
): string {
  const asked = checks.map(({ name = "", sql, over = "", on_fail = "" }) => {
    return [name, sql, over, on_fail];
  });
  const written = values.map(({ path, value }) => [path, value]);
  const pipeline = relative(root, absolutePath);
  const facts = { pipeline, schemaVersion, seeds: seeds ?? 1, asked, written };
  return digestOf({ ...facts, fingerprints, lock });
}

/** Finished runs of a project by what they depend on, in `.sluice/finished`, sealed by the user's key. */
export class FinishedRuns {
  readonly #layout: ProjectLayout;
  readonly #seals: JsonSeals;

  constructor(layout: ProjectLayout) {
    this.#layout = layout;
    this.#seals = new JsonSeals(layout.root);
  }

  /** The run of a key, if its database is as it was left. */
  find(key: string): FinishedRun | undefined {
    const kept = this.#seals.open(key, readJsonFile(this.#path(key)));
    const run = kept as Partial<FinishedRun> | undefined;
    if (typeof run?.runId !== "string" || !Array.isArray(run.checks)) return undefined;
    return run.database === this.#stamp(run.runId) ? run as FinishedRun : undefined;
  }

  /** Keeps a run that has just been closed. */
  keep(key: string, runId: string, checks: readonly CheckOutcome[]): void {
    const run = { runId, checks, database: this.#stamp(runId) };
    writeAtomic(this.#path(key), JSON.stringify(this.#seals.seal(key, run)));
  }

  #path(key: string): string {
    return join(this.#layout.state, "finished", `${key}.json`);
  }

  #stamp(runId: string): string | undefined {
    try {
      return stampOf(join(this.#layout.runs, runId, "run.duckdb"));
    } catch {
      return undefined;
    }
  }
}
