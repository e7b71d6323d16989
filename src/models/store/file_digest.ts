/** SHA-256 of files, in stretches. */
import { createHash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";

/**
 * Lower-case hexadecimal SHA-256 of a file.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { fileDigest } from "./file_digest.ts";
 * const folder = Deno.makeTempDirSync();
 * Deno.writeTextFileSync(`${folder}/empty`, "");
 * assert.match(fileDigest(`${folder}/empty`), /^e3b0c442/); // of no bytes
 * Deno.removeSync(folder, { recursive: true });
 * ```
 */
export function fileDigest(path: string): string {
  const [hash, bytes] = [createHash("sha256"), new Uint8Array(1 << 22)];
  const file = openSync(path, "r");
  try {
    for (;;) {
      const count = readSync(file, bytes);
      if (count === 0) return hash.digest("hex");
      hash.update(bytes.subarray(0, count));
    }
  } finally {
    closeSync(file);
  }
}
