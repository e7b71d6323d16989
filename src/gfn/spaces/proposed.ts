/** The model space that is proposed for data nobody has said anything about. */
import type { ColumnRole, ColumnType } from "../../base/dataset.ts";
import type { FamilyName } from "./regression/family_names.ts";

/** What is known of a column. */
export interface ProposedColumn {
  readonly name: string;
  readonly role: ColumnRole;
  readonly type: ColumnType;
  readonly range?: readonly [number, number];
}

/** A formula and families to begin with. */
export interface ProposedSpace {
  readonly formula: string;
  readonly families: readonly FamilyName[];
  /** Predictors that are not in the formula, for they would make too many programs. */
  readonly leftOut: readonly string[];
}

/** Questions up to which a space is counted within a minute. */
const mostQuestions = 6;

/**
 * Every predictor in brackets, groups as varying intercepts, and the families that suit the response.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { proposedSpace } from "./proposed.ts";
 * const { formula, families } = proposedSpace([
 *   { name: "seen", role: "response", type: "count", range: [0, 9] },
 *   { name: "body mass", role: "predictor", type: "real", range: [1, 2] },
 *   { name: "site", role: "group", type: "category" },
 * ]);
 * assert.equal(formula, "seen ~ [`body mass`] + [(1 | site)]");
 * assert.deepEqual(families, ["poisson", "negative_binomial", "zero_inflated_poisson"]);
 * ```
 */
export function proposedSpace(columns: readonly ProposedColumn[]): ProposedSpace {
  const response = columns.find(({ role }) => role === "response")!;
  const terms = columns.flatMap(({ name, role }) => {
    if (role === "predictor") return [{ name, term: `[${quoted(name)}]` }];
    return role === "group" ? [{ name, term: `[(1 | ${quoted(name)})]` }] : [];
  });
  const asked = terms.slice(0, mostQuestions).map(({ term }) => term);
  return {
    formula: `${quoted(response.name)} ~ ${asked.length === 0 ? "1" : asked.join(" + ")}`,
    families: familiesFor(response),
    leftOut: terms.slice(mostQuestions).map(({ name }) => name),
  };
}

function familiesFor({ type, range }: ProposedColumn): FamilyName[] {
  if (type === "binary") return ["bernoulli"];
  if (type !== "count") return ["normal", "student_t"];
  const zeros = range && range[0] === 0 ? ["zero_inflated_poisson" as const] : [];
  return ["poisson", "negative_binomial", ...zeros];
}

/** A name as formulas write it. */
function quoted(name: string): string {
  return /^[\p{L}_.][\p{L}\p{N}_.]*$/u.test(name) && !/^(offset|poly|spline)$/.test(name)
    ? name
    : `\`${name}\``;
}
