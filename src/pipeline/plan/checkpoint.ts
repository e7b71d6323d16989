/** Checkpoints of loops on disk: published whole, the last two kept, a torn one passed over. */
import { readRegular } from "../../base/regular_file.ts";
import { join } from "node:path";
import { sha256 } from "../../base/digest.ts";
import { encodeFrame } from "../../base/frames.ts";
import { writeAtomic } from "../../base/atomic.ts";
import type { Part } from "../process/messages.ts";

/** What a loop needs to go on, and which run its rows are in. */
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

  /** Publishes a checkpoint; the rows up to its step must be safe before. */
  publish({ payload, ...rest }: Checkpoint): void {
    const header: Header = { format: 1, sha256: sha256(payload), ...rest };
    const folder = join(this.#folder, rest.fingerprint);
    writeAtomic(join(folder, fileName(rest.step)), encodeFrame(header, payload));
    for (const name of this.#names(rest.fingerprint).slice(kept)) {
      Deno.removeSync(join(folder, name));
    }
  }

  /** The latest checkpoint of a loop that can be read. */
  latest(fingerprint: string): Checkpoint | undefined {
    for (const name of this.#names(fingerprint)) {
      const found = readCheckpoint(join(this.#folder, fingerprint, name));
      if (found?.fingerprint === fingerprint) return found;
    }
    return undefined;
  }

  /** Forgets a loop that is done. */
  remove(fingerprint: string): void {
    try {
      Deno.removeSync(join(this.#folder, fingerprint), { recursive: true });
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
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
