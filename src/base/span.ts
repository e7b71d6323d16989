/** A place in a text file: where a diagnostic points. */

/** Lines and columns are 1-based and count code points; `endColumn` is exclusive. */
export interface Span {
  /** Name of the file in messages. */
  readonly file: string;
  /** First line. */
  readonly line: number;
  /** First column. */
  readonly column: number;
  /** Last line. */
  readonly endLine: number;
  /** Column after the last character. */
  readonly endColumn: number;
}

/** A span that covers `length` characters of one line. */
export function lineSpan(file: string, line: number, column: number, length = 1): Span {
  return { file, line, column, endLine: line, endColumn: column + Math.max(1, length) };
}
