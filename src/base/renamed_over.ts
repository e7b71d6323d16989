/** Renames a file over another one, also where that is open in another process for a moment. */

/** Tries of a rename, and milliseconds between them: a virus scanner or a reader takes a few. */
const [tries, pause] = [20, 50];

/**
 * Windows refuses to rename over a file that is open, other systems do not: there the first refusal is the last.
 *
 * @throws the error of the last try.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { renameOver } from "./renamed_over.ts";
 * let open = 3;
 * const rename = () => {
 *   if (open-- > 0) throw new Deno.errors.PermissionDenied("it is open");
 * };
 * renameOver("new", "old", { os: "windows", rename, wait: () => {} });
 * assert.equal(open, -1);
 * assert.throws(() => renameOver("new", "old", { os: "linux", rename: () => { open = 1; rename(); } }));
 * ```
 */
export function renameOver(
  from: string,
  to: string,
  { os = Deno.build.os, rename = Deno.renameSync, wait = waitFor }: {
    readonly os?: string;
    readonly rename?: (from: string, to: string) => void;
    readonly wait?: (milliseconds: number) => void;
  } = {},
): void {
  for (let left = os === "windows" ? tries : 1; left > 0; left--) {
    try {
      return rename(from, to);
    } catch (error) {
      if (left === 1 || !isOpen(error)) throw error;
      wait(pause);
    }
  }
}

function isOpen(error: unknown): boolean {
  return error instanceof Deno.errors.PermissionDenied || error instanceof Deno.errors.Busy;
}

function waitFor(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
