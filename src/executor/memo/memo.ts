/** The memo of a project: every execution ever made of a program, data set, engine and schedule. */
import { basename, join } from "node:path";
import { digestOf } from "../../base/digest.ts";
import { reaches } from "../../base/sandbox_level.ts";
import { openSealer, type Sealer } from "../../base/seal.ts";
import { readTrust } from "../../base/trust.ts";
import { isSettled, type Schedule } from "../../engine/score/execution/mod.ts";
import { ulid } from "../../pipeline/basics/mod.ts";
import type { ExecutionOutcome } from "../worker_process.ts";
import { HashIndex, keyOfHash, type Place } from "./hash_index.ts";
import { completeIndexFile, type IndexRecords, recordBytes, recordOf } from "./index_file.ts";
import { encodeLine, hashIn, readLine } from "./line.ts";
import { type Findings, noteFindings } from "./findings.ts";
import { SegmentReader } from "./segment_reader.ts";
import { SegmentWriter } from "./segment_writer.ts";

/** Everything that an execution depends on beside the program's text. */
export interface MemoKey {
  readonly datasetDigest: string;
  readonly engineDigest: string;
  readonly schedule: Schedule;
}

/** Keys whose entries are accepted, and the receiver of notes on others. */
export interface MemoOptions {
  /** Key that seals entries of this process; the user's own by default. */
  readonly sealer?: Sealer;
  /** Public keys of others; those that the user trusts by default. */
  readonly trustedKeys?: readonly string[];
  /** Called once for each kind of entry that is not accepted, or not readable. */
  readonly onNote?: (line: string) => void;
}

/** Decoded entries that are kept, so that a program which comes again and again is read once. */
const mostDecoded = 4096;

/** Lines that an index may lack before it is completed. */
const longTail = 2000;

/** Milliseconds between two scans of files that do not grow. */
const lookAtAllEvery = 2000;

/** Files that are kept open. */
const mostOpen = 64;

/**
 * Executions under `<root>/.sluice/memo/<2 digits>/<digest of the key>`. Each process appends to files of
 * its own and sees those of all others, also while they grow; an index holds the places of lines; a line is
 * read, verified and decoded on demand. Only outcomes that the program itself causes are kept.
 */
