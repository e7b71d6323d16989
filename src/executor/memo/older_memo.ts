/** Memos of the first format: one file a key, lines without a seal. They are adopted, never believed. */
import { join } from "node:path";
import { checkedLineValue } from "../../base/checked_lines.ts";
import { isRecord } from "../../base/record.ts";
import type { Sealer } from "../../base/seal.ts";
import { ulid } from "../../pipeline/store/ulid.ts";
import { encodeLine, readOutcome } from "./line.ts";
import { linesOfFile } from "./segment_reader.ts";
import { SegmentWriter } from "./segment_writer.ts";

/** What became of the older files of a project. */
export interface Adopted {
  readonly files: number;
  readonly entries: number;
  /** Lines that were torn, altered, or do not add up: left behind. */
  readonly damaged: number;
}

/** Older files of a project: `.sluice/memo/<digest of the key>.ndjson`. */
export function olderMemos(root: string): string[] {
  try {
    const entries = [...Deno.readDirSync(join(root, ".sluice", "memo"))];
    return entries.map(({ name }) => name).filter((name) => olderName.test(name)).sort();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

const olderName = /^[0-9a-f]{64}\.ndjson$/;

/**
 * Seals what older files hold by the user's key and puts it where the memo of today is: for the user
 * has said that it was made here. A file is removed when all of it is in its new place; however large
 * it is, one line at a time is held.
 */
export function adoptOlderMemos(root: string, sealer: Sealer): Adopted {
  const adopted = { files: 0, entries: 0, damaged: 0 };
  for (const name of olderMemos(root)) {
    const path = join(root, ".sluice", "memo", name);
    adoptFile(root, path, name.slice(0, 64), sealer, adopted);
    Deno.removeSync(path);
    adopted.files++;
  }
  return adopted;
}

function adoptFile(
  root: string,
  path: string,
  memo: string,
  sealer: Sealer,
  adopted: { entries: number; damaged: number },
): void {
  let writer: SegmentWriter | undefined;
  for (const line of linesOfFile(path)) {
    const value = checkedLineValue(line);
    const hash = isRecord(value) && typeof value.text === "string" ? value.text : "";
    const outcome = /^[0-9a-f]{64}$/.test(hash) ? readOutcome(value, hash) : undefined;
    if (!outcome) {
      adopted.damaged++;
      continue;
    }
    if (writer?.isFull) {
      writer.close();
      writer = undefined;
    }
    writer ??= SegmentWriter.create(join(root, ".sluice", "memo", memo.slice(0, 2), memo), ulid());
    writer.append(hash, encodeLine(memo, hash, outcome, sealer));
    adopted.entries++;
  }
  writer?.close();
}
