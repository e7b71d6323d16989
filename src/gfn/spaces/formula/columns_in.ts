/** The columns that a formula reads on the right of ~. */
import type { Formula, Term } from "./formula.ts";

/**
 * All terms of a formula, in question or not, of the mean and of other parameters.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { parseFormula } from "./parse.ts";
 * import { termsIn } from "./columns_in.ts";
 * assert.equal(termsIn(parseFormula("y ~ x + [z]")).length, 2);
 * ```
 */
export function termsIn({ parts, others }: Formula): readonly Term[] {
  return [parts, ...others.map((other) => other.parts)].flat()
    .flatMap(({ alternatives }) => alternatives.flat());
}

/**
 * Columns of terms, without those of groups.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { parseFormula } from "./parse.ts";
 * import { columnsIn } from "./columns_in.ts";
 * assert.deepEqual(columnsIn(parseFormula("y ~ x + [z]")), ["x", "z"]);
 * ```
 */
export function columnsIn(formula: Formula): string[] {
  return termsIn(formula).flatMap((term) => {
    if (term.kind === "group") return term.slopes;
    return term.kind === "offset" ? [term.factor] : term.factors;
  }).map(({ column }) => column);
}
