/** A place in a text file: where a diagnostic points. */

/** Lines and columns are 1-based and count code points; `endColumn` is exclusive. */
export interface Span {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** A span that covers `length` characters of one line. */
export function lineSpan(file: string, line: number, column: number, length = 1): Span {
  return { file, line, column, endLine: line, endColumn: column + Math.max(1, length) };
}
