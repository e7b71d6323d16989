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

/** Sentences below a table of effects: where those of factors of products hold, and of how many models they are. */
export function effectLines(
  answer: Pick<Answer, "effects" | "questions">,
  percent: (share: number) => string,
): string[] {
  const { effects } = answer;
  const places = effects.flatMap(({ term, at }) =>
    at === null ? [] : [`Where a model has ${term}, these are the effects of ${at}.`]
  );
  const held = Math.max(...effects.map(({ share }) => share ?? 0));
  const isPart = effects.some(({ term, share }) => isBelow(share, targetOf(term, answer)));
  const likeliest =
    `Effects are those of models that were summarised, which hold ${percent(held)} of the ` +
    "target or more; questions are answered by all.";
  return [...new Set(places), ...(isPart ? [likeliest] : [])];
}

/** Shares that differ by less are printed alike. */
const alike = 0.002;

function isBelow(share: number | null, target: number | null | undefined): boolean {
  return share !== null && typeof target === "number" && share < target - alike;
}

/** The target of the answer that has a term, where a question is about it. */
function targetOf(term: string, { questions }: Pick<Answer, "questions">) {
  for (const { question, answers } of questions) {
    const own = answers.find(({ answer }) =>
      answer === term || (question === term && answer === "in")
    );
    if (own) return own.target;
  }
  return undefined;
}
