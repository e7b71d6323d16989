/** Scores of answers: errors, and skill between a constant answer and one with known latents. */
import { RandomStream } from "../../base/random.ts";

/** How far an answer is from the truth. */
export function errorOf(
  answer: number,
  truth: number,
  kind: "squared" | "absolute" | "wrong",
): number {
  if (kind === "wrong") return answer === truth ? 0 : 1;
  const distance = Math.abs(answer - truth);
  return kind === "squared" ? distance * distance : distance;
}

/** The log density of an outcome that a program calls impossible, nats: no score is less. */
export const leastLog = -50;

/** Mean errors of an episode at the same questions. */
export interface EpisodeErrors {
  readonly error: number;
  readonly oracle: number;
  readonly constant: number;
}

/** An answer to a question beside the oracle's and the constant one; without an error where it was refused. */
interface AnsweredQuestion {
  readonly error?: number;
  readonly oracle_error: number;
  readonly constant_error: number;
}

/** Mean errors over questions, and the skill that they come to; undefined where one has no answer. */
export function meanErrors(
  questions: readonly AnsweredQuestion[],
): Partial<EpisodeErrors> & { readonly skill?: number } {
  if (questions.length === 0) return {};
  const mean = (of: (one: AnsweredQuestion) => number) =>
    questions.reduce((sum, one) => sum + of(one), 0) / questions.length;
  const [oracle, constant] = [mean((one) => one.oracle_error), mean((one) => one.constant_error)];
  if (questions.some(({ error }) => error === undefined)) return { oracle, constant };
  const error = mean((one) => one.error!);
  const isDefined = constant !== oracle;
  return {
    error,
    oracle,
    constant,
    ...(isDefined && { skill: 1 - (error - oracle) / (constant - oracle) }),
  };
}

/** A number with the interval of its paired bootstrap. */
export interface Interval {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Resamples of episodes: the ends of a 95 % interval are known to a twentieth of its width. */
const resamples = 1000;

/**
 * Skill 1 − (error − oracle) / (constant − oracle) of means over episodes, with the 95 % interval
 * of a bootstrap over episodes (Efron 1979). It is 1 with known latents, 0 for a constant answer.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { skillOf } from "./scores.ts";
 * const { value } = skillOf([{ error: 2, oracle: 1, constant: 5 }, { error: 4, oracle: 3, constant: 7 }]);
 * assert.equal(value, 0.75);
 * ```
 */
export function skillOf(episodes: readonly EpisodeErrors[]): Interval {
  return bootstrap(episodes, (some) => {
    const sum = (of: (one: EpisodeErrors) => number) => some.reduce((all, one) => all + of(one), 0);
    const [error, oracle, constant] = [
      sum((e) => e.error),
      sum((e) => e.oracle),
      sum((e) => e.constant),
    ];
    return constant === oracle ? NaN : 1 - (error - oracle) / (constant - oracle);
  });
}

/**
 * A statistic of episodes with the 95 % interval of a bootstrap: pairs stay together where an element has both.
 */
export function bootstrap<T>(
  episodes: readonly T[],
  statistic: (some: readonly T[]) => number,
): Interval {
  if (episodes.length === 0) return { value: NaN, low: NaN, high: NaN };
  const random = new RandomStream("bootstrap", episodes.length);
  const found = Array.from(
    { length: resamples },
    () => statistic(episodes.map(() => episodes[random.below(episodes.length)])),
  ).filter((one) => !Number.isNaN(one)).sort((a, b) => a - b);
  const at = (share: number) =>
    found.length === 0 ? NaN : found[Math.min(found.length - 1, Math.floor(share * found.length))];
  return { value: statistic(episodes), low: at(0.025), high: at(0.975) };
}
