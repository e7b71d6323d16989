/** Lines of JSON that carry a checksum, so that a torn or altered line is unknown and never wrong. */
import { sha256 } from "./digest.ts";

const checksumLength = 16;

/** `"<first 16 hex digits of the JSON's SHA-256> <JSON>\n"`. */
export function checkedLine(value: unknown): string {
  const json = JSON.stringify(value);
  return `${sha256(json).slice(0, checksumLength)} ${json}\n`;
}

/** The value of one line, without its end; undefined if the line is damaged. */
export function checkedLineValue(line: string): unknown {
  const json = line.slice(checksumLength + 1);
  const sound = sha256(json).slice(0, checksumLength) === line.slice(0, checksumLength);
  return sound ? JSON.parse(json) : undefined;
}

/**
 * The values of the sound lines, in order, and how many lines were damaged.
 *
 * @param wanted Whether a line is to be read, by its JSON; the others are passed over.
 */
export function readCheckedLines(
  text: string,
  wanted: (json: string) => boolean = () => true,
): { values: unknown[]; damaged: number } {
  const lines = text.split("\n").filter((line) => {
    return line !== "" && wanted(line.slice(checksumLength + 1));
  });
  const values = lines.map(checkedLineValue).filter((value) => value !== undefined);
  return { values, damaged: lines.length - values.length };
}
