/** A program's text with its line table, and the one failure that stops reading it. */
import type { Diagnostic } from "../../../base/diagnostic.ts";
import type { Span } from "../../../base/span.ts";

/** Half-open range of UTF-16 offsets into `Source.text`; becomes a `Span` only for messages. */
export interface Place {
  /** Offset of the first character, from 0. */
  readonly start: number;
  /** Offset behind the last character. */
  readonly end: number;
}

/** Program text with `\r\n` and `\r` turned into `\n`, as CPython reads it. */
export class Source {
  /** The text with `\n` at the end of each line. */
  readonly text: string;
  private readonly lineStarts: number[] = [0];

  /** `file` is the name by which messages call the text. */
  constructor(text: string, readonly file: string) {
    this.text = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
    for (let i = this.text.indexOf("\n"); i >= 0; i = this.text.indexOf("\n", i + 1)) {
      this.lineStarts.push(i + 1);
    }
  }

  /** Number of lines; one more than line ends. */
  get lines(): number {
    return this.lineStarts.length;
  }

  /** 1-based line of an offset. */
  lineOf(offset: number): number {
    let low = 0;
    let high = this.lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.lineStarts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }

  /** 1-based column in code points of an offset. */
  columnOf(offset: number): number {
    const start = this.lineStarts[this.lineOf(offset) - 1];
    let column = offset - start + 1;
    for (let i = start; i < offset; i++) {
      const unit = this.text.charCodeAt(i);
      if (unit >= 0xdc00 && unit <= 0xdfff) column--;
    }
    return column;
  }

  /** The text of a place. */
  slice(place: Place): string {
    return this.text.slice(place.start, place.end);
  }

  /** Line and column of both ends, from 1; an empty place spans one character. */
  span({ start, end }: Place): Span {
    const last = Math.max(start, end);
    return {
      file: this.file,
      line: this.lineOf(start),
      column: this.columnOf(start),
      endLine: this.lineOf(last),
      endColumn: Math.max(this.columnOf(last), end > start ? 1 : this.columnOf(start) + 1),
    };
  }
}

/** Why the text cannot be read any further; thrown inside the parser and caught by `parse`. */
export class SyntaxFailure extends Error {
  /** `code` is of the form `syntax/…`; `hint` is advice to mend the text. */
  constructor(
    readonly code: string,
    message: string,
    readonly place: Place,
    readonly hint?: string,
  ) {
    super(message);
  }

  /** The failure as a finding with a place in the file. */
  toDiagnostic(source: Source): Diagnostic {
    const { code, message, hint } = this;
    return { code, severity: "error", message, span: source.span(this.place), hint };
  }
}

/** A construct that Python has and this subset has not. */
export function unsupported(what: string, place: Place, hint: string): SyntaxFailure {
  return new SyntaxFailure(
    "unsupported/syntax",
    `Cannot read ${what}: not in the subset`,
    place,
    hint,
  );
}
