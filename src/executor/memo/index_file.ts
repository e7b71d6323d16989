/** The index beside a segment: a record of 32 bytes for each line, so that a memo opens unread. */
import { readIfThere, writeAtomic } from "../../base/atomic.ts";

/** Words of 32 bits of a hash that are kept; two programs that agree in them are distinguished on reading. */
export const keyWords = 4;

/** Words of a record: the key, the offset in two, the length, and one that is free. */
export const recordWords = 8;

/** Bytes of a record. */
export const recordBytes = 4 * recordWords;

/** Records of a segment, and how many bytes of the segment they cover. */
export interface IndexRecords {
  readonly words: Uint32Array<ArrayBuffer>;
  readonly count: number;
  readonly covered: number;
}

/** Bytes of one record; files are of the byte order of all machines that Deno runs on. */
export function recordOf(key: Uint32Array, offset: number, length: number): Uint8Array {
  const words = new Uint32Array(recordWords);
  words.set(key);
  words[keyWords] = offset % 2 ** 32;
  words[keyWords + 1] = Math.floor(offset / 2 ** 32);
  words[keyWords + 2] = length;
  return new Uint8Array(words.buffer);
}

/**
 * The records of a file, as far as they are whole and their lines follow one another in a segment
 * of `size` bytes. An index is a hint: lines that it points to are verified when they are read.
 *
 * @param start byte at which the first line stands.
 */
export function readIndexFile(path: string, start: number, size: number): IndexRecords {
  const bytes = readQuietly(path);
  const count = Math.floor(bytes.length / recordBytes);
  const words = new Uint32Array(bytes.buffer, 0, count * recordWords);
  let covered = start;
  for (let i = 0, at = keyWords; i < count; i++, at += recordWords) {
    const [offset, length] = [words[at] + 2 ** 32 * words[at + 1], words[at + 2]];
    if (offset < covered || length === 0 || offset + length > size) {
      return { words, count: i, covered };
    }
    covered = offset + length;
  }
  return { words, count, covered };
}

/** Adds records to the first `known` of an index that was short of its segment. */
export function completeIndexFile(path: string, known: IndexRecords, more: Uint8Array): void {
  const kept = new Uint8Array(known.words.buffer, 0, known.count * recordBytes);
  const bytes = new Uint8Array(kept.length + more.length);
  bytes.set(kept);
  bytes.set(more, kept.length);
  writeAtomic(path, bytes);
}

function readQuietly(path: string): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(readIfThere(path) ?? []);
  } catch {
    return new Uint8Array(0);
  }
}
