/** Collects everything that is wrong with a pipeline, so that it is reported at once. */
import type { Diagnostic } from "../../base/diagnostic.ts";
import type { Span } from "../../base/span.ts";

export class Findings {
  readonly #all: Diagnostic[] = [];

  add(code: string, message: string, span: Span | undefined, hint?: string): void {
    this.#all.push({ code, severity: "error", message, span, hint });
  }

  push(...diagnostics: readonly Diagnostic[]): void {
    this.#all.push(...diagnostics);
  }

  /** Everything that was found. */
  get all(): readonly Diagnostic[] {
    return this.#all;
  }
}

/** `did you mean "x"? Known stages: x, y`, or the part of it that can be said. */
export function suggest(near: string | undefined, what: string, known: readonly string[]): string {
  const list = known.length > 0 ? `${what}: ${known.join(", ")}` : `${what}: none`;
  return near ? `did you mean "${near}"? ${list}` : list;
}
