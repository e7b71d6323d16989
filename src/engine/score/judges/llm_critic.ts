/** The judge `llm_critic`: a language model grades a text by a rubric, 0 … 1. */
import { defineJudge, type Judge } from "./judge.ts";
import { answerTo, type CriticSettings, questionOf } from "./critic_question.ts";

/** Settings of a critic: the oracle, the rubric, and the answers allowed. */
export interface LlmCriticSettings extends CriticSettings {
  /** Description of a good text. */
  readonly rubric: string;
  /** From the worst to the best; `["1", "2", "3", "4", "5"]` if left out. */
  readonly answers?: readonly string[];
  /** Grade of each, 0 … 1; evenly from 0 to 1 if left out. */
  readonly grades?: readonly number[];
  /** Whether a summary of the data is shown; it is unless this is false. */
  readonly data?: boolean;
}

const usualAnswers = ["1", "2", "3", "4", "5"];

/** The median grade of all askings; no score where the critic gives no answer. */
export function llmCriticJudge(name: string, settings: LlmCriticSettings): Judge {
  const { rubric, answers = usualAnswers, data = true } = settings;
  const grades = settings.grades ?? answers.map((_, i) => i / (answers.length - 1));
  const question = questionOf(settings, { question: rubric, answers, grades, withData: data });
  return defineJudge({
    name,
    version: 1,
    uses: "text",
    questions: [question],
    judge(_execution, program) {
      const { grade, grades: said, shares } = answerTo(question, program.answers);
      const components = {
        askings: question.askings,
        answered: said.length,
        least: said.reduce((least, one) => Math.min(least, one), 1),
        most: said.reduce((most, one) => Math.max(most, one), 0),
        share: shares.reduce((least, one) => Math.min(least, one), 1),
      };
      if (grade === undefined) return { logReward: NaN, components, unanswered: true };
      return { logReward: grade, components };
    },
  });
}
