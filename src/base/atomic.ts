/** Files that are there whole or not at all, and clear words when the disk refuses. */
import { dirname, join } from "node:path";
import { inputError, MissingPartError } from "./diagnostic.ts";
import { defaultMaxFileBytes, readRegular } from "./regular_file.ts";
import { renameOver } from "./renamed_over.ts";

/**
 * Writes a file by way of a temporary one beside it: a reader sees the old bytes or the new, also
 * after a crash. Folders are made as needed.
 *
 * @throws InputError `store/cannot-write` if the disk is read-only or forbidden; MissingPartError if
 * it is full.
 */
export function writeAtomic(path: string, content: Uint8Array | string): void {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  // Random, not the process's number: two machines may share the folder, and their numbers be equal.
  const temporary = join(dirname(path), `.tmp-${crypto.randomUUID()}`);
  explainWrites(path, () => {
    Deno.mkdirSync(dirname(path), { recursive: true });
    try {
      writeSynced(temporary, bytes);
      renameOver(temporary, path);
    } catch (error) {
      removeIfThere(temporary);
      throw error;
    }
  });
}

/**
 * Runs a write and turns faults of the disk into an error with the path and a remedy: an `InputError`
 * where the user named a wrong place, a `MissingPartError` where space is missing.
 */
export function explainWrites<T>(path: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw explained(path, error);
  }
}

/** Like `explainWrites`, of a write that takes its time. */
export async function explainLongWrites<T>(path: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw explained(path, error);
  }
}

function explained(path: string, error: unknown): unknown {
  const remedy = remedyOf(error);
  const reason = error instanceof Error ? error.message : `${error}`;
  if (isFull(reason)) return new MissingPartError(`Cannot write ${path}: ${reason}`, whenFull);
  if (!remedy) return error;
  return inputError("store/cannot-write", `Cannot write ${path}: ${reason}`, undefined, remedy);
}

/** Remedy for a full disk: stages that are done, checkpoints, rows and scores are kept. */
const whenFull =
  "free space and run again; nothing is lost: stages that are done, checkpoints and " +
  "scored programs are kept, and what was being written is written again (old runs can be deleted)";

function isFull(message: string): boolean {
  return /no space left|ENOSPC|quota|disk is full/i.test(message);
}

/** Removes a file or folder; true if there was one. */
export function removeIfThere(path: string): boolean {
  try {
    Deno.removeSync(path, { recursive: true });
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/**
 * The bytes of a regular file, or undefined if there is none.
 *
 * @throws InputError `file/not-regular`, `file/too-large`.
 */
export function readIfThere(
  path: string,
  maxBytes: number = defaultMaxFileBytes,
): Uint8Array | undefined {
  try {
    return readRegular(path, maxBytes);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    if (error instanceof Deno.errors.NotADirectory) return undefined; // HOME=/dev/null, of services
    throw error;
  }
}

function writeSynced(path: string, bytes: Uint8Array): void {
  const file = Deno.openSync(path, { write: true, createNew: true });
  try {
    for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
    file.syncSync();
  } finally {
    file.close();
  }
}

function remedyOf(error: unknown): string | undefined {
  if (error instanceof Deno.errors.NotCapable) return "allow this process to write there";
  if (error instanceof Deno.errors.PermissionDenied) {
    return "make the folder writable, or run elsewhere";
  }
  const inTheWay = error instanceof Deno.errors.NotADirectory ||
    error instanceof Deno.errors.AlreadyExists;
  if (inTheWay) return "a file stands where a folder is needed: move it away";
  if (error instanceof Deno.errors.IsADirectory) return "a folder has that name: choose another";
  const message = error instanceof Error ? error.message : "";
  if (/read-only file system|EROFS/i.test(message)) return "copy the project to a writable disk";
  return undefined;
}
