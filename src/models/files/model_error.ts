/** Findings on a model's files: the attempt, the fault found, the form wanted, and the mend. */
import { type InputError, inputError } from "../../base/diagnostic.ts";

/** What is wrong with a file of a model. */
interface ModelFault {
  /** The last part of the diagnostic's code: `model/truncated`. */
  readonly kind: string;
  /** The file. */
  readonly path: string;
  /** What was found, and what was wanted. */
  readonly problem: string;
  /** How to mend it. */
  readonly mend: string;
}

/** The error that says so. */
export function modelError({ kind, path, problem, mend }: ModelFault): InputError {
  return inputError(`model/${kind}`, `Cannot read model ${path}: ${problem}`, undefined, mend);
}

/** What mends files that do not hold what they say. */
export const loadAgain = "the file is damaged or was not loaded to its end: get it again";
