/** Source of a stage's rewards: a target, or an environment that states its own log reward. */
import { inputError } from "../../src/base/diagnostic.ts";
import type { Environment } from "../../src/gfn/environments/mod.ts";
import type { Target } from "../ports/values.ts";

interface SubjectInputs {
  readonly target?: Target;
  readonly environment?: Environment;
}

/** Words of a stage that is wired to both, or to neither. */
interface Refusal {
  /** Of the diagnostic, as in `evaluate/subject`. */
  readonly code: string;
  /** Refused action, as in "evaluate against". */
  readonly cannot: string;
}

/** The refusal of a stage of kind `benchmark`. */
export const benchmarked: Refusal = {
  code: "benchmark/subject",
  cannot: "benchmark a policy against",
};

/** @throws InputError unless exactly one of target and environment is wired. */
export function subjectOf(
  { target, environment }: SubjectInputs,
  { code, cannot }: Refusal,
): Environment {
  const given = target?.environment ?? environment;
  if (given && !(target && environment)) return given;
  throw refused(given !== undefined, { code, cannot });
}

/**
 * Checks the wires alone, before anything runs.
 *
 * @param unknown Names of those without a value yet.
 * @throws InputError as {@linkcode subjectOf}.
 */
export function requireSubject(
  { inputs, unknown }: { readonly inputs: object; readonly unknown: ReadonlySet<string> },
  refusal: Refusal,
): void {
  const wired = [...Object.keys(inputs), ...unknown].filter((name) =>
    unknown.has(name) || (inputs as Readonly<Record<string, unknown>>)[name] !== undefined
  );
  const has = [/^targets?($|\.)/, /^environment$/].map((form) =>
    wired.some((name) => form.test(name))
  );
  if (has[0] === has[1]) throw refused(has[0], refusal);
}

function refused(isBoth: boolean, { code, cannot }: Refusal) {
  const what = isBoth ? "both a target and an environment" : "neither a target nor an environment";
  const hint = 'wire target = "…", or environment = "…" if it states its own log reward';
  return inputError(code, `Cannot ${cannot} ${what}`, undefined, hint);
}
