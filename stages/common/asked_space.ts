/** Questions of a target as a policy for many data sets is asked them. */
import type { StandardRows } from "../../src/gfn/train/mod.ts";

/** One answer to a question. */
export interface AnswerName {
  readonly question: string;
  /** `in` of predictors. */
  readonly answer: string;
}

/** Rows, programs and answers of a target that a policy is asked about. */
export interface AskedSpace {
  readonly rows: StandardRows;
  /** `[candidates]`. */
  readonly programs: Int32Array;
  readonly answers: readonly AnswerName[];
}
