/** Dialects of delimited text: encodings, separators, decimal commas, as spreadsheets write them. */
import { inputError } from "../base/diagnostic.ts";
import { lineSpan } from "../base/span.ts";

/** Characters that may separate cells. */
export const separators = [",", ";", "\t", "|"] as const;

/**
 * The text of a file: UTF-8, UTF-16 with a byte order mark, or else Windows-1252, in which Excel
 * writes CSV on many machines.
 */
export function decodeText(bytes: Uint8Array): string {
  const utf16 = bytes[0] === 0xff && bytes[1] === 0xfe
    ? "utf-16le"
    : bytes[0] === 0xfe && bytes[1] === 0xff
    ? "utf-16be"
    : undefined;
  try {
    return new TextDecoder(utf16 ?? "utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Whether the first line is Excel's `sep=;`. */
export function hasSeparatorLine(text: string): boolean {
  return /^sep=[^\r\n]\r?\n/.test(text);
}

/**
 * Separator of the cells of a text: that of `sep=`, or else the separator of the header line
 * outside of quotes; of several the one by which every row has as many cells as the header, or the
 * commonest where there is none such; a comma where there is no separator.
 *
 * @throws InputError `data/separators` where several cut all rows alike.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { sniffDelimiter } from "./dialect.ts";
 * assert.equal(sniffDelimiter("age;length\n1,5;2,3\n"), ";");
 * assert.equal(sniffDelimiter('"length; metres",age\n1.5,2\n'), ",");
 * ```
 */
export function sniffDelimiter(text: string, file = "the text"): string {
  if (hasSeparatorLine(text)) return text[4];
  const lines = text.slice(0, mostSniffed).replace(/"[^"]*"/g, "").split(/\r?\n|\r/);
  if (text.length > mostSniffed && lines.length > 1) lines.pop(); // it was cut
  const [header] = lines;
  const cells = (line: string, separator: string) => line.split(separator).length;
  const found = separators.filter((one) => cells(header, one) > 1)
    .sort((a, b) => cells(header, b) - cells(header, a));
  const rows = lines.filter((line) => line.trim() !== "");
  const even = found.filter((one) => rows.every((line) => cells(line, one) === cells(header, one)));
  if (found.length > 1 && even.length > 1) throw severalSeparators(file, even);
  return even[0] ?? found[0] ?? ",";
}

/** Most characters that are read. */
const mostSniffed = 100_000;

function severalSeparators(file: string, found: readonly string[]) {
  const shown = found.map((one) => one === "\t" ? "a tab" : `"${one}"`).join(" and ");
  const message = `Cannot tell what separates the cells of ${file}: ${shown} cut every row alike`;
  const hint = `write sep=${found[0]} as the first line, or put names and texts in quotes`;
  return inputError("data/separators", message, lineSpan(file, 1, 1), hint);
}

const decimalComma = /^[+-]?\d+(,\d+)?([eE][+-]?\d+)?$/;

/** A cell that stands for no number among numbers: a word for a missing value, or a limit such as `<0,5`. */
const noNumber = /^(\D*|[<>≤≥].*)$/;

/**
 * Numbers with decimal points, where most cells of a column that hold something are numbers, some of them
 * with a comma, and the others have no digits or are limits. Only where commas do not separate cells.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { withPoints } from "./dialect.ts";
 * assert.deepEqual(withPoints(["1,5", "k.A.", "2"]), ["1.5", "k.A.", "2"]);
 * assert.deepEqual(withPoints(["1,2", "1,2,3", "2"]), ["1,2", "1,2,3", "2"]);
 * ```
 */
export function withPoints(cells: readonly string[]): string[] {
  const held = cells.filter((cell) => cell !== "");
  const numbers = held.filter((cell) => decimalComma.test(cell));
  const isNumbers = numbers.some((cell) => cell.includes(",")) &&
    2 * numbers.length > held.length &&
    held.every((cell) => decimalComma.test(cell) || noNumber.test(cell));
  return isNumbers ? cells.map((cell) => cell.replace(/,(?=\d)/, ".")) : [...cells];
}
