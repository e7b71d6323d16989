/** Programs that a run waits for, in a sealed file where other machines find them. */
import { basename, join } from "node:path";
import { readIfThere, writeAtomic } from "../../base/atomic.ts";
import type { DatasetJson } from "../../base/dataset.ts";
import { InputError } from "../../base/diagnostic.ts";
import { isRecord } from "../../base/record.ts";
import { isSealed, type Sealer } from "../../base/seal.ts";
import type { Schedule } from "../../engine/score/execution/mod.ts";
import { ulid } from "../../pipeline/basics/mod.ts";
import type { TextOrigin } from "../../sandbox/mod.ts";

/** A batch of programs that are scored against the same data. */
export interface Wanted {
  /** Digest of all that turns a text into a score: another engine would find other numbers. */
  readonly engine: string;
  readonly dataset: DatasetJson;
  readonly schedule: Schedule;
  readonly executor: string;
  readonly origin: TextOrigin;
  /** Texts in the order in which they are to be scored. */
  readonly programs: readonly string[];
}

/** A file of a batch, with its content if its seal is accepted. */
interface WantedFile {
  readonly path: string;
  /** Public key of its writer; undefined if the file is none of Sluice's. */
  readonly keyId?: string;
  /** Left out where the key is not trusted, or the seal does not hold. */
  readonly wanted?: Wanted;
}

/** Bytes of a file beyond which it is not read. */
const mostBytes = 1 << 28;

/**
 * Writes a batch under the folder of its memo.
 *
 * @returns the path, to be removed when the batch has ended.
 * @throws InputError `store/cannot-write`.
 */
export function publishWanted(memoFolder: string, sealer: Sealer, wanted: Wanted): string {
  const path = join(memoFolder, "wanted", `${ulid()}.json`);
  Deno.mkdirSync(join(memoFolder, "wanted"), { recursive: true });
  const json = JSON.stringify(wanted);
  writeAtomic(path, `${sealer.keyId} ${sealer.seal(`wanted\n${json}`)}\n${json}\n`);
  return path;
}

/** Files of the batches of a project, oldest first. */
export function wantedPaths(root: string): string[] {
  const byName = (a: string, b: string) => basename(a) < basename(b) ? -1 : 1;
  return pathsOf(join(root, ".sluice", "memo")).sort(byName);
}

function pathsOf(memo: string): string[] {
  const memos = namesIn(memo).filter((name) => name.length === 2)
    .flatMap((two) => namesIn(join(memo, two)).map((key) => join(memo, two, key, "wanted")));
  return memos.flatMap((folder) =>
    namesIn(folder).filter((name) => name.endsWith(".json")).map((name) => join(folder, name))
  );
}

function namesIn(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].map(({ name }) => name);
  } catch {
    return []; // not there, or a file
  }
}

/**
 * Reads a batch; undefined if it has ended meanwhile.
 *
 * @param keys public keys whose seals are accepted.
 */
export function readWanted(path: string, keys: ReadonlySet<string>): WantedFile | undefined {
  const bytes = bytesOf(path);
  if (bytes === undefined) return undefined;
  const text = new TextDecoder().decode(bytes);
  const [, keyId, seal, json] = /^([0-9a-f]{64}) ([0-9a-f]{128})\n(.*)\n$/s.exec(text) ?? [];
  if (keyId === undefined) return { path };
  if (!keys.has(keyId) || !isSealed(`wanted\n${json}`, seal, keyId)) return { path, keyId };
  const wanted = JSON.parse(json);
  return { path, keyId, ...(isRecord(wanted) && { wanted: wanted as unknown as Wanted }) };
}

/** Bytes of a regular file, none of anything else that lies there; undefined if there is nothing. */
function bytesOf(path: string): Uint8Array | undefined {
  try {
    return readIfThere(path, mostBytes);
  } catch (error) {
    if (error instanceof InputError) return new Uint8Array();
    throw error;
  }
}
