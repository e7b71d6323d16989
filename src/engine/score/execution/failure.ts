/** Failures of programs: their classes, and the text of those that happen while sampling. */
import type { Diagnostic } from "../../../base/diagnostic.ts";
import type { ElpdResult } from "../../loo/elpd.ts";
import type { Schedule } from "./execution.ts";

/** Classes of failure, the most telling first. */
export const failureClasses = [
  "syntax",
  "data",
  "names",
  "shapes",
  "support",
  "unsupported",
  "budget",
  "numeric",
  "no_start",
  "loo",
] as const;
/** One of {@linkcode failureClasses}. */
export type FailureClass = (typeof failureClasses)[number];

/**
 * Codes under `lh/` are about how a program may use the data, those under `limit/` about a counted
 * bound of the checker, those under `predict/` about programs that new rows do not fit.
 */
const classOfPrefix: Readonly<Record<string, FailureClass>> = {
  lh: "data",
  limit: "budget",
  predict: "unsupported",
  ...Object.fromEntries(failureClasses.map((name) => [name, name])),
};

/**
 * The class of a failed program: the first in `failureClasses` that one of its errors has.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { classOfDiagnostics } from "./failure.ts";
 * const diagnostic = { code: "syntax/token", severity: "error", message: "…" } as const;
 * assert.equal(typeof classOfDiagnostics([diagnostic]), "string");
 * ```
 */
export function classOfDiagnostics(diagnostics: readonly Diagnostic[]): FailureClass {
  const found = diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ code }) => classOfPrefix[code.split("/")[0]]);
  const first = failureClasses.find((name) => found.includes(name));
  if (first) return first;
  throw new Error(`internal: no class for ${diagnostics.map(({ code }) => code).join(", ")}`);
}

/** The diagnostic of a program that was checked but could not be cross-validated. */
export function failureDiagnostic(
  result: Exclude<ElpdResult, { kind: "ok" }>,
  schedule: Schedule,
): Diagnostic {
  switch (result.kind) {
    case "budget":
      return error(
        "budget/gradients",
        `Cannot score the program within ${schedule.maxGradients} gradient evaluations`,
        "simplify the program, or raise the schedule's limit of gradients",
      );
    case "no_finite_start":
      return error(
        "no_start/density",
        "Cannot sample the posterior: no starting point has a finite log density",
        "check that the priors allow values for which the likelihood is defined",
      );
    case "numeric":
      return error(
        "numeric/sampling",
        `Cannot score the program: ${result.reason}`,
        "tighten the priors, or write the model with less correlated parameters",
      );
  }
}

function error(code: string, message: string, hint: string): Diagnostic {
  return { code, severity: "error", message, hint };
}
