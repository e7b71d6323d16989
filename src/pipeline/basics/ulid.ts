/** ULIDs: identifiers of runs whose alphabetical order is the order of their creation. */

/** Crockford's base 32: no I, L, O or U. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** True for 26 characters of the alphabet that encode a time below 2^48. */
export function isUlid(text: string): boolean {
  return /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text);
}

let lastTime = -1;
let lastRandom: number[] = [];

/**
 * A new ULID (ulid/spec): 48 bits of milliseconds since 1970, then 80 random bits. Within one
 * process each is greater than the one before, also within a millisecond.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ulid } from "./ulid.ts";
 * const [first, second] = [ulid(), ulid()];
 * assert.ok(first < second);
 * assert.equal(first.length, 26);
 * ```
 */
export function ulid(now: number = Date.now()): string {
  if (now > lastTime) {
    lastTime = now;
    lastRandom = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte & 31);
  } else increment(lastRandom);
  return encodeTime(lastTime) + lastRandom.map((digit) => alphabet[digit]).join("");
}

function encodeTime(time: number): string {
  let text = "";
  for (let rest = time, i = 0; i < 10; i++) {
    text = alphabet[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function increment(digits: number[]): void {
  let at = digits.length - 1;
  while (at > 0 && digits[at] === 31) digits[at--] = 0;
  digits[at] = (digits[at] + 1) & 31;
}
