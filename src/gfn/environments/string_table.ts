/** Measured scores of strings, read from a JSON object; every string must have one. */
import { type Diagnostic, InputError } from "../../base/diagnostic.ts";

/** Most findings of one kind that are reported one by one. */
const told = 3;

/**
 * Scores in the order of the alphabet (AA, AB, …, BA, …).
 *
 * @param text `{ "AAAAA": 0.25, … }`.
 * @param file Named in messages.
 * @throws InputError with every kind of finding: no object, strange strings, scores that are no
 *   finite numbers, strings without a score.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { readStringTable } from "./string_table.ts";
 * const text = '{ "AA": 0.1, "AB": 0.2, "BA": 0.3, "BB": 0.4 }';
 * assert.deepEqual(readStringTable(text, "scores.json", 2, 2), [0.1, 0.2, 0.3, 0.4]);
 * ```
 */
export function readStringTable(
  text: string,
  file: string,
  blocks: number,
  length: number,
): number[] {
  const entries = entriesOf(text, file);
  const scores = new Array<number>(blocks ** length).fill(NaN);
  const [strange, wrong]: string[][] = [[], []];
  for (const [word, value] of entries) {
    const at = indexOf(word, blocks, length);
    if (at < 0) strange.push(`"${word}"`);
    else if (typeof value !== "number" || !Number.isFinite(value)) wrong.push(`"${word}"`);
    else scores[at] = value;
  }
  const missing: string[] = [];
  scores.forEach((score, at) => {
    if (Number.isNaN(score)) missing.push(`"${wordAt(at, blocks, length)}"`);
  });
  const findings = [
    ...finding(file, "are no strings of this environment", strange),
    ...finding(file, "have a score that is no finite number", wrong),
    ...finding(file, "have no score", missing.filter((word) => !wrong.includes(word))),
  ];
  if (findings.length > 0) throw new InputError(findings);
  return scores;
}

function entriesOf(text: string, file: string): [string, unknown][] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new InputError([problem(file, (error as Error).message, "write one JSON object")]);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return Object.entries(value);
  }
  throw new InputError([problem(file, "it holds no JSON object", 'write { "AAAAA": 0.25, … }')]);
}

function problem(file: string, what: string, hint: string): Diagnostic {
  const message = `Cannot read the scores in ${file}: ${what}`;
  return { code: "environment/table", severity: "error", message, hint };
}

function finding(file: string, what: string, words: readonly string[]): Diagnostic[] {
  if (words.length === 0) return [];
  const list = words.slice(0, told).join(", ");
  const more = words.length > told ? ` and ${words.length - told} more` : "";
  return [problem(file, `${list}${more} ${what}`, "give every string one number")];
}

/** The place of a string in the order of the alphabet; −1 if it is none of this size. */
function indexOf(word: string, blocks: number, length: number): number {
  if (word.length !== length) return -1;
  let index = 0;
  for (let at = 0; at < length; at++) {
    const block = word.charCodeAt(at) - 65;
    if (!(block >= 0 && block < blocks)) return -1;
    index = index * blocks + block;
  }
  return index;
}

/** The string at a place in the order of the alphabet. */
export function wordAt(index: number, blocks: number, length: number): string {
  let word = "";
  for (let at = 0; at < length; at++) {
    word = String.fromCharCode(65 + index % blocks) + word;
    index = Math.floor(index / blocks);
  }
  return word;
}

/** The place of a string of the right size in the order of the alphabet. */
export function placeOf(word: string, blocks: number): number {
  return indexOf(word, blocks, word.length);
}
