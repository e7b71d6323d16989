/** Measures how far wider priors of parameters move the answers, and which answers depend on them. */
import { exp, logSumExp } from "../numerics/math/mod.ts";
import type { Answer, AnsweredQuestion } from "./answer_schema.ts";
import type { PriorMove, ScoredSpace } from "./scored_space.ts";
import { likely } from "./verdict.ts";

/** Nats by which an answer may move before it rests on a prior: odds seven times as large. */
const much = 2;

type Sensitivity = Answer["prior_sensitivity"][number];

/**
 * Wider priors against each question: the nats by which they move the odds of its likeliest answer
 * against the next, where that takes its share, and whether it rests on them: the likeliest answer
 * would be another, a settled one would not be, or it moves by more than 2 nats. By refits, where
 * Kallioinen et al. (2024) take importance weights: priors that matter move draws too far for these.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { sensitivityOf } from "./wider_priors.ts";
 * const answers = [{ answer: "poisson", prior: 0.5 }, { answer: "negative_binomial", prior: 0.5 }];
 * const questions = [{ question: "family", answers, given: Int32Array.of(0, 1) }];
 * const move = { question: "family", answer: "poisson", other: "negative_binomial" };
 * const priorMoves = [{ ...move, parameters: ["alpha"], width: 2, moves: -8 }];
 * const space = { questions, logReward: Float64Array.of(-252, -259), priorMoves };
 * const [one] = sensitivityOf(space, [{ question: "family", answers: [{ target: 0.999 }] }]);
 * assert.equal(one.target?.toFixed(2), "0.27");
 * assert.ok(one.rests);
 * ```
 */
export function sensitivityOf(
  space: Pick<ScoredSpace, "questions" | "logReward" | "priorMoves">,
  questions: readonly {
    readonly question: string;
    readonly answers: readonly Pick<AnsweredQuestion["answers"][number], "target">[];
  }[],
): Sensitivity[] {
  return (space.priorMoves ?? []).map((move) => {
    const asked = questions.find(({ question }) => question === move.question);
    const isOpen = asked?.answers[0].target === null;
    const [one, other] = [move.answer, move.other].map((name) => logMasses(space, move, name));
    const share = (moved: number) => 1 / (1 + exp(one.rest - one.own - moved));
    const [before, target] = [share(0), share(move.moves)];
    const loses = one.own + move.moves < other.own;
    const unsettles = before >= likely && target < likely;
    const rests = loses || unsettles || Math.abs(move.moves) > much;
    const { parameters } = move;
    return { ...move, parameters: [...parameters], target: isOpen ? null : target, rests };
  });
}

/** Log sums of the rewards of the programs that answer so, and of the others. */
function logMasses(
  { questions, logReward }: Pick<ScoredSpace, "questions" | "logReward">,
  { question }: PriorMove,
  name: string,
) {
  const { answers, given } = questions.find((one) => one.question === question)!;
  const says = (k: number) => answers[given[k]].answer === name;
  return {
    own: logSumExp(logReward.filter((_, k) => says(k))),
    rest: logSumExp(logReward.filter((_, k) => !says(k))),
  };
}

/** A sentence for all questions, and one for each answer that rests on a prior. */
export function aboutWiderPriors(
  { prior_sensitivity: all }: Pick<Answer, "prior_sensitivity">,
): string[] {
  if (all.length === 0) return [];
  const firm = all.filter(({ rests }) => !rests);
  const most = [...firm].sort((a, b) => Math.abs(b.moves) - Math.abs(a.moves))[0];
  const others = firm.length > 1 ? `, the most of ${firm.length} questions` : "";
  const size = Math.abs(most?.moves ?? 0);
  const nats = size < 0.05 ? "less than 0.1" : size.toFixed(1);
  return [
    ...all.filter(({ rests }) => rests).map(resting),
    ...most
      ? [
        `Doubling the prior width of ${
          most.parameters.join(", ")
        } moves log odds of ${most.question} by ` +
        `${nats} nats${others}.`,
      ]
      : [],
  ];
}

function resting({ question, answer, other, parameters, moves, target }: Sensitivity): string {
  const side = moves > 0 ? `towards ${answer}` : `towards ${other}`;
  const then = target === null ? "" : `; ${answer} would have ${(100 * target).toFixed(1)} %`;
  return `${question} rests on the prior of ${parameters.join(", ")}: doubling its width moves ` +
    `log odds by ${Math.abs(moves).toFixed(1)} nats ${side}${then}. State what you know of it by ` +
    "--prior.";
}
