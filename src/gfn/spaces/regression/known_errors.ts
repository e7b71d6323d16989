/** Responses with known standard errors: the noise is theirs, and no parameter. */
import { inputError } from "../../../base/diagnostic.ts";
import { heavyTails } from "../writing/own_priors.ts";
import type { FamilyName } from "./family_names.ts";

/** @throws InputError where an error is not above 0, or a family has other noise. */
export function checkErrors(
  name: string,
  errors: Float64Array,
  families: readonly FamilyName[],
): void {
  const row = errors.findIndex((error) => !(error > 0));
  if (row >= 0) {
    const message = `Cannot use se(${name}): it is ${errors[row]} in row ${row + 1}`;
    throw inputError("formula/error", message, undefined, "standard errors are above 0");
  }
  const strange = families.find((family) => family !== "normal" && family !== "student_t");
  if (strange === undefined) return;
  const message = `Cannot use family ${strange}: standard errors are known, se(${name})`;
  throw inputError("families/error", message, undefined, "use normal or student_t");
}

/** Expressions and names in the statements of a response with known errors. */
interface KnownErrors {
  /** Name of the observed variable, in quotes. */
  readonly called: string;
  readonly observed: string;
  /** Expression by which programs read the errors. */
  readonly scale: string;
  /** Begins the width of the prior of the tails. */
  readonly width?: string;
}

/** The statements of a family about `eta` whose scale is read from a column. */
export function knownErrorStatements(
  family: FamilyName,
  { called, observed, scale, width }: KnownErrors,
): readonly string[] {
  const [distribution, more] = family === "normal" ? ["Normal", ""] : ["StudentT", "nu=nu, "];
  return [
    ...(more ? heavyTails(width) : []),
    `pm.${distribution}(${called}, ${more}mu=eta, sigma=${scale}, observed=${observed})`,
  ];
}
