/** Drops terms that stand twice in a formula; refuses those of which one is in question. */
import { inputError } from "../../../base/diagnostic.ts";
import type { Factor, Part, Term } from "./formula.ts";

/**
 * The parts without terms that an earlier part always has, as R reads `x * z + x`.
 *
 * @throws InputError `formula/twice` where such a term is in question, or in a group beside others.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { parseFormula } from "./parse.ts";
 * const { parts } = parseFormula("y ~ x * z + x");
 * assert.deepEqual(parts.map(({ source }) => source), ["x * z"]);
 * assert.throws(() => parseFormula("y ~ x + [x]"), /x stands twice/);
 * ```
 */
export function withoutRepeats(parts: readonly Part[]): Part[] {
  const seen = new Set<string>();
  return parts.flatMap((part) => {
    const alternatives = part.alternatives.map((terms) => terms.filter((term) => isNew(term)));
    for (const key of part.alternatives.flat().flatMap(keysOf)) seen.add(key);
    return alternatives[0].length === 0 ? [] : [{ ...part, alternatives }];

    function isNew(term: Term): boolean {
      const keys = keysOf(term);
      const known = keys.filter((key) => seen.has(key));
      if (known.length === 0) return true;
      if (part.asked || known.length < keys.length || isAsked(known)) throw twice(term, known[0]);
      return false;
    }
  });

  /** Whether one of the things is in question elsewhere. */
  function isAsked(keys: readonly string[]): boolean {
    const asked = parts.filter((part) => part.asked)
      .flatMap(({ alternatives }) => alternatives.flat().flatMap(keysOf));
    return keys.some((key) => asked.includes(key));
  }
}

/** Keys of the parts that a term adds: a product of factors, or intercepts and slopes of a group. */
function keysOf(term: Term): string[] {
  if (term.kind === "offset") return [];
  if (term.kind === "product") return [term.factors.map(nameOf).sort().join(":")];
  const of = (what: string) => `${what} of ${[...term.groups].sort().join(":")}`;
  return [...term.intercept ? [of("the intercept")] : [], ...term.slopes.map((x) => of(nameOf(x)))];
}

function nameOf(factor: Factor): string {
  if (factor.kind === "column") return factor.by ? `${factor.by}(${factor.column})` : factor.column;
  if (factor.kind === "monotonic") return `mo(${factor.column})`;
  if (factor.kind === "levels") return `factor(${factor.column})`;
  const size = factor.kind === "poly" ? factor.degree : factor.knots;
  return `${factor.kind}(${factor.column}, ${size})`;
}

function twice({ source }: Term, what: string): Error {
  const where = source === what ? "" : `, the second time in ${source}`;
  const message = `Cannot use the formula: ${what} stands twice${where}`;
  const hint = "write it once, in brackets if it is in question";
  return inputError("formula/twice", message, undefined, hint);
}
