/** Source of a stage's rewards: a target, or an environment that states its own log reward. */
import { inputError } from "../../src/base/diagnostic.ts";
import type { Environment } from "../../src/gfn/environments/mod.ts";
import type { Target } from "../ports/values.ts";

interface SubjectInputs {
  readonly target?: Target;
  readonly environment?: Environment;
}

/** What a stage says if it is wired to both, or to neither. */
interface Refusal {
  /** Of the diagnostic, as in `evaluate/subject`. */
  readonly code: string;
  /** What cannot be done, as in "evaluate against". */
  readonly cannot: string;
}

/** @throws InputError unless exactly one of target and environment is wired. */
export function subjectOf(
  { target, environment }: SubjectInputs,
  { code, cannot }: Refusal,
): Environment {
  const given = target?.environment ?? environment;
  if (given && !(target && environment)) return given;
  const what = given ? "both a target and an environment" : "neither a target nor an environment";
  const hint = 'wire target = "…", or environment = "…" if it states its own log reward';
  throw inputError(code, `Cannot ${cannot} ${what}`, undefined, hint);
}
