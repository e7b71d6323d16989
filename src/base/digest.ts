/** SHA-256 digests of bytes, text and canonical JSON. */
import { createHash } from "node:crypto";
import { canonicalJson } from "./canonical_json.ts";

/** Lower-case hexadecimal SHA-256 of bytes or of UTF-8 text. */
export function sha256(content: Uint8Array | string): string {
  return createHash("sha256").update(content).digest("hex");
}

/** SHA-256 of the canonical JSON of a value. */
export function digestOf(value: unknown): string {
  return sha256(canonicalJson(value));
}
