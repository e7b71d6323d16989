/** Files that the user names on the command line, read whole. */
import { basename, dirname, join } from "node:path";
import { InputError, inputError } from "../base/diagnostic.ts";
import { nearest } from "../base/nearest.ts";
import { readRegular } from "../base/regular_file.ts";

/** Bytes of a file. @throws InputError if there is none, it is no regular file, or too large. */
export function readInput(file: string, maxBytes?: number): Uint8Array {
  try {
    return readRegular(file, maxBytes);
  } catch (error) {
    if (error instanceof InputError) throw error;
    const missing = error instanceof Deno.errors.NotFound;
    if (missing) throw missingFile(file);
    throw inputError("file/unreadable", `Cannot read ${file}: ${(error as Error).message}`);
  }
}

/** Files of a folder among which a name that was meant is looked for. */
const mostFiles = 10_000;

/** That there is no file of the name, and which of the folder may be meant. */
export function missingFile(file: string): InputError {
  const meant = nearest(basename(file), namesIn(dirname(file)));
  const hint = meant && `did you mean ${join(dirname(file), meant)}?`;
  return inputError("file/missing", `Cannot read ${file}: there is no such file`, undefined, hint);
}

function namesIn(folder: string): string[] {
  try {
    return Array.from(Deno.readDirSync(folder), ({ name }) => name).slice(0, mostFiles);
  } catch {
    return []; // there is no such folder, or it may not be read
  }
}
