/** Files that the user names on the command line, read whole. */
import { InputError, inputError } from "../base/diagnostic.ts";
import { readRegular } from "../base/regular_file.ts";

/** Bytes of a file. @throws InputError if there is none, it is no regular file, or too large. */
export function readInput(file: string, maxBytes?: number): Uint8Array {
  try {
    return readRegular(file, maxBytes);
  } catch (error) {
    if (error instanceof InputError) throw error;
    const missing = error instanceof Deno.errors.NotFound;
    const why = missing ? "there is no such file" : (error as Error).message;
    throw inputError(missing ? "file/missing" : "file/unreadable", `Cannot read ${file}: ${why}`);
  }
}
