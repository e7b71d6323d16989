/** The file that a process adds its entries to, and no other process writes. */
import { dirname, join } from "node:path";
import { explainWrites } from "../../base/atomic.ts";
import { hashLength, headerLine } from "./line.ts";
import { keyOfHash } from "./hash_index.ts";
import { recordOf } from "./index_file.ts";

/** Bytes after which a new file is begun. */
const mostBytes = 512 * 1024 * 1024;

/** Appends lines to a segment, and records to the index beside it. */
export class SegmentWriter {
  readonly path: string;
  readonly #segment: Deno.FsFile;
  readonly #index: Deno.FsFile;
  #size: number;

  private constructor(path: string, segment: Deno.FsFile, index: Deno.FsFile, size: number) {
    [this.path, this.#segment, this.#index, this.#size] = [path, segment, index, size];
  }

  /** Begins a file of this name, which must not exist. */
  static create(folder: string, name: string): SegmentWriter {
    const path = join(folder, `${name}.ndjson`);
    return explainWrites(path, () => {
      Deno.mkdirSync(dirname(path), { recursive: true });
      const segment = Deno.openSync(path, { write: true, createNew: true });
      const header = new TextEncoder().encode(headerLine());
      writeWhole(segment, header);
      const index = Deno.openSync(path.replace(/\.ndjson$/, ".index"), {
        write: true,
        createNew: true,
      });
      return new SegmentWriter(path, segment, index, header.length);
    });
  }

  /** True once a new file should be begun. */
  get isFull(): boolean {
    return this.#size >= mostBytes;
  }

  /**
   * Appends the line of a program and returns its place. A line that could not be written whole is
   * taken back.
   *
   * @throws MissingPartError if the disk is full.
   */
  append(hash: string, line: string): { readonly offset: number; readonly length: number } {
    const bytes = new TextEncoder().encode(line);
    const offset = this.#size;
    explainWrites(this.path, () => {
      try {
        writeWhole(this.#segment, bytes);
      } catch (error) {
        this.#segment.truncateSync(offset);
        this.#segment.seekSync(offset, Deno.SeekMode.Start);
        throw error;
      }
    });
    this.#size += bytes.length;
    this.#record(recordOf(keyOfHash(hash.slice(0, hashLength)), offset, bytes.length));
    return { offset, length: bytes.length };
  }

  close(): void {
    this.#segment.close();
    this.#index.close();
  }

  /** Adds to the index, which is a hint: entries that it lacks are found by reading the segment. */
  #record(bytes: Uint8Array): void {
    try {
      writeWhole(this.#index, bytes);
    } catch {
      // A full disk: the next line will say so.
    }
  }
}

function writeWhole(file: Deno.FsFile, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
}
