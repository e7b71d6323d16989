/** The memo of a project: every execution ever made of a program, data set, engine and schedule. */
import { join } from "node:path";
import { digestOf } from "../base/digest.ts";
import type { Schedule } from "../engine/score/execution.ts";
import { isMachineFailure } from "../engine/score/execution.ts";
import { checkedLine, readCheckedLines } from "../base/checked_lines.ts";
import { decodeExecution, encodeExecution } from "./execution_json.ts";
import { reaches, sandboxLevels } from "../base/sandbox_level.ts";
import { isRecord } from "../base/record.ts";
import type { ExecutionOutcome } from "./worker_process.ts";

/** What an execution depends on beside the program's text. */
export interface MemoKey {
  readonly datasetDigest: string;
  readonly engineDigest: string;
  readonly schedule: Schedule;
}

/**
 * An append-only log of executions under `<root>/.sluice/memo`, one file per key, one checksummed
 * line per program. Several processes may append at once; torn and corrupt lines are ignored.
 * Failures that are the machine's doing are never kept.
 */
export class Memo {
  readonly #path: string;
  readonly #entries: Map<string, ExecutionOutcome>;
  readonly #damaged: number;
  #needsNewline: boolean;

  private constructor(path: string, text: string) {
    this.#path = path;
    this.#needsNewline = text !== "" && !text.endsWith("\n");
    const { entries, damaged } = readLog(text);
    [this.#entries, this.#damaged] = [entries, damaged];
  }

  /** Reads the log of a key, if there is one. Nothing is written before the first `put`. */
  static open(root: string, key: MemoKey): Memo {
    const path = join(root, ".sluice", "memo", `${digestOf(key)}.ndjson`);
    try {
      return new Memo(path, Deno.readTextFileSync(path));
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return new Memo(path, "");
      throw error;
    }
  }

  /** Executions that are known. */
  get size(): number {
    return this.#entries.size;
  }

  /** Lines of the log that could not be read: torn by a crash, or changed since. */
  get damagedLines(): number {
    return this.#damaged;
  }

  /** What is known of a program, by the SHA-256 of its text. */
  get(textHash: string): ExecutionOutcome | undefined {
    return this.#entries.get(textHash);
  }

  /** Keeps an outcome, unless it is the machine's doing or already known at its level or above. */
  put(textHash: string, outcome: ExecutionOutcome): void {
    const known = this.#entries.get(textHash);
    if (isMachineFailure(outcome.execution.status)) return;
    if (known && reaches(known.level, outcome.level)) return;
    this.#entries.set(textHash, outcome);
    const line = encodeLine(textHash, outcome);
    appendWhole(this.#path, this.#needsNewline ? `\n${line}` : line);
    this.#needsNewline = false;
  }
}

function encodeLine(textHash: string, outcome: ExecutionOutcome): string {
  const execution = encodeExecution(outcome.execution);
  return checkedLine({ text: textHash, ...outcome, execution });
}

function readLog(log: string): { entries: Map<string, ExecutionOutcome>; damaged: number } {
  const { values, damaged } = readCheckedLines(log);
  const entries = values.map(readEntry).filter((entry) => entry !== undefined);
  return { entries: new Map(entries), damaged: damaged + values.length - entries.length };
}

function readEntry(value: unknown): [string, ExecutionOutcome] | undefined {
  if (!isRecord(value) || typeof value.text !== "string") return undefined;
  const execution = decodeExecution(value.execution);
  const level = sandboxLevels.find((name) => name === value.level);
  if (!execution || !level || typeof value.wallMs !== "number") return undefined;
  const [cpuMs, maxRssKib] = [optional(value.cpuMs), optional(value.maxRssKib)];
  const attestation = typeof value.attestation === "string" && { attestation: value.attestation };
  const cost = { wallMs: value.wallMs, cpuMs, maxRssKib };
  return [value.text, { execution, ...cost, level, ...attestation }];
}

function optional(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** One write at the end of the file: lines of several processes never mix. */
function appendWhole(path: string, text: string): void {
  const bytes = new TextEncoder().encode(text);
  const file = openAppend(path);
  try {
    for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
  } finally {
    file.close();
  }
}

function openAppend(path: string): Deno.FsFile {
  try {
    return Deno.openSync(path, { append: true, create: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    Deno.mkdirSync(join(path, ".."), { recursive: true });
    return Deno.openSync(path, { append: true, create: true });
  }
}
