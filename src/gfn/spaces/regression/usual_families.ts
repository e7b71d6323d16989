/** Families that a space of regressions compares where none is named: by the response and the left side. */
import type { ColumnType } from "../../../base/dataset.ts";
import type { Formula } from "../formula/formula.ts";
import { isCounted, isMeasured } from "./families.ts";
import { type FamilyName, familyNames } from "./family_names.ts";

/**
 * The shape of measurements: shares strictly between 0 and 1, numbers above 0 with a long tail, or
 * such beside zeros.
 */
export type ResponseShape = "shares" | "long_tail" | "zeros_and_long_tail";

/** Facts about a response. */
interface ResponseFacts {
  readonly type: ColumnType;
  /** Least and greatest value, where zeros are to be asked about. */
  readonly range?: readonly [number, number];
  readonly shape?: ResponseShape;
}

/**
 * The families that suit a response, all of one link: trials are binomial, 0 and 1 Bernoulli, counts
 * Poisson or wider, names categorical, shares beta, numbers above 0 with a long tail log-normal or
 * gamma, others normal or Student's t, and so is a left side with a logarithm or known errors.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { parseFormula } from "../formula/parse.ts";
 * import { usualFamilies } from "./usual_families.ts";
 * const trials = parseFormula("hits | trials(n) ~ x");
 * assert.deepEqual(usualFamilies({ type: "count" }, trials), ["binomial", "beta_binomial"]);
 * const plain = parseFormula("mass ~ x");
 * assert.deepEqual(usualFamilies({ type: "real", shape: "long_tail" }, plain), ["log_normal", "gamma"]);
 * ```
 */
export function usualFamilies(
  { type, range, shape }: ResponseFacts,
  { response, others }: Pick<Formula, "response" | "others">,
): readonly FamilyName[] {
  const { trials, error, by, asked, truncated } = response;
  const varying = new Set(others.map(({ parameter }) => parameter));
  const zeros = ["hu", "zi", "psi"].find((one) => varying.has(one));
  if (zeros) return withZeros(zeros, { type, shape }, trials !== undefined);
  if (trials !== undefined) {
    return varying.has("kappa") ? ["beta_binomial"] : ["binomial", "beta_binomial"];
  }
  if (error !== undefined || by || asked || varying.has("sigma")) return ["normal", "student_t"];
  if (type === "category") return ["categorical"];
  if (type === "binary") return ["bernoulli"];
  if (type === "count" && varying.has("alpha")) return ["negative_binomial"];
  if (type === "count") {
    const hasZeros = range?.[0] === 0 && !truncated;
    return ["poisson", "negative_binomial", ...hasZeros ? ["zero_inflated_poisson" as const] : []];
  }
  if (shape === "shares") return ["beta"];
  if (varying.has("shape")) return ["gamma"];
  if (shape === "zeros_and_long_tail") return ["hurdle_log_normal", "hurdle_gamma"];
  return shape === "long_tail" ? ["log_normal", "gamma"] : ["normal", "student_t"];
}

/** Families with a share of zeros, by the name that the formula has for it. */
function withZeros(
  parameter: string,
  { type, shape }: Pick<ResponseFacts, "type" | "shape">,
  hasTrials: boolean,
): readonly FamilyName[] {
  if (hasTrials) return ["zero_inflated_binomial"];
  if (type === "count") {
    return parameter === "hu"
      ? ["hurdle_poisson", "hurdle_negative_binomial"]
      : ["zero_inflated_poisson", "zero_inflated_negative_binomial"];
  }
  if (parameter === "zi" || shape === "shares") return ["zero_inflated_beta"];
  return ["hurdle_log_normal", "hurdle_gamma"];
}

/**
 * Kind of whole numbers by the named families, or else by a left side with a logarithm or known errors,
 * or terms of a residual spread.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { parseFormula } from "../formula/parse.ts";
 * import { kindOfNumbers } from "./usual_families.ts";
 * const { response } = parseFormula("y ~ x");
 * assert.equal(kindOfNumbers(["poisson"], response), "counted");
 * assert.equal(kindOfNumbers(["normal"], response), "measured");
 * ```
 */
export function kindOfNumbers(
  families: readonly string[] | undefined,
  { by, asked, error, trials }: Pick<Formula["response"], "by" | "asked" | "error" | "trials">,
  others: Formula["others"] = [],
): "measured" | "counted" | undefined {
  if (families === undefined && trials !== undefined) return "counted";
  if (families === undefined) {
    const hasSpread = others.some(({ parameter }) => parameter === "sigma");
    return by || asked || error !== undefined || hasSpread ? "measured" : undefined;
  }
  const named = familyNames.filter((name) => families.includes(name));
  if (named.length < families.length) return undefined;
  if (named.every(isMeasured)) return "measured";
  const isMany = (name: FamilyName) =>
    isCounted(name) && (trials !== undefined || !name.startsWith("binomial"));
  return named.every(isMany) ? "counted" : undefined;
}

/** Whether an effect of each row is identifiable: counts and trials, which have no noise of their own. */
export function takesEffectOfEachRow(name: FamilyName): boolean {
  return isCounted(name);
}

/**
 * The families that are meant of single trials: binomial of 0 and 1 is Bernoulli.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { ofSingleTrials } from "./usual_families.ts";
 * assert.deepEqual(ofSingleTrials(["binomial_probit"]), ["bernoulli_probit"]);
 * ```
 */
export function ofSingleTrials(families: readonly string[]): readonly string[] {
  return families.map((name) => name.replace(/^binomial/, "bernoulli"));
}
