/** Measures how far answers hang on the widths of priors of parameters, by scoring programs with wider ones. */
import { notAsked } from "../../src/base/not_asked.ts";
import { logRewardOf } from "../../src/engine/score/judges/mod.ts";
import { exp } from "../../src/numerics/math/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import type { ProgramTarget } from "../ports/values.ts";
import type { CandidateSpace } from "./candidates.ts";
import type { ScoredProgram } from "./effects.ts";
import { executeAll } from "./enumerated.ts";
import { type WidenablePrior, widenablePriors, widenedText } from "./widened_priors.ts";

/** How many times as wide. */
const factor = 2;

/** The two likeliest answers to a question, each with a program that stands for it. */
interface Rivals {
  readonly question: string;
  readonly answers: readonly [string, string];
  readonly programs: readonly [ScoredProgram, ScoredProgram];
}

/**
 * Scores, for each question, the likeliest program of each of its two likeliest answers, as it is and
 * with twice as wide priors of the parameters that one of the two has and the other has not, and
 * writes an event of kind `prior_move` with what that moves their difference by. Nothing where
 * oracles or critics reward, or no prior that differs has a width.
 */
export async function describePriorMoves(
  context: StageContext,
  target: ProgramTarget,
  space: CandidateSpace,
  scored: readonly ScoredProgram[],
): Promise<void> {
  const asks = target.rule.terms.some(({ judge }) => (judge.questions ?? []).length > 0);
  if (asks || (target.oracles ?? []).length > 0) return;
  const asked = rivalsOf(space, scored).flatMap((rivals) => {
    const priors = priorsApart(rivals.programs.map(({ object }) => object.text));
    return priors.flat().length === 0 ? [] : [{ ...rivals, priors }];
  });
  const objects = asked.flatMap(({ programs, priors }) =>
    programs.flatMap(({ object }, i) => [
      object,
      { ...object, text: widenedText(object.text, priors[i], factor) },
    ])
  );
  const executions = await executeAll(context, target, objects, { purpose: "check" });
  const rewards = executions.map((execution, i) => {
    if (!execution.score) return NaN;
    const judged = logRewardOf(target.rule, execution, objects[i], target.dataset);
    return judged.unraised ?? judged.logReward;
  });
  context.rows(
    "event",
    asked.flatMap(({ question, answers: [answer, other], priors }, k) => {
      const [one, wideOne, two, wideTwo] = rewards.slice(4 * k, 4 * k + 4);
      const moves = (wideOne - one) - (wideTwo - two);
      if (!Number.isFinite(moves)) return [];
      const parameters = [...new Set(priors.flat().map(({ name }) => name))];
      const detail = { question, answer, other, parameters, width: factor, moves };
      return [{ level: "info", kind: "prior_move", message: question, detail }];
    }),
  );
}

/** Of every question with two answers that have a score. */
function rivalsOf(
  { meaning: { questions }, candidates }: CandidateSpace,
  scored: readonly ScoredProgram[],
): Rivals[] {
  const answersOf = new Map(candidates.map(({ index, answers }) => [index, answers]));
  const order = [...scored].sort((a, b) => b.logReward - a.logReward || a.index - b.index);
  return questions.flatMap(({ question }, q) => {
    const given = ({ index }: ScoredProgram) => answersOf.get(index)![q];
    const mass = [...Map.groupBy(order, given)].map(([answer, programs]) => {
      const sum = programs.reduce((all, one) => all + exp(one.logReward - order[0].logReward), 0);
      return { answer, programs, sum };
    }).filter(({ answer }) => answer !== notAsked).sort((a, b) => b.sum - a.sum);
    if (mass.length < 2) return [];
    const [{ answer, programs: [one] }, { answer: other, programs }] = mass;
    const shared = (rival: ScoredProgram) =>
      answersOf.get(rival.index)!.filter((said, k) => said === answersOf.get(one.index)![k]).length;
    // Of the rival, the program that differs in the fewest other questions.
    const [two] = [...programs].sort((a, b) => shared(b) - shared(a));
    return [{ question, answers: [answer, other], programs: [one, two] }];
  });
}

/** The priors with a width that each of two programs has and the other has not, or otherwise. */
function priorsApart(texts: readonly string[]): readonly (readonly WidenablePrior[])[] {
  const all = texts.map(widenablePriors);
  return all.map((own, i) => {
    const others = new Set(all[1 - i].map(({ text }) => text));
    return own.filter(({ text }) => !others.has(text));
  });
}
