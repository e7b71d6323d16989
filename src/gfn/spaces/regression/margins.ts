/** Margins: the terms that an interaction is made of, which are in where it is (Nelder 1977). */
import { inputError } from "../../../base/diagnostic.ts";
import type { Factor, Formula, Part, Term } from "../formula/formula.ts";

/**
 * For each margin of the terms that is itself in question, the alternatives that have it; margins that
 * are always included need none.
 *
 * @throws InputError `formula/margins` where the formula lacks a margin, or has it later.
 */
export function marginsOf(
  terms: readonly Term[],
  formula: Pick<Formula, "parts">,
  source: string,
): string[][] {
  const wanted: string[][] = [];
  for (const part of marginsWanted(terms)) {
    const found = have(part, terms, formula, source);
    const named = found.flatMap(({ names, alternatives }) =>
      names.filter((_, i) => alternatives[i].some((term) => isMargin(term, part)))
    );
    if (named.length > 0) wanted.push(named);
  }
  return wanted;
}

/** Every product of some of the factors of an interaction, and the slopes of a group. */
function marginsWanted(terms: readonly Term[]): (readonly Factor[])[] {
  return terms.flatMap((term) => {
    if (term.kind === "group") return term.slopes.map((slope) => [slope]);
    if (term.kind !== "product" || term.factors.length < 2) return [];
    const { factors } = term;
    return factors.map((_, i) => factors.filter((_, k) => k !== i));
  });
}

/** The parts in question that have a margin; none where it is always there. */
function have(
  margin: readonly Factor[],
  terms: readonly Term[],
  { parts }: Pick<Formula, "parts">,
  source: string,
): readonly Part[] {
  if (terms.some((term) => isMargin(term, margin))) return [];
  const hasIt = (part: Part) => part.alternatives.flat().some((term) => isMargin(term, margin));
  if (parts.some((part) => !part.asked && hasIt(part))) return [];
  const before = parts.slice(0, parts.findIndex((part) => part.source === source)).filter(hasIt);
  if (before.length > 0) return before;
  const called = margin.map(({ column }) => column).join(":");
  const late = parts.some(hasIt) ? "comes after it" : "is not in the formula";
  const message = `Cannot use ${source}: ${called} ${late}`;
  const hint = `write ${called} before it, in brackets if it is in question, or margins = false ` +
    "(--no-margins)";
  throw inputError("formula/margins", message, undefined, hint);
}

/** Whether a term has the columns of a margin: `poly(x, 2)` has that of `x`. */
function isMargin(term: Term, margin: readonly Factor[]): boolean {
  if (term.kind !== "product" || term.factors.length !== margin.length) return false;
  const columns = (factors: readonly Factor[]) => factors.map(({ column }) => column).sort().join();
  return columns(term.factors) === columns(margin);
}
