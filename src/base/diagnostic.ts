/** Diagnostics: fault, place and remedy of a user's input; and their text. */
import { printable } from "./printable.ts";
import type { Span } from "./span.ts";

/** One finding. `message` begins with the attempt; `hint` says how to mend it. */
export interface Diagnostic {
  /** Stable, slash-separated: `toml/unknown-key`, `syntax/invalid`, `lh/potential`. */
  readonly code: string;
  /** Errors forbid; warnings and notes do not. */
  readonly severity: "error" | "warning" | "note";
  /** One sentence, without a full stop. */
  readonly message: string;
  /** Place in a file. */
  readonly span?: Span;
  /** How to mend it. */
  readonly hint?: string;
  /**
   * Keys from the top of a stage's parameters to the faulty one: a caller that knows where it
   * is written adds the place.
   */
  readonly param?: readonly (string | number)[];
}

/** The user's input is wrong (exit status 2). Carries every finding, not only the first. */
export class InputError extends Error {
  /** The name that `instanceof` cannot see across processes. */
  override name = "InputError";
  /** Takes the texts of the files that spans name, for {@linkcode renderDiagnostics}. */
  constructor(
    readonly diagnostics: readonly Diagnostic[],
    readonly sources?: ReadonlyMap<string, string>,
  ) {
    super(diagnostics.map((d) => d.message).join("; "));
  }
}

/** A part that is needed is missing on this machine: sandbox, tool, backend (exit status 3). */
export class MissingPartError extends Error {
  /** The name that `instanceof` cannot see across processes. */
  override name = "MissingPartError";
  /** Takes a message, and a remedy in the imperative. */
  constructor(message: string, readonly remedy: string) {
    super(message);
  }
}

/** An `InputError` with one finding. */
export function inputError(code: string, message: string, span?: Span, hint?: string): InputError {
  return new InputError([{ code, severity: "error", message, span, hint }]);
}

/** The whole text of one diagnostic: `file:line:column: message`, the line, a caret, the mend. */
export function renderDiagnostic(d: Diagnostic, source?: string): string {
  return renderWithLines(d, source === undefined ? undefined : linesOf(source));
}

function linesOf(source: string): readonly string[] {
  return source.split(/\r\n|\r|\n/);
}

function renderWithLines(d: Diagnostic, lines: readonly string[] | undefined): string {
  const where = d.span ? `${d.span.file}:${d.span.line}:${d.span.column}: ` : "";
  const severity = d.severity === "error" ? "" : `${d.severity}: `;
  const mend = d.hint ? [`  mend: ${d.hint}`] : [];
  const text = [`${where}${severity}${d.message}`, ...excerpt(d.span, lines), ...mend].join("\n");
  return printable(text);
}

/** Letters of a line that are shown: a program's line may have millions. */
const [shownBefore, shown] = [120, 200];

function excerpt(span: Span | undefined, lines: readonly string[] | undefined): string[] {
  const line = span && lines?.[span.line - 1];
  if (span === undefined || !line) return []; // nothing, or a file that is not shown
  const gutter = `${span.line}`.padStart(4);
  const letters = [...line];
  const end = span.endLine === span.line ? span.endColumn : letters.length + 1;
  const start = Math.max(0, span.column - 1 - shownBefore);
  const part = letters.slice(start, start + shown);
  const before = part.slice(0, span.column - 1 - start).map((c) => (c === "\t" ? "\t" : " "));
  const last = Math.min(end - 1, start + shown);
  const carets = "^".repeat(Math.max(1, last - span.column + 1));
  const [left, right] = [start > 0 ? "…" : "", start + shown < letters.length ? "…" : ""];
  return [
    `${gutter} | ${left}${part.join("")}${right}`,
    `     | ${left && " "}${before.join("")}${carets}`,
  ];
}

/** All diagnostics, warnings last, in order of place, followed by a count when there are several errors. */
export function renderDiagnostics(
  diagnostics: readonly Diagnostic[],
  sources: ReadonlyMap<string, string>,
): string {
  const isWarning = ({ severity }: Diagnostic) => Number(severity === "warning");
  const ordered = [...diagnostics].sort((a, b) => isWarning(a) - isWarning(b) || byPlace(a, b));
  const lines = new Map([...sources].map(([file, text]) => [file, linesOf(text)]));
  const blocks = ordered.map((d) => renderWithLines(d, d.span && lines.get(d.span.file)));
  const errors = diagnostics.filter((d) => d.severity === "error").length;
  return errors > 1 ? [...blocks, `${errors} errors`].join("\n\n") : blocks.join("\n\n");
}

function byPlace(a: Diagnostic, b: Diagnostic): number {
  const [p, q] = [a.span, b.span];
  if (!p || !q) return Number(Boolean(p)) - Number(Boolean(q));
  return p.file === q.file ? p.line - q.line || p.column - q.column : p.file < q.file ? -1 : 1;
}
