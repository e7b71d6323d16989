/** Judges: terms of a log reward, each from an execution. */
import type { Dataset } from "../../../base/dataset.ts";
import type { Execution, Score } from "../execution/execution.ts";
import type { CriticAnswers, CriticQuestion } from "./critic_question.ts";

/** Facts of a program that a judge may use beside its execution. */
export interface JudgedProgram {
  /** The text itself. */
  readonly text: string;
  /** log p(program) under the environment's prior. */
  readonly logPrior: number;
  /** Answers of critics about it, by the key of each question; left out where a target asks none. */
  readonly answers?: CriticAnswers;
}

/** A judge's result: a log reward in nats, and named parts of it for the tables. */
export interface Opinion {
  /** In nats. */
  readonly logReward: number;
  /** Parts of it, for the tables. */
  readonly components?: Readonly<Record<string, number>>;
  /** A critic that it needs gave no answer: the program has no score. */
  readonly unanswered?: true;
}

/**
 * One term of a log reward. A judge that uses the `execution` is asked about programs with a score
 * only, and so is one that reads the `text` alone, which may also judge texts that are not
 * executed; one that uses the `prior` is asked about every program, failed ones included. A judge
 * is a pure function: the same arguments give the same bits.
 */
export interface Judge {
  /** Name in the pipeline and the tables. */
  readonly name: string;
  /** Changes whenever its opinions may change. */
  readonly version: number;
  /** Whether it needs a score, the text of a program that has one, or the log prior alone. */
  readonly uses: "execution" | "text" | "prior";
  /** Of judges of texts: least and most log reward; left out: 0 and 1. */
  readonly bounds?: readonly [least: number, most: number];
  /** Questions that critics have to answer before it is asked; left out: none. */
  readonly questions?: readonly CriticQuestion[];
  /** True if it judges by rows that the data set withholds; left out: it does not. */
  readonly needsHoldout?: boolean;
  /** True if it judges rows by those before them in time; left out: it does not. */
  readonly needsTime?: boolean;
  /** True if it leaves rows or groups out, although their future may depend on them; left out: it does not. */
  readonly leavesOne?: boolean;
  /** True if it charges constants, which the engine has to look at for it; left out: it does not. */
  readonly needsLiterals?: boolean;
  /** True if it needs log p(y), which the engine computes for it alone; left out: it does not. */
  readonly needsEvidence?: boolean;
  /** True if it rewards predictive densities, which have a bound only where data were recorded to a step. */
  readonly byDensity?: boolean;
  /** Its opinion of one program. */
  judge(execution: Execution, program: JudgedProgram, dataset: Dataset): Opinion;
}

/**
 * True for the default export of a module made with `defineJudge`.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { isJudge } from "./judge.ts";
 * assert(!isJudge({ name: "no function", version: 1 }));
 * ```
 */
export function isJudge(value: unknown): value is Judge {
  const judge = value as Partial<Judge> | null;
  return typeof judge === "object" && judge !== null && typeof judge.judge === "function" &&
    typeof judge.name === "string" && typeof judge.version === "number";
}

/** The score of a program that has one. */
export function scoreOf(execution: Execution): Score {
  if (execution.score) return execution.score;
  throw new Error("internal: a judge of executions was asked about a program without a score");
}

/**
 * Declares a judge, so that its fields are checked where it is written.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { defineJudge, isJudge } from "./judge.ts";
 * const shortness = defineJudge({
 *   name: "shortness",
 *   version: 1,
 *   uses: "text",
 *   judge: (_, { text }) => ({ logReward: -text.length / 1000 }),
 * });
 * assert(isJudge(shortness));
 * ```
 */
export function defineJudge(judge: Judge): Judge {
  return Object.freeze({ ...judge });
}
