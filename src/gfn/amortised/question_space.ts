/** Space kinds of policies for many data sets: how a data set becomes a prompt, and a program answers. */
import type { Environment, Prompt } from "../environments/environment.ts";
import { askedAmong, askedData, dataPrompt, dataSummary } from "./data_prompt.ts";
import type { Detected } from "./detector.ts";
import { summariseGrowth } from "./growth/growth_summary.ts";
import { askedGrowth, growthAmong, growthPrompt } from "./growth/growth_prompt.ts";
import { growthAnswers, growthPaths } from "./growth/growth_questions.ts";
import { growthNumbers } from "./growth/growth_numbers.ts";
import { members } from "./normal_regressions.ts";
import { everyBegun } from "./program_summaries.ts";
import { actionsOf } from "./questions.ts";
import { regressionNumbers } from "./regression_numbers.ts";
import type { SpaceKind } from "./questions_kind.ts";
import type { StandardRows } from "./standard_rows.ts";
import { summariseData } from "./generalised/summarise_data.ts";

/** A space kind as a policy sees it. */
export interface QuestionSpace {
  /** The prompt of a data set. */
  prompt(rows: StandardRows, id?: string): Prompt;
  /** The same, of which some programs alone are asked. */
  among(prompt: Prompt, programs: readonly number[]): Prompt;
  /** Actions that write a program, exit included. */
  actions(environment: Environment, program: number, predictors: number): number[];
  /** Numbers by which the detector finds data unlike those of training. */
  detected(prompt: Prompt): Detected;
  /** Share of the response's variance that the largest program explains. */
  explained(prompt: Prompt): number;
  /** Log shares of programs before anything is learned, nats, but for a constant. */
  begun(prompt: Prompt, programs: ArrayLike<number>): Float64Array;
  /** Answers that a program gives, of all that a data set has: predictors that are in, a curve and a noise. */
  marks(program: number): readonly number[];
  /** Number of answers. */
  answers(predictors: number): number;
}

const best = new WeakMap<Prompt, number>();

const regression: QuestionSpace = {
  prompt: (rows, id) => dataPrompt(summariseData(rows), id),
  among(prompt, programs) {
    const summary = dataSummary(prompt);
    if (programs.length === 2 ** summary.predictors) return prompt;
    const highest = best.get(prompt) ?? everyBegun(summary).reduce((a, b) => Math.max(a, b));
    best.set(prompt, highest);
    return askedAmong(prompt, summary, programs, highest);
  },
  actions: actionsOf,
  detected: (prompt) => regressionNumbers(askedData(prompt).summary),
  explained: (prompt) => askedData(prompt).summary.data[3],
  begun(prompt, programs) {
    const { begun } = askedData(prompt).programs;
    return Float64Array.from(programs, (bits) => begun[bits]);
  },
  marks: members,
  answers: (predictors) => predictors,
};

const growth: QuestionSpace = {
  prompt: ({ columns: [ages], y: sizes }, id = "growth") =>
    growthPrompt(summariseGrowth({ ages, sizes }), id),
  among: growthAmong,
  actions: ({ exitAction }, program) => [...growthPaths[program], exitAction],
  detected: (prompt) => growthNumbers(askedGrowth(prompt)),
  explained: (prompt) => askedGrowth(prompt).data[1],
  begun(prompt, programs) {
    const { programs: all, foretold } = askedGrowth(prompt);
    const places = new Map(Array.from(all, (program, m) => [program, m]));
    return Float64Array.from(
      programs,
      (program) => foretold[places.get(program) ?? -1] ?? -Infinity,
    );
  },
  marks: (program) => growthPaths[program],
  answers: () => growthAnswers.length,
};

/** Question spaces by their names. */
export const questionSpaces: Readonly<Record<SpaceKind, QuestionSpace>> = { regression, growth };
