/** Small plots made of characters. */

const eighths = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/**
 * A plot of positive values on a logarithmic axis, `height` rows of block characters.
 * Columns are the points in order; the axis stands at the left.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { logPlot } from "./plot.ts";
 * assert.equal(logPlot([1, 0.01], 2).split("\n").length, 2);
 * ```
 */
export function logPlot(values: readonly number[], height: number, columnWidth = 3): string {
  const positive = values.filter((value) => value > 0 && Number.isFinite(value));
  if (positive.length === 0) return "";
  const top = Math.log10(Math.max(...positive));
  const bottom = Math.min(Math.log10(Math.min(...positive)), top - 0.3) - 0.05;
  const levels = values.map((v) => (Math.log10(Math.max(v, 1e-300)) - bottom) / (top - bottom));
  const rows = Array.from({ length: height }, (_, i) => {
    const row = height - 1 - i;
    const cells = levels.map((level) => block(level * height - row).repeat(columnWidth - 1));
    const label = 10 ** (bottom + ((row + 1) / height) * (top - bottom));
    return `${axisLabel(label)} ┤${cells.join(" ")}`;
  });
  return rows.join("\n");
}

function block(fill: number): string {
  return eighths[Math.max(0, Math.min(8, Math.round(fill * 8)))];
}

function axisLabel(value: number): string {
  return (value >= 0.001 ? value.toFixed(3) : value.toExponential(0)).padStart(8);
}
