/** Tables and cells of Markdown. */
import type { CertificateMeasure, CertificateReal } from "../certificate_schema.ts";

/** A table; the first column to the left, the others to the right. */
export function table(
  head: readonly string[],
  body: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const rule = head.map((_, i) => (i === 0 ? "---" : "--:"));
  return [line(head), line(rule), ...body.map(line)].join("\n");
}

/** A text that may say anything, on one line of a table or a list, as it is. */
export function plain(text: string): string {
  return text.trim().replace(/\s+/g, " ").replace(/[\\`*_{}[\]<>|#]/g, "\\$&");
}

/** A text as code in a table. */
export function code(text: string): string {
  return `\`${text.replaceAll("`", "'").replaceAll("|", "\\|").replace(/\s+/g, " ")}\``;
}

/** A measure with its error, or nothing. */
export function cell(measure: CertificateMeasure | undefined): string {
  if (!measure) return "";
  const { value, mcse } = measure;
  return typeof mcse === "number" && mcse > 0 ? `${short(value)} ± ${short(mcse)}` : short(value);
}

/** Three significant digits; values below rounding error are 0. */
export function short(value: CertificateReal): string {
  if (typeof value === "string") return value === "Infinity" ? "∞" : value;
  const size = Math.abs(value);
  if (size < 1e-9) return "0";
  return size < 1e-3 || size >= 1e6 ? value.toExponential(1) : `${Number(value.toPrecision(3))}`;
}
