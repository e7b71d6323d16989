/** The judge `rubric`: weighted criteria, by code or by a critic, 0 … 1. */
import { defineJudge, type Judge } from "./judge.ts";
import { codeOf, evenly } from "./code_of.ts";
import { answerTo, type CriticSettings, questionOf } from "./critic_question.ts";

/** A criterion that a text meets or not. */
export interface CodeCriterion {
  /** Any one of these occurs. */
  readonly contains?: readonly string[];
  /** None of these occurs. */
  readonly lacks?: readonly string[];
  /** Lines that are not empty, at most. */
  readonly most_lines?: number;
  /** `code`, if left out: comments and words in strings do not count; `text`: they do. */
  readonly where?: "code" | "text";
}

/** A criterion that a critic answers with yes or no. */
export interface AskedCriterion extends CriticSettings {
  /** Such as "Does every parameter have a prior?". */
  readonly question: string;
}

/** A criterion, its name, and its weight. */
export type Criterion =
  & { readonly name: string; readonly weight?: number }
  & (CodeCriterion | AskedCriterion);

/** The criteria of a rubric. */
export interface RubricSettings {
  /** At least one, of different names. */
  readonly criteria: readonly Criterion[];
}

/** Mean of the criteria by their weights; without a score where a critic gives no answer. */
export function rubricJudge(name: string, { criteria }: RubricSettings): Judge {
  const read = criteria.map((one) => {
    const { name, weight = 1 } = one;
    return "question" in one
      ? { name, weight, asked: yesOrNo(one) }
      : { name, weight, grade: (text: string) => met(one, text) };
  });
  const total = read.reduce((sum, { weight }) => sum + weight, 0);
  return defineJudge({
    name,
    version: 1,
    uses: "text",
    questions: read.flatMap(({ asked }) => asked ?? []),
    judge(_execution, { text, answers }) {
      const components: Record<string, number> = {};
      let [sum, silent] = [0, false];
      for (const { name: own, weight, asked, grade } of read) {
        const found = asked ? answerTo(asked, answers).grade : grade!(text);
        if (found === undefined) silent = true;
        else {
          components[own] = found;
          sum += weight * found;
        }
        components[`${own}.weight`] = weight;
      }
      return {
        logReward: silent ? NaN : sum / total,
        components,
        ...(silent && { unanswered: true }),
      };
    },
  });
}

function yesOrNo(criterion: AskedCriterion) {
  const { question } = criterion;
  const asked = { question, answers: ["yes", "no"], grades: [1, 0], withData: false };
  return questionOf(criterion, asked);
}

/** 1 if a text meets all conditions of a criterion, else 0; an empty one meets none. */
function met({ contains, lacks, most_lines, where = "code" }: CodeCriterion, text: string): number {
  const read = where === "code" ? codeOf(text) : text;
  const even = evenly(read);
  if (even.trim() === "") return 0;
  const has = (part: string) => even.includes(evenly(part));
  if (contains && !contains.some(has)) return 0;
  if (lacks?.some(has)) return 0;
  const lines = read.split("\n").filter((line) => line.trim() !== "").length;
  return most_lines !== undefined && lines > most_lines ? 0 : 1;
}
