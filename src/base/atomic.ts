/** Files that are there whole or not at all, and clear words when the disk refuses. */
import { dirname, join } from "node:path";
import { inputError } from "./diagnostic.ts";

let counter = 0;

/**
 * Writes a file by way of a temporary one beside it: a reader sees the old bytes or the new, also
 * after a crash. Folders are made as needed.
 *
 * @throws InputError `store/cannot-write` if the disk is full, read-only or forbidden.
 */
export function writeAtomic(path: string, content: Uint8Array | string): void {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const temporary = join(dirname(path), `.tmp-${Deno.pid}-${counter++}`);
  explainWrites(path, () => {
    Deno.mkdirSync(dirname(path), { recursive: true });
    try {
      writeSynced(temporary, bytes);
      Deno.renameSync(temporary, path);
    } catch (error) {
      removeIfThere(temporary);
      throw error;
    }
  });
}

/** Runs a write and turns what the disk says into an `InputError` with the path and a remedy. */
export function explainWrites<T>(path: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    const remedy = remedyOf(error);
    if (!remedy) throw error;
    const reason = error instanceof Error ? error.message : `${error}`;
    throw inputError("store/cannot-write", `Cannot write ${path}: ${reason}`, undefined, remedy);
  }
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

/** The bytes of a file, or undefined if there is none. */
export function readIfThere(path: string): Uint8Array | undefined {
  try {
    return Deno.readFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
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
  if (/no space left|ENOSPC|quota/i.test(message)) {
    return "free some space; old runs can be deleted";
  }
  return undefined;
}
