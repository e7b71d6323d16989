/** What each stage of a pipeline was when it was last done: how a plan can say what changed. */
import { join, relative } from "node:path";
import { sha256 } from "../../base/digest.ts";
import type { FingerprintParts } from "./fingerprint.ts";
import { readJsonFile, writeJsonFile } from "../process/json_file.ts";
import type { ProjectLayout } from "../contract/project.ts";

/** The last time that a stage was done. */
export interface LastTime {
  readonly fingerprint: string;
  readonly parts: FingerprintParts;
  readonly runId: string;
  /** Of the run that computed it, not of one that found it in the cache. */
  readonly seconds: number;
}

/** The history of one pipeline file, kept under `.sluice/history`. */
export class History {
  readonly #path: string;
  #stages: Record<string, LastTime>;

  constructor(layout: ProjectLayout, pipelineFile: string) {
    const name = sha256(relative(layout.root, pipelineFile)).slice(0, 32);
    this.#path = join(layout.state, "history", `${name}.json`);
    const kept = readJsonFile(this.#path);
    this.#stages = typeof kept === "object" && kept !== null
      ? kept as Record<string, LastTime>
      : {};
  }

  get(stage: string): LastTime | undefined {
    return this.#stages[stage];
  }

  /** Keeps what another process wrote for other stages meanwhile, by and large. */
  put(stage: string, last: LastTime): void {
    const kept = readJsonFile(this.#path) as Record<string, LastTime> | undefined;
    this.#stages = { ...this.#stages, ...kept, [stage]: last };
    writeJsonFile(this.#path, this.#stages);
  }
}
