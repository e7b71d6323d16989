/** Files that are part of Sluice itself: one that is gone is a missing part, not a bug. */
import { MissingPartError } from "../base/diagnostic.ts";

/** @throws MissingPartError if the file is not there or cannot be read. */
export function readOwnFile(path: string): Uint8Array<ArrayBuffer> {
  try {
    return Deno.readFileSync(path);
  } catch (error) {
    const gone = error instanceof Deno.errors.NotFound;
    const reason = gone ? "there is no such file" : (error as Error).message;
    throw new MissingPartError(
      `Sluice is incomplete: cannot read ${path}: ${reason}`,
      "install Sluice again, or restore the file from its repository",
    );
  }
}
