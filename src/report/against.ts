/** Columns beside effects: the level that one is compared with, and the ratio that it is. */
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

/** Exponentials of effects with their intervals, headed by their name; none where none is a ratio. */
export function ratioColumn(effects: Answer["effects"], text: (value: number) => string): {
  readonly heads: readonly string[];
  readonly cells: readonly (readonly string[])[];
} {
  const names = new Set(effects.flatMap(({ ratio }) => ratio?.name ?? []));
  if (names.size === 0) return { heads: [], cells: effects.map(() => []) };
  const cells = effects.map(({ ratio }) =>
    ratio ? [`${text(ratio.mean)} (${text(ratio.lo)} … ${text(ratio.hi)})`] : [""]
  );
  return { heads: [[...names].join(" or ")], cells };
}

/** Where effects of the factors of products hold, a line for each product. */
export function placeLines(effects: Answer["effects"]): string[] {
  const own = effects.flatMap(({ term, at }) =>
    at === null ? [] : [`Where a model has ${term}, these are the effects of ${at}.`]
  );
  return [...new Set(own)];
}
