/** Collects what is wrong with a program while it is checked. */
import type { Diagnostic } from "../../../base/diagnostic.ts";
import { nearest } from "../../../base/nearest.ts";
import type { Place, Source } from "../syntax/source.ts";

/** Findings beyond this many are not listed. */
const most = 50;

/** The findings of one program. */
export class Findings {
  readonly diagnostics: Diagnostic[] = [];
  errors = 0;

  constructor(private readonly source: Source) {}

  error(code: string, message: string, place: Place, hint?: string): void {
    this.add({ code, severity: "error", message, span: this.source.span(place), hint });
  }

  warning(code: string, message: string, place: Place, hint?: string): void {
    this.add({ code, severity: "warning", message, span: this.source.span(place), hint });
  }

  note(code: string, message: string, place: Place, hint?: string): void {
    const said = hint === undefined ? {} : { hint };
    this.add({ code, severity: "note", message, span: this.source.span(place), ...said });
  }

  /** A finding that was made elsewhere. */
  add(diagnostic: Diagnostic): void {
    if (diagnostic.severity === "error") this.errors++;
    if (this.diagnostics.length < most) this.diagnostics.push(diagnostic);
  }
}

/** Names that a hint lists. */
const mostNames = 24;

/** `did you mean "age"? Columns: age, sex`; a long list is left out where a name is near. */
export function knownNames(word: string, kind: string, known: readonly string[]): string {
  const near = nearest(word, known);
  if (near !== undefined && known.length > mostNames) return `did you mean "${near}"?`;
  const list = known.length === 0 ? "none" : known.slice(0, mostNames).join(", ");
  const more = known.length > mostNames ? `, and ${known.length - mostNames} more` : "";
  const question = near === undefined ? "" : `did you mean "${near}"? `;
  return `${question}${kind}: ${list}${more}`;
}
