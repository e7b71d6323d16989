/** Dialects of delimited text: encodings, separators, decimal commas, as spreadsheets write them. */

const separators = [",", ";", "\t", "|"] as const;

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
 * What separates the cells of a text: what `sep=` says, or else the separator of the header line,
 * the commonest one there outside of quotes; a comma where there is none.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { sniffDelimiter } from "./dialect.ts";
 * assert.equal(sniffDelimiter("age;length\n1,5;2,3\n"), ";");
 * assert.equal(sniffDelimiter('"length; metres",age\n1.5,2\n'), ",");
 * ```
 */
export function sniffDelimiter(text: string): string {
  if (hasSeparatorLine(text)) return text[4];
  const header = text.slice(0, (text + "\n").search(/[\r\n]/)).replace(/"[^"]*"/g, "");
  const counts = separators.map((separator) => header.split(separator).length - 1);
  const most = Math.max(...counts);
  return most === 0 ? "," : separators[counts.indexOf(most)];
}

const decimalComma = /^[+-]?\d+(,\d+)?([eE][+-]?\d+)?$/;

/**
 * Numbers with decimal points, where every cell of a column that holds something is a number and
 * some have a comma. Only where commas do not separate cells.
 */
export function withPoints(cells: readonly string[]): string[] {
  const held = cells.filter((cell) => !/^(|NA|NaN|nan|N\/A|null)$/.test(cell));
  const isNumbers = held.every((cell) => decimalComma.test(cell));
  if (!isNumbers || !held.some((cell) => cell.includes(","))) return [...cells];
  return cells.map((cell) => cell.replace(",", "."));
}
