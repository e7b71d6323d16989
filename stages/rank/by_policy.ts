/** Ranking with a policy for many data sets: its answer first, then executions in the order of its shares. */
import { inputError } from "../../src/base/diagnostic.ts";
import { RandomStream } from "../../src/base/random.ts";
import { exp, logSumExp } from "../../src/numerics/math/mod.ts";
import { fitPareto } from "../../src/engine/loo/mod.ts";
import type { Row } from "../../src/pipeline/contract/mod.ts";
import type { AnswerName } from "../common/asked_space.ts";
import type { PolicyAnswer } from "../common/policy_answer.ts";

/** Programs that are drawn from the policy, and executed, to check its answer. */
const trials = 50;

/** Above it the importance weights of executed programs have no finite variance to speak of. */
export const goodK = 0.7;

/** Below such an effective share of the weights the policy missed what matters, by any k. */
export const goodShare = 0.7;

/** Draws of the policy: places of candidates, in the order of the draws. The file is their seed. */
export function drawnPlaces({ logShares, card }: PolicyAnswer): readonly number[] {
  const random = new RandomStream("trials of a policy", card.digest);
  return Array.from({ length: trials }, () => {
    let rest = random.uniform();
    let place = 0;
    while (place + 1 < logShares.length && (rest -= exp(logShares[place])) > 0) place++;
    return place;
  });
}

/** Pareto k of importance weights R / P (Vehtari et al. 2024), and their effective share. */
export interface TrialWeights {
  /** Draws that were executed. */
  readonly draws: number;
  readonly k: number;
  readonly effective: number;
}

/** @param logWeights log R − log P of programs that the policy drew; a program may be there twice. */
export function weightsOf(logWeights: readonly number[]): TrialWeights {
  const total = logSumExp(Float64Array.from(logWeights));
  const weights = logWeights.map((one) => exp(one - total)).sort((a, b) => a - b);
  const square = weights.reduce((sum, one) => sum + one * one, 0);
  const effective = 1 / square / weights.length;
  const tail = Math.floor(weights.length / 5);
  const cut = weights[weights.length - tail - 1];
  const above = Float64Array.from(weights.slice(-tail), (one) => one - cut).filter((one) =>
    one > 0
  );
  return { draws: weights.length, k: above.length < 5 ? 0 : fitPareto(above).k, effective };
}

/** Whether a policy's answer may be used without execution. */
export function isGood({ k, effective }: TrialWeights): boolean {
  return k <= goodK && effective >= goodShare;
}

/** The event with the policy's answer, which `--executions 0` prints. */
export function policyEvent(answer: PolicyAnswer, path: string): Row {
  const { card, likeness, answers, inclusion } = answer;
  const { figures, digest, trained } = card;
  const detail = {
    policy: path,
    digest,
    passed: likeness.isLike,
    distance: likeness.distance,
    reach: likeness.reach,
    reasons: likeness.reasons,
    inclusion: answers.map((named, j) => ({ ...named, probability: inclusion[j] })),
    likeliest: likeliest(answer),
    figures,
    trained,
  };
  const message = likeness.isLike
    ? `the policy answers about ${answer.programs.length} programs, no execution`
    : `the policy does not answer: ${likeness.reasons.join("; ")}`;
  return { level: likeness.isLike ? "info" : "warning", kind: "policy_answer", message, detail };
}

/** The five likeliest programs, by the predictors that are in, or by all that they answer. */
export function likeliest({ logShares, programs, answers, marks }: PolicyAnswer) {
  const named = ({ question, answer }: AnswerName) => answer === "in" ? question : answer;
  return [...logShares.keys()].sort((a, b) => logShares[b] - logShares[a] || a - b).slice(0, 5)
    .map((i) => ({
      in: marks(programs[i]).map((j) => named(answers[j])),
      probability: exp(logShares[i]),
    }));
}

/** A refusal of the policy alone. */
export function unlike({ likeness: { reasons } }: PolicyAnswer): Error {
  const message = `The policy does not answer: ${reasons.join("; ")}`;
  const hint = "leave out --executions 0: programs are scored then, and the policy is not needed";
  return inputError("amortised/unlike", message, undefined, hint);
}
