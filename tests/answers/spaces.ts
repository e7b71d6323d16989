/** Spaces for tests of answers. */
import { logSumExp } from "../../src/numerics/math/log_sum_exp.ts";
import type { ScoredSpace } from "../../src/answers/scored_space.ts";

/** Programs as a test says them: prior, values by row, and the answer to the one question. */
export interface PlainProgram {
  readonly prior: number;
  readonly pointwise: readonly number[];
  readonly answer: string;
  readonly mcse?: number;
}

/** A space with one question, `which?`. */
export function spaceOf(
  programs: readonly PlainProgram[],
  more: Partial<ScoredSpace> = {},
): ScoredSpace {
  const names = [...new Set(programs.map(({ answer }) => answer))];
  const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
  const logPrior = Float64Array.from(programs, ({ prior }) => Math.log(prior));
  return {
    programs: programs.length,
    derivations: new Int32Array(programs.length).fill(1),
    failed: 0,
    logPrior,
    priorWeight: 1,
    logReward: Float64Array.from(programs, ({ pointwise }, k) => logPrior[k] + sum(pointwise)),
    pointwise: Float64Array.from(programs.flatMap(({ pointwise }) => pointwise)),
    rows: programs[0].pointwise.length,
    unit: "row",
    mcse: Float64Array.from(programs, ({ mcse = 0 }) => mcse),
    questions: [{
      question: "which?",
      answers: names.map((answer) => ({
        answer,
        prior: sum(programs.filter((one) => one.answer === answer).map(({ prior }) => prior)),
      })),
      given: Int32Array.from(programs, ({ answer }) => names.indexOf(answer)),
    }],
    effects: [],
    ...more,
  };
}

/** Exact log p(y_i | y_-i) of normal data with known spread 1 and a mean with prior N(0, width²). */
export function normalLoo(data: readonly number[], width: number): number[] {
  return data.map((value, i) => {
    const others = data.filter((_, j) => j !== i);
    const precision = 1 / (width * width) + others.length;
    const mean = width === 0 ? 0 : others.reduce((a, b) => a + b, 0) / precision;
    const variance = 1 + (width === 0 ? 0 : 1 / precision);
    return -0.5 * Math.log(2 * Math.PI * variance) - (value - mean) ** 2 / (2 * variance);
  });
}

/** exp(logs), normalised. */
export function shares(logs: readonly number[]): number[] {
  const total = logSumExp(Float64Array.from(logs));
  return logs.map((one) => Math.exp(one - total));
}
