/** Ranking with a policy for many data sets: its answer first, then executions in the order of its shares. */
import { inputError } from "../../src/base/diagnostic.ts";
import { RandomStream } from "../../src/base/random.ts";
import { exp, logSumExp } from "../../src/numerics/math/mod.ts";
import { fitPareto } from "../../src/engine/loo/mod.ts";
import type { Row, StageContext } from "../../src/pipeline/contract/mod.ts";
import type { CandidateSpace } from "../evaluation/candidates.ts";
import type { ScoredProgram } from "../evaluation/effects.ts";
import type { PolicyAnswer } from "../common/policy_answer.ts";

/** Programs that are drawn from the policy, and executed, to see whether it may be believed. */
const trials = 50;

/** Above which the importance weights of executed programs have no finite variance to speak of. */
const goodK = 0.7;

/** Of the weights' effective share: below it the policy missed what matters, whatever k says. */
const goodShare = 0.7;

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
  return { k: above.length < 5 ? 0 : fitPareto(above).k, effective };
}

/** Says how far the policy may be believed, by the programs that it drew and that were scored. */
export function tellWeights(
  context: StageContext,
  answer: PolicyAnswer,
  { candidates }: CandidateSpace,
  scored: readonly Pick<ScoredProgram, "index" | "logReward">[],
): void {
  const rewards = new Map(scored.map(({ index, logReward }) => [index, logReward]));
  const places = drawnPlaces(answer).filter((place) => rewards.has(candidates[place].index));
  if (places.length < trials / 2) return;
  const weights = weightsOf(places.map((place) => {
    return rewards.get(candidates[place].index)! - answer.logShares[place];
  }));
  const isGood = weights.k <= goodK && weights.effective >= goodShare;
  const shown = `Pareto k ${weights.k.toFixed(2)}, effective share ${weights.effective.toFixed(2)}`;
  const message = `${places.length} programs drawn by the policy: ${shown}` +
    (isGood ? "" : "; do not use its answer without execution");
  const detail = { ...weights, draws: places.length, good_k: goodK, good_share: goodShare };
  const level = isGood ? "info" : "warning";
  context.rows("event", [{ level, kind: "policy_trials", message, detail }]);
  context.log(message, level);
}

/** The event that says what the policy answers: what `--executions 0` prints. */
export function policyEvent(answer: PolicyAnswer, path: string): Row {
  const { card, likeness, predictors, inclusion } = answer;
  const { figures, digest, trained } = card;
  const detail = {
    policy: path,
    digest,
    passed: likeness.isLike,
    distance: likeness.distance,
    reach: likeness.reach,
    reasons: likeness.reasons,
    inclusion: predictors.map((question, j) => ({ question, probability: inclusion[j] })),
    likeliest: likeliest(answer),
    figures,
    trained,
  };
  const message = likeness.isLike
    ? `the policy answers: ${predictors.length} predictors, no execution`
    : `the policy does not answer: ${likeness.reasons.join("; ")}`;
  return { level: likeness.isLike ? "info" : "warning", kind: "policy_answer", message, detail };
}

/** The five likeliest programs, by the predictors that are in. */
function likeliest({ logShares, bits, predictors }: PolicyAnswer) {
  return [...logShares.keys()].sort((a, b) => logShares[b] - logShares[a] || a - b).slice(0, 5)
    .map((i) => ({
      in: predictors.filter((_, j) => (bits[i] >> j) & 1),
      probability: exp(logShares[i]),
    }));
}

/** A refusal of the policy alone. */
export function unlike({ likeness: { reasons } }: PolicyAnswer): Error {
  const message = `The policy does not answer: ${reasons.join("; ")}`;
  const hint = "leave out --executions 0: programs are scored then, and the policy is not needed";
  return inputError("amortised/unlike", message, undefined, hint);
}
