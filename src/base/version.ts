/** The version of Sluice, and whether it is one that a pipeline asks for. */
/** This version of Sluice, as in `deno.json`: a module that read that file would be other code after each new task. */
export const sluiceVersion = "0.1.0";

type Version = readonly [major: number, minor: number, patch: number];

/**
 * Whether a version is in a range: comparators (`>=0.1`, `<1`, `^0.1.2`, `~0.1`, `0.1.0`) that
 * must all hold, ranges separated by `||` of which one must. `undefined` if the range is malformed.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { satisfies } from "./version.ts";
 * assert.equal(satisfies("0.2.1", ">=0.2 <1"), true);
 * assert.equal(satisfies("0.2.1", "^0.1"), false);
 * ```
 */
export function satisfies(version: string, range: string): boolean | undefined {
  const own = readVersion(version);
  if (!own) return undefined;
  const results = range.split("||").map((part) => holdsAll(own, part.trim()));
  return results.includes(undefined) ? undefined : results.includes(true);
}

function holdsAll(own: Version, text: string): boolean | undefined {
  const words = text.replace(/(>=|<=|[<>=^~])\s+/g, "$1").split(/\s+/).filter((w) => w !== "");
  const results = words.map((word) => holds(own, word));
  if (words.length === 0 || results.includes(undefined)) return undefined;
  return results.every(Boolean);
}

function holds(own: Version, word: string): boolean | undefined {
  const [, operator, rest] = /^(>=|<=|[<>=^~]?)v?(.*)$/.exec(word) ?? [];
  const wanted = readVersion(rest);
  if (!wanted) return undefined;
  const order = compare(own, wanted);
  switch (operator) {
    case ">=":
      return order >= 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case "<":
      return order < 0;
    case "^":
      return order >= 0 && compare(own, caretEnd(wanted)) < 0;
    case "~":
      return order >= 0 && compare(own, [wanted[0], wanted[1] + 1, 0]) < 0;
    default:
      return order === 0;
  }
}

/** The first version that `^` leaves out: the leftmost part that is not 0 may not change. */
function caretEnd([major, minor, patch]: Version): Version {
  if (major > 0) return [major + 1, 0, 0];
  return minor > 0 ? [0, minor + 1, 0] : [0, 0, patch + 1];
}

function readVersion(text: string): Version | undefined {
  const match = /^(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:[-+].*)?$/.exec(text);
  return match ? [Number(match[1]), Number(match[2] ?? 0), Number(match[3] ?? 0)] : undefined;
}

function compare(a: Version, b: Version): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}
