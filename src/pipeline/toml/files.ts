/** The files that a document may name: reading, existence, and the nearest name to a missing one. */
import { existsSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import type { Diagnostic } from "../../base/diagnostic.ts";
import { nearest } from "../../base/nearest.ts";
import { readRegularText } from "../../base/regular_file.ts";
import type { Span } from "../../base/span.ts";

/** File operations that reading a pipeline needs; all paths are absolute. */
export interface Files {
  /** Rejects if the file cannot be read. */
  readText(path: string): Promise<string>;
  /** Whether a file or folder is there and may be seen. */
  exists(path: string): Promise<boolean>;
  /** Names in a folder; empty if it cannot be listed. */
  list(folder: string): Promise<readonly string[]>;
}

/** Bytes of the longest document that is read. */
const mostTextBytes = 16 * 1024 * 1024;

/** The file system of this machine. */
export const localFiles: Files = {
  readText: (path) => Promise.resolve().then(() => readRegularText(path, mostTextBytes)),
  exists: (path) => Promise.resolve(existsSync(path)), // by a thread it takes ten times as long
  list: (folder) => namesIn(folder).catch(() => []),
};

async function namesIn(folder: string): Promise<string[]> {
  const names: string[] = [];
  for await (const entry of Deno.readDir(folder)) names.push(entry.name);
  return names.sort();
}

/**
 * The absolute path of a written one: `sluice:x/y` is in the package, everything else is relative
 * to the folder of the file in which it was written.
 */
export function resolveWritten(written: string, folder: string, sluiceRoot: string): string {
  if (written.startsWith("sluice:")) return join(sluiceRoot, written.slice("sluice:".length));
  return isAbsolute(written) ? written : resolve(folder, written);
}

/** The finding that a file is not there, with the nearest name in its folder. */
export async function missingFile(
  what: string,
  written: string,
  absolute: string,
  span: Span | undefined,
  files: Files,
): Promise<Diagnostic> {
  return {
    code: "file/missing",
    severity: "error",
    message: `${what}: there is no file "${written}"`,
    span,
    hint: await nearestFile(written, absolute, files, span !== undefined),
  };
}

async function nearestFile(
  written: string,
  absolute: string,
  files: Files,
  isInFile: boolean,
): Promise<string> {
  const cut = Math.max(written.lastIndexOf("/"), written.lastIndexOf(":")) + 1;
  const names = await files.list(dirname(absolute));
  const name = nearest(basename(absolute), names);
  if (name) return `did you mean "${written.slice(0, cut)}${name}"?`;
  const base = isInFile ? "the file in which they are written" : "the working directory";
  const rule = `paths are relative to ${base}`;
  if (names.length > 0) return rule;
  return `the folder "${cut > 1 ? written.slice(0, cut - 1) : "."}" is missing or empty; ${rule}`;
}
