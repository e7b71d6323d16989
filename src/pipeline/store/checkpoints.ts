/** Checkpoints of loops on disk: published whole, the last two and named ones kept, a torn one passed over. */
import { readRegular } from "../../base/regular_file.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../base/digest.ts";
import { encodeFrame } from "../../base/frames.ts";
import { writeAtomic } from "../../base/atomic.ts";

/** A named piece of a payload. */
export interface Part {
  readonly name: string;
  readonly bytes: number;
}

/** State from which a loop resumes, and the run that has its rows. */
export interface Checkpoint {
  readonly fingerprint: string;
  readonly step: number;
  readonly runId: string;
  /** The last segment of rows that belongs to it, as `RunStore.cut` named it. */
  readonly segment?: string;
  readonly parts: readonly Part[];
  /** The parts, one after the other. */
  readonly payload: Uint8Array;
}

interface Header extends Omit<Checkpoint, "payload"> {
  readonly format: 1;
  /** SHA-256 of the payload. */
  readonly sha256: string;
}

const kept = 2;
const extension = ".checkpoint";

/** The checkpoints of one project. */
export class Checkpoints {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Publishes a checkpoint; the rows up to its step must be safe before. The last two stay, and
   * those of the multiples of `keepEvery`.
   */
  publish({ payload, ...rest }: Checkpoint, keepEvery?: number): void {
    const header: Header = { format: 1, sha256: sha256(payload), ...rest };
    const path = join(this.#folder, rest.fingerprint, fileName(rest.step));
    writeAtomic(path, encodeFrame(header, payload));
    this.#trim(rest.fingerprint, kept, keepEvery);
  }

  /** The latest checkpoint of a loop that can be read, of those before a step. */
  latest(fingerprint: string, before = Infinity): Checkpoint | undefined {
    for (const step of this.steps(fingerprint).filter((one) => one < before)) {
      const found = this.at(fingerprint, step);
      if (found) return found;
    }
    return undefined;
  }

  /** The checkpoint of a step, if it is there and whole. */
  at(fingerprint: string, step: number): Checkpoint | undefined {
    const path = join(this.#folder, fingerprint, fileName(step));
    const found = existsSync(path) ? readCheckpoint(path) : undefined;
    return found?.fingerprint === fingerprint ? found : undefined;
  }

  /** Steps of which a loop has checkpoints, newest first. */
  steps(fingerprint: string): number[] {
    return this.#names(fingerprint).map((name) => Number(name.slice(0, -extension.length)));
  }

  /** Keeps of a loop that is done its last checkpoint, and those of the multiples of `keepEvery`. */
  settle(fingerprint: string, keepEvery?: number): void {
    this.#trim(fingerprint, 1, keepEvery);
  }

  /** Forgets a loop whose checkpoints are useless. */
  remove(fingerprint: string): void {
    try {
      Deno.removeSync(join(this.#folder, fingerprint), { recursive: true });
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }

  #trim(fingerprint: string, newest: number, keepEvery = Infinity): void {
    for (const step of this.steps(fingerprint).slice(newest)) {
      if (step % keepEvery === 0) continue;
      Deno.removeSync(join(this.#folder, fingerprint, fileName(step)));
    }
  }

  /** Newest first. */
  #names(fingerprint: string): string[] {
    try {
      return [...Deno.readDirSync(join(this.#folder, fingerprint))]
        .map(({ name }) => name)
        .filter((name) => name.endsWith(extension))
        .sort()
        .reverse();
    } catch {
      return [];
    }
  }
}

function fileName(step: number): string {
  return `${step.toString().padStart(12, "0")}${extension}`;
}

function readCheckpoint(path: string): Checkpoint | undefined {
  const bytes = readRegular(path, Infinity);
  const head = new TextDecoder().decode(bytes.subarray(0, 64));
  const [line, json, payload] = /^(\d+),(\d+)\n/.exec(head) ?? [];
  if (line === undefined) return undefined;
  const start = line.length + Number(json);
  if (bytes.length !== start + Number(payload)) return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(
      bytes.subarray(line.length, start),
    );
    const { format, sha256: digest, ...rest } = JSON.parse(text) as Header;
    const content = bytes.slice(start);
    return format === 1 && sha256(content) === digest ? { ...rest, payload: content } : undefined;
  } catch {
    return undefined;
  }
}
