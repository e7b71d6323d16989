/** Numbers, durations and tables as text for people. */
import Table from "cli-table3";
import type { Terminal } from "./terminal.ts";
import { wrapped } from "./wrapped.ts";

/** `1 m 05 s`, `12 s`, `0.4 s`. */
export function duration(seconds: number): string {
  if (!Number.isFinite(seconds)) return "?";
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const rest = String(whole % 60).padStart(2, "0");
  return hours > 0 ? `${hours} h ${String(minutes).padStart(2, "0")} m` : `${minutes} m ${rest} s`;
}

/** A number in about `digits` significant digits, without exponent where it can be read. */
export function number(value: number | null | undefined, digits = 3): string {
  if (value === null || value === undefined) return "";
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e6)) return value.toExponential(digits - 1);
  if (Number.isInteger(value)) return String(value);
  const whole = size >= 1 ? Math.floor(size).toString().length : 0;
  const leading = size >= 1 ? 0 : Math.max(0, -Math.floor(Math.log10(size)) - 1);
  return value.toFixed(Math.max(0, Math.min(6, digits - whole + leading)));
}

/** A percentage with one decimal. */
export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** `1 stage`, `11 stages`. */
export function count(many: number, what: string): string {
  return `${many} ${what}${many === 1 ? "" : "s"}`;
}

/** Rows under headings, without frames; numbers to the right. */
export function plainTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly number[] = [],
): string {
  const nothing = ["top", "bottom", "left", "right"].flatMap((side) =>
    ["", "-mid", "-left", "-right"].map((part) => [`${side}${part}`, ""])
  );
  const chars = { ...Object.fromEntries(nothing), mid: "", "mid-mid": "", middle: "  " };
  const table = new Table({
    head: [...head],
    chars,
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
    colAligns: head.map((_, i) => right.includes(i) ? "right" : "left"),
  });
  for (const row of rows) table.push([...row]);
  return table.toString().split("\n").map((line) => line.trimEnd()).join("\n");
}

/**
 * A table whose first column holds labels, in at most `width` columns: a label that leaves too
 * little room for the numbers stands on a line of its own above them.
 */
export function labelledTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
): string {
  const right = head.map((_, i) => i).slice(1);
  const lengthOf = (text: string) => [...text].length;
  const bare = plainTable(head, rows.map(([, ...cells]) => ["", ...cells]), right).split("\n");
  const room = width - Math.max(...bare.map(lengthOf)) + lengthOf(head[0]);
  const isLong = ([label]: readonly string[]) => lengthOf(label) > room;
  const short = rows.map((row) => isLong(row) ? ["", ...row.slice(1)] : row);
  const [first, ...lines] = plainTable(head, short, right).split("\n");
  const body = lines.flatMap((line, i) =>
    isLong(rows[i]) ? [clip(rows[i][0], width), line] : [line]
  );
  return [first, ...body].join("\n");
}

/** Lines of a text below a row at most. */
const mostLines = 4;

/** A table with a text below each row, for what is too long for a column; a few lines of it at most. */
export function tableWithTexts(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  texts: readonly string[],
  { width, colour }: Pick<Terminal, "width" | "colour">,
): string {
  const [first, ...lines] = plainTable(head, rows, head.map((_, i) => i)).split("\n");
  const below = texts.map((text) => {
    const all = wrapped(text, width - 4).split("\n");
    const rest = all.slice(mostLines - 1).map((line) => line.trim()).join(" ");
    const shown = all.length > mostLines ? [...all.slice(0, mostLines - 1), `  ${rest}`] : all;
    return shown.map((line) => colour.dim(clip(`    ${line}`, width))).join("\n");
  });
  return [first, ...lines.flatMap((line, i) => [line, below[i]])].join("\n");
}

/** `text` cut to `width` columns with an ellipsis. */
export function clip(text: string, width: number): string {
  const letters = [...text];
  return letters.length <= width ? text : `${letters.slice(0, Math.max(0, width - 1)).join("")}…`;
}
