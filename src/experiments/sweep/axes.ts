/** Values that a sweep gives to one path: `lr=0.1,0.01`, `seed=0..9`, read from the command line. */
import type { Json } from "../../base/canonical_json.ts";
import { type Diagnostic, inputError } from "../../base/diagnostic.ts";
import { parseTomlFile } from "../../pipeline/toml/mod.ts";

/** A path and its values, in their order. */
export interface Axis {
  readonly path: string;
  readonly values: readonly Json[];
  /** Where it was written, for messages. */
  readonly written: string;
}

/** Values of one range: more are a mistyped bound. */
const mostOfRange = 1_000_000;

/**
 * Reads `path=value,value,…`; commas within quotes, brackets and braces do not part, and `0..9` is
 * each whole number of it.
 *
 * @throws InputError `sweep/set`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { readAxis } from "./axes.ts";
 * assert.deepEqual(readAxis("stages.train.steps=10,20").values, [10, 20]);
 * assert.deepEqual(readAxis("seed=0..2,7").values, [0, 1, 2, 7]);
 * assert.deepEqual(readAxis("a.kind=one,[1,2]").values, ["one", [1, 2]]);
 * ```
 */
export function readAxis(written: string): Axis {
  const equals = written.indexOf("=");
  if (equals < 1) throw badSet(written, "wanted path=value,value or path=0..9");
  const path = written.slice(0, equals).trim();
  const parts = split(written.slice(equals + 1));
  if (parts.some((part) => part.trim() === "")) throw badSet(written, "a value is missing");
  return { path, values: parts.flatMap((part) => valuesOf(part.trim(), written)), written };
}

function badSet(written: string, reason: string): Error {
  const hint = "write --set path=value,value, for example --set stages.train.steps=100,200";
  return inputError("sweep/set", `Cannot read --set ${written}: ${reason}`, undefined, hint);
}

/** Parts between the commas that stand outside of quotes and brackets. */
function split(text: string): string[] {
  const parts = [""];
  let [depth, quote] = [0, ""];
  for (const letter of text) {
    if (quote) quote = letter === quote ? "" : quote;
    else if (letter === '"' || letter === "'") quote = letter;
    else if (letter === "[" || letter === "{") depth++;
    else if (letter === "]" || letter === "}") depth--;
    if (letter === "," && depth === 0 && quote === "") parts.push("");
    else parts[parts.length - 1] += letter;
  }
  return parts;
}

function valuesOf(part: string, written: string): Json[] {
  const range = /^(-?\d+)\.\.(-?\d+)$/.exec(part);
  return range ? wholeNumbers(Number(range[1]), Number(range[2]), written) : [valueOf(part)];
}

/** Whole numbers from `first` to `last`, both included. @throws InputError if there are none. */
export function wholeNumbers(first: number, last: number, written: string): number[] {
  const count = last - first + 1;
  if (count < 1) throw badSet(written, `the range ${first}..${last} holds no number`);
  if (count > mostOfRange) {
    throw badSet(written, `the range holds ${count} numbers, wanted at most ${mostOfRange}`);
  }
  return Array.from({ length: count }, (_, i) => first + i);
}

/** A TOML value; a word that is none is text, as `--set` of a run reads it. */
function valueOf(text: string): Json {
  try {
    const { value } = parseTomlFile(`v=${text}`, "--set");
    return Object.keys(value).length === 1 ? value.v as Json : text;
  } catch (error) {
    if (/^["'[{]/.test(text)) throw error;
    return text;
  }
}

/** Findings about axes that meet: a path that is set twice, or within another's value. */
export function overlaps(axes: readonly Pick<Axis, "path" | "written">[]): Diagnostic[] {
  return axes.flatMap((one, i) =>
    axes.slice(0, i).filter(({ path }) => isWithin(path, one.path) || isWithin(one.path, path))
      .map((other): Diagnostic => ({
        code: "sweep/set-twice",
        severity: "error",
        message: `Cannot sweep ${one.path}: "${other.written}" and "${one.written}" both set it`,
        hint: "name the path once; [sweep] and --set are laid over the same pipeline",
      }))
  );
}

function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}.`);
}
