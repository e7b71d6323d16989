/** Bounds on the probabilities of answers where programs have no score. */
import { exp, logSumExp, pow } from "../numerics/math/mod.ts";
import type { ScoredSpace } from "./scored_space.ts";

/** Ends of a probability. */
export interface Bounds {
  readonly lo: number;
  readonly hi: number;
}

/** Prior that rounding leaves where every program has a score. */
const rounding = 1e-9;

/** Width below which bounds are one number, for no printed digit shows it. */
const shown = 0.001;

/**
 * Mass of the programs without a score, in units of the target of the scored ones, if each predicted
 * as well as the best that has a score. A program that predicts better still is not bounded by it.
 */
export class UnscoredMass {
  readonly #perPrior: (prior: number) => number;
  /** Mass of each answer's programs without a score, by question `[answers]`. */
  readonly #answers: readonly Float64Array[];
  /** Mass of all programs without a score. */
  readonly total: number;

  constructor(readonly space: ScoredSpace) {
    const { logPrior, questions } = space;
    this.#perPrior = massOfPrior(space);
    this.total = this.#mass(1 - sumOf(logPrior.map((one) => exp(one))));
    this.#answers = questions.map(({ given, answers }) => {
      const left = Float64Array.from(answers, ({ prior }) => prior);
      given.forEach((a, k) => left[a] -= exp(logPrior[k]));
      return left.map((one) => this.#mass(one));
    });
  }

  /** Whether a question needs bounds: a rival has no score, or a printed digit could change. */
  isOpen(q: number, target: Float64Array): boolean {
    const { given, answers } = this.space.questions[q];
    const scored = new Set(given);
    return answers.some(({ prior }, a) => {
      if (prior > rounding && !scored.has(a)) return true;
      const { lo, hi } = this.ofAnswer(q, a, { lo: target[a], hi: target[a] });
      return hi - lo > shown;
    });
  }

  /** Ends of an answer's probability; `scored` are those among the programs with a score. */
  ofAnswer(q: number, a: number, { lo, hi }: Bounds): Bounds {
    const own = this.#answers[q][a];
    const others = sumOf(this.#answers[q]) - own;
    return { lo: lo / (1 + others), hi: (hi + own) / (1 + own) };
  }

  /** Ends of the share of scored programs, for any answers. */
  ofScored({ lo, hi }: Bounds): Bounds {
    return { lo: lo / (1 + this.total), hi };
  }

  /** Whether the share of scored programs needs bounds. */
  get isOpenAtAll(): boolean {
    return this.total / (1 + this.total) > shown;
  }

  #mass(prior: number): number {
    return prior > rounding ? this.#perPrior(prior) : 0;
  }
}

/**
 * Σ prior^w of unscored programs is at most N^max(0, 1 − w) (Σ prior)^w, by the inequality of power
 * means; times the likelihood of the best program, over the sum of the scored ones.
 */
function massOfPrior(
  { programs, failed, derivations, logReward, logPrior, priorWeight: w }: ScoredSpace,
): (prior: number) => number {
  const best = logReward.reduce((most, one, k) => Math.max(most, one - w * logPrior[k]), -Infinity);
  const perPrior = exp(best - logSumExp(logReward));
  const unscored = Math.max(failed, programs - sumOf(derivations), 1);
  const many = pow(unscored, Math.max(0, 1 - w));
  return (prior) => perPrior * many * pow(prior, w);
}

function sumOf(values: Float64Array | Int32Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}
