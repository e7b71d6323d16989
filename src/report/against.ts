/** Reference levels that effects of categories are compared with, as reports show them. */
import type { Answer } from "../answers/answer_schema.ts";

/** A column `against` of a table of effects, by its rows; none where no effect is of a level. */
export function againstColumn(effects: Answer["effects"]): {
  readonly heads: readonly string[];
  readonly cells: readonly (readonly string[])[];
} {
  const isShown = effects.some(({ against }) => against !== null);
  return {
    heads: isShown ? ["against"] : [],
    cells: effects.map(({ against }) => isShown ? [against ?? ""] : []),
  };
}

/** A term with what it is compared with, on one line. */
export function comparedTerm(
  { term, against }: Pick<Answer["effects"][number], "term" | "against">,
): string {
  return against === null ? term : `${term} (against ${against})`;
}
