/** Collects the faults of a grammar, so that all are reported at once. */
import { type Diagnostic, InputError } from "../../base/diagnostic.ts";
import { nearest } from "../../base/nearest.ts";
import type { Span } from "../../base/span.ts";

/** Findings in the order in which they were made. */
export class Findings {
  readonly list: Diagnostic[] = [];

  /** Adds an error; `code` without its `grammar/`. */
  add(code: string, message: string, span?: Span, hint?: string): void {
    const place = span && { span };
    const mend = hint === undefined ? undefined : { hint };
    this.list.push({ code: `grammar/${code}`, severity: "error", message, ...place, ...mend });
  }

  /** @throws InputError with all findings, if there are any. */
  throwIfAny(): void {
    if (this.list.length > 0) throw new InputError(this.list);
  }
}

/** `did you mean "x"? Known holes: a, b, x`. */
export function knownNames(what: string, found: string, known: readonly string[]): string {
  const meant = nearest(found, known);
  const list = known.length > 0 ? known.join(", ") : "none";
  return `${meant ? `did you mean "${meant}"? ` : ""}Known ${what}: ${list}`;
}

/** A value as a message shows it. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "a table";
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}