export class Memo {
  /** Digest of the key: the name of the folder, and a part of what seals are over. */
  readonly name: string;
  readonly folder: string;
  readonly #sealer: Sealer;
  readonly #keys: ReadonlySet<string>;
  readonly #onNote: (line: string) => void;
  readonly #index = new HashIndex();
  readonly #segments: SegmentReader[] = [];
  readonly #names = new Set<string>();
  readonly #decoded = new Map<string, ExecutionOutcome>();
  readonly #open = new Set<SegmentReader>();
  /** Places of lines that were read and not accepted. */
  readonly #refused = new Set<string>();
  readonly #found: Findings = {
    damaged: 0,
    foreign: new Map(),
    newer: 0,
    noted: new Set(),
  };
  #lookedAtAll = -Infinity;
  #writer: { readonly file: SegmentWriter; readonly segment: number } | undefined;

  private constructor(root: string, key: MemoKey, options: MemoOptions) {
    this.name = digestOf(key);
    this.folder = join(root, ".sluice", "memo", this.name.slice(0, 2), this.name);
    this.#sealer = options.sealer ?? openSealer(root);
    const trusted = options.trustedKeys ?? readTrust().keys;
    this.#keys = new Set([this.#sealer.keyId, ...trusted]);
    this.#onNote = options.onNote ?? (() => {});
  }

  /** Opens the memo of a key, if there is one. Nothing is written before the first `put`. */
  static open(root: string, key: MemoKey, options: MemoOptions = {}): Memo {
    const memo = new Memo(root, key, options);
    memo.refresh();
    return memo;
  }

  /** Number of entries, accepted or not; one program may have several. */
  get size(): number {
    return this.#index.size;
  }

  /** Lines that were damaged or forged, among those that were read. */
  get damagedLines(): number {
    return this.#found.damaged;
  }

  /**
   * Outcome of a program, by the SHA-256 of its text: of several entries that of the highest level.
   * Entries that are damaged, forged, sealed by an untrusted key, or do not add up, do not count.
   */
  get(hash: string): ExecutionOutcome | undefined {
    const decoded = this.#decoded.get(hash);
    if (decoded) return decoded;
    let best: ExecutionOutcome | undefined;
    for (const place of this.#index.find(keyOfHash(hash))) {
      const outcome = this.#read(hash, place);
      if (outcome && !(best && reaches(best.level, outcome.level))) best = outcome;
    }
    if (best) this.#keep(hash, best);
    return best;
  }

  /** Keeps an outcome, unless another run could find another, or it is known at its level or above. */
  put(hash: string, outcome: ExecutionOutcome): void {
    if (!isSettled(outcome.execution.status)) return;
    const known = this.get(hash);
    if (known && reaches(known.level, outcome.level)) return;
    if (this.#writer?.file.isFull) this.#closeWriter();
    this.#writer ??= this.#begin();
    const { file, segment } = this.#writer;
    const line = encodeLine(this.name, hash, outcome, this.#sealer);
    this.#index.add(keyOfHash(hash), { segment, ...file.append(hash, line) });
    this.#keep(hash, outcome);
  }

  /**
   * Looks for what other processes have added since. Files that have not grown for a while are left
   * out most times: a project may have a thousand of them.
   */
  refresh(): void {
    for (const name of this.#newNames()) this.#openSegment(new SegmentReader(name));
    const own = this.#writer?.segment;
    const everything = performance.now() - this.#lookedAtAll > lookAtAllEvery;
    if (everything) this.#lookedAtAll = performance.now();
    for (const [number, segment] of this.#segments.entries()) {
      if (number !== own && (everything || segment.isGrowing)) this.#scan(segment, number);
    }
    noteFindings(this.#found, this.#onNote, this.#sealer.ofProject);
  }

  /** Lets go of all files. */
  close(): void {
    this.#closeWriter();
    for (const segment of this.#open) segment.rest();
    this.#open.clear();
  }

  #newNames(): string[] {
    try {
      const names = [...Deno.readDirSync(this.folder)].map(({ name }) => name);
      const segments = names.filter((name) => name.endsWith(".ndjson") && !this.#names.has(name));
      return segments.sort().map((name) => join(this.folder, name));
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return [];
      throw error;
    }
  }

  #openSegment(segment: SegmentReader): void {
    const number = this.#segments.push(segment) - 1;
    this.#names.add(basename(segment.path));
    const records = segment.openIndexed();
    if (segment.state?.kind === "readable") this.#addIndexed(segment, number, records);
    if (segment.state?.kind === "newer") this.#found.newer++;
    if (segment.state?.kind === "damaged") this.#found.damaged++;
    segment.rest();
  }

  /** Adds the entries of the index, then those of the tail; a long tail is added to the index. */
  #addIndexed(reader: SegmentReader, segment: number, records: IndexRecords): void {
    this.#index.addRecords(records, segment);
    const missing: Uint8Array[] = [];
    this.#scan(reader, segment, (hash, offset, length) => {
      missing.push(recordOf(keyOfHash(hash), offset, length));
    });
    if (missing.length < longTail) return;
    const more = new Uint8Array(missing.length * recordBytes);
    for (const [i, record] of missing.entries()) more.set(record, i * recordBytes);
    try {
      completeIndexFile(reader.indexPath, records, more);
    } catch {
      // A folder that cannot be written: the next opening scans again.
    }
  }

  #scan(
    reader: SegmentReader,
    segment: number,
    onEntry?: (hash: string, offset: number, length: number) => void,
  ): void {
    this.#using(reader);
    reader.scan((beginning, offset, length) => {
      const hash = hashIn(beginning);
      if (hash === undefined) return void this.#found.damaged++;
      this.#index.add(keyOfHash(hash), { segment, offset, length });
      this.#decoded.delete(hash);
      onEntry?.(hash, offset, length);
    });
  }

  #read(hash: string, { segment, offset, length }: Place): ExecutionOutcome | undefined {
    const place = `${segment} ${offset}`;
    if (this.#refused.has(place)) return undefined;
    const reader = this.#segments[segment];
    this.#using(reader);
    const line = reader.line(offset, length);
    if (line === undefined) return undefined;
    const read = readLine(line, { memo: this.name, hash, keys: this.#keys });
    if (read.kind === "entry") return read.outcome;
    this.#refused.add(place);
    if (read.kind === "damaged") this.#found.damaged++;
    else this.#found.foreign.set(read.keyId, 1 + (this.#found.foreign.get(read.keyId) ?? 0));
    noteFindings(this.#found, this.#onNote, this.#sealer.ofProject);
    return undefined;
  }

  /** Few files are open at once, however many segments there are. */
  #using(reader: SegmentReader): void {
    this.#open.delete(reader);
    this.#open.add(reader);
    if (this.#open.size <= mostOpen) return;
    const [oldest] = this.#open;
    oldest.rest();
    this.#open.delete(oldest);
  }

  #keep(hash: string, outcome: ExecutionOutcome): void {
    this.#decoded.set(hash, outcome);
    if (this.#decoded.size <= mostDecoded) return;
    const [oldest] = this.#decoded.keys();
    this.#decoded.delete(oldest);
  }

  #begin(): { file: SegmentWriter; segment: number } {
    const file = SegmentWriter.create(this.folder, ulid());
    this.#names.add(basename(file.path));
    return { file, segment: this.#segments.push(new SegmentReader(file.path)) - 1 };
  }

  #closeWriter(): void {
    this.#writer?.file.close();
    this.#writer = undefined;
  }
}
