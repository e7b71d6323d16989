/** Texts of one column of a table, on one line each and cut so that they remain distinct. */

/**
 * Cuts what is longer than `width` at its end. If several different texts are that long and begin
 * alike, as programs do, the lines that they share at the beginning are left out as well.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { columnTexts } from "./column_texts.ts";
 * const programs = ["import pymc as pm\nx = pm.Normal(0, 1)", "import pymc as pm\nx = pm.Cauchy(0, 1)"];
 * assert.deepEqual(columnTexts(programs, 24), ["…⏎x = pm.Normal(0, 1)", "…⏎x = pm.Cauchy(0, 1)"]);
 * ```
 */
export function columnTexts(texts: readonly string[], width: number): string[] {
  const lines = texts.map((text) => text.replace(/\n[ \t]*/g, "⏎"));
  const long = [...new Set(lines.filter((line) => [...line].length > width))];
  const start = sharedLines(long);
  const isLong = new Set(long);
  return lines.map((line) => {
    const kept = start > 0 && isLong.has(line) ? `…${line.slice(start)}` : line;
    return cut([...kept], width);
  });
}

/** Length of the whole lines with which all texts begin; 0 if there are less than two texts. */
function sharedLines([first, ...others]: readonly string[]): number {
  if (others.length === 0) return 0;
  let shared = 0;
  while (others.every((other) => other[shared] === first[shared] && shared < first.length)) {
    shared++;
  }
  return Math.max(0, first.lastIndexOf("⏎", shared - 1));
}

function cut(letters: readonly string[], width: number): string {
  return letters.length > width ? letters.slice(0, width - 1).join("") + "…" : letters.join("");
}
