/** A file of a memo as its readers see it: its new bytes at the end, and one line at a time. */
import { joinParts } from "../../base/join_parts.ts";
import { readIndexFile } from "./index_file.ts";
import { beginningBytes, formatVersion, headerLine, versionOf } from "./line.ts";

/** Bytes read at once where a file is scanned. */
const chunkBytes = 1024 * 1024;

/** Milliseconds for which a segment that has grown is scanned each time. */
const growingFor = 60_000;

/** Longest line that is looked for; any longer one is damage. */
const mostLineBytes = 64 * 1024 * 1024;

/** Whether the entries of a segment can be read. */
type SegmentState =
  | { readonly kind: "readable" }
  | { readonly kind: "newer"; readonly version: number }
  | { readonly kind: "damaged" };

/** Receives the beginning of each whole line that was found, and its place. */
type OnLine = (beginning: string, offset: number, length: number) => void;

const decoder = new TextDecoder();

/** One segment. Bytes up to `known` have been scanned. */
export class SegmentReader {
  readonly path: string;
  /** Clock of this process when the segment was last seen to have grown. */
  #grown = -Infinity;
  #known = 0;
  #state: SegmentState | undefined;
  #file: Deno.FsFile | undefined;

  constructor(path: string) {
    this.path = path;
  }

  /** Undefined until the first line is there. */
  get state(): SegmentState | undefined {
    return this.#state;
  }

  /** Path of the index beside it. */
  get indexPath(): string {
    return this.path.replace(/\.ndjson$/, ".index");
  }

  /** True if the segment has grown of late, so that it may well grow again. */
  get isGrowing(): boolean {
    return performance.now() - this.#grown < growingFor;
  }

  /** Reads the entries of the index when the segment is first opened; the tail is left to `scan`. */
  openIndexed() {
    const size = this.#size();
    this.#readHeader(size);
    const records = readIndexFile(this.indexPath, headerLine().length, size);
    if (this.#state?.kind === "readable") this.#known = records.covered;
    if (this.#isYoung()) this.#grown = performance.now();
    return records;
  }

  /** Scans appended bytes; a last line without its end is left for the next time. */
  scan(onLine: OnLine): void {
    const size = this.#size();
    if (this.#state === undefined) this.#readHeader(size);
    if (this.#state?.kind !== "readable" || size <= this.#known) return;
    this.#grown = performance.now();
    this.#lines(size, onLine);
  }

  /** The text of a line, without its end; undefined if the file is gone or shorter. */
  line(offset: number, length: number): string | undefined {
    if (length > mostLineBytes) return undefined; // an index can say anything
    const bytes = this.#read(offset, length);
    return bytes?.at(-1) === 10 ? decoder.decode(bytes.subarray(0, -1)) : undefined;
  }

  /** Lets go of the file; the next reading opens it again. */
  rest(): void {
    this.#file?.close();
    this.#file = undefined;
  }

  #lines(size: number, onLine: OnLine): void {
    let waiting: Uint8Array[] = [];
    let start = this.#known;
    for (let at = this.#known; at < size;) {
      const bytes = this.#read(at, Math.min(chunkBytes, size - at));
      if (!bytes) return;
      at += bytes.length;
      waiting.push(bytes);
      if (at - start > mostLineBytes) return void (this.#state = { kind: "damaged" });
      if (!bytes.includes(10)) continue;
      const whole = joinParts(waiting);
      let from = 0;
      for (let end = whole.indexOf(10); end >= 0; end = whole.indexOf(10, from)) {
        const beginning = decoder.decode(
          whole.subarray(from, Math.min(end, from + beginningBytes)),
        );
        onLine(beginning, start + from, end + 1 - from);
        from = end + 1;
      }
      start += from;
      this.#known = start;
      waiting = [whole.slice(from)];
    }
  }

  #readHeader(size: number): void {
    const length = Math.min(size, 40);
    const text = length === 0 ? "" : decoder.decode(this.#read(0, length));
    const end = text.indexOf("\n");
    if (end < 0) return;
    const version = versionOf(text.slice(0, end));
    if (version === undefined) this.#state = { kind: "damaged" };
    else if (version > formatVersion) this.#state = { kind: "newer", version };
    else this.#state = { kind: "readable" };
    this.#known = end + 1;
  }

  #isYoung(): boolean {
    try {
      return Date.now() - (Deno.statSync(this.path).mtime?.getTime() ?? 0) < growingFor;
    } catch {
      return false;
    }
  }

  #size(): number {
    try {
      const { isFile, size } = Deno.statSync(this.path);
      return isFile ? size : 0;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return 0;
      throw error;
    }
  }

  #read(offset: number, length: number): Uint8Array<ArrayBuffer> | undefined {
    try {
      this.#file ??= Deno.openSync(this.path);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return undefined;
      throw error;
    }
    this.#file.seekSync(offset, Deno.SeekMode.Start);
    const bytes = new Uint8Array(length);
    for (let done = 0; done < length;) {
      const read = this.#file.readSync(bytes.subarray(done));
      if (read === null) return undefined;
      done += read;
    }
    return bytes;
  }
}
