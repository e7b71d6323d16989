/** Numbers and tables of bench/results/learning.md as text. */

/** Arithmetic mean. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, x) => sum + x, 0) / values.length;
}

/** Mean ± standard deviation. */
export function both(values: readonly number[]): string {
  const centre = mean(values);
  if (values.length < 2) return short(centre);
  const squares = values.reduce((sum, x) => sum + (x - centre) * (x - centre), 0);
  return `${short(centre)} ± ${short(Math.sqrt(squares / (values.length - 1)))}`;
}

/** Two significant digits of small numbers, three of others. */
export function short(value: number): string {
  const size = Math.abs(value);
  if (!Number.isFinite(value)) return "∞";
  if (size < 1e-9) return "0";
  return size < 1e-3 ? value.toExponential(1) : `${Number(value.toPrecision(size < 1 ? 2 : 3))}`;
}

/** A table in Markdown: text to the left, numbers to the right. */
export function table(head: readonly string[], body: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const rule = head.map((_, i) => (i === 0 ? "---" : "--:"));
  return [line(head), line(rule), ...body.map(line)].join("\n");
}
