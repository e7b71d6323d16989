/** History of each stage of a pipeline when it was last done: how a plan can say what changed. */
import { join, relative } from "node:path";
import { sha256 } from "../../base/digest.ts";
import { isRecord } from "../../base/record.ts";
import type { FingerprintParts } from "./fingerprint.ts";
import { readJsonFile, writeJsonFile } from "../process/json_file.ts";
import type { ProjectLayout } from "../project/project.ts";

/** The last time that a stage was done. */
interface LastTime {
  readonly fingerprint: string;
  readonly parts: FingerprintParts;
  readonly runId: string;
  /** Of the run that computed it, not of one that found it in the cache. */
  readonly seconds: number;
}

/** Milliseconds between two writes while a run goes on: each writes all stages. */
const saveEvery = 10_000;

/** The history of one pipeline file, kept under `.sluice/history`. */
export class History {
  readonly #path: string;
  readonly #stages: Record<string, LastTime>;
  #fresh: Record<string, LastTime> = {};
  #saved = performance.now();

  constructor(layout: ProjectLayout, pipelineFile: string) {
    const name = sha256(relative(layout.root, pipelineFile)).slice(0, 32);
    this.#path = join(layout.state, "history", `${name}.json`);
    this.#stages = lastTimes(readJsonFile(this.#path));
  }

  get(stage: string): LastTime | undefined {
    return Object.hasOwn(this.#stages, stage) ? this.#stages[stage] : undefined;
  }

  /** Learns how a stage was done; written by `save`, and by and by in a long run. */
  put(stage: string, last: LastTime): void {
    this.#stages[stage] = this.#fresh[stage] = last;
    if (performance.now() - this.#saved > saveEvery) this.save();
  }

  /** Writes what was learned; keeps what another process wrote for other stages. */
  save(): void {
    if (Object.keys(this.#fresh).length === 0) return;
    const kept = lastTimes(readJsonFile(this.#path));
    writeJsonFile(this.#path, { ...this.#stages, ...kept, ...this.#fresh });
    this.#fresh = {};
    this.#saved = performance.now();
  }
}

/** Entries of a file that have the form of a history; they only explain plans, for others may write the file. */
function lastTimes(kept: unknown): Record<string, LastTime> {
  if (!isRecord(kept)) return {};
  return Object.fromEntries(
    Object.entries(kept).filter((entry): entry is [string, LastTime] => {
      return isLastTime(entry[1]);
    }),
  );
}

function isLastTime(value: unknown): value is LastTime {
  return isRecord(value) && typeof value.fingerprint === "string" &&
    typeof value.runId === "string" && Number.isFinite(value.seconds) &&
    isRecord(value.parts) && isShallow(value.parts, 32);
}

/** Tells whether a value nests at most so many levels: deeper ones are no parts of a fingerprint. */
function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((one) => isShallow(one, levels - 1));
}
