/** Several checks of one stage: reports the findings of all at once. */
import { type Diagnostic, InputError } from "../../src/base/diagnostic.ts";

/** @throws InputError with the findings of every check; any other error as it comes. */
export function throwAll(checks: readonly (() => unknown)[]): void {
  const findings = checks.flatMap(findingsOf);
  if (findings.length > 0) throw new InputError(findings);
}

function findingsOf(check: () => unknown): readonly Diagnostic[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof InputError) return error.diagnostics;
    throw error;
  }
}
